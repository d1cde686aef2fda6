/** Delivers the replies of scripted leads when they are due by the environment's clock. */

import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { jobSchedule } from '../../../kit/jobs/job-schedule.ts'
import { toSandboxBody } from '../../../plugins/sandbox/body.ts'
import { receiveBody } from '../../accounts/service.ts'
import { findIdentities } from '../../messaging/service.ts'
import { deliverRepliesName } from './plan-replies.ts'
import { type DueReply, findNextReply, replyIdStart, takeDueReplies } from './queries.ts'
import { toReplyEvent } from './scripted-recipients.ts'

const batch = 50

export function deliverReplies(cipher: Cipher): JobDefinition<never> {
  return job<object>({
    name: deliverRepliesName,
    async run(_data, { database, tenantId, signal }) {
      for (let taken = batch; taken === batch; ) {
        if (signal.aborted) throw new RequeueJob()
        taken = await database.withTenant({ tenantId }, async tx => {
          const replies = await takeDueReplies(tx, batch)
          for (const reply of replies) if (!reply.isAnswered) await deliverReply(tx, cipher, reply)
          return replies.length
        })
      }
    },
  }) as JobDefinition<never>
}

/** A reply goes the way of what a provider posts: it is stored, then processed. */
async function deliverReply(tx: Tx, cipher: Cipher, reply: DueReply): Promise<void> {
  const event = toReplyEvent(
    { ...reply, delayMs: 0 },
    {
      from: await findIdentities(tx, reply.conversationId),
      at: reply.dueAt.toTemporalInstant(),
      providerMessageId: replyIdStart + reply.id,
    },
  )
  await receiveBody(tx, cipher, reply.accountId, toSandboxBody(event))
}

export const replySchedule = (cipher: Cipher): ScheduledTask =>
  jobSchedule(deliverReplies(cipher), findNextReply)
