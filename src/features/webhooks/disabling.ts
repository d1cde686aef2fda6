/** Ending and resuming subscriptions. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import { webhookDisabled } from './events.ts'

const reasons = {
  receiver: 'The receiver answered 410 Gone.',
  failures: 'Deliveries have failed for 5 days.',
  user: null,
}

/**
 * Disables a subscription. What it was still to be told has failed: a recovery can bring it back. If no person did it,
 * `webhook.disabled` tells the other subscriptions, and `GET /me` shows a notice until a person sees to it.
 */
export async function disableWebhook(tx: Tx, webhookId: string, by: keyof typeof reasons): Promise<void> {
  const { rows } = await sql<{ failingSince: Date | null }>`
    update webhooks set status = 'disabled', disabled_by = ${by}, disabled_reason = ${reasons[by]}, disabled_at = now(), updated_at = now()
    where id = ${webhookId} and status = 'enabled'
    returning failing_since as "failingSince"`.execute(tx)
  const [disabled] = rows
  if (!disabled) {
    // Seen to by a person.
    if (by === 'user') await sql`update webhooks set disabled_by = 'user' where id = ${webhookId}`.execute(tx)
    return
  }
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where webhook_id = ${webhookId} and status = 'pending'`.execute(tx)
  if (by === 'user') return
  await emit(tx, webhookDisabled, {
    webhookId,
    cause: by === 'receiver' ? 'gone' : 'failures',
    failingSince: disabled.failingSince?.toISOString() ?? null,
    droppedDeliveries: Number(numAffectedRows),
  })
}

/** Enables a disabled subscription, as one that has never failed. */
export async function enableWebhook(tx: Tx, webhookId: string): Promise<void> {
  await sql`
    update webhooks set status = 'enabled', disabled_by = null, disabled_reason = null, disabled_at = null, failing_since = null,
      paused_until = null, updated_at = now()
    where id = ${webhookId} and status = 'disabled'`.execute(tx)
}
