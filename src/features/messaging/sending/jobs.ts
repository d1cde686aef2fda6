/** Jobs that end messages which nobody will send: of disconnected accounts, and those that wait for too long. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { accountStatusChanged } from '../../accounts/events.ts'
import { failConversations } from './fail-disconnected.ts'
import { endOverdue, findNextOverdue, listTenantsWithOverdue } from './overdue.ts'

const failName = 'fail-disconnected-messages'
const firstId = '00000000-0000-0000-0000-000000000000'

/** Fails the queued messages of an account that somebody disconnects. */
export const failWhenDisconnected = defineEventHandler({
  name: failName,
  on: [accountStatusChanged],
  async handle(tx, { data: { accountId, status } }) {
    if (status === 'DISCONNECTED')
      await enqueue(tx, failName, { accountId }, { jobKey: `${failName}:${accountId}` })
  },
})

/** Ends if the account is connected again meanwhile. */
export const failDisconnected = job<{ accountId: string }>({
  name: failName,
  async run({ accountId }, { database, tenantId, signal }) {
    let after: string | null = firstId
    while (after !== null) {
      if (signal.aborted) throw new RequeueJob()
      const from: string = after
      after = await database.withTenant({ tenantId }, tx => failConversations(tx, accountId, from))
    }
  },
}) as JobDefinition<never>

/** Messages expire on the clock of the environment. */
export const overdueSchedule: ScheduledTask = {
  findNextDueAt: findNextOverdue,
  start: (database, tenantId) => database.withTenant({ tenantId }, endOverdue),
}

export const endOverdueMessages = deploymentJob({
  name: 'end-overdue-messages',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithOverdue(context.database), endOverdue),
})
