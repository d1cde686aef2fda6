/** Disables and enables subscriptions. */

import { sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit, sqlLastPosition } from '../../kit/events/emit.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { createDeliveries } from './create-deliveries.ts'
import { webhookDisabled } from './events.ts'

const reasons = {
  receiver: 'The receiver answered 410 Gone.',
  failures: 'Deliveries have failed for 5 days.',
  user: null,
}

/** The job that fails the pending deliveries of a disabled subscription if they are many. */
export const failPendingName = 'fail-pending-webhooks'
const failedAtOnceMax = 1000

/**
 * Disables a subscription and fails its pending deliveries. A recovery can send them and the events since then later.
 * If no user did it, `webhook.disabled` is emitted, and `GET /me` shows a notice until a user enables, disables or
 * deletes the subscription.
 */
export async function disableSubscription(
  tx: Tx,
  subscriptionId: string,
  by: keyof typeof reasons,
): Promise<void> {
  await createDeliveries(tx, subscriptionId, failedAtOnceMax)
  const { rows } = await sql<{ failingSince: Date | null }>`
    update webhook_subscriptions set status = 'disabled', disabled_by = ${by}, disabled_reason = ${reasons[by]}, disabled_at = ${sqlNow(tx)}, updated_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId} and status = 'enabled'
    returning failing_since as "failingSince"`.execute(tx)
  const [disabled] = rows
  if (!disabled) {
    // A user confirms that the subscription stays disabled: this removes the notice.
    if (by === 'user')
      await sql`update webhook_subscriptions set disabled_by = 'user' where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId}`.execute(
        tx,
      )
    return
  }
  if ((await failPending(tx, subscriptionId, failedAtOnceMax)) === failedAtOnceMax)
    await enqueue(tx, failPendingName, { subscriptionId }, { jobKey: `${failPendingName}:${subscriptionId}` })
  if (by === 'user') return
  await emit(tx, webhookDisabled, {
    subscriptionId,
    cause: by === 'receiver' ? 'gone' : 'failures',
    failingSince: disabled.failingSince?.toISOString() ?? null,
  })
}

/**
 * Enables a disabled subscription without its failure history. Events from the meantime are sent only by a recovery.
 */
export async function enableSubscription(tx: Tx, subscriptionId: string): Promise<void> {
  await sql`
    update webhook_subscriptions set status = 'enabled', disabled_by = null, disabled_reason = null, disabled_at = null, failing_since = null,
      last_failed_at = null, paused_until = null, updated_at = ${sqlNow(tx)}, position = ${sqlLastPosition(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId} and status = 'disabled'`.execute(tx)
}

/**
 * Fails the pending deliveries of a disabled subscription; null: of all disabled subscriptions of the tenant. Returns
 * how many; fewer than `limit`: there are no more.
 */
export async function failPending(tx: Tx, subscriptionId: string | null, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries d set status = 'failed', next_attempt_at = null
    from (
      select p.tenant_id, p.id from webhook_subscriptions w cross join lateral (
        select tenant_id, id from webhook_deliveries
        where tenant_id = ${getTenantId(tx)} and subscription_id = w.id and status = 'pending' limit ${limit}) p
      where w.tenant_id = ${getTenantId(tx)} and w.status = 'disabled' and ${subscriptionId === null ? sql`true` : sql`w.id = ${subscriptionId}`}
      limit ${limit}) p
    where d.tenant_id = ${getTenantId(tx)} and d.id = p.id and d.status = 'pending'`.execute(tx)
  return Number(numAffectedRows)
}
