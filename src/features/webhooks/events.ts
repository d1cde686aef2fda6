/** The events of subscriptions, and the catalogue of the events of all features. */
import { type EmbeddedObject, type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject, time } from '../../kit/schema.ts'
import { readSubscriptions } from './queries.ts'
import { exampleWithoutUrl, SubscriptionWithoutUrl } from './subscription-schema.ts'

const embeds: EmbeddedObject = {
  name: 'subscription',
  schema: SubscriptionWithoutUrl,
  example: exampleWithoutUrl,
  read: readSubscriptions,
}

export const webhookDisabled = event({
  type: 'webhook.disabled',
  object: ['subscriptionId'],
  embeds,
  summary: 'A subscription was disabled because its receiver is gone or has failed for five days',
  data: strictObject({
    subscriptionId: id('The subscription.'),
    cause: oneOf(['gone', 'failures'], {
      description: '`gone`: the receiver replied 410; `failures`: every attempt failed for five days.',
    }),
    failingSince: nullable(time('When the first attempt failed; null: the receiver replied 410 at once.')),
  }),
  example: {
    subscriptionId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    cause: 'failures',
    failingSince: '2026-10-28T10:00:00.000Z',
  },
})

export const webhookTest = event({
  type: 'webhook.test',
  object: ['subscriptionId'],
  summary:
    'A user tested a subscription; sent only to that subscription, even if its `events` do not include it',
  data: strictObject({ subscriptionId: id('The subscription.') }),
  example: { subscriptionId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f' },
})

export const webhookEvents = [webhookDisabled, webhookTest]

/** The events of all features by type. */
export type Catalogue = ReadonlyMap<string, EventDefinition>

/** Makes the catalogue from the events of the other features and those of webhooks. */
export function createCatalogue(others: EventDefinition[]): Catalogue {
  return new Map([...others, ...webhookEvents].map(event => [event.type, event]))
}
