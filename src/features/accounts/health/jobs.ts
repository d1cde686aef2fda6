/** Checks every connected account once an hour, spread over the hour. */
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { type DeploymentJob, deploymentJob, type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { ChatError } from '../../../plugins/chat.ts'
import type { ChatAccounts } from '../chat-accounts.ts'
import { recordHealth, sendingStatuses } from '../status.ts'
import { checkAccount } from './check-account.ts'
import { checkName, enqueueCheck } from './enqueue-check.ts'
import { listAccountsOfSlot, slots } from './queries.ts'

const slotMs = 3_600_000 / slots
const timeoutMs = 20_000

/** Each account has a slot of five minutes in the hour, by its id, and a random moment in it. */
export const planChecks: DeploymentJob = deploymentJob({
  name: 'plan-chat-account-checks',
  cron: '*/5 * * * *',
  async run(context) {
    const slot = Math.floor(machineNow() / slotMs) % slots
    const due = Map.groupBy(await listAccountsOfSlot(context.database, slot), ({ tenantId }) => tenantId)
    await forEachTenant(context, Promise.resolve([...due.keys()]), async (tx, tenantId) => {
      for (const { accountId } of due.get(tenantId)!)
        await enqueueCheck(tx, accountId, { runAt: new Date(machineNow() + Math.random() * slotMs) })
    })
  },
})

export function checkAccountJob(accounts: ChatAccounts): JobDefinition<never> {
  return job<{ accountId: string }>({
    name: checkName,
    // A provider that does not answer must not delay the work that people wait for.
    workerPool: 'long',
    async run({ accountId }, { database, tenantId, signal, isLastAttempt }) {
      const opened = await database.readTenant({ tenantId }, tx => accounts.findConnection(tx, accountId))
      if (!opened || opened.account.status === 'DISCONNECTED') return
      const { credentials } = opened.account
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const health = await checkAccount(accounts, opened, AbortSignal.any([signal, timeout]))
        await database.withTenant({ tenantId }, tx =>
          recordHealth(tx, accountId, health, { at: getNow(tx), credentials }),
        )
      } catch (error) {
        if (!isLastAttempt || !(error instanceof ChatError || timeout.aborted)) throw error
        // It may still send: an account that the provider has said to be worse stays so.
        if (!sendingStatuses.includes(opened.account.status)) return
        const reason = timeout.aborted
          ? `it did not answer within ${timeoutMs / 1000} s.`
          : (error as Error).message
        await database.withTenant({ tenantId }, tx =>
          recordHealth(
            tx,
            accountId,
            {
              status: 'DEGRADED',
              reason: `The state of the account could not be read: ${reason}`,
            },
            { at: null, credentials },
          ),
        )
      }
    },
  }) as JobDefinition<never>
}
