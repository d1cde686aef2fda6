/** Hands a notice to the visitor's conversation: from then on it is a message like others. */
import { writeInvitation } from '../../../domain/icalendar/write-calendar.ts'
import { getInstant } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  findMessageStates,
  type MessageInput,
  openConversation,
  openConversationWith,
  queueMessage,
  withdrawUnsent,
} from '../../messaging/service.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { chooseAccount, type NoticeAccount } from './choose-account.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { toInvitation } from './invitation.ts'
import { findLanguage } from './languages.ts'
import { formatPlace, type NoticeFacts, type NoticeText, writeVisitorNotice } from './notice-text.ts'
import { readOrganizer } from './organizer.ts'
import { listMessageIds, type NoticeResult, type NoticeRow } from './queries.ts'
import { readVisitorFacts } from './read-facts.ts'
import { cancelledRefusal, noEmail, noPhone, type Refusal, superseded } from './reasons.ts'

interface Context {
  notice: NoticeRow
  appointment: AppointmentRow
  eventType: EventTypeRow
  dependencies: NoticeDependencies
}

/** Throws a `Problem` if the message can't be sent: roll the transaction back. */
export async function queueVisitorMessage(tx: Tx, context: Context): Promise<NoticeResult> {
  const { notice, appointment, eventType, dependencies } = context
  const { accounts } = dependencies
  const { config } = eventType
  const skip = (refusal: Refusal): NoticeResult => ({ status: 'skipped', refusal })
  const { email, phone } = appointment.visitor
  if (notice.channel === 'email' && !email) return skip(noEmail)
  const isMove = notice.kind === 'rescheduled' || notice.kind === 'cancelled'
  // What is not sent yet says what no longer holds.
  const reason = notice.kind === 'cancelled' ? cancelledRefusal : superseded
  if (isMove) await withdrawUnsent(tx, await listMessageIds(tx, appointment.id), { reason })
  const chosen = await chooseAccount(tx, accounts, { channel: notice.channel, notices: config.notices })
  if ('code' in chosen) return skip(chosen)
  const conversation = await open(tx, context, chosen)
  if (!conversation) return skip(phone ? noEmail : noPhone)
  const facts = await readVisitorFacts(tx, notice, appointment, { eventType, dependencies })
  const text = writeVisitorNotice(facts)
  const input = await toInput(tx, context, { facts, text, chosen })
  const { id } = await queueMessage(tx, accounts, {
    conversationId: conversation.id,
    leadId: conversation.leadId,
    input,
    subject: chosen.provider.channel === 'email' ? text.subject : null,
    author: null,
    nature: 'appointment',
  })
  return { status: 'queued', messageId: id }
}

/** With the address that the visitor left, else with an identity of the lead. Null: there is neither. */
async function open(
  tx: Tx,
  { notice, appointment, dependencies }: Context,
  { account, provider }: NoticeAccount,
): Promise<{ id: string; leadId: string | null } | null> {
  const { leadId, visitor } = appointment
  const identity: ChatIdentity | null =
    notice.channel === 'email'
      ? { kind: 'email', value: visitor.email! }
      : visitor.phone && provider.capabilities.identities.includes('phone')
        ? { kind: 'phone', value: visitor.phone }
        : null
  if (identity) return openConversationWith(tx, { accountId: account.id, identity, leadId })
  if (leadId === null) return null
  const { id } = await openConversation(tx, dependencies.accounts, { accountId: account.id, leadId })
  return { id, leadId }
}

async function toInput(
  tx: Tx,
  context: Context,
  { facts, text, chosen }: { facts: NoticeFacts; text: NoticeText; chosen: NoticeAccount },
): Promise<MessageInput> {
  const { notice, appointment } = context
  if (notice.templateId !== null)
    return {
      kind: 'template',
      templateId: notice.templateId,
      language: facts.language,
      variables: {},
      header: null,
      appointment: {
        start: appointment.start.toTemporalInstant(),
        timezone: appointment.timezone,
        formatPlace: locale => formatPlace({ ...facts, language: findLanguage(locale) ?? facts.language }),
        agentName: facts.agentName,
        link: facts.link,
      },
    }
  const method = await findMethod(tx, context)
  if (method === null) return { kind: 'text', text: text.text }
  const organizer = await readOrganizer(tx, context.dependencies, chosen)
  const event = toInvitation({
    appointment,
    title: facts.title,
    description: text.text,
    place: formatPlace(facts),
    link: facts.link,
    organizer,
    remindersMin: context.eventType.config.reminders.map(({ minutesBefore }) => minutesBefore),
  })
  const invitation = writeInvitation(event, { method, now: getInstant(tx) })
  return { kind: 'text', text: text.text, calendar: { method, text: invitation } }
}

/** Null: the notice has no invitation: none was sent before the first confirmation. One is taken back only if the visitor may have one. */
async function findMethod(tx: Tx, { notice, appointment }: Context): Promise<'REQUEST' | 'CANCEL' | null> {
  if (notice.channel !== 'email' || notice.kind === 'reminder') return null
  if (appointment.confirmedAt === null) return null
  if (notice.kind !== 'cancelled') return 'REQUEST'
  const states = await findMessageStates(tx, await listMessageIds(tx, appointment.id))
  return [...states.values()].some(({ status }) => status !== 'failed') ? 'CANCEL' : null
}
