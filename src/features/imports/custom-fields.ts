/** The names of the custom fields that unknown columns become. */
import type { LeadField } from '../../domain/table/lead-fields.ts'

export const customPrefix = 'customFields.'
const customNameMaxLength = 100
/** The same characters as in the schema of a lead. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const forbiddenCharacters = /[~"\\\u0000-\u001f]/g

/** Names that are valid without a change. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes control characters on purpose.
const validName = /^[^~"\\\u0000-\u001f]{1,100}$/u

/** Returns the name if it is valid for a custom field, else a valid form of it. */
export function toCustomFieldName(name: string): string {
  return validName.test(name) ? name : toCustomField(name).slice(customPrefix.length)
}

/** The custom field of a column, with a valid form of the heading as its name. */
export function toCustomField(heading: string): LeadField {
  const name = heading.replace(forbiddenCharacters, ' ').slice(0, customNameMaxLength).trim().toWellFormed()
  return `${customPrefix}${name || 'unnamed'}`
}
