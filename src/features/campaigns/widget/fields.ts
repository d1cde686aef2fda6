/** The fields of the form: what visitors may write, and what is wrong with it. */
import { type Identifier, toIdentifier } from '../../../domain/contact/identifiers.ts'
import { toPersonName, toPlaceText } from '../../../domain/contact/typed-text.ts'
import type { WidgetWords } from './words.ts'

export const fieldNames = ['name', 'phone', 'email', 'address', 'operation', 'message'] as const
export type FieldName = (typeof fieldNames)[number]

export interface WidgetField {
  name: FieldName
  required: boolean
}

export const fieldMaximum: Record<FieldName, number> = {
  name: 60,
  phone: 50,
  email: 254,
  address: 150,
  operation: 10,
  message: 2000,
}

/** The box of the consent. */
export const consentName = 'consent'
/** Bots fill in every field. People do not see this one. */
export const trapName = 'website'

export const operations = ['sale', 'rent'] as const

/** As typed, by the name of the field. */
export type Typed = Partial<Record<string, string>>

export interface FormInput {
  name: string | null
  identifiers: Identifier[]
  property: { address: string | null; operation: (typeof operations)[number] | null }
  message: string | null
}

export interface CheckedForm {
  /** By the name of the field. */
  errors: Record<string, string>
  input: FormInput
}

/** `country`: of phone numbers without a prefix. */
export function checkForm(
  fields: readonly WidgetField[],
  typed: Typed,
  { words, country }: { words: WidgetWords; country: string },
): CheckedForm {
  const { errors: sentences } = words
  const get = (name: FieldName) => (fields.some(field => field.name === name) && typed[name]?.trim()) || null
  const identify = (kind: 'phone' | 'email') => {
    const text = get(kind)
    return text === null ? null : toIdentifier(kind, text, country)
  }
  const identifiers = { phone: identify('phone'), email: identify('email') }
  // Messages repeat them to a phone number that nobody has proven.
  const texts = { name: toPersonName(get('name') ?? ''), address: toPlaceText(get('address') ?? '') }
  const operation = operations.find(each => each === get('operation')) ?? null
  const errors: Record<string, string> = {}
  for (const { name, required } of fields) {
    const text = get(name)
    if (text === null) {
      if (required) errors[name] = name === 'operation' ? sentences.option : sentences.required
    } else if (text.length > fieldMaximum[name]) errors[name] = sentences.tooLong(fieldMaximum[name])
    else if (name === 'operation' && operation === null) errors[name] = sentences.option
    else if ((name === 'phone' || name === 'email') && identifiers[name] === null)
      errors[name] = sentences[name]
    else if ((name === 'name' || name === 'address') && texts[name] === null) errors[name] = sentences[name]
  }
  if (typed[consentName] !== 'yes') errors[consentName] = sentences.tick
  return {
    errors,
    input: {
      name: texts.name,
      identifiers: [identifiers.phone, identifiers.email].filter(each => each !== null),
      property: { address: texts.address, operation },
      message: get('message'),
    },
  }
}

/** What was typed, for a note of a lead that exists. */
export function describeInput(fields: readonly WidgetField[], typed: Typed, words: WidgetWords): string {
  const lines = fields.flatMap(({ name }) => {
    const text = typed[name]?.trim()
    if (!text) return []
    const shown = name === 'operation' && (text === 'sale' || text === 'rent') ? words[text] : text
    return `${words[name]}: ${shown}`
  })
  return lines.join('\n')
}
