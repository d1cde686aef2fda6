/** Erases personal data from the replies of receivers and from messages that wait to be sent. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyOnCommit } from '../../kit/db/notifications.ts'
import { invalidateEmbedded } from '../../kit/events/event-history.ts'

/** The topic notified with the tenant's id when events must be erased from memory. */
export const erasedTopic = 'webhook-erased'

/**
 * The handler of `eraseMessages`: senders discard the messages that embed these objects, and the replies to messages
 * under way are recorded without their bodies.
 */
export async function eraseMessages(tx: Tx, objectIds: string[]): Promise<void> {
  const { rows } =
    await sql`select from webhook_subscriptions where tenant_id = ${getTenantId(tx)} limit 1`.execute(tx)
  if (rows.length > 0) await invalidateEmbedded(tx, objectIds)
}

/**
 * Empties the reply bodies of deliveries of these events; status and duration stay. Senders drop messages that they
 * hold in memory.
 */
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
