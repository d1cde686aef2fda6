/** The SQL statements of submitted forms. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, sqlNow, sqlNowFor, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { isOneOf } from '../../kit/db/is-one-of.ts'
import type { Position } from '../../kit/page.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { splitNames } from '../../kit/schema.ts'
import type { AdLeadFilter, AdLeadStatus, Reason } from './schemas.ts'

export interface NewAdLead {
  connectionId: string
  externalId: string
  formId: string
  /** Encrypted. */
  content: Buffer | null
}

/** Stores submitted forms that are not known. Returns their ids by connection and external id. */
export async function insertAdLeads(tx: Tx, leads: readonly NewAdLead[]): Promise<Map<string, string>> {
  const unique = [...new Map(leads.map(lead => [toLeadKey(lead), lead])).values()]
  if (unique.length === 0) return new Map()
  // Transactions that insert the same leads lock them in the same order.
  const rows = unique.toSorted((one, other) => (toLeadKey(one) < toLeadKey(other) ? -1 : 1))
  const now = getNow(tx)
  const { rows: inserted } = await sql<{ id: string; connectionId: string; externalId: string }>`
    insert into ad_leads (tenant_id, id, connection_id, external_id, form_id, content, status, next_attempt_at, received_at)
    select ${getTenantId(tx)}::uuid, i.id, i.connection_id, i.external_id, i.form_id, i.content, 'waiting', ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map(() => createId(tx)).toSorted()}::uuid[], ${rows.map(({ connectionId }) => connectionId)}::uuid[],
      ${rows.map(({ externalId }) => externalId)}::text[], ${rows.map(({ formId }) => formId)}::text[], ${rows.map(({ content }) => content)}::bytea[])
      as i (id, connection_id, external_id, form_id, content)
    on conflict (tenant_id, connection_id, external_id) do nothing
    returning id, connection_id as "connectionId", external_id as "externalId"`.execute(tx)
  return new Map(inserted.map(lead => [toLeadKey(lead), lead.id]))
}

export const toLeadKey = ({
  connectionId,
  externalId,
}: {
  connectionId: string
  externalId: string
}): string => `${connectionId} ${externalId}`

export interface AdLeadRow {
  id: string
  externalId: string
  formId: string
  content: Buffer | null
  status: AdLeadStatus
  reason: Reason | null
  attempts: number
  nextAttemptAt: Date | null
  leadId: string | null
  consent: { version: string | null; boxes: { key: string; isTicked: boolean }[]; isGiven: boolean } | null
  submittedAt: Date | null
  receivedAt: Date
  endedAt: Date | null
}

const columns = sql`
  id, external_id as "externalId", form_id as "formId", content, status, reason, attempts, next_attempt_at as "nextAttemptAt",
  lead_id as "leadId", consent, submitted_at as "submittedAt", received_at as "receivedAt", ended_at as "endedAt"`

/** Finds leads that are to be read now, the oldest first. */
export async function findDueAdLeads(tx: Tx, connectionId: string, limit: number): Promise<AdLeadRow[]> {
  const { rows } = await sql<AdLeadRow>`
    select ${columns} from ad_leads
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and status = 'waiting' and next_attempt_at <= ${sqlNow(tx)}
    order by next_attempt_at, id limit ${limit}`.execute(tx)
  return rows
}

/** Locks those that still wait, in the order of their ids. Returns their ids. */
export async function lockWaitingAdLeads(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_leads where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and status = 'waiting'
    order by id for update`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export interface AdLeadEnd {
  id: string
  status: 'taken' | 'skipped' | 'failed'
  reason?: Reason
  leadId?: string
  submittedAt?: string
  consent?: AdLeadRow['consent']
}

/** Nothing of what the network sent is kept: the answers are in the lead. */
export async function recordEnds(tx: Tx, ends: readonly AdLeadEnd[]): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update ad_leads l set status = i.status, reason = i.reason, lead_id = i."leadId", consent = i.consent, content = null,
      submitted_at = coalesce(i."submittedAt", l.submitted_at), attempts = l.attempts + 1, next_attempt_at = null, ended_at = ${sqlNow(tx)}
    from jsonb_to_recordset(${sanitizeJson(ends)}::jsonb) as i (id uuid, status text, reason jsonb, "leadId" uuid, "submittedAt" timestamptz, consent jsonb)
    where l.tenant_id = ${getTenantId(tx)} and l.id = i.id`.execute(tx)
}

/** They are read again later. */
export async function recordWaits(
  tx: Tx,
  waits: readonly { id: string; reason: Reason; nextAttemptAt: Date; isAttempt: boolean }[],
): Promise<void> {
  if (waits.length === 0) return
  const rows = waits.map(({ nextAttemptAt, ...wait }) => ({
    ...wait,
    nextAttemptAt: nextAttemptAt.toISOString(),
  }))
  await sql`
    update ad_leads l set reason = i.reason, next_attempt_at = i."nextAttemptAt", attempts = l.attempts + i."isAttempt"::int
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (id uuid, reason jsonb, "nextAttemptAt" timestamptz, "isAttempt" boolean)
    where l.tenant_id = ${getTenantId(tx)} and l.id = i.id and l.status = 'waiting'`.execute(tx)
}

/** Leads that failed, or that wait, are read now. Returns how many. */
export async function retryAdLeads(
  tx: Tx,
  connectionId: string,
  statuses: readonly AdLeadStatus[],
): Promise<number> {
  const { rows } = await sql`
    update ad_leads set status = 'waiting', next_attempt_at = ${sqlNow(tx)}, ended_at = null
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and status = any(${statuses}::text[])
    returning id`.execute(tx)
  return rows.length
}

/** Newest first. */
export async function listAdLeads(
  tx: Tx,
  connectionId: string,
  { limit, status, formId }: AdLeadFilter,
  after: Position | null,
): Promise<AdLeadRow[]> {
  const { rows } = await sql<AdLeadRow>`
    select ${columns} from ad_leads
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and ${after ? sql`id < ${after[0]}` : sql`true`}
      and ${status === undefined ? sql`true` : isOneOf(sql`status`, splitNames(status))}
      and ${formId === undefined ? sql`true` : sql`form_id = ${formId}`}
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Finds a submitted form by the network's id. */
export async function findAdLead(
  tx: Tx,
  connectionId: string,
  externalId: string,
): Promise<AdLeadRow | undefined> {
  const { rows } = await sql<AdLeadRow>`
    select ${columns} from ad_leads
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and external_id = ${externalId}`.execute(
    tx,
  )
  return rows[0]
}

/** Counts the leads of connections by status. */
export async function countAdLeads(
  tx: Tx,
  connectionIds: readonly string[],
): Promise<Map<string, Partial<Record<AdLeadStatus, number>>>> {
  const { rows } = await sql<{ connectionId: string; counts: Partial<Record<AdLeadStatus, number>> }>`
    select connection_id as "connectionId", jsonb_object_agg(status, count) as counts from (
      select connection_id, status, count(*) as count from ad_leads
      where tenant_id = ${getTenantId(tx)} and connection_id = any(${connectionIds}::uuid[])
      group by connection_id, status) counted
    group by connection_id`.execute(tx)
  return new Map(rows.map(({ connectionId, counts }) => [connectionId, counts]))
}

/** Lists the leads of forms that were taken after `after`, in the order in which they were received. */
export async function listTakenAdLeads(
  tx: Tx,
  { connectionId, formIds, since }: { connectionId: string; formIds: readonly string[]; since: Date },
): Promise<string[]> {
  const { rows } = await sql<{ leadId: string }>`
    select lead_id as "leadId" from ad_leads
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and lead_id is not null
      and ${formIds.length === 0 ? sql`true` : sql`form_id = any(${formIds}::text[])`} and received_at >= ${since}
    order by id`.execute(tx)
  return rows.map(({ leadId }) => leadId)
}

/** SQL: the connection may be called, and a lead of it is due. */
const isDue = (now: RawBuilder<Date>) => sql`
  l.status = 'waiting' and l.next_attempt_at <= ${now} and c.status <> 'EXPIRED' and (c.retry_at is null or c.retry_at <= ${now})`

/** Lists the connections with leads that are due, of all tenants, at most 1,000. */
export async function listDueConnections({
  owner,
}: Pick<Database, 'owner'>): Promise<{ tenantId: string; connectionId: string }[]> {
  const { rows } = await sql<{ tenantId: string; connectionId: string }>`
    select distinct l.tenant_id as "tenantId", l.connection_id as "connectionId"
    from ad_leads l join ad_connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
    where ${isDue(sqlNowFor('l.tenant_id'))} limit 1000`.execute(owner)
  return rows
}

export async function listDueConnectionsOfTenant(tx: Tx): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select distinct l.connection_id as id
    from ad_leads l join ad_connections c on c.tenant_id = ${tenantId} and c.id = l.connection_id
    where l.tenant_id = ${tenantId} and ${isDue(sqlNow(tx))}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns when the next lead of a connection is due, and the connection may be called; null: none waits. */
export async function findNextAttempt(tx: Tx, connectionId: string): Promise<Date | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(l.next_attempt_at, c.retry_at)) as at
    from ad_leads l join ad_connections c on c.tenant_id = ${tenantId} and c.id = l.connection_id
    where l.tenant_id = ${tenantId} and l.connection_id = ${connectionId} and l.status = 'waiting' and c.status <> 'EXPIRED'`.execute(
    tx,
  )
  return rows[0]!.at
}

/** Returns when the next lead is due; null: none waits. */
export async function findNextRetrieval(tx: Tx): Promise<Date | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(l.next_attempt_at, c.retry_at)) as at
    from ad_leads l join ad_connections c on c.tenant_id = ${tenantId} and c.id = l.connection_id
    where l.tenant_id = ${tenantId} and l.status = 'waiting' and c.status <> 'EXPIRED'`.execute(tx)
  return rows[0]!.at
}

/** How long submitted forms are known: networks repeat webhooks for days, and sweeps list the leads of the last ones. */
export const keptDays = 100

/** Deletes at most `limit` old submissions, without their leads. Returns how many. */
export async function deleteOldAdLeads(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from ad_leads where tenant_id = ${getTenantId(tx)} and id in (
      select id from ad_leads where tenant_id = ${getTenantId(tx)} and ended_at < ${subtractDays(getNow(tx), keptDays)} limit ${limit})
    returning id`.execute(tx)
  return rows.length
}

/** Returns when the next submissions are to be deleted; null: there is none. */
export async function findNextDeletion(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(ended_at) + make_interval(days => ${keptDays}) as at from ad_leads
    where tenant_id = ${getTenantId(tx)} and ended_at is not null`.execute(tx)
  return rows[0]!.at
}

/** Lists the submissions of these leads, oldest first. */
export async function listAdLeadsOfPeople(tx: Tx, leadIds: readonly string[]): Promise<AdLeadRow[]> {
  const { rows } = await sql<AdLeadRow>`
    select ${columns} from ad_leads
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) order by id`.execute(tx)
  return rows
}
