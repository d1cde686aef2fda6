/**
 * Removes personal data from the history of leads. An event about a person names their lead as `leadId`, and only
 * `changes` contains values: so events can be found by their leads.
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

/**
 * Redacts the events of deleted leads: they keep who did what and when, but no values. `mergeTree`: these leads and
 * the ones they absorbed.
 */
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
  // Messages contained the lead, and the stored responses of receivers may contain it.
  await callHook(tx, eraseMessages, [...mergeTree, ...otherLeadIds])
}

// Regular expressions of the fields whose changes are kept.
const noFields = '^$'
const workFields = '^(status|tags|ownerUserId|campaignId)$'
const nonPersonalFields = '^(status|tags|ownerUserId|campaignId|property[.].*)$'

/**
 * Redacts the events of other leads from the time when they were merged with these, except changes of the work on
 * them: the events were about both leads, and the property may have been that of the other. The merge and its undo
 * stay in the history. Returns the ids of the other leads.
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
 * The leads that had absorbed any of these, directly or through another lead, each with the time from the merge to its
 * undo, or until now.
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
      -- "offset 0" makes this an index lookup for each lead instead of a scan of all events.
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
 * For other leads than `leadIds` that had one of these identifiers once: removes the contact data of the time when
 * they had it, because that may be data about this person.
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
  // If such a lead was merged, the rows that other features saved are in the merge.
  await sql`
    update lead_merges m set moved_references = m.moved_references - 'saved'
    from ${former}
    where m.tenant_id = ${getTenantId(tx)} and m.absorbed_id = f."leadId" and m.undone_at is null`.execute(tx)
  await sql`delete from former_identifiers where tenant_id = ${getTenantId(tx)} and value = any(${identifiers}::text[])`.execute(
    tx,
  )
}

/** Handles `erasePersonData`: redacts the history that other leads share with these people. */
export async function eraseFromLeads(tx: Tx, { mergeTree }: ErasedPeople): Promise<Traces> {
  return { changed: await redactSharedHistory(tx, mergeTree) }
}

/** Handles `eraseHistory`: deletes the events and merges of the leads. */
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
