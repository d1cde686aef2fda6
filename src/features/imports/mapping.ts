/** What each column is: as it is guessed, as the caller says, and what becomes of the columns that nobody names. */
import { isLeadField, type LeadField, type Mapping } from '../../domain/table/lead-fields.ts'
import { parseJson } from '../../kit/json-depth.ts'
import { type InputError, invalidInput, Problem } from '../../kit/problem.ts'
import { exportedFields } from '../leads/service.ts'

/** A mapping as a caller writes it. */
export type WrittenMapping = Record<string, string | null>

const customPrefix = 'customFields.'
const customNameMaxLength = 100
/** As in the schema of a lead. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
const notInNames = /[~"\\\u0000-\u001f]/g

/** The JSON of the parameter `mapping`; 400 if it is not the JSON of a mapping. */
export function parseMapping(text: string): WrittenMapping {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw invalidInput('/mapping', 'WRONG_FORMAT', 'The mapping is not valid JSON.')
  }
  const isMapping =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(field => field === null || typeof field === 'string')
  if (!isMapping)
    throw invalidInput(
      '/mapping',
      'WRONG_TYPE',
      'The mapping must be an object of fields by heading, such as {"Teléfono": "contact.phone", "Notas": null}.',
    )
  return value as WrittenMapping
}

/**
 * What counts: what `written` says of the columns it names, else what was known of them. Throws 400 for headings that a table
 * does not have and for what is no field; lines of JSON may have further names below.
 */
export function applyMapping(known: Mapping, written: WrittenMapping, kind: 'csv' | 'ndjson'): Mapping {
  const errors: InputError[] = []
  const mapping = new Map(Object.entries(known))
  for (const [heading, field] of Object.entries(written)) {
    const path = `/mapping/${heading.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!mapping.has(heading) && kind === 'csv')
      errors.push({ path, code: 'UNKNOWN_HEADING', message: 'is no heading of this file' })
    else if (field !== null && !isField(field))
      errors.push({ path, code: 'NOT_ALLOWED', message: `${JSON.stringify(field)} is no field of a lead` })
    else mapping.set(heading, field)
  }
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', 'The mapping does not fit this file: see errors.', { errors })
  return Object.fromEntries(mapping)
}

function isField(field: string): field is LeadField {
  return (
    isLeadField(field) &&
    (!field.startsWith(customPrefix) || customFieldOf(field.slice(customPrefix.length)) === field)
  )
}

/** Columns of which nothing is known become custom fields of their own name; of an export of ours, what no file can change does not. */
export function keepUnknown(mapping: Mapping): Mapping {
  const fieldOf = exportedFields(Object.keys(mapping))
  return Object.fromEntries(
    Object.entries(mapping).map(([heading, field]) => [
      heading,
      field ?? (fieldOf(heading) === null ? null : customFieldOf(heading)),
    ]),
  )
}

/** Names that a lead may have as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
const goodName = /^[^~"\\\u0000-\u001f]{1,100}$/u

/** The name of a custom field, made one that a lead may have. */
export function customNameOf(name: string): string {
  return goodName.test(name) ? name : customFieldOf(name).slice(customPrefix.length)
}

/** The custom field that a column becomes; its name is one that a lead may have. */
export function customFieldOf(heading: string): LeadField {
  const name = heading.replace(notInNames, ' ').slice(0, customNameMaxLength).trim().toWellFormed()
  return `${customPrefix}${name || 'unnamed'}`
}
