/** Handles what arrives from the providers of accounts. */
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import type { ReceivedChatEvents } from '../../accounts/service.ts'
import { acceptMarketing, refuseMarketing } from '../../privacy/service.ts'
import { findConversationIds, findIdentities } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import { applyStatuses, type StatusReport } from '../messages/apply-status.ts'
import { keepStatuses } from '../messages/early-statuses.ts'
import { answersNobody, failQueued } from '../messages/fail-queued.ts'
import { toRefusal } from '../messages/to-failure.ts'
import { toStoredProviderId } from '../provider-ids.ts'
import { changeIdentity } from './change-identity.ts'
import { type ReceivingAccount, toReceivedTime } from './inbound-event.ts'
import { changeMessage } from './message-changes.ts'
import { passAnswers } from './pass-answers.ts'
import { findConversationsOf, wasSent } from './queries.ts'
import { type MessageEvent, receiveMessages } from './receive-messages.ts'
import { toValidIdentities } from './valid-identities.ts'

/** Handles `chatEventsReceived`. */
export async function receiveEvents(
  tx: Tx,
  { accountId, channel, events }: ReceivedChatEvents,
): Promise<void> {
  // A provider posts in any order what happened while it could not post.
  const ordered = events.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
  const early: StatusReport[] = []
  for (const step of toSteps(ordered)) {
    if (step.type === 'message')
      await receiveMessages(tx, { id: accountId, channel }, await passAnswers(tx, step.events))
    else if (step.type === 'status')
      early.push(
        ...(await applyStatuses(
          tx,
          accountId,
          step.events.map(event => toReport(tx, event)),
        )),
      )
    else await receiveEvent(tx, { id: accountId, channel }, step.event)
  }
  await keepStatuses(tx, accountId, early)
}

type StatusEvent = InboundEvent & { type: 'status' }
type OtherEvent = Exclude<InboundEvent, MessageEvent | StatusEvent>

type Step =
  | { type: 'message'; events: MessageEvent[] }
  | { type: 'status'; events: StatusEvent[] }
  | { type: 'other'; event: OtherEvent }

/** Messages of one side that follow each other are stored together, and statuses that do are applied together. */
function toSteps(events: InboundEvent[]): Step[] {
  const steps: Step[] = []
  for (const event of events) {
    const last = steps.at(-1)
    if (event.type === 'message') {
      if (last?.type === 'message' && last.events[0]!.isEcho === event.isEcho) last.events.push(event)
      else steps.push({ type: 'message', events: [event] })
    } else if (event.type === 'status') {
      if (last?.type === 'status') last.events.push(event)
      else steps.push({ type: 'status', events: [event] })
    } else steps.push({ type: 'other', event })
  }
  return steps
}

const toReport = (tx: Tx, event: StatusEvent): StatusReport => ({
  providerMessageId: toStoredProviderId(event.providerMessageId),
  messageId: event.messageId !== null && uuid.test(event.messageId) ? event.messageId : null,
  status: event.status,
  at: toReceivedTime(tx, event),
  failure: event.failure,
  to: toValidIdentities(event.to),
})

async function receiveEvent(tx: Tx, account: ReceivingAccount, event: OtherEvent): Promise<void> {
  switch (event.type) {
    case 'edited':
    case 'deleted':
    case 'reaction':
      return changeMessage(tx, account, event)
    case 'identity_changed':
      return changeIdentity(tx, account, event)
    case 'marketing_preference':
      return changeMarketing(tx, account, event)
    // Templates and accounts handle theirs; the body is kept for what can't be read.
    case 'template_status':
    case 'account_status':
    case 'ignored':
    case 'unreadable':
      return
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const marketingRefused = toRefusal(
  'MARKETING_REFUSED',
  'The person refused marketing before this message was sent. You may answer what they write.',
)

/** A refusal forbids what the person did not request; unlike a word of opting out, it leaves answers. */
async function changeMarketing(
  tx: Tx,
  { id, channel }: ReceivingAccount,
  event: InboundEvent & { type: 'marketing_preference' },
): Promise<void> {
  const { from, messageId, accepts } = event
  const identities = toValidIdentities(from)
  if (identities.length === 0) return
  await lockLeadWrites(tx)
  const [conversationId = null] = await findConversationIds(tx, id, identities)
  const isOurs =
    messageId === undefined || (uuid.test(messageId) && (await wasSent(tx, messageId, conversationId)))
  if (!isOurs) return
  const all = conversationId === null ? identities : await findIdentities(tx, conversationId)
  const identifiers = toContactIdentifiers(all)
  const requestedAt = toReceivedTime(tx, event)
  if (accepts) return acceptMarketing(tx, identifiers, { channel, requestedAt })
  await refuseMarketing(tx, identifiers, { channel, note: 'refused at the provider', requestedAt })
  await failQueued(tx, await findConversationsOf(tx, all), marketingRefused, answersNobody(tx))
}
