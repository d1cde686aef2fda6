/** The SQL statements of subscriptions. */

import { sql } from 'kysely'
import { newIdIn, nowOf, sqlNow } from '../../kit/clock/clock.ts'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonOf, type ListRow, type Page } from '../../kit/db/json.ts'
import { latestPosition } from '../../kit/events/emit.ts'
import { deleteTestEventsOf } from '../../kit/events/event-history.ts'
import type { Position } from '../../kit/page.ts'
import { makeDeliveries } from './making.ts'

const webhookJson = (tx: Tx) =>
  jsonOf(sql`w.id, w.url, w.events, w.description, w.header_names as "headerNames", w.status, w.disabled_reason as "disabledReason",
  aldaba.iso_time(w.disabled_at) as "disabledAt", aldaba.iso_time(w.failing_since) as "failingSince",
  aldaba.iso_time(case when w.paused_until > ${sqlNow(tx)} then w.paused_until end) as "pausedUntil",
  aldaba.iso_time(w.created_at) as "createdAt", aldaba.iso_time(w.updated_at) as "updatedAt"`)

/** A subscription as it is stored; of custom headers the names, and all encrypted. */
export interface StoredWebhook {
  url: string
  events: string[]
  description: string | null
  headers: Buffer | null
  header_names: string[]
}

/** Until the transaction ends, nobody else counts. */
export async function countWebhooks(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantIdOf(tx)}, 3))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) from webhooks where tenant_id = ${tenantIdOf(tx)}`.execute(tx)
  return rows[0]!.count
}

export async function insertWebhook(tx: Tx, webhook: StoredWebhook & { secret: Buffer }): Promise<string> {
  const now = nowOf(tx)
  const id = newIdIn(tx)
  const position = await latestPosition(tx)
  await tx
    .insertInto('webhooks')
    .values({
      tenant_id: tenantIdOf(tx),
      id,
      ...webhook,
      position,
      events_since: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** More events than these do not wait for one subscription as a rule: beyond them, those that wait are sent by their new kinds. */
const madeMax = 10_000

/**
 * Another address has no story yet. Events until now are sent by the kinds that it named; what it names from now on was not
 * missed before.
 */
export async function updateWebhook(
  tx: Tx,
  webhookId: string,
  { url, events, ...changes }: Partial<StoredWebhook>,
): Promise<void> {
  const now = nowOf(tx)
  if (events !== undefined) await makeDeliveries(tx, webhookId, madeMax)
  await tx
    .updateTable('webhooks')
    .set({
      ...changes,
      ...(url === undefined ? {} : { url, failing_since: null, last_failed_at: null, paused_until: null }),
      ...(events === undefined ? {} : { events, events_since: now }),
      updated_at: now,
    })
    .where('tenant_id', '=', tenantIdOf(tx))
    .where('id', '=', webhookId)
    .execute()
}

/** A subscription as the JSON of the contract; null if there is none. */
export async function findWebhook(tx: Tx, webhookId: string): Promise<string | null> {
  const { rows } = await sql<{
    json: string
  }>`select ${webhookJson(tx)}::text as json from webhooks w where w.tenant_id = ${tenantIdOf(tx)} and w.id = ${webhookId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Subscriptions for messages, without their addresses: see CarriedObject. */
export async function readWebhooks(
  tx: Tx,
  ids: string[],
  maxBytes: number,
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; json: string | null }>`
    select id, case when octet_length(json) <= ${maxBytes} then json end as json from (
      select w.id, (to_jsonb(${webhookJson(tx)}) - 'url')::text as json from webhooks w
      where w.tenant_id = ${tenantIdOf(tx)} and w.id = any(${ids}::uuid[]) offset 0) w`.execute(tx)
  return new Map(rows.map(({ id, json }) => [id, json]))
}

/** Its state, until the transaction ends; null if there is none. */
export async function lockWebhook(
  tx: Tx,
  webhookId: string,
): Promise<{ status: string; secret: Buffer; formerSecrets: Buffer | null } | null> {
  const { rows } = await sql<{ status: string; secret: Buffer; formerSecrets: Buffer | null }>`
    select status, secret, former_secrets as "formerSecrets" from webhooks
    where tenant_id = ${tenantIdOf(tx)} and id = ${webhookId} for no key update`.execute(tx)
  return rows[0] ?? null
}

export async function storeSecrets(
  tx: Tx,
  webhookId: string,
  { secret, formerSecrets }: { secret: Buffer; formerSecrets: Buffer | null },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ secret, former_secrets: formerSecrets, updated_at: nowOf(tx) })
    .where('tenant_id', '=', tenantIdOf(tx))
    .where('id', '=', webhookId)
    .execute()
}

/** Newest first. */
export function listWebhooks(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${webhookJson(tx)} as json, array[w.id::text] as position from webhooks w
    where w.tenant_id = ${tenantIdOf(tx)} and ${after ? sql`w.id < ${after[0]}` : sql`true`}
    order by w.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** With its deliveries, and the examples that were sent to it alone. False: there is none. */
export async function deleteWebhook(tx: Tx, webhookId: string): Promise<boolean> {
  await deleteTestEventsOf(tx, webhookId)
  const result = await tx
    .deleteFrom('webhooks')
    .where('tenant_id', '=', tenantIdOf(tx))
    .where('id', '=', webhookId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
