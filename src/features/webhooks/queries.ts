/** The SQL statements of subscriptions. */

import { sql } from 'kysely'
import { createId, getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page, toJsonObject } from '../../kit/db/json.ts'
import { readLastPosition } from '../../kit/events/emit.ts'
import { deleteObjectExampleEvents } from '../../kit/events/event-history.ts'
import type { Position } from '../../kit/page.ts'
import { createDeliveries } from './create-deliveries.ts'

const subscriptionJson = (tx: Tx) =>
  toJsonObject(sql`w.id, w.url, w.events, w.description, w.header_names as "headerNames", w.status, w.disabled_reason as "disabledReason",
  aldaba.iso_time(w.disabled_at) as "disabledAt", aldaba.iso_time(w.failing_since) as "failingSince",
  aldaba.iso_time(case when w.paused_until > ${sqlNow(tx)} then w.paused_until end) as "pausedUntil",
  aldaba.iso_time(w.created_at) as "createdAt", aldaba.iso_time(w.updated_at) as "updatedAt"`)

/** A subscription as stored. `headers`: the custom headers, encrypted JSON. */
export interface StoredSubscription {
  url: string
  events: string[]
  description: string | null
  headers: Buffer | null
  header_names: string[]
}

/** Counts subscriptions, with a lock until the transaction ends that makes concurrent counts wait. */
export async function countSubscriptions(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${getTenantId(tx)}, 3))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) from webhook_subscriptions where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.count
}

export async function insertSubscription(
  tx: Tx,
  subscription: StoredSubscription & { secret: Buffer },
): Promise<string> {
  const now = getNow(tx)
  const id = createId(tx)
  const position = await readLastPosition(tx)
  await tx
    .insertInto('webhook_subscriptions')
    .values({
      tenant_id: getTenantId(tx),
      id,
      ...subscription,
      position,
      events_since: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/**
 * The most waiting events that get deliveries by the old types when the types change; rarely that many wait. Events
 * beyond this number follow the new types.
 */
const createdMax = 10_000

/**
 * Changing the URL resets the failure history. Changing the types applies to events from now on: earlier events are
 * sent by the old types, and a recovery does not count earlier events of new types as missed.
 */
export async function updateSubscription(
  tx: Tx,
  subscriptionId: string,
  { url, events, ...changes }: Partial<StoredSubscription>,
): Promise<void> {
  const now = getNow(tx)
  if (events !== undefined) await createDeliveries(tx, subscriptionId, createdMax)
  await tx
    .updateTable('webhook_subscriptions')
    .set({
      ...changes,
      ...(url === undefined ? {} : { url, failing_since: null, last_failed_at: null, paused_until: null }),
      ...(events === undefined ? {} : { events, events_since: now }),
      updated_at: now,
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', subscriptionId)
    .execute()
}

/** Returns a subscription as API JSON; null if there is none. */
export async function findSubscription(tx: Tx, subscriptionId: string): Promise<string | null> {
  const { rows } = await sql<{
    json: string
  }>`select ${subscriptionJson(tx)}::text as json from webhook_subscriptions w where w.tenant_id = ${getTenantId(tx)} and w.id = ${subscriptionId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Reads subscriptions without their URLs, to embed them in messages (see `EmbeddedObject`). */
export async function readSubscriptions(
  tx: Tx,
  ids: string[],
  maxBytes: number,
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; json: string | null }>`
    select id, case when octet_length(json) <= ${maxBytes} then json end as json from (
      select w.id, (to_jsonb(${subscriptionJson(tx)}) - 'url')::text as json from webhook_subscriptions w
      where w.tenant_id = ${getTenantId(tx)} and w.id = any(${ids}::uuid[]) offset 0) w`.execute(tx)
  return new Map(rows.map(({ id, json }) => [id, json]))
}

/** Locks a subscription until the transaction ends; null if there is none. */
export async function lockSubscription(
  tx: Tx,
  subscriptionId: string,
): Promise<{ status: string; secret: Buffer; previousSecrets: Buffer | null } | null> {
  const { rows } = await sql<{ status: string; secret: Buffer; previousSecrets: Buffer | null }>`
    select status, secret, previous_secrets as "previousSecrets" from webhook_subscriptions
    where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId} for no key update`.execute(tx)
  return rows[0] ?? null
}

export async function storeSecrets(
  tx: Tx,
  subscriptionId: string,
  { secret, previousSecrets }: { secret: Buffer; previousSecrets: Buffer | null },
): Promise<void> {
  await tx
    .updateTable('webhook_subscriptions')
    .set({ secret, previous_secrets: previousSecrets, updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', subscriptionId)
    .execute()
}

/** Newest first. */
export function listSubscriptions(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${subscriptionJson(tx)} as json, array[w.id::text] as position from webhook_subscriptions w
    where w.tenant_id = ${getTenantId(tx)} and ${after ? sql`w.id < ${after[0]}` : sql`true`}
    order by w.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** Deletes a subscription with its deliveries and test events. Returns false if there is none. */
export async function deleteSubscription(tx: Tx, subscriptionId: string): Promise<boolean> {
  await deleteObjectExampleEvents(tx, subscriptionId)
  const result = await tx
    .deleteFrom('webhook_subscriptions')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
