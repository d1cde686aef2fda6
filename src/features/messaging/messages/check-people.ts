/** Checks, before messages are queued, that their people may be contacted. It is checked again when they are sent. */
import { isWindowOpen } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { attempt, mapAccepted, type Result } from '../../../kit/results.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import { previewContacts } from '../../privacy/service.ts'
import { getWindowStart, toContactIdentifiers } from '../identities.ts'
import { isAnswerTo } from '../is-answer.ts'
import { windowClosed } from '../problems.ts'
import { addNotice, findNotices, type Notice, type NoticeCarrier, toLanguage } from './notice.ts'
import type { PreparedMessage } from './prepare-messages.ts'

/** Refuses with 422 NOT_CONTACTABLE, NOTICE_MISSING, TEXT_TOO_LONG and WINDOW_CLOSED. The conversations are locked. */
export async function checkPeople(
  tx: Tx,
  provider: ChatProvider,
  messages: PreparedMessage[],
): Promise<Result<PreparedMessage>[]> {
  const contacts = await readContacts(tx, provider, messages)
  return mapAccepted(contacts, async accepted => {
    const notices = await findNotices(
      tx,
      accepted.map(({ message, isAnswer, needsNotice }) => ({
        // No facts of a lead are read for a message that needs no notice.
        leadId: needsNotice && message.kind !== 'reaction' ? message.conversation.leadId : null,
        isAnswer,
        language: toLanguage(message.content.parts as NoticeCarrier['content']),
      })),
    )
    return accepted.map(({ message }, index) =>
      attempt(() => {
        assertRoomForNotice(message, provider, notices[index]!)
        if (!message.content.isApproved) assertWindowOpen(message, { provider, now: getNow(tx) })
        return message
      }),
    )
  })
}

interface Contact {
  message: PreparedMessage
  isAnswer: boolean
  needsNotice: boolean
}

async function readContacts(
  tx: Tx,
  provider: ChatProvider,
  messages: PreparedMessage[],
): Promise<Result<Contact>[]> {
  const judged = messages.map(message => {
    const { campaignId = null, nature = 'person' } = message.request
    const { lastInboundAt } = message.conversation
    return { message, nature, isAnswer: isAnswerTo(tx, { campaignId, nature, lastInboundAt }) }
  })
  const needing = judged.filter(({ nature }) => nature !== 'opt_out_confirmation')
  const permissions = await previewContacts(
    tx,
    provider.channel,
    needing.map(({ message: { conversation }, isAnswer }) => ({
      leadId: conversation.leadId,
      isAnswer,
      identifiers: toContactIdentifiers(conversation.identities),
    })),
  )
  const next = permissions.values()
  return judged.map(({ message, nature, isAnswer }) => {
    if (nature === 'opt_out_confirmation') return { message, isAnswer, needsNotice: false }
    const permission = next.next().value!
    if (permission instanceof Problem) return permission
    return { message, isAnswer, needsNotice: permission.obligations.includes('INCLUDE_NOTICE') }
  })
}

/**
 * Throws 422 if the message can't have the notice. It is added when the message is sent, or its task opened, because an
 * earlier one may have it by then.
 */
function assertRoomForNotice(
  { kind, content: { text, parts, media } }: PreparedMessage,
  provider: ChatProvider,
  notice: Notice | null,
): void {
  const content = parts as NoticeCarrier['content']
  if (notice) addNotice(provider, { kind, text, content, mediaKind: media?.kind ?? null }, notice)
}

function assertWindowOpen(
  { kind, conversation: { identities, lastInboundAt } }: PreparedMessage,
  { provider, now }: { provider: ChatProvider; now: Date },
): void {
  const { label, capabilities } = provider
  const hours = capabilities.replyWindowHours
  const start = getWindowStart(identities, capabilities.identities)
  if (isWindowOpen(start, hours, now)) return
  const reason = start
    ? `The reply window is closed: the person last wrote more than ${hours} hours ago.`
    : lastInboundAt
      ? 'The person has not written from the number or id yet that they have now.'
      : 'The person has not written yet.'
  throw new Problem(
    windowClosed,
    kind === 'template'
      ? `${reason} ${label} has not approved this text of the template, or has paused it: its status says more.`
      : `${reason} Send an approved template.`,
  )
}
