/** Warnings about a file as a whole: it can be read, but probably not as its owner expects. */
import { type RawBuilder, sql } from 'kysely'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { parsePhones } from '../../domain/table/phone-cell.ts'
import type { Import } from './schemas.ts'

export type Warning = Import['warnings'][number]

const noContactColumn: Warning = {
  code: 'NO_CONTACT_COLUMN',
  message:
    'No column is a phone or an e-mail address, so nobody in this file can be contacted. If there is one, add it to the mapping, such as {"Tel. 1": "contact.phone"}.',
}
const contactFields = new Set<LeadField>(['contact.phone', 'contact.email', 'contact.identifiers'])

/** Warns if no column is mapped to a contact field. */
export function toMappingWarnings(mapping: Mapping): Warning[] {
  return Object.values(mapping).some(field => field !== null && contactFields.has(field))
    ? []
    : [noContactColumn]
}

/** The countries to suggest: those of workspaces and of their files. */
const countries = ['ES', 'PT', 'IT']

/** Warns if most sample cells are not valid phone numbers of the country, and names the country where they are. */
export function toPhoneWarnings(cells: readonly string[], country: string): Warning[] {
  const countValid = (candidate: string) =>
    cells.filter(cell => parsePhones(cell, candidate).phones.length > 0).length
  if (countValid(country) * 2 >= cells.length) return []
  const valid = countries.find(candidate => countValid(candidate) * 2 > cells.length)
  const advice =
    valid === undefined
      ? 'If they are from another country, send the file again with the parameter country.'
      : `They are valid in ${valid}: send the file again with country=${valid}.`
  return [
    {
      code: 'PHONES_FROM_ANOTHER_COUNTRY',
      message: `Most phone numbers in the first rows are not valid in ${country}, the country of the import. ${advice}`,
    },
  ]
}

/** SQL: the format of an import `i`, with its warnings updated for another mapping. */
export function formatWithWarnings(mapping: Mapping): RawBuilder<unknown> {
  return sql`jsonb_set(i.format, '{warnings}', (
    select coalesce(jsonb_agg(w), '[]') from jsonb_array_elements(i.format -> 'warnings') w
    where w ->> 'code' <> ${noContactColumn.code}) || ${JSON.stringify(toMappingWarnings(mapping))}::jsonb)`
}
