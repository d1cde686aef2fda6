/** What receivers answered, and what waits to be sent: how it is forgotten. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

/** Notified with the tenant when events are to be forgotten. */
export const forgottenTopic = 'webhook-forgotten'

/**
 * Forgets what receivers answered to events about these objects, such as extractions, and what waits in memory to be sent:
 * messages carry the object.
 */
export async function forgetWebhookReplies(tx: Tx, objectIds: string[]): Promise<void> {
  // Written anew, so that a reply to what was sent before is recorded without its words. The trigger notifies the senders.
  const { rows } = await sql<{ id: string }>`
    update events set data = data
    where object_id = any(${objectIds}::uuid[]) and exists (select from webhooks)
    returning id`.execute(tx)
  await sql`select aldaba.forget_replies(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)
}
