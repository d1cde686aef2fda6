/** When AI answers: after a person has written, on the environment's clock, and after a crash. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { messageReceived } from '../../messaging/events.ts'
import { type AnswerDependencies, answerConversation } from './answer.ts'
import { findNextAnswerAt, listDueConversations, listTenantsWithDueAnswers } from './due.ts'
import { deleteOldReplies } from './retention.ts'
import { answerName, enqueueAnswer, wakeAi } from './wake.ts'

export const wakeAiWhenWritten = defineEventHandler({
  name: 'wake-ai',
  on: [messageReceived],
  async handle(tx, { data: { messageId, conversationId, leadId } }) {
    if (leadId !== null) await wakeAi(tx, { messageId, conversationId, leadId })
  },
})

export const answerWithAi = (dependencies: AnswerDependencies): JobDefinition<never> =>
  job<{ conversationId: string }>({
    name: answerName,
    workerPool: 'remote',
    async run({ conversationId }, { database, tenantId, signal }) {
      try {
        await answerConversation(dependencies, { database, tenantId }, conversationId, signal)
      } catch (error) {
        if (signal.aborted) throw new RequeueJob()
        throw error
      }
    },
  }) as JobDefinition<never>

export const answerSchedule: ScheduledTask = {
  findNextDueAt: findNextAnswerAt,
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, async tx => {
      for (const id of await listDueConversations(tx)) await enqueueAnswer(tx, id)
    }),
}

/** Finds the tenants with answers that are due, such as after a crash or an outage of the endpoint. */
export const startDueAnswers = deploymentJob({
  name: 'start-due-ai-answers',
  cron: '* * * * *',
  run: context =>
    forEachTenant(context, listTenantsWithDueAnswers(context.database), async tx => {
      for (const id of await listDueConversations(tx)) await enqueueAnswer(tx, id)
    }),
})

export const deleteExpiredReplies = job({
  name: 'delete-expired-ai-replies',
  cron: '33 2 * * *',
  async run(_data, { database, tenantId, signal }) {
    while (await database.withTenant({ tenantId }, deleteOldReplies))
      if (signal.aborted) throw new RequeueJob()
  },
})
