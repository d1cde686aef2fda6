/** Looks up labels, headings and words of listings in the tables of all languages. */
import { toPlainWords } from '../../../plain-words.ts'
import type { Condition, Operation } from '../../listing.ts'
import { countriesOfLanguage } from '../countries.ts'
import type { EnergyRating, ListingValues, PricePeriod, PropertySubtype } from '../page-listing.ts'
import { ca } from './ca.ts'
import { cs } from './cs.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { eu, gl } from './gl-eu.ts'
import { it } from './it.ts'
import { type LabelMeaning, type LanguageWords, labelMeanings, type SectionKind } from './language-words.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'

const languages = { es, ca, pt, it, fr, de, nl, en, pl, cs, ru, gl, eu } as const satisfies Record<
  string,
  LanguageWords
>
export type Language = keyof typeof languages
export const allLanguages = Object.keys(languages) as Language[]

/** What the words of a text may state. */
export interface WordValues {
  operation: Operation
  subtype: PropertySubtype
  condition: Condition
  status: NonNullable<ListingValues['status']>
  advertiserType: NonNullable<ListingValues['advertiserType']>
  energy: EnergyRating
  period: PricePeriod
  onRequest: true
}
export type WordKind = keyof WordValues

const labelLengthMax = 70
const phraseWordsMax = 7
const textWordsMax = 400

/** Lower case without accents; letters, digits and single spaces only: `Nº of rooms (m²)` is `n of rooms m2`. */
export function toPhrase(text: string): string {
  if (text.length > cachedLengthMax) return normalizePhrase(text)
  let phrase = phrases.get(text)
  if (phrase === undefined) {
    phrase = normalizePhrase(text)
    if (phrases.size < phrasesMax) phrases.set(text, phrase)
  }
  return phrase
}

/** Several sources read the same texts, so that their phrases are kept until the page has been read. */
const phrases = new Map<string, string>()
const phrasesMax = 5000
const cachedLengthMax = 120

/** Forgets the texts of a page, which would hold on to it. */
export function forgetPhrases(): void {
  phrases.clear()
}

function normalizePhrase(text: string): string {
  return toPlainWords(text.replaceAll('²', '2').replace(/[ºª°]/g, ' '))
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function splitWords(words: string): string[] {
  return words.split(',').map(word => word.trim().replace(/\s+/g, ' '))
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else if (!values.includes(value)) values.push(value)
}

/** The tables of labels, headings, answers and phrases. */
export const meaningsByLabel = new Map<string, LabelMeaning[]>()
export const sectionsByHeading = new Map<string, SectionKind[]>()
const countPrefixes: string[] = []
export const answers = new Map<string, boolean>()
for (const words of Object.values<LanguageWords>(languages)) {
  for (const meaning of labelMeanings)
    for (const label of splitWords(words.labels[meaning] ?? '')) addTo(meaningsByLabel, label, meaning)
  for (const [kind, headings] of Object.entries(words.sections))
    for (const heading of splitWords(headings)) addTo(sectionsByHeading, heading, kind as SectionKind)
  for (const prefix of splitWords(words.numberOf ?? '')) if (prefix !== '') countPrefixes.push(`${prefix} `)
  for (const word of splitWords(words.yes ?? '')) answers.set(word, true)
  for (const word of splitWords(words.no ?? '')) answers.set(word, false)
}
meaningsByLabel.delete('')
countPrefixes.sort((a, b) => b.length - a.length)

export interface Label {
  /** Several if languages use the word differently; the value decides. */
  meanings: readonly LabelMeaning[]
  /** The unit that the label states: `Area (m²)`. */
  unit: string | null
}

const unitPattern =
  / (?:in |en |em )?(m2|mq|qm|sqm|sq m|sq ft|sqft|ft2|square feet|square metres|square meters|ha|hectares|acres|eur|euro|euros|m)$/
/** A label that is itself a unit: `Square feet`. */
const labelUnitPattern = /sq(?:uare)? f(?:ee)?t|sqft|sq m|sqm|square met(?:er|re)s|acres/
const approximatePattern = /^(?:ca|approx|aprox|env) | (?:ca|approx|aprox|circa|env|environ|about)$/

/** What a label names (`Anzahl Zimmer:`, `Superficie (m²)`), or null if it is no known label. */
export function parseLabel(text: string): Label | null {
  if (text.length > labelLengthMax) return null
  const phrase = toPhrase(text)
  if (phrase === '' || phrase.length > labelLengthMax) return null
  const whole = meaningsByLabel.get(phrase)
  if (whole !== undefined) return { meanings: whole, unit: labelUnitPattern.exec(phrase)?.[0] ?? null }
  const unit = unitPattern.exec(phrase)?.[1] ?? null
  const short = phrase.replace(unitPattern, '').replace(approximatePattern, '')
  const found = meaningsByLabel.get(short) ?? meaningsByLabel.get(omitCountPrefix(short))
  return found === undefined ? null : { meanings: found, unit }
}

function omitCountPrefix(phrase: string): string {
  const prefix = countPrefixes.find(candidate => phrase.startsWith(candidate))
  return prefix === undefined ? phrase : phrase.slice(prefix.length)
}

/** The kind of section that a heading opens (`Similar properties`), or null. */
export function parseHeading(text: string): SectionKind | null {
  if (text.length > labelLengthMax) return null
  return sectionsByHeading.get(toPhrase(text))?.[0] ?? null
}

/** True for "yes", false for "no", null for anything else. */
export function parseAnswer(text: string): boolean | null {
  return text.length > 30 ? null : (answers.get(toPhrase(text)) ?? null)
}

interface PhraseTable<Kind extends WordKind> {
  values: Map<string, WordValues[Kind]>
  /** The first words of all phrases. */
  firstWords: Set<string>
}
export const phraseTables = new Map<string, PhraseTable<WordKind>>()

function getTable<Kind extends WordKind>(kind: Kind, language: Language): PhraseTable<Kind> {
  const key = `${kind} ${language}`
  let table = phraseTables.get(key)
  if (table === undefined) {
    const values = new Map<string, WordValues[WordKind]>()
    const words = (languages[language] as LanguageWords)[kind]
    if (typeof words === 'string')
      for (const phrase of splitWords(words)) values.set(phrase, true as WordValues[WordKind])
    else
      for (const [value, phrases] of Object.entries(words ?? {}))
        for (const phrase of splitWords(phrases))
          if (!values.has(phrase)) values.set(phrase, value as WordValues[WordKind])
    values.delete('')
    table = { values, firstWords: new Set([...values.keys()].map(phrase => phrase.split(' ')[0]!)) }
    phraseTables.set(key, table)
  }
  return table as PhraseTable<Kind>
}

export interface FoundWord<Value> {
  value: Value
  /** The words that state it. */
  phrase: string
  /** Index among the words of the text. */
  index: number
}

/** All statements of one kind in a text, in order. At each place the longest phrase of the languages counts. */
export function findWords<Kind extends WordKind>(
  kind: Kind,
  text: string,
  pageLanguages: readonly Language[],
): FoundWord<WordValues[Kind]>[] {
  const words = toPhrase(text.slice(0, 4000)).split(' ').slice(0, textWordsMax)
  const found: FoundWord<WordValues[Kind]>[] = []
  const used = pageLanguages.map(language => getTable(kind, language))
  for (let index = 0; index < words.length; index += 1) {
    if (!used.some(({ firstWords }) => firstWords.has(words[index]!))) continue
    for (let count = Math.min(phraseWordsMax, words.length - index); count > 0; count -= 1) {
      const phrase = words.slice(index, index + count).join(' ')
      const value = findPhrase(kind, phrase, pageLanguages)
      if (value === null) continue
      found.push({ value, phrase, index })
      index += count - 1
      break
    }
  }
  return found
}

/** The statement that is the whole text, or null. */
export function findPhrase<Kind extends WordKind>(
  kind: Kind,
  phrase: string,
  pageLanguages: readonly Language[],
): WordValues[Kind] | null {
  for (const language of pageLanguages) {
    const value = getTable(kind, language).values.get(phrase)
    if (value !== undefined) return value
  }
  return null
}

const languagesByWord = new Map<string, Language[]>()
for (const name of allLanguages)
  for (const word of splitWords(languages[name].common)) addTo(languagesByWord, word, name)

/**
 * The languages of a page, the most probable one first: what the page declares, and what the frequent words of its text
 * show. A declaration is often wrong.
 */
export function detectLanguages(declared: string | null, text: string, country: string | null): Language[] {
  const counts = new Map<Language, number>()
  for (const word of toPhrase(text.slice(0, 30_000)).split(' '))
    for (const language of languagesByWord.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1)
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1])
  const found = new Set<Language>()
  if (best !== undefined && best[1] >= 8) found.add(best[0])
  const code = declared?.slice(0, 2).toLowerCase() ?? ''
  const known = code === 'sk' ? 'cs' : allLanguages.find(name => name === code)
  if (known !== undefined) found.add(known)
  // Without a declaration the texts of programs may have looked like a language.
  else if (country !== null && found.size > 0)
    for (const name of allLanguages) if (countriesOfLanguage(name)?.includes(country)) found.add(name)
  return found.size === 0 ? allLanguages : [...found]
}
