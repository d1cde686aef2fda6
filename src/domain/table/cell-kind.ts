// What a cell looks like, as far as its form alone tells.
import { NUMBER } from '../listing/number.ts'

export type CellKind = 'blank' | 'email' | 'url' | 'phone' | 'date' | 'year' | 'number' | 'text'

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}$/
const URL_FORM = /^(?:https?:\/\/|www\.)\S+$/i
const DATE =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?:[T ]\d{1,2}:\d{2}\S*(?: ?[ap]m)?)?$/i
const PHONE = /^(?:\+|00)?[\d ().\-/]{9,22}$/
const AMOUNT = new RegExp(`^[-+]?(?:[€$£] ?)?[-+]?${NUMBER}(?:[.,]0*)?(?: ?(?:€|eur|%|m2|m²|mq|[$£]))?$`, 'i')

/** The kind of one cell; `phone` is what can hardly be another number: a sign, groups, or nine digits and more. */
export function cellKind(cell: string): CellKind {
  const text = cell.slice(0, 300).trim()
  if (text === '') return 'blank'
  if (EMAIL.test(text)) return 'email'
  if (URL_FORM.test(text)) return 'url'
  if (DATE.test(text)) return 'date'
  if (/^(?:19|20)\d{2}$/.test(text)) return 'year'
  if (isPhoneForm(text)) return 'phone'
  return AMOUNT.test(text) ? 'number' : 'text'
}

function isPhoneForm(text: string): boolean {
  if (!PHONE.test(text)) return false
  const digits = text.replace(/\D/g, '')
  if (digits.length < 9 || digits.length > 15) return false
  // Groups of three with dots are a large number as well: 612.345.678.
  return /^(?:\+|00)/.test(text) || /^[36789]\d{8,9}$/.test(digits) || /^0\d{8,10}$/.test(digits)
}
