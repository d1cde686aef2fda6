/** The names of custom fields that columns become. */
import type { LeadField } from '../../domain/table/lead-fields.ts'

export const customPrefix = 'customFields.'
const customNameMaxLength = 100
/** As in the schema of a lead. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
const notInNames = /[~"\\\u0000-\u001f]/g

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
