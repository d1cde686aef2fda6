/** Which notices a change of an appointment leads to, and which planned ones it ends. Pure. */
import type { AppointmentRow } from '../appointments/row.ts'
import { getNoticeAddress } from '../appointments/visitor.ts'
import type { EventTypeConfig } from '../event-types/config-schemas.ts'
import type { AppointmentChange } from '../hooks.ts'

export const noticeKinds = [
  'requested',
  'booked',
  'confirmed',
  'rescheduled',
  'cancelled',
  'declined',
  'reminder',
] as const
export type NoticeKind = (typeof noticeKinds)[number]
export const noticeRecipients = ['visitor', 'agent'] as const
export const noticeChannels = ['email', 'chat'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

export interface PlannedNotice {
  kind: NoticeKind
  recipient: (typeof noticeRecipients)[number]
  /** Null: the recipient is the visitor. */
  agentUserId: string | null
  channel: NoticeChannel
  /** Null: the text of the program. */
  templateId: string | null
  sequence: number
  dueAt: Date
}

export interface NoticePlan {
  /** Why those that wait are not sent; null: they are. */
  ends: 'CANCELLED' | 'SUPERSEDED' | null
  /** Those to the visitor go on with the new sequence. */
  keepsVisitor: boolean
  notices: PlannedNotice[]
}

export type NoticeConfig = Pick<EventTypeConfig, 'reminders' | 'notices'>
type Change = Pick<AppointmentChange, 'kind' | 'before' | 'after'>

/** A reminder that would come so soon after a confirmation says nothing new. */
const mergedMs = 5 * 60_000

/** Null: nobody is notified of the change. */
export function planNotices(change: Change, config: NoticeConfig, now: Date): NoticePlan | null {
  const { after } = change
  const reminders = after.status === 'confirmed' ? planReminders(after, config, now) : []
  const toVisitor = (kind: NoticeKind) => planForVisitor(kind, after, now)
  const toAgent = (kind: NoticeKind, agentUserId = after.agentUserId) =>
    config.notices.toAgent ? [planForAgent(kind, { after, agentUserId, now })] : []
  switch (change.kind) {
    case 'booked': {
      const kind = after.status === 'pending' ? 'requested' : 'booked'
      const notices = [toVisitor(kind), ...toAgent(kind), ...reminders]
      return { ends: null, keepsVisitor: true, notices }
    }
    case 'confirmed':
      return { ends: 'SUPERSEDED', keepsVisitor: false, notices: [toVisitor('confirmed'), ...reminders] }
    case 'rescheduled': {
      const notices = [toVisitor('rescheduled'), ...planMove(change, toAgent), ...reminders]
      return { ends: 'SUPERSEDED', keepsVisitor: false, notices }
    }
    case 'assigned':
      return { ends: 'SUPERSEDED', keepsVisitor: true, notices: planMove(change, toAgent) }
    case 'cancelled': {
      // Agents know what they did themselves, here or in their calendar.
      const isNews = after.cancelledBy === 'visitor' || after.cancelledBy === 'expiry'
      const notices = [toVisitor('cancelled'), ...(isNews ? toAgent('cancelled') : [])]
      return { ends: 'CANCELLED', keepsVisitor: false, notices }
    }
    case 'updated':
      return isNewAddress(change) && isComing(after, now)
        ? {
            ends: null,
            keepsVisitor: true,
            notices: [toVisitor(after.status === 'pending' ? 'requested' : 'booked')],
          }
        : null
    case 'answered':
      return after.visitorAnswer?.answer === 'declined'
        ? { ends: null, keepsVisitor: true, notices: toAgent('declined') }
        : null
    default:
      return null
  }
}

function isNewAddress({ before, after }: Change): boolean {
  const address = getNoticeAddress(after.visitor)
  return before !== null && address !== null && address !== getNoticeAddress(before.visitor)
}

const isComing = ({ status, start }: AppointmentRow, now: Date): boolean =>
  (status === 'pending' || status === 'confirmed') && start > now

/** The agent is notified of the move. If it is another one now, the former one is free, and for the new one it is new. */
function planMove(
  { kind, before, after }: Change,
  toAgent: (kind: NoticeKind, agentUserId?: string) => PlannedNotice[],
): PlannedNotice[] {
  if (before && before.agentUserId !== after.agentUserId)
    return [
      ...toAgent('cancelled', before.agentUserId),
      ...toAgent(after.status === 'pending' ? 'requested' : 'booked'),
    ]
  return kind === 'rescheduled' ? toAgent('rescheduled') : []
}

const planForVisitor = (
  kind: NoticeKind,
  { visitor, sequence }: AppointmentRow,
  now: Date,
): PlannedNotice => ({
  kind,
  recipient: 'visitor',
  agentUserId: null,
  channel: !visitor.email && visitor.phone ? 'chat' : 'email',
  templateId: null,
  sequence,
  dueAt: now,
})

const planForAgent = (
  kind: NoticeKind,
  { after, agentUserId, now }: { after: AppointmentRow; agentUserId: string; now: Date },
): PlannedNotice => ({
  kind,
  recipient: 'agent',
  agentUserId,
  channel: 'email',
  templateId: null,
  sequence: after.sequence,
  dueAt: now,
})

/** The earliest first. Several that would be equal are one. */
function planReminders(
  { start, sequence }: AppointmentRow,
  { reminders }: NoticeConfig,
  now: Date,
): PlannedNotice[] {
  const byTime = new Map(reminders.map(each => [`${each.channel} ${each.minutesBefore}`, each]))
  return [...byTime.values()]
    .map(({ channel, templateId, minutesBefore }) => ({
      kind: 'reminder' as const,
      recipient: 'visitor' as const,
      agentUserId: null,
      channel,
      templateId,
      sequence,
      dueAt: new Date(start.getTime() - minutesBefore * 60_000),
    }))
    .filter(({ dueAt }) => dueAt.getTime() > now.getTime() + mergedMs)
    .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
}
