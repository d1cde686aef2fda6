/** The SQL statements of deliveries, but for those of sending. */

import { sql } from 'kysely'
import { daysAfter, daysBefore, newIdIn, nowOf, sqlNow } from '../../kit/clock/clock.ts'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { deleteTestEvents, insertTestEvent } from '../../kit/events/event-history.ts'
import { idTime, lastId } from '../../kit/id.ts'
import type { Position } from '../../kit/page.ts'
import type { Catalogue } from './events.ts'
import { type StoredEvent, storedEvent, writeMessages } from './messages.ts'
import type { DeliveryFilter } from './schemas.ts'
import { wakeSenders } from './waking.ts'

/** For so long it is kept what became of an event. */
export const keptDays = 30

const columns = `d.id, d.webhook_id as "webhookId", d.event_id as "eventId", e.type as "eventType", e.is_test as "isTest", d.status,
  d.attempts as "attemptCount", d.attempt_log -> -1 as "lastAttempt",
  aldaba.iso_time(greatest(d.next_attempt_at, case when d.status = 'pending' then w.paused_until end)) as "nextAttemptAt",
  aldaba.iso_time(d.created_at) as "createdAt", aldaba.iso_time(d.delivered_at) as "deliveredAt"`
const deliveryJson = jsonObject(columns)
const deliveryJsonWhole = jsonObject(`${columns}, d.attempt_log as attempts`)

/** Those of the newest events first. */
export function listDeliveries(
  tx: Tx,
  webhookId: string,
  { limit, status, eventType }: DeliveryFilter,
  after: Position | null,
): Promise<Page> {
  const isOfType = eventType
    ? sql`(select e.type from events e where e.tenant_id = ${tenantIdOf(tx)} and e.id = d.event_id) = ${eventType}`
    : sql`true`
  // The page first: joined with all events, an order by those of the deliveries is not seen.
  const rows = sql<ListRow>`
    select ${deliveryJson} as json, array[d.event_id::text] as position
    from (
      select * from webhook_deliveries d
      where d.tenant_id = ${tenantIdOf(tx)} and d.webhook_id = ${webhookId} and ${after ? sql`d.event_id < ${after[0]}` : sql`true`}
        and ${status ? sql`d.status = ${status}` : sql`true`} and ${isOfType}
      order by d.event_id desc limit ${limit + 1}) d
    join events e on e.tenant_id = ${tenantIdOf(tx)} and e.id = d.event_id
    join webhooks w on w.tenant_id = ${tenantIdOf(tx)} and w.id = d.webhook_id
    order by d.event_id desc`
  return fetchPage(tx, rows, limit)
}

/** A delivery as the JSON of the contract, `whole` with all attempts; null if there is none. */
export async function findDelivery(
  tx: Tx,
  webhookId: string,
  deliveryId: string,
  { whole = false } = {},
): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${whole ? deliveryJsonWhole : deliveryJson}::text as json
    from webhook_deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join webhooks w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
    where d.tenant_id = ${tenantIdOf(tx)} and d.id = ${deliveryId} and d.webhook_id = ${webhookId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Its event as it would be sent now, JSON. */
export async function findBody(tx: Tx, catalogue: Catalogue, deliveryId: string): Promise<string> {
  const { rows } = await sql<StoredEvent>`
    select ${storedEvent}
    from webhook_deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join tenants t on t.id = d.tenant_id
    where d.tenant_id = ${tenantIdOf(tx)} and d.id = ${deliveryId}`.execute(tx)
  const [body] = await writeMessages(tx, catalogue, rows)
  return body!
}

/** Whether an attempt at it was made, or it is gone. */
export async function wasTried(tx: Tx, deliveryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries
    where tenant_id = ${tenantIdOf(tx)} and id = ${deliveryId} and attempts = 0 and status = 'pending'`.execute(
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
  const eventId = await insertTestEvent(tx, webhookId, { type, data })
  const deliveryId = newIdIn(tx)
  const now = nowOf(tx)
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...{ tenant_id: tenantIdOf(tx), id: deliveryId, webhook_id: webhookId, event_id: eventId, sequence: 0 },
      ...{ created_at: now, next_attempt_at: now },
    })
    .execute()
  await sendNow(tx, webhookId)
  return deliveryId
}

/** Sends a delivery once more, whatever became of it. */
export async function resendDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${sqlNow(tx)}, delivered_at = null
    where tenant_id = ${tenantIdOf(tx)} and id = ${deliveryId}`.execute(tx)
  await sendNow(tx, webhookId)
}

/** So many events are looked through at once. */
const recoveredMax = 10_000

/**
 * Makes those of events since then that failed, wait for their next attempt, or were never made although the subscription
 * named their kind by then; of kinds that it names now. Returns how many, and from where to go on: null, those were all.
 */
export async function recoverDeliveries(
  tx: Tx,
  webhookId: string,
  since: Date,
): Promise<{ recovered: number; nextSince: string | null }> {
  const tenantId = tenantIdOf(tx)
  const before = lastId(new Date(since.getTime() - 1))
  const { rows } = await sql<{ lastId: string | null; count: number; recovered: number }>`
    with e as materialized (
      select id, type, sequence, created_at, is_test, position from events
      where tenant_id = ${tenantId} and id > ${before}
      order by id limit ${recoveredMax}
    ), w as materialized (
      select id, events, events_since, position from webhooks where tenant_id = ${tenantId} and id = ${webhookId}
    ), wanted as materialized (
      select e.*, w.id as webhook_id, e.created_at >= w.events_since and e.position <= w.position as is_missed
      from w join e on w.events && array['*', e.type] and not e.is_test
    ), again as (
      update webhook_deliveries d set status = 'pending', next_attempt_at = ${sqlNow(tx)},
        attempts = case when d.status = 'failed' then 0 else d.attempts end
      from wanted
      where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.event_id > ${before} and d.event_id = wanted.id
        and d.status <> 'delivered' and (d.status = 'failed' or d.next_attempt_at > ${sqlNow(tx)})
      returning d.id
    ), missed as (
      insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, sequence, created_at, next_attempt_at)
      select ${tenantId}::uuid, aldaba.new_id(), webhook_id, id, sequence, ${sqlNow(tx)}, ${sqlNow(tx)} from wanted where is_missed
      on conflict (tenant_id, webhook_id, event_id) do nothing
      returning id
    )
    select (select id from e order by id desc limit 1) as "lastId", (select count(*) from e) as count,
      (select count(*) from again) + (select count(*) from missed) as recovered`.execute(tx)
  const { lastId: last, count, recovered } = rows[0]!
  await sendNow(tx, webhookId)
  return { recovered, nextSince: count < recoveredMax ? null : idTime(last!).toISOString() }
}

/** Somebody asked for it: the receiver's own wish to be left alone no longer counts, for whatever is due. */
async function sendNow(tx: Tx, webhookId: string): Promise<void> {
  await sql`
    update webhooks set paused_until = null
    where tenant_id = ${tenantIdOf(tx)} and id = ${webhookId} and paused_until is not null`.execute(tx)
  wakeSenders(tx)
}

/** What became of the events of so many hours, as the JSON of the contract. */
export async function findStats(tx: Tx, webhookId: string, hours: number): Promise<string> {
  const since = new Date(nowOf(tx).getTime() - hours * 3_600_000)
  const { rows } = await sql<{ json: string }>`
    with d as materialized (
      select status, attempts, delivered_at, (attempt_log -> -1 ->> 'durationMs')::float8 as ms from webhook_deliveries
      where tenant_id = ${tenantIdOf(tx)} and webhook_id = ${webhookId} and event_id > ${lastId(new Date(since.getTime() - 1))}
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

/** When the first delivery is old. */
export async function nextOldAt(tx: Tx, days: number): Promise<Date | null> {
  const { rows } = await sql<{ eventId: string }>`
    select d.event_id as "eventId" from webhooks w cross join lateral (
      select event_id from webhook_deliveries
      where tenant_id = ${tenantIdOf(tx)} and webhook_id = w.id and status <> 'pending' order by event_id limit 1) d
    where w.tenant_id = ${tenantIdOf(tx)}
    order by d.event_id limit 1`.execute(tx)
  return rows[0] ? daysAfter(idTime(rows[0].eventId), days + 1) : null
}

/** Those of events that are older, but for what is still to be made. Returns how many; fewer than `limit`: all. */
export async function deleteOldDeliveries(tx: Tx, days: number, limit: number): Promise<number> {
  // A day more than a recovery may go back: it must not take what was delivered and forgotten for what was never made.
  const before = lastId(daysBefore(nowOf(tx), days + 1))
  const { rows } = await sql<{ eventId: string }>`
    with old as (
      select d.tenant_id, d.id from webhooks w cross join lateral (
        select tenant_id, id from webhook_deliveries
        where tenant_id = ${tenantIdOf(tx)} and webhook_id = w.id and event_id < ${before} and status <> 'pending' limit ${limit}) d
      where w.tenant_id = ${tenantIdOf(tx)}
      limit ${limit}
    )
    delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id
    returning d.event_id as "eventId"`.execute(tx)
  await deleteTestEvents(
    tx,
    rows.map(({ eventId }) => eventId),
  )
  return rows.length
}
