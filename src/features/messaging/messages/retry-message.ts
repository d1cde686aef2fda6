/** Sends a failed or unknown message again, because a person decided so. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { type Author, shareLeads } from '../../../kit/writer.ts'
import type { TemplateReference } from '../../../plugins/chat.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import type { SendableMedia } from '../media/files.ts'
import { type FileRow, findFilesOfMessages } from '../media/queries.ts'
import type { MessageKind, MessageStatus } from '../message-types.ts'
import type { PreparedContent } from './prepare-content.ts'
import { queueMessage } from './queue-message.ts'

interface FormerMessage {
  conversationId: string
  direction: string
  kind: MessageKind
  text: string | null
  content: Record<string, unknown>
  templateVersionId: string | null
  replyToId: string | null
  campaignId: string | null
  leadId: string | null
  status: MessageStatus
  retryId: string | null
}

/** Returns the id of the new message. Throws 404, 409 INVALID_TRANSITION, and what `queueMessage` throws. */
export async function retryMessage(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  messageId: string,
  author: Author,
): Promise<string> {
  const { conversationId } = await getFormer(tx, messageId)
  // Two people must not send it twice, and an erasure must not miss the copy. See insert-message.ts for the order of locks.
  await shareLeads(tx)
  await lockConversations(tx, [conversationId])
  const former = await getFormer(tx, messageId)
  assertCanRetry(former)
  const { id } = await queueMessage(tx, accounts, {
    conversationId: former.conversationId,
    input: { kind: 'prepared', of: former.kind, content: await toPrepared(tx, messageId, former) },
    author,
    replyToId: former.replyToId,
    campaignId: former.campaignId,
    leadId: former.leadId,
    retryOfId: messageId,
  })
  return id
}

async function getFormer(tx: Tx, messageId: string): Promise<FormerMessage> {
  const { rows } = await sql<FormerMessage>`
    select conversation_id as "conversationId", direction, kind, text, content, template_version_id as "templateVersionId",
      reply_to_id as "replyToId", campaign_id as "campaignId", lead_id as "leadId", status, (
        select r.id from messages r where r.tenant_id = ${getTenantId(tx)} and r.retry_of_id = ${messageId}) as "retryId"
    from messages where tenant_id = ${getTenantId(tx)} and id = ${messageId}`.execute(tx)
  if (!rows[0]) throw notFound('message')
  return rows[0]
}

function assertCanRetry({ direction, status, content, retryId }: FormerMessage): void {
  if (direction !== 'out' || (status !== 'failed' && status !== 'unknown'))
    throw new Problem('INVALID_TRANSITION', 'Only a failed or unknown message can be sent again.')
  if (content.isErased)
    throw new Problem(
      'INVALID_TRANSITION',
      'The message mentioned a person who was erased. Write it again without them.',
    )
  if (retryId !== null)
    throw new Problem('INVALID_TRANSITION', `The message was sent again already, as ${retryId}.`)
}

/** The content as it was: a template is not rendered again. */
async function toPrepared(tx: Tx, messageId: string, former: FormerMessage): Promise<PreparedContent> {
  const { content, templateVersionId } = former
  const { hasNotice: _hasNotice, textBeforeNotice, ...parts } = content
  const [file] = (await findFilesOfMessages(tx, [messageId])).get(messageId) ?? []
  const template = content.template as TemplateReference | undefined
  return {
    text: textBeforeNotice === undefined ? former.text : (textBeforeNotice as string | null),
    parts,
    templateVersionId,
    isApproved: Boolean(template?.providerName),
    media: file ? toSendable(file) : null,
  }
}

function toSendable({ blobId, mediaType, bytes, ...file }: FileRow): SendableMedia {
  if (!blobId || mediaType === null || bytes === null)
    throw new Problem('INVALID_TRANSITION', 'The file of the message is no longer there.')
  return { ...file, blobId, mediaType, bytes }
}
