/** Sends what waits for tomorrow's budget, if the account may send more today than before. */
import { on } from '../../../kit/hook.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { accountLimitChanged, assertAccount, readRemainingBudget } from '../../accounts/service.ts'
import { hastenAccount } from '../messages/promote-next.ts'

const name = 'send-waiting-messages'
/** Messages per transaction. */
const batch = 1000

export const sendWaitingWhenLimitChanged = on(accountLimitChanged, (tx, { accountId }) =>
  enqueue(tx, name, { accountId }, { jobKey: `${name}:${accountId}` }),
)

export const sendWaiting = job<{ accountId: string }>({
  name,
  async run({ accountId }, { database, tenantId, signal }) {
    const remaining = await database.readTenant({ tenantId }, async tx =>
      readRemainingBudget(tx, await assertAccount(tx, accountId)),
    )
    let left = remaining ?? Number.POSITIVE_INFINITY
    for (let made = batch; made === batch && left > 0; left -= made) {
      if (signal.aborted) throw new RequeueJob()
      made = await database.withTenant({ tenantId }, tx =>
        hastenAccount(tx, accountId, Math.min(batch, left)),
      )
    }
  },
}) as JobDefinition<never>
