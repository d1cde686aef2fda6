/** Notifies the senders of deliveries. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyAfterCommit } from '../../kit/db/notifications.ts'
import type { EventDefinition } from '../../kit/events/event.ts'

/** The topic notified with the tenant's id when a delivery is due. */
export const deliveriesTopic = 'webhook-deliveries'

/** Notifies the senders after the commit that the tenant has due deliveries. */
export function notifySenders(tx: Tx): void {
  notifyAfterCommit(tx, `${deliveriesTopic} ${getTenantId(tx)}`)
}

/** Notifies the senders of an emitted event if a subscription of the tenant wants its type. */
export async function notifySendersOfEvent(tx: Tx, { type }: EventDefinition): Promise<void> {
  const { rows } = await sql`
    select from webhook_subscriptions
    where tenant_id = ${getTenantId(tx)} and status = 'enabled' and events && array['*', ${type}] limit 1`.execute(
    tx,
  )
  if (rows.length > 0) notifySenders(tx)
}
