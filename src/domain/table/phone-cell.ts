/** The telephone numbers in a cell, repaired where a spreadsheet took them for amounts. */
import { toE164 } from '../contact/phone.ts'
import { UnreadableValue } from './unreadable-value.ts'

const scientificPattern = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i
const fractionPattern = /^(\+?\d{7,15})[.,]0+$/
const oneNumberPattern = /^\+?\d[\d ]{6,15}$/
/** Of two numbers with all that people write around them; each space of it is tried. */
const pairLengthMax = 100
// Google's contacts have ` ::: ` between the values of a cell.
const partSeparators = /\s*(?::::|[/;|\n])\s*|\s*,\s*|\s+(?:y|o|e|i|u|and|or|ou|et)\s+|\s+-\s+/i

export interface ParsedPhones {
  /** As written, but for the repairs; each can be read in the country that was given, and no number comes twice. */
  phones: string[]
  unreadable: { text: string; problem: UnreadableValue }[]
}

/** All numbers of a cell (`612 345 678 / 93 412 34 56`). `country`: ISO 3166-1 alpha-2, for numbers without a prefix. */
export function parsePhones(text: string, country: string): ParsedPhones {
  const result: ParsedPhones = { phones: [], unreadable: [] }
  // Most cells hold one number and nothing else.
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
  // A short part is an extension, or groups of one number that commas or dashes part.
  if (parts.length > 1) return parts.every(part => expandScientific(part).length >= 7) ? parts : [text]
  if (expandScientific(text).length < 16) return [text]
  return splitHalves(text, country) ?? [text]
}

/** `612345678 934123456`: where space parts two numbers, there is one place where both halves are numbers. */
function splitHalves(text: string, country: string): string[] | null {
  if (text.length > pairLengthMax) return null
  for (const { index } of text.matchAll(/\s+/g)) {
    const pair = [text.slice(0, index), text.slice(index).trim()]
    if (pair.every(half => expandScientific(half).length >= 7 && toE164(half, country) !== null)) return pair
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

/** `3.4612345678E+10` and `34612345678.0` still have all their digits; `3.46E+10` has lost them. */
function repairDigits(text: string): string | UnreadableValue {
  const fraction = fractionPattern.exec(text)
  if (fraction !== null) return fraction[1]!
  const scientific = scientificPattern.exec(text)
  if (scientific === null) return text
  const [, whole = '', digits = '', power = ''] = scientific
  // An ending in zeros may as well be the rounding of the display.
  if (digits.length < Number(power) - 1 || Number(power) > 15)
    return new UnreadableValue(
      'PHONE_ROUNDED',
      'The spreadsheet has rounded this number and lost its digits: format the column as text and export it again.',
    )
  return (whole + digits).padEnd(Number(power) + 1, '0')
}

/** As written, then with what is lost when a column is taken for amounts: the plus, or the zero of an Italian landline. */
function listForms(text: string, country: string): string[] {
  if (!/^\d{6,15}$/.test(text.replace(/[\s.-]/g, ''))) return [text]
  const digits = expandScientific(text)
  if (digits.startsWith('0')) return [text]
  return [text, ...(country === 'IT' ? [`0${digits}`] : []), ...(digits.length >= 10 ? [`+${digits}`] : [])]
}

function expandScientific(text: string): string {
  return text.replace(/\D/g, '')
}
