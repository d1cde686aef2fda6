/**
 * Reads and fills the suppression list: people who must not be contacted, and erased people, who must not be stored.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Channel, Suppression, SuppressionKind } from '../../domain/contactability/facts.ts'
import { createId, getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { hashIdentifiers } from '../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fixedPlan } from '../../kit/db/plans.ts'
import { eraseReplies, eraseRouteReplies } from '../../kit/idempotency.ts'
import { type Requester, readAuthor } from '../../kit/writer.ts'

export interface NewSuppressions {
  kind: SuppressionKind
  /** Null: every channel. */
  channel: Channel | null
  /** The name of the exclusion list; null for other kinds. */
  listName: string | null
  note: string | null
  /** Null: the service itself. */
  requester: Requester | null
  /** When the person requested it; omitted: now. */
  requestedAt?: Date | undefined
}

/** A listing as an identifier. It contains line breaks, which identifiers of people do not. */
export interface ListingIdentifier {
  kind: 'listing'
  value: string
}

export function listingIdentifier(platform: string, listingId: string): ListingIdentifier {
  return { kind: 'listing', value: `listing\n${platform}\n${listingId}` }
}

/**
 * Adds normalised identifiers to the list; only their keyed hashes are stored. Returns the ids of the new entries and
 * of existing entries with the same kind, channel and list.
 */
export async function suppress(
  tx: Tx,
  identifiers: readonly (Identifier | ListingIdentifier)[],
  { kind, channel, listName, note, requester, requestedAt = getNow(tx) }: NewSuppressions,
): Promise<{ added: string[]; existing: string[] }> {
  if (identifiers.length === 0) return { added: [], existing: [] }
  const createdBy = requester && (await readAuthor(tx, requester)).userId
  const ids = identifiers.map(() => createId(tx)).sort()
  const values = identifiers.map(({ value }) => value)
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    with given as materialized (
      select distinct on (hash) id, identifier_kind, hash
      from unnest(${ids}::uuid[], ${identifiers.map(each => each.kind)}::text[], ${hashIdentifiers(tx, values)}::bytea[])
        as given (id, identifier_kind, hash)
    ), added as (
      insert into suppressions (tenant_id, id, kind, identifier_kind, hash, channel, list_name, note, created_at, requested_at, created_by)
      select ${getTenantId(tx)}::uuid, id, ${kind}, identifier_kind, hash, ${channel}, ${listName}, ${note}, ${sqlNow(tx)},
        ${requestedAt}::timestamptz, ${createdBy}::uuid
      from given order by id on conflict do nothing returning id
    )
    select id, true as "isNew" from added
    union all
    select s.id, false from given g join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = g.hash
    where s.kind = ${kind} and s.channel is not distinct from ${channel} and s.list_name is not distinct from ${listName}`.execute(
    tx,
  )
  await markLeadsWithIdentifiers(tx, values)
  const selectIds = (isNew: boolean) => rows.filter(row => row.isNew === isNew).map(({ id }) => id)
  return { added: selectIds(true), existing: selectIds(false) }
}

/** The person refused again: what they wrote before takes the entries no more back. */
export async function renewSuppressions(tx: Tx, ids: string[], requestedAt: Date): Promise<void> {
  if (ids.length > 0)
    await sql`
      update suppressions set requested_at = ${requestedAt}
      where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and requested_at < ${requestedAt}`.execute(
      tx,
    )
}

/**
 * Adds the leads with these identifiers to `suppressed_leads`. Waits for leads that are being deleted. See
 * `markSuppressedAmong` for later leads.
 */
async function markLeadsWithIdentifiers(tx: Tx, values: readonly string[]): Promise<void> {
  await sql`
    insert into suppressed_leads (tenant_id, lead_id)
    select l.tenant_id, l.id from lead_identifiers i join leads l on l.tenant_id = i.tenant_id and l.id = i.lead_id
    where i.tenant_id = ${getTenantId(tx)} and i.value = any(${values}::text[]) for key share of l
    on conflict do nothing returning lead_id`.execute(tx)
}

/**
 * Adds leads whose identifiers have just been stored to `suppressed_leads`, if one is on the list. See
 * `markLeadsWithIdentifiers` for later entries.
 */
export async function markSuppressedAmong(tx: Tx, leadIds: readonly string[]): Promise<void> {
  await sql`
    insert into suppressed_leads (tenant_id, lead_id)
    select distinct ${getTenantId(tx)}::uuid, i.lead_id
    from (
      select lead_id, hash from lead_identifiers
      where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) and ${hasSuppressions(tx)} offset 0) i
    where exists (select from suppressions s where s.tenant_id = ${getTenantId(tx)} and s.hash = i.hash)
    on conflict do nothing returning lead_id`.execute(tx)
}

export const checkPath = '/suppressions/check'

/**
 * Clears the notes of entries for these identifiers, which may say who the person is, and of entries that were added
 * together with them and have the same note. Also erases stored replies that contain them.
 */
export async function redactNotes(tx: Tx, identifiers: readonly string[]): Promise<void> {
  const { rows: noted } = await sql<{ note: string; at: string }>`
    select distinct s.note, s.created_at::text as at
    from suppressions s
    where s.tenant_id = ${getTenantId(tx)} and s.hash = any(${hashIdentifiers(tx, identifiers)}::bytea[]) and s.note is not null`.execute(
    tx,
  )
  if (noted.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update suppressions s set note = null
    from unnest(${noted.map(({ note }) => note)}::text[], ${noted.map(({ at }) => at)}::timestamptz[]) as noted (note, at)
    where s.tenant_id = ${getTenantId(tx)} and s.note = noted.note and s.created_at = noted.at returning s.id`.execute(
    tx,
  )
  await eraseReplies(
    tx,
    rows.map(({ id }) => id),
  )
  await eraseRouteReplies(tx, `POST ${checkPath}`)
}

/** The entries for these identifiers, by value; identifiers without entries are missing. */
export async function findSuppressions(
  tx: Tx,
  identifiers: readonly Identifier[],
): Promise<Map<string, Suppression[]>> {
  if (identifiers.length === 0) return new Map()
  const values = [...new Set(identifiers.map(({ value }) => value))]
  const { rows } = await sql<{ value: string; fact: string }>`
    select given.value, ${sql.raw(factText)} as fact
    from unnest(${values}::text[], ${hashIdentifiers(tx, values)}::bytea[]) given (value, hash)
    join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = given.hash order by s.id`.execute(tx)
  const found = Map.groupBy(rows, ({ value }) => value)
  return new Map([...found].map(([value, same]) => [value, same.map(({ fact }) => toSuppression(fact))]))
}

/** True if the workspace has erased anybody; otherwise the check of new leads can be skipped. */
export async function hasErased(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    ${fixedPlan} select from suppressions where tenant_id = ${getTenantId(tx)} and kind = 'erased' order by tenant_id, hash limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Returns the values among these, identifiers and listings, that belong to erased people and must not be stored. Call
 * this after `lockLeadWrites`, so that nobody is stored while they are being erased.
 */
export async function findErased(tx: Tx, values: readonly string[]): Promise<Set<string>> {
  if (values.length === 0) return new Set()
  const distinct = [...new Set(values)]
  const { rows } = await sql<{ value: string }>`
    select given.value from unnest(${distinct}::text[], ${hashIdentifiers(tx, distinct)}::bytea[]) given (value, hash)
    join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = given.hash and s.kind = 'erased'`.execute(
    tx,
  )
  return new Set(rows.map(({ value }) => value))
}

/** SQL: an entry as text for `toSuppression`. The name or note comes last, because it may contain any characters. */
const factText = `concat_ws(' ', s.kind, coalesce(s.channel, '-'), aldaba.iso_time(s.created_at), coalesce(s.list_name, s.note))`

/**
 * SQL: true if the list has an entry, null if it is empty; computed once per statement. The "order by" makes the
 * planner use an index: for a tenant without entries, it would otherwise scan the entries of all tenants.
 */
export const hasSuppressions = (tx: Tx): RawBuilder<unknown> =>
  sql`(select true from suppressions where tenant_id = ${getTenantId(tx)} order by tenant_id, id limit 1)`

/** SQL: the hashes of the identifiers of a lead, as a table with a column `hash`. */
export const hashesOfLead = (tx: Tx, leadId: string) => sql`(
  select i.hash from lead_identifiers i where i.tenant_id = ${getTenantId(tx)} and i.lead_id = ${sql.ref(leadId)} offset 0)`

/** SQL: the entries for a lead `l` as a list of texts for `toSuppression`. */
export const suppressionFacts = (tx: Tx) => sql`case when ${hasSuppressions(tx)} then array(
    select ${sql.raw(factText)}
    from ${hashesOfLead(tx, 'l.id')} own
    join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = own.hash) else '{}' end`

const defaultSources: Record<SuppressionKind, string> = {
  opt_out: 'opt-out',
  erased: 'erasure',
  exclusion_list: 'exclusion list',
  manual: 'suppression list',
  marketing: 'the provider',
}

/** Parses a text of `suppressionFacts`. */
export function toSuppression(fact: string): Suppression {
  const [, kind, channel, addedAt, source] = /^(\S+) (\S+) (\S+)(?: ([\s\S]*))?$/.exec(fact)!
  return {
    kind: kind as SuppressionKind,
    channel: channel === '-' ? null : (channel as Channel),
    source: source || defaultSources[kind as SuppressionKind],
    addedAt: Temporal.Instant.from(addedAt!),
  }
}
