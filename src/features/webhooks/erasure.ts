/** What receivers replied, and what waits to be sent: how it is forgotten. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyOnCommit } from '../../kit/db/notifications.ts'
import { invalidateEmbedded } from '../../kit/events/event-history.ts'

/** Notified with the tenant when events are to be forgotten. */
export const erasedTopic = 'webhook-forgotten'

/** Handles `eraseMessages`: messages carry the objects, such as extractions, that their events report on. */
export async function eraseMessages(tx: Tx, objectIds: string[]): Promise<void> {
  const { rows } =
    await sql`select from webhook_subscriptions where tenant_id = ${getTenantId(tx)} limit 1`.execute(tx)
  if (rows.length > 0) await invalidateEmbedded(tx, objectIds)
}

/** Of deliveries of these events: what was replied goes; that it was, and how quickly, stays. Nothing that waits in memory is sent. */
export async function eraseReplies(tx: Tx, eventIds: string[]): Promise<void> {
  await sql`
    update webhook_deliveries d set attempt_log = (
      select jsonb_agg(jsonb_set(attempt, '{responseBody}', 'null') order by n)
      from jsonb_array_elements(d.attempt_log) with ordinality as a (attempt, n))
    where d.tenant_id = ${getTenantId(tx)} and d.event_id = any(${eventIds}::uuid[]) and d.attempt_log @? '$[*] ? (@.responseBody != null)'`.execute(
    tx,
  )
  await notifyOnCommit(tx, `${erasedTopic} ${getTenantId(tx)}`)
}
