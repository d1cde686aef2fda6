/** The API schemas of the recipients of a campaign. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'

export const recipientStatuses = ['waiting', 'queued', 'completed', 'stopped', 'skipped', 'failed'] as const

export const recipientStatus = oneOf(recipientStatuses, {
  description:
    '`waiting`: for `nextAt`; `queued`: its message is about to be sent; `completed`: it got every step; `stopped`: its sequence ended before, such as by a reply; `skipped`: nobody wrote to the person, for a reason that may change; `failed`: a message failed, or a follow-up was refused for a reason that may change. Retry those that are skipped or have failed.',
})

const reason = (description: string) =>
  nullable(
    strictObject(
      {
        code: Type.String({ description: 'Why. Stable, for programs.' }),
        message: Type.String({ description: 'Why, for people.' }),
      },
      { description },
    ),
  )

export const RecipientSend = strictObject(
  {
    round: Type.Integer({ minimum: 1, description: 'How often the lead had joined.' }),
    step: Type.Integer({ minimum: 0, description: 'The step of `settings.steps`, from 0.' }),
    templateId: nullable(id('The template; null: the step was left out.')),
    variant: nullable(
      Type.String({
        description: 'Which of the templates that are compared, `A`, `B`, …; null: there is one.',
      }),
    ),
    plannedAt: nullable(time('When it was planned to be sent; null: it was left out.')),
    messageId: nullable(id('The message; null: it was not sent, for the reason.')),
    lawfulBasis: nullable(
      strictObject(
        {
          kind: Type.String({ description: 'The lawful basis of art. 6(1) GDPR.' }),
          recordedAt: time('When it was recorded.'),
          proof: nullable(Type.String({ description: 'Its proof.' })),
        },
        {
          description:
            'The lawful basis of the lead when the message was queued; null: none, or the lead was deleted.',
        },
      ),
    ),
    reason: reason('Why it was not sent; null: it became a message.'),
    createdAt: time('When it was queued or left out.'),
  },
  { title: 'CampaignSend', description: 'A step that a recipient got, or that was left out.' },
)

export const CampaignRecipient = strictObject(
  {
    id: id('The recipient.'),
    leadId: nullable(id('The lead; null: it was deleted.')),
    status: recipientStatus,
    step: Type.Integer({
      minimum: 0,
      description:
        'The next step of `settings.steps` in this round, from 0: the steps before were sent or left out.',
    }),
    nextAt: nullable(
      time(
        'When the next message is sent, if it is planned; else when it is due: the window and the limits may delay it. Null: it has ended.',
      ),
    ),
    lastSentAt: nullable(
      time(
        'When the last message of this round was sent; null: none yet. `sends` has those of earlier rounds.',
      ),
    ),
    reason: reason('Why it ended or was skipped; null: it has not.'),
    round: Type.Integer({ minimum: 1, description: 'How often the lead has joined.' }),
    joinedAt: time('When the lead joined.'),
    endedAt: nullable(time('When it ended; null: it has not.')),
    updatedAt: time('When it last changed.'),
    sends: Type.Array(RecipientSend, { description: 'What it got so far, and what was left out.' }),
  },
  { title: 'CampaignRecipient', description: 'A lead in a campaign.' },
)
export type CampaignRecipient = Static<typeof CampaignRecipient>

export const recipientExample: CampaignRecipient = {
  id: '01980a4e-c111-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'waiting',
  step: 1,
  nextAt: '2026-12-04T09:12:31.000Z',
  lastSentAt: '2026-12-01T09:12:31.000Z',
  reason: null,
  round: 1,
  joinedAt: '2026-11-30T18:00:00.000Z',
  endedAt: null,
  updatedAt: '2026-12-01T09:12:32.000Z',
  sends: [
    {
      round: 1,
      step: 0,
      templateId: '01980a4e-d111-7c3e-9d7a-2f6b1c0d9e8f',
      variant: null,
      plannedAt: '2026-12-01T09:12:31.000Z',
      messageId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
      lawfulBasis: {
        kind: 'consent',
        recordedAt: '2026-11-30T17:58:12.000Z',
        proof: 'Form of the fair of 2026-11-30',
      },
      reason: null,
      createdAt: '2026-12-01T09:12:00.000Z',
    },
  ],
}

export const RetryResult = strictObject(
  {
    retried: Type.Integer({ minimum: 0, description: 'Recipients that wait again.' }),
    unchanged: Type.Integer({
      minimum: 0,
      description:
        'Recipients that stay as they are: a campaign writes to the person, the reason is final, or they are neither skipped nor failed.',
    }),
    lastId: nullable(id('Send it as `after` to retry those who joined later; null: nobody follows.')),
  },
  { title: 'RecipientRetry', description: 'What became of the recipients of a retry.' },
)
