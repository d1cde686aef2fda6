/** What other features ask of webhooks. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

/** Forgets what receivers answered to events about these objects, such as extractions. */
export async function forgetWebhookReplies(tx: Tx, objectIds: string[]): Promise<void> {
  await sql`
    select aldaba.forget_replies(array(select id from events where object_id = any(${objectIds}::uuid[])))`.execute(
    tx,
  )
}
