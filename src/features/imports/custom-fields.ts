/** The names of custom fields that columns become. */
import type { LeadField } from '../../domain/table/lead-fields.ts'

export const customPrefix = 'customFields.'
const customNameMaxLength = 100
/** As in the schema of a lead. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
const forbiddenCharacters = /[~"\\\u0000-\u001f]/g

/** Names that a lead may have as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
const validName = /^[^~"\\\u0000-\u001f]{1,100}$/u

/** The name of a custom field, made one that a lead may have. */
export function toCustomFieldName(name: string): string {
  return validName.test(name) ? name : toCustomField(name).slice(customPrefix.length)
}

/** The custom field that a column becomes; its name is one that a lead may have. */
export function toCustomField(heading: string): LeadField {
  const name = heading.replace(forbiddenCharacters, ' ').slice(0, customNameMaxLength).trim().toWellFormed()
  return `${customPrefix}${name || 'unnamed'}`
}
