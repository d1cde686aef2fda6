/** What other features ask of webhooks. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

/** Notified with the tenant when events are to be forgotten. */
export const forgottenTopic = 'webhook-forgotten'

/**
 * Forgets what receivers answered to events about these objects, such as extractions, and what waits in memory to be sent:
 * messages carry the object.
 */
export async function forgetWebhookReplies(tx: Tx, objectIds: string[]): Promise<void> {
  await sql`
    select aldaba.forget_replies(array(select id from events where object_id = any(${objectIds}::uuid[])))`.execute(
    tx,
  )
  await sql`
    select pg_notify('aldaba_changes', ${forgottenTopic}::text || ' ' || tenant_id) from webhooks limit 1`.execute(
    tx,
  )
}
