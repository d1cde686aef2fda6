/** The events of subscriptions, and the types of events to subscribe to: all that the features emit. */
import { type CarriedObject, event } from '../../kit/event.ts'
import { closed, id, nullable, oneOf, time } from '../../kit/schema.ts'
import { extractionEvents } from '../extractions/events.ts'
import { identityEvents } from '../identity/events.ts'
import { leadEvents } from '../leads/events.ts'
import { valuationEvents } from '../valuations/events.ts'
import { readWebhooks } from './queries.ts'
import { exampleWithoutUrl, WebhookWithoutUrl } from './webhook-schema.ts'

const carries: CarriedObject = {
  name: 'webhook',
  schema: WebhookWithoutUrl,
  example: exampleWithoutUrl,
  read: readWebhooks,
}

export const webhookDisabled = event({
  type: 'webhook.disabled',
  object: ['webhookId'],
  carries,
  summary: 'A webhook subscription was disabled, because its receiver is gone or has failed for five days',
  data: closed({
    webhookId: id('The subscription.'),
    cause: oneOf(['gone', 'failures'], {
      description: 'Why. `gone`: the receiver replied 410; `failures`: every attempt failed for five days.',
    }),
    failingSince: nullable(time('When the first attempt failed; null: the receiver replied 410 at once.')),
  }),
  example: {
    webhookId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    cause: 'failures',
    failingSince: '2026-10-28T10:00:00.000Z',
  },
})

export const webhookTest = event({
  type: 'webhook.test',
  object: ['webhookId'],
  summary: 'A user tests a subscription; sent to that subscription alone, whatever its `events` are',
  data: closed({ webhookId: id('The subscription.') }),
  example: { webhookId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f' },
})

export const webhookEvents = [webhookDisabled, webhookTest]

/** Every kind there is. */
export const allEvents = [
  ...extractionEvents,
  ...identityEvents,
  ...leadEvents,
  ...valuationEvents,
  ...webhookEvents,
]
export const eventTypes = allEvents.map(({ type }) => type)
