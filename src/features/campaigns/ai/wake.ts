/** A person has written: the answer is due when they have been quiet for some seconds. */
import { machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { findAiCampaign, quietMs, wakeConversation } from './conversations.ts'

/** The job that answers a conversation. */
export const answerName = 'answer-with-ai'

/** `leadId`: that of the message. Nothing happens if no campaign with AI has written to the person. */
export async function wakeAi(
  tx: Tx,
  { messageId, conversationId, leadId }: { messageId: string; conversationId: string; leadId: string },
): Promise<void> {
  const campaignId = await findAiCampaign(tx, leadId)
  if (campaignId === null || !(await isForAnswer(tx, messageId))) return
  const dueAt = await wakeConversation(tx, { conversationId, campaignId })
  // On a clock that was moved, the machine's time passes as fast.
  if (dueAt) await enqueueAnswer(tx, conversationId, new Date(machineNow() + quietMs))
}

export const enqueueAnswer = (tx: Tx, conversationId: string, runAt?: Date): Promise<void> =>
  enqueue(
    tx,
    answerName,
    { conversationId },
    { jobKey: `${answerName}:${conversationId}`, maxAttempts: 3, ...(runAt ? { runAt } : {}) },
  )

/** Not what a machine of the person wrote, nor an opt-out. */
async function isForAnswer(tx: Tx, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages
    where tenant_id = ${getTenantId(tx)} and id = ${messageId} and direction = 'in' and nature = 'person' and kind <> 'reaction'
      and not content ? 'intent'`.execute(tx)
  return rows.length > 0
}
