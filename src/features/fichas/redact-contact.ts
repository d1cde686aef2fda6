/** Removes contact details of advertisers from texts, because a sheet must not show or store them. */
import { aboutPerson, omitPeopleToContact } from './contact-words.ts'

const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/u
const url =
  /(?:https?:\/\/|www\.)[^\s<>"]{1,500}|(?<![\w@.])[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|info|biz|es|cat|gal|eus|pt|it|fr|de|eu|at|ch|be|nl|uk|homes|house)(?![\w@])(?:\/[^\s<>"]{0,500})?/iu
/** Nine to fifteen digits with separators; without `+` or `00` it begins as phone numbers do. Amounts are left out. */
const phone =
  /(?<!\b(?:ref|rif|referencia|referència|referência|riferimento|référence|reference)[.:ª]{0,2}[ \u00a0]?)(?<![\p{L}\d.,])(?:\(?(?:\+|00)[ -]?\d|[(]?[02-9])(?:[ \-./()]{0,2}\d){8,14}(?!\d|[ \u00a0]?(?:€|eur|m²|m2|%))/iu

const contact = new RegExp(`${email.source}|${url.source}|${phone.source}`, 'giu')

const sentenceEnd = /(?<=[.!?…])(?<!\b(?:ref|rif|tel|tlf|tfno|n|núm|sr|sra|srta|mr|mrs|ms|mme|dott)\.)\s+/i
/** The rest of a longer text is cut off before it is searched. */
const textLengthMax = 40_000
/** More than a sheet stores of a title. */
const titleLengthMax = 2_000
/** A shorter sentence with a contact is removed as a whole, since it says little else. */
const sentenceLengthMax = 160

/**
 * Returns the text without phone numbers, e-mail addresses and URLs, without people to contact (`preguntar por Carles`),
 * and without sentences that name one of `names`. A name of one word, or in lower case, may be words of the text, so it
 * counts only in a sentence about a person. Null if nothing is left.
 */
export function redactContact(text: string | null, names: string[] = []): string | null {
  if (text === null) return null
  const patterns = toNamePatterns(names)
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

/** Redacts a title, of which only the name is removed, since it is one sentence. */
export function redactTitle(title: string | null, names: string[] = []): string | null {
  const redacted = redactContact(title?.slice(0, titleLengthMax) ?? null)
  if (redacted === null) return null
  const left = toNamePatterns(names)
    .filter(({ isWhole }) => isWhole)
    .reduce((text, { inTitle }) => text.replace(inTitle, part => (isLowerCase(part) ? part : '')), redacted)
  if (left === redacted) return redacted
  const tidied = left.replaceAll(/\s+(?=[\s,.;:])/g, '').replaceAll(/^[\s,.;:|·–—-]+|[\s,;:|·–—-]+$/g, '')
  return tidied === '' ? null : tidied
}

/** Null if the whole line is removed. */
function redactLine(line: string, names: NamePattern[]): string | null {
  const sentences = line.split(sentenceEnd)
  const left = sentences.flatMap(sentence => {
    if (names.some(name => isNamed(name, sentence))) return []
    const redacted = omitPeopleToContact(sentence.replace(contact, ''))
    if (redacted === sentence) return [sentence]
    return sentence.length <= sentenceLengthMax || redacted.trim() === '' ? [] : [redacted]
  })
  if (left.length === 0 && line.trim() !== '') return null
  return left.join(' ').replace(/ {2,}/g, ' ').trimEnd()
}

interface NamePattern {
  name: RegExp
  /** The name and what joins it to a title. */
  inTitle: RegExp
  /** More than a first name. */
  isWhole: boolean
}

const isLowerCase = (text: string) => text === text.toLowerCase()

function toNamePatterns(names: string[]): NamePattern[] {
  return names
    .map(name => name.trim())
    .filter(name => name.length > 1)
    .map(name => {
      const pattern = `(?<!\\p{L})${RegExp.escape(name)}(?!\\p{L})`
      return {
        name: new RegExp(pattern, 'giu'),
        inTitle: new RegExp(`(?:(?<!\\p{L})(?:de|da|di|do|por|per|par|von|by)\\s)?${pattern}`, 'giu'),
        isWhole: name.includes(' '),
      }
    })
}

function isNamed({ name, isWhole }: NamePattern, sentence: string): boolean {
  const found = sentence.match(name)
  if (!found) return false
  const isCertain = found.some(part => !isLowerCase(part))
  if (isWhole && isCertain) return true
  return (isWhole || isCertain) && aboutPerson.test(sentence)
}
