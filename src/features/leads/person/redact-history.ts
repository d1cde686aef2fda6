/**
 * What the history of leads tells of their people, and how it ceases to. An event about a person names their lead as
 * `leadId`, and what it tells in words stands in its `changes` alone: so events are found by their leads.
 */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { deleteLeadEvents, type EventRange, eraseChanges } from '../../../kit/events/event-history.ts'
import { callHook } from '../../../kit/hook.ts'
import {
  type ErasedPeople,
  eraseMessages,
  formerLeadsTable,
  personColumns,
  type Traces,
} from '../../privacy/service.ts'

/** Events of deleted leads, `merge_tree` being those with what they had absorbed, keep who did something when, and not what was said. */
export async function redactHistory(tx: Tx, mergeTree: string[]): Promise<void> {
  const otherLeadIds = await redactSharedHistory(tx, mergeTree)
  await eraseChanges(
    tx,
    mergeTree.map(leadId => ({ leadId, from: '-infinity', to: 'infinity' })),
    noFields,
  )
  await sql`delete from former_identifiers where tenant_id = ${getTenantId(tx)} and lead_id = any(${mergeTree}::uuid[])`.execute(
    tx,
  )
  // Messages carried the lead, and receivers may have answered with it.
  await callHook(tx, eraseMessages, [...mergeTree, ...otherLeadIds])
}

/** Of a change: no field. */
const noFields = '^$'
/** Of a change: what was done with a lead. */
const workFields = '^(status|tags|ownerUserId|campaignId)$'
/** Of a change: that, and what it said of its property. */
const nonPersonalFields = '^(status|tags|ownerUserId|campaignId|property[.].*)$'

/**
 * Of other leads, while they were one with any of these, keeps what was done with them, and empties the rest: it was told of both,
 * and the property may have been the other's. Returns those other leads. That they were made one and parted stays told.
 */
async function redactSharedHistory(tx: Tx, leadIds: string[]): Promise<string[]> {
  const sharedSpans = await findSharedSpans(tx, leadIds)
  if (sharedSpans.length === 0) return []
  const spans = sql`jsonb_to_recordset(${JSON.stringify(sharedSpans)}::jsonb) as s ("leadId" uuid, "from" timestamptz, "to" timestamptz)`
  await eraseChanges(tx, sharedSpans, workFields)
  await sql`
    delete from former_identifiers f using ${spans}
    where f.tenant_id = ${getTenantId(tx)} and f.lead_id = s."leadId" and f.used_until between s."from" and s."to"`.execute(
    tx,
  )
  return [...new Set(sharedSpans.map(({ leadId }) => leadId))]
}

/**
 * Which leads had taken any of these in, or one that had them in it at the time, and from when to when: from each merge to its own
 * parting, or to this day.
 */
async function findSharedSpans(tx: Tx, leadIds: string[]): Promise<EventRange[]> {
  const { rows } = await sql<EventRange>`
    with recursive merged (id, started, ended) as (
      select unnest(${leadIds}::uuid[]), '-infinity'::timestamptz, 'infinity'::timestamptz
      union
      select m.lead_id, m.created_at, coalesce((
        select p.created_at from events p
        where p.tenant_id = ${getTenantId(tx)} and p.other_lead_id = merged.id and p.lead_id = m.lead_id
          and p.data ->> 'cause' = 'unmerged' and p.data ->> 'mergeId' = m.data ->> 'mergeId' limit 1), 'infinity')
      from merged
      -- By itself for each, lest the events of all are read for a few.
      cross join lateral (
        select lead_id, created_at, data from events
        where tenant_id = ${getTenantId(tx)} and other_lead_id = merged.id and data ->> 'cause' = 'merged' and lead_id is not null offset 0) m
      where m.created_at between merged.started and merged.ended)
    select id as "leadId", started::text as "from", ended::text as "to" from merged where id <> all(${leadIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

/**
 * Of leads that had one of these identifiers once, but for `leadIds`: forgets what is kept of their contact from when they got
 * it until they lost it. They were held to be this person meanwhile.
 */
async function redactFormerHistory(tx: Tx, identifiers: string[], leadIds: string[]): Promise<void> {
  const { rows: spans } = await sql<EventRange>`
    select lead_id as "leadId", since::text as "from", until::text as "to"
    from ${formerLeadsTable(tx, identifiers, leadIds)} f`.execute(tx)
  const former = sql`jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as f ("leadId" uuid, "from" timestamptz, "to" timestamptz)`
  await eraseChanges(tx, spans, nonPersonalFields)
  await sql`
    update lead_merges m set changes = m.changes - ${personColumns}::text[]
    from ${former}
    where m.tenant_id = ${getTenantId(tx)} and m.lead_id = f."leadId" and m.created_at between f."from" and f."to"`.execute(
    tx,
  )
  // Of one that was made one with another, what other features keep waits there.
  await sql`
    update lead_merges m set moved_references = m.moved_references - 'saved'
    from ${former}
    where m.tenant_id = ${getTenantId(tx)} and m.absorbed_id = f."leadId" and m.undone_at is null`.execute(tx)
  await sql`delete from former_identifiers where tenant_id = ${getTenantId(tx)} and value = any(${identifiers}::text[])`.execute(
    tx,
  )
}

/** Handles `erasePersonData`. */
export async function eraseFromLeads(tx: Tx, { mergeTree }: ErasedPeople): Promise<Traces> {
  return { changed: await redactSharedHistory(tx, mergeTree) }
}

/** Handles `eraseHistory`. */
export async function eraseLeadHistory(
  tx: Tx,
  { identifiers, mergeTree, former }: ErasedPeople,
): Promise<Traces> {
  await redactFormerHistory(tx, identifiers, mergeTree)
  await deleteLeadEvents(tx, mergeTree)
  await sql`delete from former_identifiers where tenant_id = ${getTenantId(tx)} and lead_id = any(${mergeTree}::uuid[])`.execute(
    tx,
  )
  await sql`delete from lead_merges where tenant_id = ${getTenantId(tx)} and absorbed_id = any(${mergeTree}::uuid[])`.execute(
    tx,
  )
  return { deleted: mergeTree, changed: former }
}
