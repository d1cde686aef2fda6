/** Decides, in the transaction that claims a message, whether it may be sent, and with the privacy notice or without. */
import { isWithinAnswerPeriod } from '../../../domain/contactability/answers.ts'
import { isWindowOpen } from '../../../domain/messaging/reply-window.ts'
import { getInstant, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ChatProvider, MediaKind, TemplateReference } from '../../../plugins/chat.ts'
import { assertContactable } from '../../privacy/service.ts'
import { formatKinds, sortIdentities, toContactIdentifiers, toInstant } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import type { MessageFailure } from '../message-types.ts'
import { indexMessage } from '../messages/insert-message.ts'
import { addNotice, findNotice, toLanguage } from '../messages/notice.ts'
import { fromProblem, toRefusal } from '../messages/to-failure.ts'
import type { DueMessage } from './due-messages.ts'

/** `failure`: why it may not be sent. `needsNotice`: the person has not received the privacy notice. */
type Permission = { failure: MessageFailure } | { failure: null; needsNotice: boolean; isAnswer: boolean }

/** Decides whether a message may be sent. */
export async function readPermission(
  tx: Tx,
  message: DueMessage,
  provider: ChatProvider,
): Promise<Permission> {
  const { lastInboundAt, campaignId, nature, leadId } = message
  const { replyWindowHours, identities } = provider.capabilities
  const template = message.content.template as TemplateReference | undefined
  if (!template?.providerName && !isWindowOpen(lastInboundAt, replyWindowHours, getNow(tx)))
    return refuse(
      'WINDOW_CLOSED',
      'The reply window closed before the message was sent. Send an approved template.',
    )
  if (sortIdentities(message.identities, identities).length === 0)
    return refuse(
      'NO_IDENTITY',
      `The person has no ${formatKinds(identities)}, which ${provider.label} needs.`,
    )
  const isAnswer = campaignId === null && isWithinAnswerPeriod(toInstant(lastInboundAt), getInstant(tx))
  if (nature === 'opt_out_confirmation') return { failure: null, needsNotice: false, isAnswer }
  const identifiers = toContactIdentifiers(message.identities)
  try {
    const { obligations } = await assertContactable(tx, leadId, provider.channel, { isAnswer, identifiers })
    return { failure: null, needsNotice: obligations.includes('INCLUDE_NOTICE'), isAnswer }
  } catch (error) {
    return { failure: toFailureOrThrow(error) }
  }
}

const refuse = (code: string, message: string) => ({ failure: toRefusal(code, message) })

/** Rethrows what is not a refusal. */
function toFailureOrThrow(error: unknown): MessageFailure {
  if (error instanceof Problem) return fromProblem(error)
  throw error
}

/** Adds the privacy notice to a message that needs it. Returns its text, or why the message can't have the notice. */
export async function includeNotice(
  tx: Tx,
  message: DueMessage,
  {
    provider,
    isAnswer,
    mediaKind,
  }: { provider: ChatProvider; isAnswer: boolean; mediaKind: MediaKind | null },
): Promise<{ failure: MessageFailure } | { failure: null; text: string | null }> {
  const { id, conversationId, content, text: before } = message
  if (message.hasNotice || message.kind === 'reaction') return { failure: null, text: before }
  const notice = await findNotice(tx, message.leadId, { isAnswer, language: toLanguage(content) })
  if (!notice) return { failure: null, text: before }
  let text: string
  try {
    text = sanitizeText(addNotice(provider, { ...message, mediaKind }, notice))
  } catch (error) {
    return { failure: toFailureOrThrow(error) }
  }
  await sql`
    update messages set text = ${text}, content = content || '{"hasNotice": true}'
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  if (text !== before) {
    await indexMessage(tx, { id, conversationId, text })
    await recordInboxChanges(tx, [{ conversationId, messageId: id }])
  }
  return { failure: null, text }
}
