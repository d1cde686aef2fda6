/** Plans the campaigns of an account that goes on. */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { selectCampaigns } from '../campaigns/queries.ts'
import { requestPlan } from '../request-plan.ts'

/**
 * Handles `accountLimitChanged`: campaigns that wait for their account are planned at once. One without an account may have waited too. A plan
 * that is in progress may not see the change, and store that it waits: it is planned again.
 */
export async function planWaiting(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const waiting = await selectCampaigns(
    tx,
    sql`status = 'running' and (account_id = ${accountId} or account_id is null)
      and (wait ->> 'code' in ('ACCOUNT_NOT_SENDING', 'NO_ACCOUNT', 'DAILY_BUDGET') or plan_at <= ${sqlNow(tx)})`,
    sql`order by id`,
  )
  for (const { id } of waiting) await requestPlan(tx, id, getNow(tx))
}
