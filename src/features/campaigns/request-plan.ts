/** Wakes the engine: the messages of a campaign are planned at a time. */
import { sql } from 'kysely'
import { getNow, machineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'

export const planName = 'plan-campaign'

/**
 * Plans the messages of a running campaign at `at`, if they are not planned earlier. A plan that is due may be in progress and not
 * see what this transaction writes: it is waited for. So call this last, after rows of recipients and messages were locked.
 */
export async function requestPlan(tx: Tx, campaignId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ planAt: Date }>`
    update campaigns set plan_at = least(plan_at, ${at}::timestamptz)
    where tenant_id = ${getTenantId(tx)} and id = ${campaignId} and status = 'running'
      and (plan_at is null or plan_at > ${at}::timestamptz or plan_at <= ${sqlNow(tx)})
    returning plan_at as "planAt"`.execute(tx)
  const planAt = rows[0]?.planAt
  if (planAt) await enqueuePlan(tx, campaignId, planAt > getNow(tx) ? planAt : null)
}

/**
 * `at`: by the clock of the environment; null: at once. A clock that is moved starts it earlier. `apartMs`: not before this time has
 * passed.
 */
export async function enqueuePlan(tx: Tx, campaignId: string, at: Date | null, apartMs = 0): Promise<void> {
  const delayMs = Math.max(at ? at.getTime() - getNow(tx).getTime() : 0, apartMs)
  const runAt = delayMs > 0 ? { runAt: new Date(machineNow() + delayMs) } : {}
  await enqueue(tx, planName, { campaignId }, { ...runAt, jobKey: `${planName} ${campaignId}` })
}
