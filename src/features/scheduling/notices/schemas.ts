/** The API schema of notices. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { noticeChannels, noticeKinds, noticeRecipients } from './plan-notices.ts'

export const noticeStatuses = [
  'waiting',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'skipped',
] as const

export const Notice = strictObject(
  {
    id: id('The notice.'),
    kind: oneOf(noticeKinds, {
      description:
        'What it says. `requested`: the booking waits for the agent; `booked`; `confirmed`: the agent has confirmed it; `rescheduled`; `cancelled`; `reminder`.',
    }),
    recipient: oneOf(noticeRecipients, { description: 'The person who gets it.' }),
    agentUserId: nullable(id('The agent who is notified; null: the visitor is.')),
    channel: oneOf(noticeChannels, { description: 'How it is sent.' }),
    templateId: nullable(id('The message template; null: the text of the program.')),
    sequence: Type.Integer({ description: 'The `sequence` of the appointment that it is about.' }),
    dueAt: nullable(time('When it is to be sent; null: nothing is left to do.')),
    status: oneOf(noticeStatuses, {
      description:
        '`waiting`: until `dueAt`. `skipped`: it is not sent, see `reason`. `unknown`: nobody knows if it was sent, see `reason`. The others are those of its message.',
    }),
    reason: nullable(
      strictObject(
        {
          code: Type.String({ description: 'The kind of reason. Stable, for programs.' }),
          message: Type.String({ description: 'What happened and what to do, for people.' }),
        },
        { title: 'NoticeReason', description: 'Why it is not sent, or did not arrive.' },
      ),
    ),
    messageId: nullable(id('The message in the conversation with the visitor; null: none.')),
    createdAt: time('When it was planned.'),
    updatedAt: time('When it last changed.'),
  },
  {
    title: 'AppointmentNotice',
    description: 'A message about an appointment to the visitor or the agent.',
  },
)
export type Notice = Static<typeof Notice>

export const noticeExample: Notice = {
  id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  kind: 'booked',
  recipient: 'visitor',
  agentUserId: null,
  channel: 'email',
  templateId: null,
  sequence: 0,
  dueAt: null,
  status: 'delivered',
  reason: null,
  messageId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:01.000Z',
}
