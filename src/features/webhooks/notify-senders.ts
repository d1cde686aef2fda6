/** Leaving word for those who send. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyAfterCommit } from '../../kit/db/notifications.ts'
import type { EventDefinition } from '../../kit/events/event.ts'

/** Notified with the tenant when there is something to send to a subscription. */
export const deliveriesTopic = 'webhook-deliveries'

/** Something of the tenant is due now. */
export function notifySenders(tx: Tx): void {
  notifyAfterCommit(tx, `${deliveriesTopic} ${getTenantId(tx)}`)
}

/** Some events were emitted: they are sent if a subscription wants them. */
export async function notifySendersOfEvent(tx: Tx, { type }: EventDefinition): Promise<void> {
  const { rows } = await sql`
    select from webhook_subscriptions
    where tenant_id = ${getTenantId(tx)} and status = 'enabled' and events && array['*', ${type}] limit 1`.execute(
    tx,
  )
  if (rows.length > 0) notifySenders(tx)
}
