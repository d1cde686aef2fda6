/** The SQL statements of deliveries, except those of sending. */

import { sql } from 'kysely'
import { addDays, createId, getNow, sqlNow, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { deleteExampleEvents, insertExampleEvent } from '../../kit/events/event-history.ts'
import { getIdTime, maxIdAt } from '../../kit/id.ts'
import type { Position } from '../../kit/page.ts'
import type { Catalogue } from './events.ts'
import { buildMessages, type StoredEvent, storedEventColumns } from './messages.ts'
import { notifySenders } from './notify-senders.ts'
import type { DeliveryFilter } from './schemas.ts'

/** The days that deliveries are kept. */
export const retentionDays = 30

const columns = `d.id, d.subscription_id as "subscriptionId", d.event_id as "eventId", e.type as "eventType", e.is_test as "isTest", d.status,
  d.attempts as "attemptCount", d.attempt_log -> -1 as "lastAttempt",
  aldaba.iso_time(greatest(d.next_attempt_at, case when d.status = 'pending' then w.paused_until end)) as "nextAttemptAt",
  aldaba.iso_time(d.created_at) as "createdAt", aldaba.iso_time(d.delivered_at) as "deliveredAt"`
const deliveryJson = jsonObject(columns)
const deliveryWithAttemptsJson = jsonObject(`${columns}, d.attempt_log as attempts`)

/** Lists deliveries, those of the newest events first. */
export function listDeliveries(
  tx: Tx,
  subscriptionId: string,
  { limit, status, eventType }: DeliveryFilter,
  after: Position | null,
): Promise<Page> {
  const isOfType = eventType
    ? sql`(select e.type from events e where e.tenant_id = ${getTenantId(tx)} and e.id = d.event_id) = ${eventType}`
    : sql`true`
  // Limit before the join: with the join inside, PostgreSQL does not use the index on the deliveries' event ids.
  const rows = sql<ListRow>`
    select ${deliveryJson} as json, array[d.event_id::text] as position
    from (
      select * from webhook_deliveries d
      where d.tenant_id = ${getTenantId(tx)} and d.subscription_id = ${subscriptionId} and ${after ? sql`d.event_id < ${after[0]}` : sql`true`}
        and ${status ? sql`d.status = ${status}` : sql`true`} and ${isOfType}
      order by d.event_id desc limit ${limit + 1}) d
    join events e on e.tenant_id = ${getTenantId(tx)} and e.id = d.event_id
    join webhook_subscriptions w on w.tenant_id = ${getTenantId(tx)} and w.id = d.subscription_id
    order by d.event_id desc`
  return fetchPage(tx, rows, limit)
}

/** Returns a delivery as API JSON, with all attempts if `withAttempts`; null if there is none. */
export async function findDelivery(
  tx: Tx,
  subscriptionId: string,
  deliveryId: string,
  { withAttempts = false } = {},
): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${withAttempts ? deliveryWithAttemptsJson : deliveryJson}::text as json
    from webhook_deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join webhook_subscriptions w on w.tenant_id = d.tenant_id and w.id = d.subscription_id
    where d.tenant_id = ${getTenantId(tx)} and d.id = ${deliveryId} and d.subscription_id = ${subscriptionId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Returns the message of a delivery as it would be sent now, JSON. */
export async function readMessage(tx: Tx, catalogue: Catalogue, deliveryId: string): Promise<string> {
  const { rows } = await sql<StoredEvent>`
    select ${storedEventColumns}
    from webhook_deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join tenants t on t.id = d.tenant_id
    where d.tenant_id = ${getTenantId(tx)} and d.id = ${deliveryId}`.execute(tx)
  const [body] = await buildMessages(tx, catalogue, rows)
  return body!
}

/** Returns true once an attempt was made, the delivery has ended, or it no longer exists. */
export async function wasAttempted(tx: Tx, deliveryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries
    where tenant_id = ${getTenantId(tx)} and id = ${deliveryId} and attempts = 0 and status = 'pending'`.execute(
    tx,
  )
  return rows.length === 0
}

/** Inserts an example event for one subscription, to be sent at once. Returns the id of the delivery. */
export async function insertTestDelivery(
  tx: Tx,
  subscriptionId: string,
  { type, data }: { type: string; data: object },
): Promise<string> {
  const eventId = await insertExampleEvent(tx, subscriptionId, { type, data })
  const deliveryId = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('webhook_deliveries')
    .values({
      tenant_id: getTenantId(tx),
      id: deliveryId,
      subscription_id: subscriptionId,
      event_id: eventId,
      sequence: 0,
      created_at: now,
      next_attempt_at: now,
    })
    .execute()
  await endPause(tx, subscriptionId)
  return deliveryId
}

/** Makes a delivery due again, in any status. */
export async function resendDelivery(tx: Tx, subscriptionId: string, deliveryId: string): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${sqlNow(tx)}, delivered_at = null
    where tenant_id = ${getTenantId(tx)} and id = ${deliveryId}`.execute(tx)
  await endPause(tx, subscriptionId)
}

/** The number of events read per recovery. */
const recoveredMax = 10_000

/**
 * Makes deliveries of events since `since` due again if they failed or wait for a retry, and creates those missed while
 * the subscription was disabled. Only events whose type is subscribed now; for missed ones, it was subscribed then too.
 * Returns the number of deliveries, and the time (ISO 8601) to continue from; null: all were handled.
 */
export async function recoverDeliveries(
  tx: Tx,
  subscriptionId: string,
  since: Date,
): Promise<{ recovered: number; nextSince: string | null }> {
  const tenantId = getTenantId(tx)
  const before = maxIdAt(new Date(since.getTime() - 1))
  const { rows } = await sql<{ lastEventId: string | null; count: number; recovered: number }>`
    with e as materialized (
      select id, type, sequence, created_at, is_test, position from events
      where tenant_id = ${tenantId} and id > ${before}
      order by id limit ${recoveredMax}
    ), w as materialized (
      select id, events, events_since, position from webhook_subscriptions where tenant_id = ${tenantId} and id = ${subscriptionId}
    ), wanted as materialized (
      select e.*, w.id as subscription_id, e.created_at >= w.events_since and e.position <= w.position as is_missed
      from w join e on w.events && array['*', e.type] and not e.is_test
    ), retried as (
      update webhook_deliveries d set status = 'pending', next_attempt_at = ${sqlNow(tx)},
        attempts = case when d.status = 'failed' then 0 else d.attempts end
      from wanted
      where d.tenant_id = ${tenantId} and d.subscription_id = ${subscriptionId} and d.event_id > ${before} and d.event_id = wanted.id
        and d.status <> 'delivered' and (d.status = 'failed' or d.next_attempt_at > ${sqlNow(tx)})
      returning d.id
    ), missed as (
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, sequence, created_at, next_attempt_at)
      select ${tenantId}::uuid, aldaba.new_id(), subscription_id, id, sequence, ${sqlNow(tx)}, ${sqlNow(tx)} from wanted where is_missed
      on conflict (tenant_id, subscription_id, event_id) do nothing
      returning id
    )
    select (select id from e order by id desc limit 1) as "lastEventId", (select count(*) from e) as count,
      (select count(*) from retried) + (select count(*) from missed) as recovered`.execute(tx)
  const { lastEventId, count, recovered } = rows[0]!
  await endPause(tx, subscriptionId)
  return { recovered, nextSince: count < recoveredMax ? null : getIdTime(lastEventId!).toISOString() }
}

/** A user requested a delivery, so a pause that the receiver requested ends for all due deliveries. */
async function endPause(tx: Tx, subscriptionId: string): Promise<void> {
  await sql`
    update webhook_subscriptions set paused_until = null
    where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId} and paused_until is not null`.execute(tx)
  notifySenders(tx)
}

/** Returns the statistics of the last `hours` as API JSON. */
export async function readStats(tx: Tx, subscriptionId: string, hours: number): Promise<string> {
  const since = new Date(getNow(tx).getTime() - hours * 3_600_000)
  const { rows } = await sql<{ json: string }>`
    with d as materialized (
      select status, attempts, delivered_at, (attempt_log -> -1 ->> 'durationMs')::float8 as ms from webhook_deliveries
      where tenant_id = ${getTenantId(tx)} and subscription_id = ${subscriptionId} and event_id > ${maxIdAt(new Date(since.getTime() - 1))}
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

/** Returns when the oldest finished delivery may be deleted; null if there is none. */
export async function findNextExpiry(tx: Tx, days: number): Promise<Date | null> {
  const { rows } = await sql<{ eventId: string }>`
    select d.event_id as "eventId" from webhook_subscriptions w cross join lateral (
      select event_id from webhook_deliveries
      where tenant_id = ${getTenantId(tx)} and subscription_id = w.id and status <> 'pending' order by event_id limit 1) d
    where w.tenant_id = ${getTenantId(tx)}
    order by d.event_id limit 1`.execute(tx)
  return rows[0] ? addDays(getIdTime(rows[0].eventId), days + 1) : null
}

/**
 * Deletes finished deliveries of events older than `days` plus one day. Returns how many; fewer than `limit`: there are no
 * more.
 */
export async function deleteOldDeliveries(tx: Tx, days: number, limit: number): Promise<number> {
  // One day more than a recovery may go back: a recovery must not mistake a deleted delivery for a missed one.
  const before = maxIdAt(subtractDays(getNow(tx), days + 1))
  const { rows } = await sql<{ eventId: string }>`
    with old as (
      select d.tenant_id, d.id from webhook_subscriptions w cross join lateral (
        select tenant_id, id from webhook_deliveries
        where tenant_id = ${getTenantId(tx)} and subscription_id = w.id and event_id < ${before} and status <> 'pending' limit ${limit}) d
      where w.tenant_id = ${getTenantId(tx)}
      limit ${limit}
    )
    delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id
    returning d.event_id as "eventId"`.execute(tx)
  await deleteExampleEvents(
    tx,
    rows.map(({ eventId }) => eventId),
  )
  return rows.length
}
