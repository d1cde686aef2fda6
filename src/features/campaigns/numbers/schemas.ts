/** The API schemas of the numbers of campaigns. */
import { id, nullable, type Static, strictObject, Type } from '../../../kit/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const rate = (description: string) => Type.Number({ description })

const messageFields = {
  sent: count('Messages that were sent, or may have been.'),
  delivered: count('Sent messages that the person has received.'),
  read: count('Sent messages that the person has read.'),
  failed: count('Messages that failed; not what was withdrawn before.'),
  blocked: count('Failed messages whose person has blocked the account or refused its marketing.'),
}
const outcomeFields = {
  replied: count('People who replied.'),
  booked: count('People who booked an appointment.'),
  optedOut: count('People who opted out.'),
}

const personFields = {
  sent: count('People to whom a message was sent, or may have been.'),
  delivered: count('People who have received a message.'),
  read: count('People who have read a message.'),
  failed: count('People to whom a message failed; not what was withdrawn before.'),
  blocked: count('People who have blocked the account or refused its marketing.'),
}

const Funnel = strictObject(
  {
    found: nullable(count('Listings that one of its runs found, at most. Null: it reads no portal.')),
    new: count('Leads that it created.'),
    recipients: count('Leads that joined it.'),
    contactable: count(
      'People who might be contacted: the others have no lawful basis, for example, or were taken out before the first message. Further leads of one person do not count.',
    ),
    ...personFields,
    ...outcomeFields,
  },
  {
    title: 'CampaignFunnel',
    description: 'From listings to conversations. People count once, however many messages they got.',
  },
)

const Variant = strictObject(
  {
    variant: Type.String({ description: '`A` is `templateId` of the step, `B` the first of its variants.' }),
    templateId: nullable(id('The template; null: it was deleted.')),
    ...messageFields,
    ...outcomeFields,
    replyRate: nullable(
      strictObject(
        {
          rate: rate('Replies by messages sent.'),
          low: rate('The lower bound of its 95 % interval.'),
          high: rate('The upper bound.'),
        },
        { description: 'Null: nothing was sent.' },
      ),
    ),
    comparison: nullable(
      strictObject(
        {
          difference: rate('Its reply rate minus that of variant `A`.'),
          low: rate('The lower bound of its 95 % interval.'),
          high: rate('The upper bound.'),
          isSignificant: Type.Boolean({
            description: 'The interval does not contain 0: chance alone seldom makes such a difference.',
          }),
        },
        { description: 'With variant `A`. Null: it is `A`, or one of both was not sent.' },
      ),
    ),
  },
  { title: 'CampaignVariant', description: 'The messages with one of the templates of a step.' },
)

const Step = strictObject(
  {
    step: count('The step, from 0.'),
    skipped: count('Recipients for whom it was skipped.'),
    queued: count('Messages that are about to be sent.'),
    ...messageFields,
    ...outcomeFields,
    variants: Type.Array(Variant, { description: 'Empty: the step has one template.' }),
  },
  {
    title: 'CampaignStepNumbers',
    description:
      'What became of a step: its messages, and what people did. A reply counts for the step that the person got last.',
  },
)

export const CampaignNumbers = strictObject(
  {
    funnel: Funnel,
    steps: Type.Array(Step, { description: 'In their order.' }),
    cost: strictObject(
      {
        messages: count('Messages sent.'),
        amount: nullable(
          Type.Number({
            description:
              'What they cost, by the setting `messageCosts`. Null: it has no price for some of them.',
          }),
        ),
        currency: Type.String({ description: 'ISO 4217: that of the workspace.' }),
      },
      { description: 'What its messages cost.' },
    ),
  },
  { title: 'CampaignNumbers', description: 'What a campaign has reached.' },
)
export type CampaignNumbers = Static<typeof CampaignNumbers>
