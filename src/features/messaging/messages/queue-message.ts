/** Queues messages to the people of conversations: the one way out, whoever writes them. */
import { getExpiry } from '../../../domain/messaging/expiry.ts'
import { getNow, recordLockAcquired } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { reserve } from '../../../kit/quota.ts'
import { getResult } from '../../../kit/results.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { enqueueReceipt } from '../conversations/mark-read.ts'
import { getConversation, lockConversations, setSubject } from '../conversations/queries.ts'
import { attachFile } from '../media/files.ts'
import { messagesPerMonth } from '../quotas.ts'
import { checkPeople } from './check-people.ts'
import { type InsertedMessage, insertMessages, isReadingAnswer } from './insert-message.ts'
import { insertTasks } from './insert-tasks.ts'
import type { Sender } from './prepare-content.ts'
import { type PreparedMessage, prepareMessages, type QueueRequest } from './prepare-messages.ts'
import { notifyDue, promoteNext } from './promote-next.ts'

/**
 * Checks a message and queues it. Roll the transaction back if it throws: 404 for an unknown conversation; 400 for unknown
 * references; 409 ACCOUNT_NOT_SENDING; 422 LEAD_AMBIGUOUS, NO_IDENTITY, NOT_CONTACTABLE, WINDOW_CLOSED, UNSUPPORTED_MESSAGE, TEXT_TOO_LONG, NOTICE_MISSING, and those
 * of templates and files; 429 QUOTA_EXCEEDED. The person, the window and the budget are checked again when it is sent.
 *
 * It locks the conversation, and shares the leads only for a template or another lead: who answers does not wait for what is
 * being received. Whatever forbids messages locks the conversation too (`failQueued`): it is committed before and counts, or
 * fails this one.
 */
export async function queueMessage(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  request: QueueRequest,
): Promise<InsertedMessage> {
  const { conversationId, input, leadId = null } = request
  // A merge must not miss its lead, nor an erasure what a template says of it.
  if (leadId !== null || input.kind === 'template') await shareLeads(tx)
  const own = await getConversation(tx, conversationId)
  const account = await assertAccount(tx, own.accountId)
  const sender = { account, provider: getAccountProvider(accounts, account) }
  const [prepared] = await prepareMessages(tx, sender, [{ ...request, own }])
  const message = getResult(prepared!)
  await lockConversations(tx, [conversationId])
  recordLockAcquired(tx)
  const [checked] = await checkPeople(tx, sender.provider, [message])
  const [inserted] = await insertQueued(tx, sender, [getResult(checked!)])
  // Last, because other transactions of the tenant wait for the row of the quota.
  if (needsQuota(message)) await reserve(tx, messagesPerMonth)
  return inserted!
}

const needsQuota = ({ request: { nature } }: PreparedMessage): boolean => nature !== 'opt_out_confirmation'

/** Inserts messages that were checked. Their conversations are locked. A unit of the quota is reserved for each. */
export async function insertQueued(
  tx: Tx,
  { account, provider }: Sender,
  messages: PreparedMessage[],
): Promise<InsertedMessage[]> {
  const now = getNow(tx)
  const isTask = provider.mode !== 'chat'
  const rows = messages.map(message => {
    const { request, conversation, replyToId, kind, content } = message
    const { own, author, nature = 'person', sendAt = null } = request
    const { campaignId = null, campaignStep = null, retryOfId = null } = request
    const dueAt = sendAt && sendAt > now ? sendAt : now
    return {
      conversationId: own.id,
      direction: 'out' as const,
      kind,
      text: content.text,
      content: content.parts,
      templateVersionId: content.templateVersionId,
      status: 'queued' as const,
      nature,
      campaignId,
      campaignStep,
      sendAt,
      leadId: conversation.leadId === own.leadId ? null : conversation.leadId,
      replyToId,
      retryOfId,
      author,
      dueAt: sendAt && !isTask ? dueAt : null,
      expiresAt: isTask ? null : getExpiry(kind, dueAt),
      hasQuota: needsQuota(message),
    }
  })
  const inserted = await insertMessages(tx, rows)
  for (const [index, { request, content }] of messages.entries()) {
    const { own, subject = null } = request
    if (isReadingAnswer({ direction: 'out', ...request }) && own.unreadCount > 0)
      await enqueueReceipt(tx, own.id)
    if (subject !== null) await setSubject(tx, own.id, subject)
    if (content.media) await attachFile(tx, inserted[index]!.id, content.media)
  }
  if (isTask)
    await insertTasks(
      tx,
      account.id,
      messages.map(({ request: { own, sendAt } }, index) => ({
        messageId: inserted[index]!.id,
        assignedUserId: own.assignedUserId,
        since: sendAt && sendAt > now ? sendAt : now,
      })),
    )
  else {
    await promoteNext(
      tx,
      rows.filter(({ dueAt }) => !dueAt).map(({ conversationId }) => conversationId),
    )
    if (rows.some(({ dueAt }) => dueAt)) notifyDue(tx)
  }
  return inserted
}
