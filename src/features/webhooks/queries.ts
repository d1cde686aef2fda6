/** Every SQL statement of webhooks. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { newId } from '../../kit/id.ts'
import type { Position } from '../../kit/page.ts'

const webhookJson =
  jsonObject(`w.id, w.url, w.events, w.description, w.status, w.disabled_reason as "disabledReason",
  aldaba.iso_time(w.created_at) as "createdAt", aldaba.iso_time(w.updated_at) as "updatedAt"`)

export async function insertWebhook(
  tx: Tx,
  webhook: { url: string; events: string[]; description: string | null; secret: Buffer },
): Promise<string> {
  const id = newId()
  const now = new Date()
  await tx
    .insertInto('webhooks')
    .values({ id, ...webhook, created_at: now, updated_at: now })
    .execute()
  return id
}

/** A subscription as the JSON of the contract; null if there is none. */
export async function findWebhook(tx: Tx, webhookId: string): Promise<string | null> {
  const { rows } = await sql<{
    json: string
  }>`select ${webhookJson}::text as json from webhooks w where w.id = ${webhookId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** Newest first. */
export function listWebhooks(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${webhookJson} as json, array[w.id::text] as position from webhooks w
    where ${after ? sql`w.id < ${after[0]}` : sql`true`}
    order by w.tenant_id desc, w.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** False: there is none. */
export async function deleteWebhook(tx: Tx, webhookId: string): Promise<boolean> {
  const result = await tx.deleteFrom('webhooks').where('id', '=', webhookId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Whether there is a subscription that wants events of this type. */
export async function isAnySubscribed(tx: Tx, eventType: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhooks where status = 'enabled' and events && array['*', ${eventType}] limit 1`.execute(tx)
  return rows.length > 0
}

/** A delivery for each subscription that wants the event; none twice, however often this runs. Returns those made now. */
export async function insertDeliveries(
  tx: Tx,
  eventId: string,
  eventType: string,
): Promise<{ id: string; webhookId: string }[]> {
  const webhooks = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('status', '=', 'enabled')
    .where(sql<boolean>`events && array['*', ${eventType}]`)
    // One about a person who was erased meanwhile is gone.
    .where(sql<boolean>`exists (select from events e where e.id = ${eventId})`)
    .execute()
  if (webhooks.length === 0) return []
  const now = new Date()
  const rows = await tx
    .insertInto('webhook_deliveries')
    .values(
      webhooks.map(webhook => ({
        id: newId(),
        webhook_id: webhook.id,
        event_id: eventId,
        created_at: now,
        next_attempt_at: now,
      })),
    )
    .onConflict(conflict => conflict.columns(['tenant_id', 'webhook_id', 'event_id']).doNothing())
    .returning(['id', 'webhook_id'])
    .execute()
  return rows.map(row => ({ id: row.id, webhookId: row.webhook_id }))
}

export interface PendingDelivery {
  id: string
  webhookId: string
  attempts: number
  url: string
  secret: Buffer
  event: {
    id: string
    type: string
    timestamp: string
    environment: string
    workspaceId: string
    data: unknown
  }
}

/** A delivery that is still to be made, to a subscription that still wants it. */
export async function findPendingDelivery(tx: Tx, deliveryId: string): Promise<PendingDelivery | null> {
  const { rows } = await sql<PendingDelivery>`
    select d.id, d.webhook_id as "webhookId", d.attempts, w.url, w.secret,
      json_build_object('id', e.id, 'type', e.type, 'timestamp', aldaba.iso_time(e.created_at), 'environment', t.environment,
        'workspaceId', t.workspace_id, 'data', e.data) as event
    from webhook_deliveries d
    join webhooks w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
    join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
    join tenants t on t.id = d.tenant_id
    where d.id = ${deliveryId} and d.status = 'pending' and w.status = 'enabled'`.execute(tx)
  return rows[0] ?? null
}

export interface AttemptResult {
  delivered: boolean
  responseStatus: number | null
  error: string | null
  /** Null: there will be no further attempt. */
  nextAttemptAt: Date | null
}

export async function recordAttempt(tx: Tx, delivery: PendingDelivery, result: AttemptResult): Promise<void> {
  const status = result.delivered ? 'delivered' : result.nextAttemptAt ? 'pending' : 'failed'
  await tx
    .updateTable('webhook_deliveries')
    .set({
      status,
      attempts: delivery.attempts + 1,
      response_status: result.responseStatus,
      error: result.error,
      next_attempt_at: result.nextAttemptAt,
      delivered_at: result.delivered ? new Date() : null,
    })
    .where('id', '=', delivery.id)
    .execute()
  await tx
    .updateTable('webhooks')
    .set({ failing_since: result.delivered ? null : sql<Date>`coalesce(failing_since, now())` })
    .where('id', '=', delivery.webhookId)
    .execute()
}

/** Ends a subscription: its owner asked for it (410), or it has failed for as long as this. */
export async function disableWebhook(
  tx: Tx,
  webhookId: string,
  reason: string,
  failingForDays: number,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: reason, updated_at: new Date() })
    .where('id', '=', webhookId)
    .where(sql<boolean>`coalesce(failing_since, now()) <= now() - make_interval(days => ${failingForDays})`)
    .execute()
}
