/**
 * The lookup tables of leads: search words, identifiers and tags; and the street key. `write-leads.ts` keeps them in
 * step with the rows.
 */

import { type RawBuilder, sql } from 'kysely'
import { toPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import { toSearchWords } from '../../../domain/search-words.ts'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { hashIdentifiers } from '../../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { markSuppressedAmong } from '../../privacy/service.ts'
import type { LeadRow } from './lead-row.ts'

/** The key of the street in its town. Listings without coordinates find the lead by it. */
export function toStreetKey({ address, municipality, postcode }: LeadRow): unknown {
  const place = { address, municipality, postcode } as Record<'address' | 'municipality' | 'postcode', string>
  return toPlaceKeys({ ...place, latitude: null, longitude: null }).street
}

/** Values computed from the texts of a row; the slowest part of indexing. */
export interface Derived {
  street: unknown
  words: string
}

export function deriveValues(row: LeadRow): Derived {
  return { street: toStreetKey(row), words: leadSearchWords(row) }
}

/** Updates the lookup tables for changed leads and returns the statements that run. `before`: null for a new lead. */
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

/** A new lead has no rows yet: an insert without "on conflict" need not look for them. */
const unlessNew = (areNew: boolean, onConflict: RawBuilder<unknown>) =>
  areNew ? sql`returning true` : onConflict

const textColumns = [
  'contact_name',
  'title',
  'description',
  'address',
  'postcode',
  'municipality',
  'phone_raw',
  'email',
] as const
const descriptionMax = 20_000
const phoneDigitsMax = 40

/** The text whose words find a lead; includes the digits of its phone numbers. */
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
    const [former, current] = [new Set(before ? toValues(before) : []), new Set(toValues(after))]
    for (const value of former.difference(current)) dropped.push({ leadId: after.id, value })
    for (const value of current.difference(former)) added.push({ leadId: after.id, value })
  }
  return { dropped, added }
}

/** SQL: pairs as a table `i (lead_id, value)`. */
function pairsTable(pairs: LeadValue[]): RawBuilder<unknown> {
  return sql`unnest(${pairs.map(({ leadId }) => leadId)}::uuid[], ${pairs.map(({ value }) => sanitizeText(value))}::text[]) as i (lead_id, value)`
}

function leadSearchWords(row: LeadRow): string {
  return [...new Set(toSearchWords(toSearchText(row)))].join(' ')
}

function indexWords(tx: Tx, words: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (words.length === 0) return []
  const onConflict = sql`on conflict (tenant_id, lead_id) do update set document = excluded.document`
  return [
    sql`
      ${fixedPlan} insert into lead_search (tenant_id, lead_id, document)
      select ${getTenantId(tx)}::uuid, lead_id, value::tsvector from ${pairsTable(words)}
      ${unlessNew(areNew, onConflict)}`.execute(tx),
  ]
}

function addIdentifiers(tx: Tx, added: LeadValue[], areNew: boolean): Promise<unknown>[] {
  if (added.length === 0) return []
  const leadIds = added.map(({ leadId }) => leadId)
  const values = added.map(({ value }) => sanitizeText(value))
  const inserted = sql`
    ${fixedPlan} insert into lead_identifiers (tenant_id, value, lead_id, hash)
    select ${getTenantId(tx)}::uuid, value, lead_id, hash
    from unnest(${leadIds}::uuid[], ${values}::text[], ${hashIdentifiers(tx, values)}::bytea[]) as i (lead_id, value, hash)
    ${unlessNew(areNew, sql`on conflict do nothing`)}`
  return [inserted.execute(tx), markSuppressedAmong(tx, leadIds)]
}

/**
 * Keeps removed identifiers in `former_identifiers`: events from the time when the lead had one may be about another
 * person, and an erasure must find them.
 */
function removeIdentifiers(tx: Tx, dropped: LeadValue[]): Promise<unknown>[] {
  if (dropped.length === 0) return []
  return [
    sql`
      with removed as (
        delete from lead_identifiers d using ${pairsTable(dropped)}
        where d.tenant_id = ${getTenantId(tx)} and d.value = i.value and d.lead_id = i.lead_id
        returning d.value, d.lead_id, d.hash)
      insert into former_identifiers (tenant_id, value, lead_id, hash, used_until)
      select ${getTenantId(tx)}::uuid, value, lead_id, hash, ${sqlNow(tx)} from removed
      on conflict (tenant_id, value, lead_id) do update set used_until = excluded.used_until returning true`.execute(
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
