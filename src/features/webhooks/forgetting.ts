/** What receivers answered, and what waits to be sent: how it is forgotten. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { rewriteEventsOf } from '../../kit/event-history.ts'

/** Notified with the tenant when events are to be forgotten. */
export const forgottenTopic = 'webhook-forgotten'

/**
 * Forgets what receivers answered to events about these objects, such as extractions, and what waits in memory to be sent:
 * messages carry the object.
 */
export async function forgetWebhookReplies(tx: Tx, objectIds: string[]): Promise<void> {
  // The trigger notifies the senders.
  const eventIds = await rewriteEventsOf(tx, objectIds)
  await sql`select aldaba.forget_replies(${eventIds}::uuid[])`.execute(tx)
}
