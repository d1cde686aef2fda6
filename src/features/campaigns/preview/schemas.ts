/** The API schemas of previews. */
import { id, nullable, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { integer } from '../../../kit/schema-fields.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Recipients of a preview; the first ones by the time at which they are due. */
export const recipientsMax = 10_000
/** Messages whose text is checked, the earliest first. */
export const textsMax = 2000
export const daysMax = 31
const sendsMax = 2000

export const PreviewRequest = strictObject(
  {
    days: Type.Optional(integer(1, daysMax, 'How many days ahead. Default: 7.')),
    limit: Type.Optional(integer(0, sendsMax, 'How many messages are listed with their text. Default: 50.')),
  },
  { title: 'CampaignPreviewRequest' },
)
export type PreviewRequest = Static<typeof PreviewRequest>

const Reason = strictObject({
  code: Type.String({ description: 'Why. Stable, for programs.' }),
  message: Type.String({ description: 'Why, for people.' }),
})

const Send = strictObject(
  {
    recipientId: id('The recipient.'),
    leadId: id('The lead.'),
    step: count('The step, from 0.'),
    at: time('When it is sent, if nothing changes.'),
    isQueued: Type.Boolean({ description: 'It is planned already, and may be sent any moment.' }),
    templateId: id('The template.'),
    variant: nullable(
      Type.String({ description: 'Which of the templates that are compared; null: there is one.' }),
    ),
    text: nullable(
      Type.String({
        description: 'What it says, without the privacy notice; null: it is queued, or was not made.',
      }),
    ),
  },
  { title: 'PreviewedSend' },
)

export const CampaignPreview = strictObject(
  {
    from: time('The time of the preview.'),
    until: time('Messages after it are left out.'),
    recipients: count('The recipients who wait or are about to get a message.'),
    isPartial: Type.Boolean({
      description: `True: there are more than ${recipientsMax} recipients, or more than ${textsMax} messages, of which only the earliest were looked at.`,
    }),
    messages: count('The messages that are sent until then.'),
    people: count('The people who get them.'),
    cost: nullable(
      Type.Number({
        description:
          'What they cost, by the setting `messageCosts`, in the currency of the workspace. Null: it has no price for some of them.',
      }),
    ),
    days: Type.Array(
      strictObject({
        date: Type.String({ format: 'date', description: 'A day of the workspace.' }),
        messages: count('The messages on it.'),
        starts: count('First messages among them.'),
      }),
      { description: 'Days without messages are missing.' },
    ),
    steps: Type.Array(strictObject({ step: count('The step, from 0.'), messages: count('Its messages.') }), {
      description: 'The messages of each step.',
    }),
    sends: Type.Array(Send, { description: 'The first messages, in order of their time.' }),
    skipped: Type.Array(
      strictObject({
        code: Type.String({ description: 'Why. Stable, for programs.' }),
        message: Type.String({ description: 'Why, for people.' }),
        count: count('Recipients who get no message for this reason.'),
        leadIds: Type.Array(id('A lead.'), { description: 'The first ten of their leads.' }),
      }),
      { description: 'Recipients who would be skipped, or have been, by their reason.' },
    ),
    missing: Type.Array(
      strictObject({
        ...Reason.properties,
        path: Type.String({ description: 'What to set: a JSON pointer into the campaign.' }),
      }),
      { description: 'What the campaign lacks before it can run: nothing is sent until it is set.' },
    ),
    wait: nullable(
      strictObject(
        { ...Reason.properties, until: nullable(time('When it goes on; null: not by itself.')) },
        {
          description:
            'Why nothing more is sent until `until`; null: everybody got every step, or it is not due yet.',
        },
      ),
    ),
  },
  {
    title: 'CampaignPreview',
    description: 'What a campaign would do: who gets what when, who gets nothing and why, and what it costs.',
  },
)
export type CampaignPreview = Static<typeof CampaignPreview>
