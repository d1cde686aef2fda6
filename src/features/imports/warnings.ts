/** What is told of a file before anything is imported: it can be read, and may not be what its owner means. */
import { type RawBuilder, sql } from 'kysely'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { parsePhones } from '../../domain/table/phone-cell.ts'
import type { Import } from './schemas.ts'

export type Warning = Import['warnings'][number]

const noContactColumn: Warning = {
  code: 'NO_CONTACT_COLUMN',
  message:
    'No column is a phone or an e-mail address: nobody in this file can be contacted. If one is, name it in the mapping, such as {"Tel. 1": "contact.phone"}.',
}
const contactFields = new Set<LeadField>(['contact.phone', 'contact.email', 'contact.identifiers'])

/** What a mapping leaves out. */
export function toMappingWarnings(mapping: Mapping): Warning[] {
  return Object.values(mapping).some(field => field !== null && contactFields.has(field))
    ? []
    : [noContactColumn]
}

/** Where workspaces are, and their files may come from. */
const countries = ['ES', 'PT', 'IT']

/** Most of the cells are no phone numbers of the country in which they are read. */
export function toPhoneWarnings(cells: readonly string[], country: string): Warning[] {
  const countValid = (candidate: string) =>
    cells.filter(cell => parsePhones(cell, candidate).phones.length > 0).length
  if (countValid(country) * 2 >= cells.length) return []
  const valid = countries.find(candidate => countValid(candidate) * 2 > cells.length)
  const advice =
    valid === undefined
      ? 'If they are from another country, send the file again with that country.'
      : `They are in ${valid}: send the file again with country=${valid}.`
  return [
    {
      code: 'PHONES_FROM_ANOTHER_COUNTRY',
      message: `Most phone numbers of the first rows are not valid in ${country}, where they are read. ${advice}`,
    },
  ]
}

/** SQL: the format of an import `i`, whose warnings are kept in it, with those of another mapping. */
export function formatWithWarnings(mapping: Mapping): RawBuilder<unknown> {
  return sql`jsonb_set(i.format, '{warnings}', (
    select coalesce(jsonb_agg(w), '[]') from jsonb_array_elements(i.format -> 'warnings') w
    where w ->> 'code' <> ${noContactColumn.code}) || ${JSON.stringify(toMappingWarnings(mapping))}::jsonb)`
}
