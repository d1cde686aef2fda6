/** Opt-outs: they cover all identifiers of a person, and changes of a lead do not remove them. */
import { sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Channel } from '../../domain/contactability/facts.ts'
import { getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { hashIdentifiers } from '../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { type Author, lockLeadWrites } from '../../kit/writer.ts'
import { peopleOptedIn, peopleOptedOut } from './hooks.ts'
import { refuseMarketing } from './marketing.ts'
import { findIdentifiers, findLeadsOfPeople, isProfessional, toIdentifier } from './person.ts'
import { hashesOfLead, renewSuppressions, suppress } from './suppression-list.ts'

interface OptOut {
  /** Null: every channel. */
  channel: Channel | null
  note: string | null
  /** When the person refused; omitted: now. */
  requestedAt?: Date
}

/**
 * Adds normalised identifiers to the suppression list as opt-outs, with all other identifiers of the leads of these
 * people: a person who opts out by phone gets no e-mail either. An identifier of a professional is added only if it
 * was given, and does not lead to other leads. Calls `peopleOptedOut` with the leads that were not opted out before.
 * Existing entries are renewed. Returns the ids of the new and the existing entries.
 */
export async function optOut(
  tx: Tx,
  identifiers: readonly Identifier[],
  { channel, note, requestedAt = getNow(tx) }: OptOut,
  author: Author,
): Promise<{ added: string[]; existing: string[] }> {
  await lockLeadWrites(tx)
  const { identifiers: allIdentifiers } = await findPeople(tx, identifiers)
  const leadIds = await findNotOptedOut(tx, allIdentifiers, channel)
  const entries = await suppress(tx, allIdentifiers, {
    kind: 'opt_out',
    channel,
    listName: null,
    note,
    requester: author,
    requestedAt,
  })
  await renewSuppressions(tx, entries.existing, requestedAt)
  if (leadIds.length > 0) await callHook(tx, peopleOptedOut, { leadIds, channel, author })
  return entries
}

/**
 * Opt-outs and refusals of marketing under the former identifiers of a person count under the current ones, too. Those under
 * the former ones stay.
 */
export async function copyRefusals(
  tx: Tx,
  former: readonly Identifier[],
  current: readonly Identifier[],
): Promise<void> {
  const hashes = hashIdentifiers(
    tx,
    former.map(({ value }) => value),
  )
  const { rows } = await sql<{ kind: string; channel: Channel | null; requestedAt: Date }>`
    select kind, channel, max(requested_at) as "requestedAt" from suppressions
    where tenant_id = ${getTenantId(tx)} and hash = any(${hashes}::bytea[]) and kind in ('opt_out', 'marketing')
    group by kind, channel`.execute(tx)
  for (const { kind, channel, requestedAt } of rows)
    if (kind === 'opt_out')
      await optOut(tx, current, { channel, note: null, requestedAt }, { keyId: null, userId: null })
    else await refuseMarketing(tx, current, { channel, note: null, requestedAt })
}

/**
 * Removes the opt-outs of one channel that these people requested before `before`, for all identifiers that they have and
 * have had: they asked for messages again, and a user has read it so. Those of all channels stay. Calls `peopleOptedIn`.
 * Returns false if there was none, or if they refused later.
 */
export async function optIn(
  tx: Tx,
  identifiers: readonly Identifier[],
  { channel, before }: { channel: Channel; before: Date },
  author: Author,
): Promise<boolean> {
  await lockLeadWrites(tx)
  const { leadIds, identifiers: current } = await findPeople(tx, identifiers)
  const hashes = hashIdentifiers(
    tx,
    current.map(({ value }) => value),
  )
  const entries = sql`tenant_id = ${getTenantId(tx)} and kind = 'opt_out' and channel = ${channel}`
  const { rows } = await sql`
    delete from suppressions
    where ${entries} and hash = any(${hashes}::bytea[])
      and not exists (select from suppressions where ${entries} and hash = any(${hashes}::bytea[]) and requested_at >= ${before}) returning id`.execute(
    tx,
  )
  if (rows.length === 0) return false
  // Otherwise the next change of the lead would opt out its new identifiers.
  await sql`
    delete from suppressions
    where ${entries} and requested_at < ${before} and hash in (
      select hash from former_identifiers
      where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) and not reverted and used_until >= requested_at)`.execute(
    tx,
  )
  if (leadIds.length > 0) await callHook(tx, peopleOptedIn, { leadIds, channel, author })
  return true
}

/** These identifiers with the others of the leads of these people, except those of professionals. */
async function findPeople(
  tx: Tx,
  identifiers: readonly Identifier[],
): Promise<{ leadIds: string[]; identifiers: Identifier[] }> {
  const leadIds = await findLeadsOfPeople(tx, await findLeadsByIdentifiers(tx, identifiers))
  const personal = (await findIdentifiers(tx, leadIds)).filter(({ isProfessional }) => !isProfessional)
  return { leadIds, identifiers: [...identifiers, ...personal.map(({ value }) => toIdentifier(value))] }
}

/** Leads with one of these identifiers, except identifiers of professionals. */
async function findLeadsByIdentifiers(tx: Tx, identifiers: readonly Identifier[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct i.lead_id as id
    from (
      select given.value from unnest(${identifiers.map(({ value }) => value)}::text[]) given (value)
      where not ${isProfessional(tx, sql`given.value`)} offset 0) own
    join lead_identifiers i on i.tenant_id = ${getTenantId(tx)} and i.value = own.value`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Leads with one of these identifiers that have not opted out of this channel or of all channels. */
async function findNotOptedOut(
  tx: Tx,
  identifiers: readonly Identifier[],
  channel: Channel | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select touched.id
    from (
      select distinct lead_id as id from lead_identifiers
      where tenant_id = ${getTenantId(tx)} and value = any(${identifiers.map(({ value }) => value)}::text[]) offset 0) touched
    where not exists (
      select from ${hashesOfLead(tx, 'touched.id')} own
      join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = own.hash
      where s.kind = 'opt_out' and (s.channel is null or s.channel = ${channel}))
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}
