/** Decides, in the transaction that claims messages, whether they may be sent, and with the privacy notice or without. */
import { isWindowOpen } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ChatProvider, TemplateReference } from '../../../plugins/chat.ts'
import { checkContacts } from '../../privacy/service.ts'
import { formatKinds, getWindowStart, hasRecipient, toContactIdentifiers } from '../identities.ts'
import { isAnswerTo } from '../is-answer.ts'
import type { FileRow } from '../media/queries.ts'
import type { MessageFailure } from '../message-types.ts'
import { addNotice, findNotices, toLanguage } from '../messages/notice.ts'
import { expired, fromProblem, toRefusal } from '../messages/to-failure.ts'
import type { DueMessage } from './due-messages.ts'

/** `failure`: why it may not be sent. `needsNotice`: the person has not received the privacy notice. */
export type Permission =
  | { failure: MessageFailure }
  | { failure: null; needsNotice: boolean; isAnswer: boolean }

/** Decides for each message, by its id, whether it may be sent. */
export async function readPermissions(
  tx: Tx,
  messages: DueMessage[],
  provider: ChatProvider,
): Promise<Map<string, Permission>> {
  const judged = messages.map(message => ({ message, isAnswer: isAnswerTo(tx, message) }))
  const results = await checkContacts(
    tx,
    provider.channel,
    judged.map(({ message, isAnswer }) => ({
      leadId: message.leadId,
      isAnswer,
      identifiers: toContactIdentifiers(message.identities),
    })),
  )
  return new Map<string, Permission>(
    judged.map<[string, Permission]>(({ message, isAnswer }, index) => {
      const failure = message.failure ?? findRefusal(tx, message, provider)
      const result = results[index]!
      if (failure) return [message.id, { failure }]
      if (message.nature === 'opt_out_confirmation')
        return [message.id, { failure: null, needsNotice: false, isAnswer }]
      if (result instanceof Problem) return [message.id, { failure: fromProblem(result) }]
      const needsNotice = result.obligations.includes('INCLUDE_NOTICE')
      return [message.id, { failure: null, needsNotice, isAnswer }]
    }),
  )
}

/** What forbids a message besides its person; null: nothing. */
function findRefusal(
  tx: Tx,
  { content, expiresAt, identities }: DueMessage,
  { label, capabilities }: ChatProvider,
): MessageFailure | null {
  const template = content.template as TemplateReference | undefined
  if (expiresAt && expiresAt <= getNow(tx)) return expired
  const start = getWindowStart(identities, capabilities.identities)
  if (!template?.providerName && !isWindowOpen(start, capabilities.replyWindowHours, getNow(tx)))
    return toRefusal(
      'WINDOW_CLOSED',
      'The reply window closed before the message was sent. Send an approved template.',
    )
  if (!hasRecipient(identities, capabilities.identities))
    return toRefusal(
      'NO_IDENTITY',
      `The person has no ${formatKinds(capabilities.identities)}, which ${label} needs.`,
    )
  return null
}

/** `failure`: why the message can't have the notice. */
type NoticedText = { failure: MessageFailure; text: null } | { failure: null; text: string }

/**
 * Returns, by id, the texts of messages with the privacy notice, or why a message can't have it. Messages that need none
 * are missing.
 */
export async function findNoticedTexts(
  tx: Tx,
  candidates: { message: DueMessage; file: FileRow | null; isAnswer: boolean }[],
  provider: ChatProvider,
): Promise<Map<string, NoticedText>> {
  const able = candidates.filter(({ message }) => !message.hasNotice && message.kind !== 'reaction')
  const notices = await findNotices(
    tx,
    able.map(({ message: { leadId, content }, isAnswer }) => ({
      leadId,
      isAnswer,
      language: toLanguage(content),
    })),
  )
  return new Map<string, NoticedText>(
    able.flatMap<[string, NoticedText]>(({ message, file }, index) => {
      const notice = notices[index]!
      if (!notice) return []
      try {
        const text = addNotice(provider, { ...message, mediaKind: file?.kind ?? null }, notice)
        return [[message.id, { failure: null, text: sanitizeText(text) }]]
      } catch (error) {
        if (error instanceof Problem) return [[message.id, { failure: fromProblem(error), text: null }]]
        throw error
      }
    }),
  )
}
