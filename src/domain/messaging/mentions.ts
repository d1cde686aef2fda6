/** The people whom a message mentions by a phone number or an address: erasure finds it by these, wherever they are. */

/** Stands for all of a message that mentions more: it is read whole. */
export const tooManyMentions = '*'
const mentionsMax = 100
const phoneDigits = 9
/** No address is longer (RFC 5321). */
const addressMax = 254

/** Nine digits or more, with at most five signs between two. A comma or a letter ends a number. */
const digitRuns = /\d(?:[^\p{L}\p{N},;]{0,5}\d){8,}/gu
const wordEnds = /[\s,;<>()"]+/
/** Ends a sentence, not an address. */
const sentenceEnds = '.:!?'
/** An address among other signs, such as `*marta@mail.example*` or `mailto:marta@mail.example`. */
const addresses = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu
/** Ids of e-mails look like addresses. */
const fieldsWithoutPeople = new Set(['references'])

/**
 * The mentions in the texts of a value, however deep. A phone number is its last nine digits, because people write it
 * with and without the country code; the neighbours of a number may be written without a gap, so every nine digits of a
 * row count.
 */
export function findMentions(value: unknown): string[] {
  const found = new Set<string>()
  for (const text of listTexts(value))
    for (const mention of listMentions(text)) {
      found.add(mention)
      if (found.size > mentionsMax) return [tooManyMentions]
    }
  return [...found]
}

/** How `findMentions` writes an identifier of a person. */
export const toMention = (identifier: string): string =>
  /^\+\d{9,}$/.test(identifier) ? identifier.slice(-phoneDigits) : identifier.toLowerCase()

function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (value !== null && typeof value === 'object')
    for (const [key, part] of Object.entries(value)) if (!fieldsWithoutPeople.has(key)) yield* listTexts(part)
}

function* listMentions(text: string): Generator<string> {
  for (const [run] of text.matchAll(digitRuns)) {
    const digits = run.replace(/\D/g, '')
    for (let at = 0; at + phoneDigits <= digits.length; at++) yield digits.slice(at, at + phoneDigits)
  }
  if (!text.includes('@')) return
  const lower = text.toLowerCase()
  for (const part of lower.split(wordEnds)) {
    const word = part.includes('@') ? trimSentenceEnds(part) : ''
    if (word !== '' && word.length <= addressMax) yield word
  }
  for (const [address] of lower.matchAll(addresses))
    if (address.length <= addressMax) {
      yield address
      // The signs of italics may stand in an address too.
      if (address.startsWith('_')) yield address.replace(/^_+/, '')
    }
}

/** A regular expression for the end of a long row of signs takes quadratic time. */
function trimSentenceEnds(word: string): string {
  let end = word.length
  while (sentenceEnds.includes(word[end - 1] ?? ' ')) end -= 1
  return word.slice(0, end)
}
