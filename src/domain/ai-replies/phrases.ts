/**
 * What people write that no model answers: that they want a person, what concerns other things than the property and the
 * agency, and instructions for a model.
 */
import { toPlainWords } from '../plain-words.ts'
import {
  besideTopicPhrases,
  commandPhrases,
  doubtfulPhrases,
  handOffPhrases,
  injectionPhrases,
  offTopicPhrases,
} from './phrase-lists.ts'
import { hasSubject } from './relevance.ts'

/** Whole messages only: "una persona" also counts people. */
const wholeOnly = new Set(
  'persona,una persona,persoa,unha persoa,pertsona,pessoa,uma pessoa,person,a person,eine person,personne,une personne,human,humano,huma,umano,humain,mensch,deitu'.split(
    ',',
  ),
)

/** Marks of other formats: nobody writes them by hand. */
const markup =
  /<\/?[a-z][\w-]*[\s>/]|```|\[\/?(?:INST|SYS|SYSTEM)\]|<\|[\w-]+\|>|"(?:role|tool|function|arguments)"\s*:|\{\s*"\w+"\s*:|\b(?:hand_off|list_slots|book_slot)\b|^\s*#{1,3} |^\s*(?:system|assistant|sistema|asistente|assistente)\s*:/im
/** Encoded texts hide what they say. */
const encoded = /[A-Za-z0-9+]{48,}={0,2}|(?:\\u[0-9a-f]{4}){4,}|(?:%[0-9a-f]{2}){6,}/i
/** Signs that are not seen, and directions of writing: ordinary ones stand between letters of some scripts and in emoji only. */
const invisible = /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Spelled words: "i g n o r e". */
const spelled = /(?: \p{L}){8,}(?= )/u

const textMax = 8_000

/** Plain words between spaces. Letters that look like others, and digits in the place of letters, count as these. */
function toWords(text: string): string {
  const plain = toPlainWords(
    text
      .slice(0, textMax)
      .normalize('NFKD')
      .replace(/\p{Cf}/gu, ''),
  )
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
  return ` ${plain.trim()} `
}

const lookAlikes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' }
/** Cyrillic and Greek letters that look like Latin ones. */
const foreignLetters: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  х: 'x',
  у: 'y',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  α: 'a',
  ε: 'e',
  ο: 'o',
  ρ: 'p',
  ι: 'i',
  ν: 'v',
  κ: 'k',
}

/** The readings of a text: as it is, and with look-alikes replaced. */
function listReadings(text: string): string[] {
  const words = toWords(text)
  const latin = words.replace(/[\u0370-\u04ff]/gu, letter => foreignLetters[letter] ?? letter)
  const letters = latin.replace(/(?<=\p{L})[013457]|[013457](?=\p{L})/gu, digit => lookAlikes[digit]!)
  return [...new Set([words, latin, letters])]
}

function createMatcher(phrases: readonly string[]): RegExp {
  const parts = phrases.map(phrase => (phrase.endsWith('*') ? `${phrase.slice(0, -1)}\\S*` : phrase))
  return new RegExp(` (?:${parts.join('|')})(?= )`)
}

const wanted = Object.values(handOffPhrases).flat()
const wantsPersonWithin = createMatcher(wanted.filter(phrase => !wholeOnly.has(phrase)))
const injections = createMatcher(injectionPhrases)
const doubtful = createMatcher(doubtfulPhrases)
const commands = createMatcher(commandPhrases)
const offTopics = createMatcher(offTopicPhrases)
const besideTopics = createMatcher(besideTopicPhrases)
/** What is to be repeated or answered. */
const quoted = /["«»“”„]/

export type PhraseFinding = 'WANTS_PERSON' | 'INSTRUCTIONS' | 'OFF_TOPIC'

/** What a message of a person says that no model answers; null: nothing. `keywords`: those of the campaign. */
export function findPhrase(text: string, keywords: readonly string[] = []): PhraseFinding | null {
  const [words = ' ', ...others] = listReadings(text)
  const hasKeyword = keywords.some(keyword => {
    const plain = toWords(keyword)
    return plain.trim() !== '' && words.includes(plain)
  })
  const readings = [words, ...others]
  // First of all: a person is called for those who write it anyway.
  if (hasSigns(text, words) || readings.some(reading => isInstruction(reading, text))) return 'INSTRUCTIONS'
  if (hasKeyword || wholeOnly.has(words.trim()) || wantsPersonWithin.test(words)) return 'WANTS_PERSON'
  return readings.some(isOffTopic) ? 'OFF_TOPIC' : null
}

const hasSigns = (text: string, words: string): boolean =>
  markup.test(text) || encoded.test(text) || invisible.test(text) || spelled.test(words)

const isInstruction = (reading: string, text: string): boolean =>
  injections.test(reading) || (doubtful.test(reading) && (quoted.test(text) || commands.test(reading)))

const isOffTopic = (reading: string): boolean =>
  offTopics.test(reading) || (besideTopics.test(reading) && !hasSubject(reading, null))

/** True if an answer has words that only instructions or other subjects have. An answer needs none of the doubtful ones. */
export function hasForeignPhrase(text: string): boolean {
  const readings = listReadings(text)
  const lists = [injections, doubtful, offTopics, besideTopics]
  return hasSigns(text, readings[0]!) || readings.some(reading => lists.some(list => list.test(reading)))
}
