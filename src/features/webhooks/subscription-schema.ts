/** API schema of a subscription. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'

export const description = nullable(
  Type.String({ maxLength: 500, description: 'Your note on the purpose of the subscription; null: none.' }),
)

export const subscriptionFields = {
  id: id('The subscription.'),
  url: Type.String({ description: 'The URL that receives the events.' }),
  events: Type.Array(Type.String(), { description: 'The types of events to send; `*`: all types.' }),
  description,
  headerNames: Type.Array(Type.String(), {
    description: 'The names of the additional headers, in alphabetical order.',
  }),
  status: oneOf(['enabled', 'disabled'], { description: 'A disabled subscription receives nothing.' }),
  disabledReason: nullable(
    Type.String({
      description: 'Why Aldaba disabled it, as text; null: it is enabled, or a user disabled it.',
    }),
  ),
  disabledAt: nullable(time('When it was disabled; null: it is enabled.')),
  failingSince: nullable(time('Since when every attempt has failed; null: the last attempt succeeded.')),
  pausedUntil: nullable(
    time('Until when the receiver requested a pause with Retry-After; null: it requested none.'),
  ),
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
}

export const Subscription = strictObject(subscriptionFields, { title: 'Subscription' })

const { url: _url, ...withoutUrl } = subscriptionFields
/** The subscription in messages to other receivers. It has no URL, because a URL may contain a token. */
export const SubscriptionWithoutUrl = strictObject(withoutUrl, { title: 'SubscriptionWithoutUrl' })

export const subscriptionExample: Static<typeof Subscription> = {
  id: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
  url: 'https://crm.example/hooks/aldaba',
  events: ['extraction.completed', 'leads.imported'],
  description: 'CRM',
  headerNames: [],
  status: 'enabled',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  pausedUntil: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}

const { url: _exampleUrl, ...exampleWithoutUrl } = subscriptionExample

export { exampleWithoutUrl }
