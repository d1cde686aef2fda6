/** Parses the phones in a cell, and repairs those that a spreadsheet converted to numbers. */
import { toE164 } from '../contact/phone.ts'
import { UnreadableValue } from './unreadable-value.ts'

const scientificPattern = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i
const fractionPattern = /^(\+?\d{7,15})[.,]0+$/
const oneNumberPattern = /^\+?\d[\d ]{6,15}$/
/** Maximum length of two numbers with the text around them; each space is tried as the separator. */
const pairLengthMax = 100
// Google's contacts have ` ::: ` between the values of a cell.
const partSeparators = /\s*(?::::|[/;|\n])\s*|\s*,\s*|\s+(?:y|o|e|i|u|and|or|ou|et)\s+|\s+-\s+/i

export interface ParsedPhones {
  /** As written, after repair; each is valid in the given country. No number occurs twice. */
  phones: string[]
  unreadable: { text: string; problem: UnreadableValue }[]
}

/**
 * Parses all phones of a cell (`612 345 678 / 93 412 34 56`). `country`: ISO 3166-1 alpha-2, for numbers without a
 * prefix.
 */
export function parsePhones(text: string, country: string): ParsedPhones {
  const result: ParsedPhones = { phones: [], unreadable: [] }
  // Fast path: most cells hold one number and nothing else.
  if (oneNumberPattern.test(text) && toE164(text, country) !== null) return { phones: [text], unreadable: [] }
  const seen = new Set<string>()
  for (const part of splitParts(text, country)) {
    const phone = parsePhone(part, country)
    if (phone instanceof UnreadableValue) result.unreadable.push({ text: part, problem: phone })
    else if (!seen.has(phone.e164)) {
      seen.add(phone.e164)
      result.phones.push(phone.text)
    }
  }
  return result
}

function splitParts(text: string, country: string): string[] {
  if (scientificPattern.test(text) || fractionPattern.test(text)) return [text]
  const parts = text.split(partSeparators).filter(part => part !== '')
  // A short part is an extension, or the number has groups separated by commas or dashes.
  if (parts.length > 1) return parts.every(part => toDigits(part).length >= 7) ? parts : [text]
  if (toDigits(text).length < 16) return [text]
  return splitHalves(text, country) ?? [text]
}

/** Splits `612345678 934123456` at the space that leaves a valid number on both sides. */
function splitHalves(text: string, country: string): string[] | null {
  if (text.length > pairLengthMax) return null
  for (const { index } of text.matchAll(/\s+/g)) {
    const pair = [text.slice(0, index), text.slice(index).trim()]
    if (pair.every(half => toDigits(half).length >= 7 && toE164(half, country) !== null)) return pair
  }
  return null
}

function parsePhone(text: string, country: string): { text: string; e164: string } | UnreadableValue {
  const repaired = repairDigits(text.replace(/^(?:tel|phone|p|callto|whatsapp|sip):\s*/i, ''))
  if (repaired instanceof UnreadableValue) return repaired
  for (const form of listForms(repaired, country)) {
    const e164 = toE164(form, country)
    if (e164 !== null) return { text: form, e164 }
  }
  return new UnreadableValue(
    'PHONE_INVALID',
    'This is not a valid phone number. Numbers from abroad need their prefix, such as +44.',
  )
}

/** `3.4612345678E+10` and `34612345678.0` have all their digits; `3.46E+10` has lost some. */
function repairDigits(text: string): string | UnreadableValue {
  const fraction = fractionPattern.exec(text)
  if (fraction !== null) return fraction[1]!
  const scientific = scientificPattern.exec(text)
  if (scientific === null) return text
  const [, whole = '', digits = '', power = ''] = scientific
  // A number with trailing zeros may have been rounded for display.
  if (digits.length < Number(power) - 1 || Number(power) > 15)
    return new UnreadableValue(
      'PHONE_ROUNDED',
      'The spreadsheet has rounded this number and lost its digits: format the column as text and export it again.',
    )
  return (whole + digits).padEnd(Number(power) + 1, '0')
}

/** The number as written, then with what a numeric column loses: the plus, or the zero of an Italian landline. */
function listForms(text: string, country: string): string[] {
  if (!/^\d{6,15}$/.test(text.replace(/[\s.-]/g, ''))) return [text]
  const digits = toDigits(text)
  if (digits.startsWith('0')) return [text]
  return [text, ...(country === 'IT' ? [`0${digits}`] : []), ...(digits.length >= 10 ? [`+${digits}`] : [])]
}

function toDigits(text: string): string {
  return text.replace(/\D/g, '')
}
