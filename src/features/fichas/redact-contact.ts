/** Removes contact details of advertisers from texts, because a sheet must not show or store them. */
import { aboutPerson, personToContact } from './contact-words.ts'

const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/u
const url =
  /(?:https?:\/\/|www\.)[^\s<>"]{1,500}|(?<![\w@.])[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|info|biz|es|cat|gal|eus|pt|it|fr|de|eu|at|ch|be|nl|uk|homes|house)(?![\w@])(?:\/[^\s<>"]{0,500})?/iu
/** Nine to fifteen digits with separators; without `+` or `00` it begins as phone numbers do. Amounts are left out. */
const phone =
  /(?<!\b(?:ref|rif|referencia|referència|referência|riferimento|référence|reference)[.:ª]{0,2}[ \u00a0]?)(?<![\p{L}\d.,])(?:\(?(?:\+|00)[ -]?\d|[(]?[02-9])(?:[ \-./()]{0,2}\d){8,14}(?!\d|[ \u00a0]?(?:€|eur|m²|m2|%))/iu

const contact = new RegExp(`${email.source}|${url.source}|${phone.source}`, 'giu')
const person = new RegExp(personToContact, 'gu')

const sentenceEnd = /(?<=[.!?…])(?<!\b(?:ref|rif|tel|tlf|tfno|n|núm|sr|sra|srta|mr|mrs|ms|mme|dott)\.)\s+/i
/** The rest of a longer text is cut off before it is searched. */
const textLengthMax = 40_000
/** A shorter sentence with a contact is removed as a whole, since it says little else. */
const sentenceLengthMax = 160

/**
 * Returns the text without phone numbers, e-mail addresses and URLs, without people to contact (`preguntar por Carles`),
 * and without sentences that name one of `names`. A name of one word may be a word of the text, so it counts only in a
 * sentence about a person. Null if nothing is left.
 */
export function redactContact(text: string | null, names: string[] = []): string | null {
  if (text === null) return null
  const patterns = names.filter(name => name.trim().length > 1).map(toNamePattern)
  const lines = text
    .slice(0, textLengthMax)
    .split('\n')
    .map(line => redactLine(line, patterns))
  const left = lines
    .filter((line, index) => line !== null || lines[index - 1] !== null)
    .map(line => line ?? '')
    .join('\n')
    .trim()
  return left === '' ? null : left
}

/** Null if the whole line is removed. */
function redactLine(line: string, names: NamePattern[]): string | null {
  const sentences = line.split(sentenceEnd)
  const left = sentences.flatMap(sentence => {
    if (names.some(({ name, isWhole }) => name.test(sentence) && (isWhole || aboutPerson.test(sentence))))
      return []
    const redacted = sentence.replace(contact, '').replace(person, '')
    if (redacted === sentence) return [sentence]
    return sentence.length <= sentenceLengthMax || redacted.trim() === '' ? [] : [redacted]
  })
  if (left.length === 0 && line.trim() !== '') return null
  return left.join(' ').replace(/ {2,}/g, ' ').trimEnd()
}

interface NamePattern {
  name: RegExp
  /** More than a first name. */
  isWhole: boolean
}

function toNamePattern(name: string): NamePattern {
  const trimmed = name.trim()
  return {
    name: new RegExp(`(?<!\\p{L})${RegExp.escape(trimmed)}(?!\\p{L})`, 'u'),
    isWhole: trimmed.includes(' '),
  }
}
