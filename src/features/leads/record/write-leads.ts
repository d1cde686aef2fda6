/** All writes to the table `leads`, with its lookup tables (`index-leads.ts`). A test finds writes of other files. */

import { sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import { getIdTime } from '../../../kit/id.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { type BasisColumns, type NewBasis, toBasisValues } from './basis-columns.ts'
import { type Derived, deriveValues, indexLeads, toStreetKey } from './index-leads.ts'
import { emptyRow, type LeadRow, type WritableColumn, writableColumns } from './lead-row.ts'

const names = Object.keys(writableColumns) as WritableColumn[]
const columnList = sql.raw(names.join(', '))
const recordColumns = sql.raw(names.map(name => `${name} ${writableColumns[name]}`).join(', '))

/** SQL defaults of columns that are not sent: null and empty lists, as most columns of most leads are empty. */
const defaultValues: Partial<Record<WritableColumn, string>> = {
  identifiers: `'{}'`,
  features: `'{}'`,
  images: `'{}'`,
  tags: `'{}'`,
  edited_columns: `'{}'`,
  price_history: `'[]'`,
  custom_fields: `'{}'`,
}
const inputValue = (name: WritableColumn) =>
  defaultValues[name] ? `coalesce(i.${name}, ${defaultValues[name]})` : `i.${name}`
const values = sql.raw(names.map(inputValue).join(', '))
const assignments = sql.raw(names.map(name => `${name} = ${inputValue(name)}`).join(', '))

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** A row as the JSON of a recordset, without empty columns. */
function toRecord(row: LeadRow, more: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = { id: row.id, ...more }
  for (const name of names) if (!isEmpty(row[name])) values[name] = row[name]
  return values
}

export interface NewLead {
  row: LeadRow
  /** The price in its listing. */
  listingPrice?: number | null
  /** Computed before the transaction began; if omitted, computed now. */
  derived?: Derived | undefined
}

/** `created_at` and `updated_at` are the time of the id, so that ids are in the order of creation. */
export async function insertLeads(tx: Tx, leads: NewLead[]): Promise<void> {
  if (leads.length === 0) return
  const indexed = leads.map(({ row, derived }) => ({
    before: null,
    after: row,
    derived: derived ?? deriveValues(row),
  }))
  const records = leads.map(({ row, listingPrice }, index) => {
    const streetKey = indexed[index]!.derived.street
    return toRecord(row, {
      created_at: getIdTime(row.id),
      listing_price: listingPrice,
      street_key: streetKey,
    })
  })
  const inserted = sql`
    ${fixedPlan} insert into leads (tenant_id, id, created_at, updated_at, street_key, listing_price, ${columnList})
    select ${getTenantId(tx)}::uuid, i.id, i.created_at, i.created_at, i.street_key, i.listing_price, ${values}
    from json_to_recordset(${sanitizeJson(records)}::json)
      as i (id uuid, created_at timestamptz, street_key bigint, listing_price numeric, ${recordColumns})
    returning true`.execute(tx)
  await Promise.all([inserted, ...indexLeads(tx, indexed)])
}

export interface ChangedLead {
  /** The locked row. */
  before: LeadRow
  after: LeadRow
  /** The price in its listing; if omitted, unchanged. */
  listingPrice?: number | null
}

export async function updateLeads(tx: Tx, leads: ChangedLead[], now: Date): Promise<void> {
  if (leads.length === 0) return
  const records = leads.map(({ after, listingPrice }) =>
    toRecord(after, { listing_price: listingPrice, street_key: toStreetKey(after) }),
  )
  const updated = sql`
    update leads l set updated_at = ${now}, street_key = i.street_key, listing_price = coalesce(i.listing_price, l.listing_price),
      -- A status change is a contact with the person: the retention period begins again.
      status_changed_at = case when i.status <> l.status then ${sqlNow(tx)} else l.status_changed_at end, ${assignments}
    from json_to_recordset(${sanitizeJson(records)}::json)
      as i (id uuid, street_key bigint, listing_price numeric, ${recordColumns})
    where l.tenant_id = ${getTenantId(tx)} and l.id = i.id`.execute(tx)
  await Promise.all([updated, ...indexLeads(tx, leads)])
}

/** A lead that `deleteRows` has deleted. */
export interface DeletedLead {
  leadId: string
  externalId: string | null
  name: string | null
}

/** Returns the leads that existed. */
export async function deleteRows(tx: Tx, leadIds: string[]): Promise<DeletedLead[]> {
  await sql`delete from lead_search where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  const { rows } = await sql<DeletedLead>`
    delete from leads where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[])
    returning id as "leadId", external_id as "externalId", contact_name as name`.execute(tx)
  return rows
}

/** Inserts an absorbed lead again. `snapshot`: its row as JSON. */
export async function restoreLead(tx: Tx, snapshot: Record<string, unknown>): Promise<void> {
  // Columns that were added to the table since get their defaults.
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'aldaba.leads'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    tx,
  )
  const knownColumns = columns
    .map(({ name }) => name)
    .filter(name => name in snapshot && name !== 'tenant_id')
  const columnSql = sql.join(knownColumns.map(name => sql.id(name)))
  await sql`
    insert into leads (tenant_id, ${columnSql})
    select ${getTenantId(tx)}::uuid, ${columnSql} from jsonb_populate_record(null::leads, ${JSON.stringify(snapshot)}::jsonb)
    returning true`.execute(tx)
  const row = { ...emptyRow(snapshot.id as string), ...snapshot }
  await Promise.all(indexLeads(tx, [{ before: null, after: row }]))
}

/** Sets `updated_at`, because something outside the row has changed, such as a source. */
export async function touchLeads(tx: Tx, leadIds: string[], now: Date): Promise<void> {
  if (leadIds.length === 0) return
  await sql`update leads set updated_at = ${now}
    where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Records that people wrote: a lead that is new or was contacted has replied. */
export async function recordReplyTimes(tx: Tx, replies: { leadId: string; at: Date }[]): Promise<void> {
  if (replies.length === 0) return
  const isFirst = sql.raw(`l.status in ('new', 'contacted')`)
  await sql`
    update leads l set last_reply_at = greatest(l.last_reply_at, i.at), updated_at = ${sqlNow(tx)},
      status = case when ${isFirst} then 'replied' else l.status end,
      status_changed_at = case when ${isFirst} then ${sqlNow(tx)} else l.status_changed_at end
    from (
      select lead_id, max(at) as at
      from unnest(${replies.map(({ leadId }) => leadId)}::uuid[], ${replies.map(({ at }) => at)}::timestamptz[]) as t (lead_id, at)
      group by lead_id) i
    where l.tenant_id = ${getTenantId(tx)} and l.id = i.lead_id`.execute(tx)
}

/** Adds `by` to `notes_count`. `now`: the new `updated_at`; null: this does not count as a change of the lead. */
export async function adjustNotesCount(
  tx: Tx,
  counts: { leadId: string; by: number; now: Date | null }[],
): Promise<void> {
  if (counts.length === 0) return
  await sql`
    update leads l set notes_count = l.notes_count + i.by, updated_at = coalesce(i.now, l.updated_at)
    from json_to_recordset(${JSON.stringify(counts)}::json) as i ("leadId" uuid, by integer, now timestamptz)
    where l.tenant_id = ${getTenantId(tx)} and l.id = i."leadId"`.execute(tx)
}

/**
 * For a merge: takes the listing price of the other lead if this one has none, and the later status change of both. A
 * contact about either lead extends the retention period of both.
 */
export async function inheritListingPriceAndStatusTime(
  tx: Tx,
  leadId: string,
  otherId: string,
): Promise<void> {
  await sql`
    update leads l set listing_price = coalesce(l.listing_price, o.listing_price),
      status_changed_at = greatest(l.status_changed_at, o.status_changed_at)
    from leads o
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId} and o.tenant_id = l.tenant_id and o.id = ${otherId}`.execute(
    tx,
  )
}

/**
 * For the undo of a merge: restores the time of the last status change, if the lead still has the one of the other
 * lead.
 */
export async function restoreStatusTime(
  tx: Tx,
  leadId: string,
  otherId: string,
  before: string | null,
): Promise<void> {
  await sql`
    update leads l set status_changed_at = ${before}::timestamptz
    from leads o
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId} and o.tenant_id = l.tenant_id and o.id = ${otherId} and l.status_changed_at = o.status_changed_at`.execute(
    tx,
  )
}

/**
 * Records bases on leads that have none, or one that is replaced. If a basis was withdrawn, only a later one is recorded. Returns the recorded
 * ones, with the new values of the columns.
 */
export async function recordBases(
  tx: Tx,
  bases: NewBasis[],
): Promise<{ id: string; after: Record<string, unknown> }[]> {
  const rows = bases.map(({ leadId, isNew, ...basis }) => ({ ...basis, id: leadId, is_new: isNew }))
  const { rows: recorded } = await sql<BasisColumns>`
    update leads l set lawful_basis = i.kind, lawful_basis_at = coalesce(i.at, ${sqlNow(tx)}), lawful_basis_proof = i.proof, lawful_basis_by = i.by,
      lawful_basis_channels = i.channels, lawful_basis_expires_at = i."expiresAt",
      consent_at = case when i.kind = 'consent' then coalesce(i.at, ${sqlNow(tx)}) end,
      updated_at = case when i.is_new then l.updated_at else ${sqlNow(tx)} end
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (id uuid, kind text, at timestamptz, proof text, by uuid, channels text[], "expiresAt" timestamptz, replaces text, is_new boolean)
    where l.tenant_id = ${getTenantId(tx)} and l.id = i.id
      and (l.lawful_basis is null or strpos(l.lawful_basis_proof, i.replaces) > 0
        and (l.lawful_basis, l.lawful_basis_at, l.lawful_basis_proof, l.lawful_basis_channels, l.lawful_basis_expires_at)
          is distinct from (i.kind, i.at, i.proof, i.channels, i."expiresAt"))
      and (l.lawful_basis_withdrawn_at is null or i.at > l.lawful_basis_withdrawn_at)
    returning l.id, l.lawful_basis, l.lawful_basis_at, l.lawful_basis_proof, l.lawful_basis_channels,
      l.lawful_basis_expires_at, l.lawful_basis_by, l.consent_at`.execute(tx)
  return recorded.map(({ id, ...columns }) => ({ id, after: toBasisValues(columns) }))
}

/** Removes the bases whose proof contains a text. Returns the ids of the leads. */
export async function clearBases(tx: Tx, leadIds: readonly string[], text: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update leads set lawful_basis = null, lawful_basis_at = null, lawful_basis_proof = null, lawful_basis_by = null, lawful_basis_channels = null,
      lawful_basis_expires_at = null, consent_at = null, updated_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[]) and lawful_basis is not null and strpos(lawful_basis_proof, ${text}) > 0
    returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function clearListingPrice(tx: Tx, leadId: string): Promise<void> {
  await sql`update leads set listing_price = null where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(
    tx,
  )
}

export async function clearExternalId(tx: Tx, leadId: string): Promise<void> {
  await sql`update leads set external_id = null where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(
    tx,
  )
}

/**
 * Records that messages were sent to the people of these leads: a new lead was contacted. Returns the leads that were new.
 * Use `recordContacts`.
 */
export async function recordContactTimes(
  tx: Tx,
  contacts: readonly { leadId: string; at: Date; hasNotice: boolean }[],
): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const leadIds = contacts.map(({ leadId }) => leadId)
  const { rows } = await sql<{ id: string; wasNew: boolean }>`
    with held as (
      -- Always in the same order, so that two transactions on the same leads cannot deadlock.
      select id, status from leads where tenant_id = ${tenantId} and id = any(${leadIds}::uuid[]) order by id for no key update
    ), contacted as (
      select lead_id, max(at) as at, min(at) filter (where has_notice) as notice_at
      from unnest(${leadIds}::uuid[], ${contacts.map(({ at }) => at)}::timestamptz[], ${contacts.map(({ hasNotice }) => hasNotice)}::boolean[])
        as t (lead_id, at, has_notice) group by lead_id
    )
    update leads l set last_contacted_at = greatest(l.last_contacted_at, c.at), updated_at = ${sqlNow(tx)},
      status = case when held.status = 'new' then 'contacted' else held.status end,
      status_changed_at = case when held.status = 'new' then ${sqlNow(tx)} else l.status_changed_at end,
      notice_sent_at = coalesce(l.notice_sent_at, c.notice_at)
    from held, contacted c
    where l.tenant_id = ${tenantId} and l.id = any(${leadIds}::uuid[]) and l.id = held.id and c.lead_id = held.id
    returning l.id, held.status = 'new' as "wasNew"`.execute(tx)
  return rows.flatMap(({ id, wasNew }) => (wasNew ? id : []))
}
