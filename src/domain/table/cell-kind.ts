/** Classifies a cell by its form alone. */
import { numberPattern } from '../listing/number.ts'

export type CellKind = 'blank' | 'email' | 'url' | 'phone' | 'date' | 'year' | 'number' | 'text'

const emailPattern = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}$/
const urlPattern = /^(?:https?:\/\/|www\.)\S+$/i
const datePattern =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?:[T ]\d{1,2}:\d{2}\S*(?: ?[ap]m)?)?$/i
const phonePattern = /^(?:\+|00)?[\d ().\-/]{9,22}$/
const amountPattern = new RegExp(
  `^[-+]?(?:[€$£] ?)?[-+]?${numberPattern}(?:[.,]0*)?(?: ?(?:€|eur|%|m2|m²|mq|[$£]))?$`,
  'i',
)

/**
 * The kind of a cell. A `phone` has 9 to 15 digits, and an international prefix or the first digit of a national number,
 * so that other numbers are not taken for phones.
 */
export function detectCellKind(cell: string): CellKind {
  const text = cell.slice(0, 300).trim()
  if (text === '') return 'blank'
  if (emailPattern.test(text)) return 'email'
  if (urlPattern.test(text)) return 'url'
  if (datePattern.test(text)) return 'date'
  if (/^(?:19|20)\d{2}$/.test(text)) return 'year'
  if (looksLikePhone(text)) return 'phone'
  return amountPattern.test(text) ? 'number' : 'text'
}

function looksLikePhone(text: string): boolean {
  if (!phonePattern.test(text)) return false
  const digits = text.replace(/\D/g, '')
  if (digits.length < 9 || digits.length > 15) return false
  // Digits in groups may be a large number (1.234.567.890), so the first ones must be those of a phone number.
  return /^(?:\+|00)/.test(text) || /^[36789]\d{8,9}$/.test(digits) || /^0\d{8,10}$/.test(digits)
}
