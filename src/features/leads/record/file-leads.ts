/** What leads are found by: the street of their property, words, identifiers and tags. `write-leads.ts` files them. */

import { type RawBuilder, sql } from 'kysely'
import { placeKeys } from '../../../domain/dedupe/place-keys.ts'
import { searchWords } from '../../../domain/search-words.ts'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import { hashIdentifiers } from '../../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { storable } from '../../../kit/storable.ts'
import { noteSuppressed } from '../../privacy/service.ts'
import type { LeadRow } from './lead-row.ts'

/** Under which adverts without a pin find it. */
export function streetOf({ address, municipality, postcode }: LeadRow): unknown {
  const place = { address, municipality, postcode } as Record<'address' | 'municipality' | 'postcode', string>
  return placeKeys({ ...place, latitude: null, longitude: null }).street
}

/** What follows from the texts of a row, and takes longest to find. */
export interface Derived {
  street: unknown
  words: string
}

export function deriveFrom(row: LeadRow): Derived {
  return { street: streetOf(row), words: wordsOf(row) }
}

/** What leads are found by, as it becomes: words, identifiers and tags. `before`: null for a new lead. */
export function fileLeads(
  tx: Tx,
  leads: { before: LeadRow | null; after: LeadRow; derived?: Derived }[],
): Promise<unknown>[] {
  const reworded = leads.filter(({ before, after }) => before === null || textOf(before) !== textOf(after))
  const identifiers = differences(leads, identifiersOf)
  const tags = differences(leads, row => row.tags as string[])
  const areNew = leads.every(({ before }) => before === null)
  return [
    ...fileWords(
      tx,
      reworded.map(({ after, derived }) => ({ leadId: after.id, value: derived?.words ?? wordsOf(after) })),
      areNew,
    ),
    ...dropIdentifiers(tx, identifiers.lost),
    ...addIdentifiers(tx, identifiers.added, areNew),
    ...changeTags(tx, tags),
  ]
}

/** Nothing is filed of a new lead yet: an insert that expects no conflict writes each row once, and looks for none. */
const unlessNew = (areNew: boolean, onConflict: RawBuilder<unknown>) =>
  areNew ? sql`returning true` : onConflict

const textColumns = [
  ...(['contact_name', 'title', 'description', 'address', 'postcode', 'municipality'] as const),
  ...(['phone_raw', 'email'] as const),
]
const descriptionMax = 20_000
const phoneDigitsMax = 40

/** What a lead is found by the words of, its telephones in digits among them. */
function textOf(row: LeadRow): string {
  const texts = textColumns.flatMap(name => {
    const text = row[name] as string | null
    return text === null ? [] : name === 'description' ? text.slice(0, descriptionMax) : text
  })
  const phone = (row.phone as string | null)?.slice(1)
  const written = (row.phone_raw as string | null)?.replace(/\D/g, '').slice(0, phoneDigitsMax)
  return [...texts, ...(row.identifiers as string[]), phone ?? '', written ?? ''].join(' ')
}

export function identifiersOf({
  phone,
  email,
  identifiers,
}: Pick<LeadRow, 'phone' | 'email' | 'identifiers'>) {
  return [phone, email, ...(identifiers as string[])].filter(value => value !== null) as string[]
}

interface LeadValue {
  leadId: string
  value: string
}

function differences(
  leads: { before: LeadRow | null; after: LeadRow }[],
  valuesOf: (row: LeadRow) => string[],
): { lost: LeadValue[]; added: LeadValue[] } {
  const lost: LeadValue[] = []
  const added: LeadValue[] = []
  for (const { before, after } of leads) {
    const [had, has] = [new Set(before ? valuesOf(before) : []), new Set(valuesOf(after))]
    for (const value of had.difference(has)) lost.push({ leadId: after.id, value })
    for (const value of has.difference(had)) added.push({ leadId: after.id, value })
  }
  return { lost, added }
}

/** SQL: pairs as a table `i (lead_id, value)`. */
function pairs(of: LeadValue[]): RawBuilder<unknown> {
  return sql`unnest(${of.map(({ leadId }) => leadId)}::uuid[], ${of.map(({ value }) => storable(value))}::text[]) as i (lead_id, value)`
}

function wordsOf(row: LeadRow): string {
  return [...new Set(searchWords(textOf(row)))].join(' ')
}

function fileWords(tx: Tx, words: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (words.length === 0) return []
  const onConflict = sql`on conflict (tenant_id, lead_id) do update set document = excluded.document`
  return [
    sql`
      insert into lead_search (tenant_id, lead_id, document)
      select ${tenantIdOf(tx)}::uuid, lead_id, value::tsvector from ${pairs(words)}
      ${unlessNew(areNew, onConflict)}`.execute(tx),
  ]
}

function addIdentifiers(tx: Tx, added: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (added.length === 0) return []
  const leadIds = added.map(({ leadId }) => leadId)
  const values = added.map(({ value }) => storable(value))
  const inserted = sql`
    insert into lead_identifiers (tenant_id, value, lead_id, hash)
    select ${tenantIdOf(tx)}::uuid, value, lead_id, hash
    from unnest(${leadIds}::uuid[], ${values}::text[], ${hashIdentifiers(tx, values)}::bytea[]) as i (lead_id, value, hash)
    ${unlessNew(areNew, sql`on conflict do nothing`)}`
  return [inserted.execute(tx), noteSuppressed(tx, leadIds)]
}

/** What was told of the contact of a lead while it had one of these may be of somebody else: an erasure looks for it. */
function dropIdentifiers(tx: Tx, lost: LeadValue[]): Promise<unknown>[] {
  if (lost.length === 0) return []
  return [
    sql`
      with lost as (
        delete from lead_identifiers d using ${pairs(lost)}
        where d.tenant_id = ${tenantIdOf(tx)} and d.value = i.value and d.lead_id = i.lead_id
        returning d.value, d.lead_id, d.hash)
      insert into former_identifiers (tenant_id, value, lead_id, hash, until)
      select ${tenantIdOf(tx)}::uuid, value, lead_id, hash, ${sqlNow(tx)} from lost
      on conflict (tenant_id, value, lead_id) do update set until = excluded.until returning true`.execute(
      tx,
    ),
  ]
}

function changeTags(tx: Tx, { lost, added }: { lost: LeadValue[]; added: LeadValue[] }): Promise<unknown>[] {
  const removed = sql`
    delete from lead_tags t using ${pairs(lost)}
    where t.tenant_id = ${tenantIdOf(tx)} and t.tag = i.value and t.lead_id = i.lead_id`
  const inserted = sql`
    insert into lead_tags (tenant_id, tag, lead_id)
    select ${tenantIdOf(tx)}::uuid, value, lead_id from ${pairs(added)} on conflict do nothing`
  return [
    ...(lost.length === 0 ? [] : [removed.execute(tx)]),
    ...(added.length === 0 ? [] : [inserted.execute(tx)]),
  ]
}
