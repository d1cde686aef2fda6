/** Wakes the engine: the messages of a campaign are planned at a time. */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { enqueuePlan } from './engine/enqueue.ts'

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
