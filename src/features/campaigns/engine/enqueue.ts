/** Enqueues the jobs of the engine. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

export const planName = 'plan-campaign'

/** `at`: by the clock of the environment; null: at once. A clock that is moved starts it earlier. */
export async function enqueuePlan(tx: Tx, campaignId: string, at: Date | null): Promise<void> {
  const delayMs = at ? Math.max(0, at.getTime() - getNow(tx).getTime()) : 0
  const runAt = delayMs > 0 ? { runAt: new Date(Date.now() + delayMs) } : {}
  await enqueue(tx, planName, { campaignId }, { ...runAt, jobKey: `${planName} ${campaignId}` })
}
