/**
 * Recognizes a message that refuses further messages, or wants them again. Only a whole message counts, because an
 * opt-out is final: "baja" is one, "¿baja el precio?" is not.
 */
import {
  closings,
  floorOptOuts,
  internationalOptIns,
  internationalOptOuts,
  type MessageLanguage,
  messageLanguages,
  optInPhrases,
  optOutPhrases,
  politeWords,
  prefaces,
  unclearOptOuts,
} from './opt-out-phrases.ts'
import { refusalPhrases } from './opt-out-verbs.ts'
import { removeQuotedText } from './quoted-text.ts'

export { type MessageLanguage, messageLanguages, optOutConfirmations } from './opt-out-phrases.ts'

export interface MessageIntent {
  kind: 'opt_out' | 'opt_in'
  /** The languages that have this form. */
  languages: readonly MessageLanguage[]
  /** The plain words. */
  phrase: string
  /** After such a question they may be an answer: "¿Algo más?" "No más", "¿Qué planta es?" "Baja". */
  answers?: 'any' | 'floor'
}

/** Longer messages say more than that. */
const charactersMax = 200
/** With a signature and the lines of a mail program. */
const wholeCharactersMax = 2000
const wordsMax = 20

/** "Don't e-mail me" allows other messages. */
const emailWords = /\b(?:e ?mails?|e ?mailing|mails?|correos|correus)\b/

/** Returns what the whole message requests; null: neither. `isEmail`: it is an e-mail. */
export function findIntent(text: string, { isEmail = false } = {}): MessageIntent | null {
  if (text.length > wholeCharactersMax) return null
  const own = removeQuotedText(text)
  // A question is none: "¿baja?" asks for the price.
  if (own.length > charactersMax || /[?؟]/.test(own)) return null
  const words = toMessageWords(removePreface(removeClosing(own)))
  if (words.length === 0 || words.length > wordsMax) return null
  for (const phrase of listReadings(words)) {
    const intent = intents.get(phrase)
    if (intent && (isEmail || !emailWords.test(phrase))) return intent
  }
  return null
}

/** The language of a confirmation: that of the form, or the first preferred one if the form belongs to several. */
export function chooseLanguage(
  { languages }: MessageIntent,
  preferred: readonly MessageLanguage[],
): MessageLanguage {
  return preferred.find(language => languages.includes(language)) ?? languages[0]!
}

/** The language of a workspace by its country (ISO 3166-1 alpha-2). */
export function toMessageLanguage(country: string): MessageLanguage {
  const byCountry: Record<string, MessageLanguage> = {
    ES: 'es',
    AD: 'ca',
    PT: 'pt',
    BR: 'pt',
    IT: 'it',
    FR: 'fr',
    DE: 'de',
    AT: 'de',
  }
  return byCountry[country] ?? 'en'
}

/** Plain words: no accents, case, signs and emoji. */
function toMessageWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    // Joiners and variation selectors are inside of words and emoji.
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return plain === '' ? [] : plain.split(' ')
}

/** The message without a closing line and the name below it or behind it: "Un saludo, Marta", "Baja. Gracias.\nMarta". */
function removeClosing(text: string): string {
  const lines = text
    .trim()
    .replace(/[.,;!]+ *(?=[^.,;!\n]+[.,;!]*\n)/g, '\n')
    .split('\n')
  const end = lines.findIndex((line, index) => index > 0 && isClosing(line, lines.slice(index + 1)))
  return end === -1 ? text : lines.slice(0, end).join('\n')
}

function isClosing(line: string, following: string[]): boolean {
  const words = toMessageWords(line)
  const count =
    words.findLastIndex((_word, index) => closingLines.has(words.slice(0, index + 1).join(' '))) + 1
  if (count === 0) return false
  const name =
    line
      .match(/[\p{L}\p{N}\p{M}.'’-]+/gu)
      ?.slice(count)
      .join(' ') ?? ''
  const names = [name, ...following].filter(one => one.trim() !== '')
  return names.length <= 2 && names.every(isName)
}

/** One word, or some with capitals: "Marta", "Marta de la Cruz". */
function isName(line: string): boolean {
  const words = line.trim().split(/\s+/)
  return (
    words.length === 1 ||
    (words.length <= 5 && words.every(word => /^(?:\p{Lu}|d[aeio]s?l?$|la$|van$|von$|i$|y$)/u.test(word)))
  )
}

/** The message without clauses that only say why. */
function removePreface(text: string): string {
  const clauses = text.split(/[,.;:!\n]+/).filter(clause => toMessageWords(clause).length > 0)
  const start = clauses.findIndex(clause => !isPreface(toMessageWords(clause)))
  return start > 0 ? clauses.slice(start).join('\n') : text
}

const isPreface = (words: string[]): boolean =>
  [words, removePoliteness(words)].some(one => prefaceClauses.has(one.join(' ')))

/** The message without politeness, spelled as words, and one word of a repeated one. */
function listReadings(words: string[]): string[] {
  const bare = removePoliteness(words)
  const readings = [words.join(' '), bare.join(' ')]
  if (bare.length > 1 && bare.every(word => word === bare[0])) readings.push(bare[0]!)
  // "S T O P"
  if (bare.length > 2 && bare.every(word => word.length === 1)) readings.push(bare.join(''))
  return readings
}

function removePoliteness(words: string[]): string[] {
  let [start, end] = [0, words.length]
  const findAt = (from: number, to: number) =>
    Math.max(
      0,
      ...[1, 2, 3, 4].filter(
        count => from + count <= to && polite.has(words.slice(from, from + count).join(' ')),
      ),
    )
  const findBefore = (from: number, to: number) =>
    Math.max(
      0,
      ...[1, 2, 3, 4].filter(
        count => to - count >= from && polite.has(words.slice(to - count, to).join(' ')),
      ),
    )
  for (;;) {
    const first = findAt(start, end)
    start += first
    const last = findBefore(start, end)
    end -= last
    if (first + last === 0) return words.slice(start, end)
  }
}

/** All texts of a pattern: `a {b|c|}` is `a b`, `a c` and `a`. */
function expandPattern(pattern: string): string[] {
  const parts = pattern.split(/(\{[^}]*\})/)
  const texts = parts.reduce<string[]>(
    (heads, part) => {
      const choices = part.startsWith('{') ? part.slice(1, -1).split('|') : [part]
      return heads.flatMap(head => choices.map(choice => head + choice))
    },
    [''],
  )
  return texts.map(text => text.replace(/ +/g, ' ').trim())
}

const polite = new Set(politeWords.flatMap(expandPattern))
const closingLines = new Set([...closings, ...politeWords].flatMap(expandPattern))
const prefaceClauses = new Set(prefaces.flatMap(expandPattern))
const intents = new Map<string, MessageIntent>()

/** All refusals of a language, as plain words. */
export const listOptOuts = (language: MessageLanguage): string[] => [
  ...internationalOptOuts,
  ...[...optOutPhrases[language], ...refusalPhrases[language]].flatMap(expandPattern),
]

const listOptIns = (language: MessageLanguage): string[] => [
  ...internationalOptIns,
  ...optInPhrases[language].flatMap(expandPattern),
]

function addIntents(kind: MessageIntent['kind'], list: (language: MessageLanguage) => string[]): void {
  for (const language of messageLanguages)
    for (const phrase of list(language)) {
      const known = intents.get(phrase)
      if (known && known.kind !== kind) throw new Error(`${phrase} means both`)
      const languages = new Set([...(known?.languages ?? []), language])
      intents.set(phrase, {
        kind,
        languages: [...languages],
        phrase,
        ...toAnswers(phrase),
      })
    }
}

function toAnswers(phrase: string): Pick<MessageIntent, 'answers'> {
  if (floorOptOuts.includes(phrase)) return { answers: 'floor' }
  return unclearOptOuts.includes(phrase) ? { answers: 'any' } : {}
}

addIntents('opt_out', listOptOuts)
addIntents('opt_in', listOptIns)
