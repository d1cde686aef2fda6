/** The SQL statements of deliveries, but for those of sending. */
import { sql } from 'kysely'
import { notifyChange } from '../../kit/db/changes.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { lastId, newId } from '../../kit/id.ts'
import type { Position } from '../../kit/page.ts'
import type { DeliveryFilter } from './schemas.ts'
import { bodyOf, deliveriesTopic } from './sending/queries.ts'

/** For so long it is kept what became of an event. */
export const keptDays = 30

const deliveryJson =
  jsonObject(`d.id, d.webhook_id as "webhookId", d.event_id as "eventId", e.type as "eventType", e.is_test as "isTest", d.status,
  d.attempts as "attemptCount", d.attempt_log as attempts, aldaba.iso_time(d.next_attempt_at) as "nextAttemptAt",
  aldaba.iso_time(d.created_at) as "createdAt", aldaba.iso_time(d.delivered_at) as "deliveredAt"`)

/** Those of the newest events first. */
export function listDeliveries(
  tx: Tx,
  webhookId: string,
  { limit, status, eventType }: DeliveryFilter,
  after: Position | null,
): Promise<Page> {
  const rows = sql<ListRow>`
    select ${deliveryJson} as json, array[d.event_id::text] as position
    from webhook_deliveries d join events e on e.id = d.event_id
    where d.webhook_id = ${webhookId} and ${after ? sql`d.event_id < ${after[0]}` : sql`true`}
      and ${status ? sql`d.status = ${status}` : sql`true`} and ${eventType ? sql`e.type = ${eventType}` : sql`true`}
    order by d.tenant_id desc, d.webhook_id desc, d.event_id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** A delivery as the JSON of the contract; null if there is none. */
export async function findDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${deliveryJson}::text as json from webhook_deliveries d join events e on e.id = d.event_id
    where d.id = ${deliveryId} and d.webhook_id = ${webhookId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** Its event as it is sent, JSON. */
export async function findBody(tx: Tx, deliveryId: string): Promise<string> {
  const { rows } = await sql<Parameters<typeof bodyOf>[1] & { eventId: string }>`
    select e.id as "eventId", e.type, aldaba.iso_time(e.created_at) as timestamp, t.environment, t.workspace_id as "workspaceId",
      e.sequence, e.data::text as data
    from webhook_deliveries d join events e on e.id = d.event_id join tenants t on t.id = d.tenant_id
    where d.id = ${deliveryId}`.execute(tx)
  const { eventId, ...event } = rows[0]!
  return bodyOf(eventId, event)
}

/** Whether an attempt at it was made, or it is gone. */
export async function wasTried(tx: Tx, deliveryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries where id = ${deliveryId} and attempts = 0 and status = 'pending'`.execute(
    tx,
  )
  return rows.length === 0
}

/** An example for one subscription, to be sent at once. Returns the delivery's id. */
export async function insertTest(
  tx: Tx,
  webhookId: string,
  { type, data }: { type: string; data: object },
): Promise<string> {
  const [eventId, deliveryId] = [newId(), newId()]
  await tx
    .insertInto('events')
    .values({
      ...{ id: eventId, type, data: JSON.stringify(data) },
      ...{ object_id: webhookId, sequence: 0, is_test: true },
    })
    .execute()
  const now = new Date()
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...{ id: deliveryId, webhook_id: webhookId, event_id: eventId },
      ...{ created_at: now, next_attempt_at: now },
    })
    .execute()
  await sendNow(tx, webhookId)
  return deliveryId
}

/** Sends a delivery once more, whatever became of it. */
export async function resendDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = now(), delivered_at = null
    where id = ${deliveryId}`.execute(tx)
  await sendNow(tx, webhookId)
}

/**
 * Makes those of events since then that failed or were never made, as far as the subscription now names their kind. Returns
 * how many.
 */
export async function recoverDeliveries(tx: Tx, webhookId: string, since: Date): Promise<number> {
  const from = lastId(since.getTime() - 1)
  const failed = await sql`
    update webhook_deliveries d set status = 'pending', attempts = 0, next_attempt_at = now()
    from webhooks w, events e
    where d.webhook_id = ${webhookId} and d.status = 'failed' and d.event_id > ${from}
      and w.id = d.webhook_id and e.id = d.event_id and w.events && array['*', e.type] and not e.is_test`.execute(
    tx,
  )
  const missing = await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, created_at, next_attempt_at)
    select aldaba.new_id(), w.id, e.id, now(), now()
    from webhooks w join events e on w.events && array['*', e.type]
    where w.id = ${webhookId} and e.id > ${from} and e.created_at >= w.created_at and not e.is_test
    on conflict (tenant_id, webhook_id, event_id) do nothing`.execute(tx)
  await sendNow(tx, webhookId)
  return Number((failed.numAffectedRows ?? 0n) + (missing.numAffectedRows ?? 0n))
}

/** Somebody asked for it: the receiver's own wish to be left alone no longer counts. */
async function sendNow(tx: Tx, webhookId: string): Promise<void> {
  await sql`update webhooks set paused_until = null where id = ${webhookId} and paused_until is not null`.execute(
    tx,
  )
  const { rows } = await sql<{ tenantId: string }>`select aldaba.current_tenant() as "tenantId"`.execute(tx)
  await notifyChange(tx, `${deliveriesTopic} ${rows[0]!.tenantId}`)
}

/** What became of the events of so many hours, as the JSON of the contract. */
export async function findStats(tx: Tx, webhookId: string, hours: number): Promise<string> {
  const since = new Date(Date.now() - hours * 3_600_000)
  const { rows } = await sql<{ json: string }>`
    with d as materialized (
      select status, attempts, delivered_at, (attempt_log -> -1 ->> 'durationMs')::float8 as ms from webhook_deliveries
      where webhook_id = ${webhookId} and event_id > ${lastId(since.getTime() - 1)}
    )
    select json_build_object('since', aldaba.iso_time(${since}::timestamptz),
      'pending', count(*) filter (where status = 'pending'), 'delivered', count(*) filter (where status = 'delivered'),
      'failed', count(*) filter (where status = 'failed'), 'attempts', coalesce(sum(attempts), 0),
      'successRate', (count(*) filter (where status = 'delivered'))::float8 / nullif(count(*) filter (where status <> 'pending'), 0),
      'medianMs', percentile_cont(0.5) within group (order by ms), 'p95Ms', percentile_cont(0.95) within group (order by ms),
      'lastDeliveredAt', aldaba.iso_time(max(delivered_at)))::text as json
    from d`.execute(tx)
  return rows[0]!.json
}

/** Those of events that are older, but for what is still to be made. Returns how many; fewer than `limit`: all. */
export async function deleteOldDeliveries(tx: Tx, days: number, limit: number): Promise<number> {
  // A day more than a recovery may go back: it must not take what was delivered and forgotten for what was never made.
  const before = lastId(Date.now() - (days + 1) * 86_400_000)
  const old = await sql<{ count: number }>`
    with old as (
      select d.tenant_id, d.id from webhooks w cross join lateral (
        select tenant_id, id from webhook_deliveries
        where tenant_id = w.tenant_id and webhook_id = w.id and event_id < ${before} and status <> 'pending' limit ${limit}) d
      limit ${limit}
    ), gone as (
      delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id returning d.event_id
    ), examples as (
      delete from events e using gone where e.id = gone.event_id and e.is_test
    )
    select count(*) from gone`.execute(tx)
  return old.rows[0]!.count
}
