/** What leads are found by: the street of their property, words, identifiers and tags. `write-leads.ts` files them. */

import { type RawBuilder, sql } from 'kysely'
import { toPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import { toSearchWords } from '../../../domain/search-words.ts'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { hashIdentifiers } from '../../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { markSuppressed } from '../../privacy/service.ts'
import type { LeadRow } from './lead-row.ts'

/** Under which adverts without a pin find it. */
export function toStreetKey({ address, municipality, postcode }: LeadRow): unknown {
  const place = { address, municipality, postcode } as Record<'address' | 'municipality' | 'postcode', string>
  return toPlaceKeys({ ...place, latitude: null, longitude: null }).street
}

/** What follows from the texts of a row, and takes longest to find. */
export interface Derived {
  street: unknown
  words: string
}

export function deriveValues(row: LeadRow): Derived {
  return { street: toStreetKey(row), words: leadSearchWords(row) }
}

/** What leads are found by, as it becomes: words, identifiers and tags. `before`: null for a new lead. */
export function indexLeads(
  tx: Tx,
  leads: { before: LeadRow | null; after: LeadRow; derived?: Derived }[],
): Promise<unknown>[] {
  const reworded = leads.filter(
    ({ before, after }) => before === null || toSearchText(before) !== toSearchText(after),
  )
  const identifiers = diffValues(leads, toIdentifiers)
  const tags = diffValues(leads, row => row.tags as string[])
  const areNew = leads.every(({ before }) => before === null)
  return [
    ...indexWords(
      tx,
      reworded.map(({ after, derived }) => ({
        leadId: after.id,
        value: derived?.words ?? leadSearchWords(after),
      })),
      areNew,
    ),
    ...removeIdentifiers(tx, identifiers.dropped),
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
function toSearchText(row: LeadRow): string {
  const texts = textColumns.flatMap(name => {
    const text = row[name] as string | null
    return text === null ? [] : name === 'description' ? text.slice(0, descriptionMax) : text
  })
  const phone = (row.phone as string | null)?.slice(1)
  const digits = (row.phone_raw as string | null)?.replace(/\D/g, '').slice(0, phoneDigitsMax)
  return [...texts, ...(row.identifiers as string[]), phone ?? '', digits ?? ''].join(' ')
}

export function toIdentifiers({
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

function diffValues(
  leads: { before: LeadRow | null; after: LeadRow }[],
  toValues: (row: LeadRow) => string[],
): { dropped: LeadValue[]; added: LeadValue[] } {
  const dropped: LeadValue[] = []
  const added: LeadValue[] = []
  for (const { before, after } of leads) {
    const [had, has] = [new Set(before ? toValues(before) : []), new Set(toValues(after))]
    for (const value of had.difference(has)) dropped.push({ leadId: after.id, value })
    for (const value of has.difference(had)) added.push({ leadId: after.id, value })
  }
  return { dropped, added }
}

/** SQL: pairs as a table `i (lead_id, value)`. */
function pairsTable(of: LeadValue[]): RawBuilder<unknown> {
  return sql`unnest(${of.map(({ leadId }) => leadId)}::uuid[], ${of.map(({ value }) => sanitizeText(value))}::text[]) as i (lead_id, value)`
}

function leadSearchWords(row: LeadRow): string {
  return [...new Set(toSearchWords(toSearchText(row)))].join(' ')
}

function indexWords(tx: Tx, words: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (words.length === 0) return []
  const onConflict = sql`on conflict (tenant_id, lead_id) do update set document = excluded.document`
  return [
    sql`
      insert into lead_search (tenant_id, lead_id, document)
      select ${getTenantId(tx)}::uuid, lead_id, value::tsvector from ${pairsTable(words)}
      ${unlessNew(areNew, onConflict)}`.execute(tx),
  ]
}

function addIdentifiers(tx: Tx, added: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (added.length === 0) return []
  const leadIds = added.map(({ leadId }) => leadId)
  const values = added.map(({ value }) => sanitizeText(value))
  const inserted = sql`
    insert into lead_identifiers (tenant_id, value, lead_id, hash)
    select ${getTenantId(tx)}::uuid, value, lead_id, hash
    from unnest(${leadIds}::uuid[], ${values}::text[], ${hashIdentifiers(tx, values)}::bytea[]) as i (lead_id, value, hash)
    ${unlessNew(areNew, sql`on conflict do nothing`)}`
  return [inserted.execute(tx), markSuppressed(tx, leadIds)]
}

/** What was told of the contact of a lead while it had one of these may be of somebody else: an erasure looks for it. */
function removeIdentifiers(tx: Tx, dropped: LeadValue[]): Promise<unknown>[] {
  if (dropped.length === 0) return []
  return [
    sql`
      with lost as (
        delete from lead_identifiers d using ${pairsTable(dropped)}
        where d.tenant_id = ${getTenantId(tx)} and d.value = i.value and d.lead_id = i.lead_id
        returning d.value, d.lead_id, d.hash)
      insert into former_identifiers (tenant_id, value, lead_id, hash, until)
      select ${getTenantId(tx)}::uuid, value, lead_id, hash, ${sqlNow(tx)} from lost
      on conflict (tenant_id, value, lead_id) do update set until = excluded.until returning true`.execute(
      tx,
    ),
  ]
}

function changeTags(
  tx: Tx,
  { dropped, added }: { dropped: LeadValue[]; added: LeadValue[] },
): Promise<unknown>[] {
  const removed = sql`
    delete from lead_tags t using ${pairsTable(dropped)}
    where t.tenant_id = ${getTenantId(tx)} and t.tag = i.value and t.lead_id = i.lead_id`
  const inserted = sql`
    insert into lead_tags (tenant_id, tag, lead_id)
    select ${getTenantId(tx)}::uuid, value, lead_id from ${pairsTable(added)} on conflict do nothing`
  return [
    ...(dropped.length === 0 ? [] : [removed.execute(tx)]),
    ...(added.length === 0 ? [] : [inserted.execute(tx)]),
  ]
}
