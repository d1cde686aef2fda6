/** What webhook subscriptions and their deliveries look like from outside. */
import { pageQuery } from '../../kit/page.ts'
import { byName, closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'
import { eventTypes } from './events.ts'

const events = Type.Array(oneOf(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Kinds of events to be told of; `*` is all of them.',
})
const url = Type.String({
  ...{ format: 'uri', maxLength: 2000 },
  description: 'Where to send them. Over `http:` anybody on the way can read them.',
})
const description = nullable(Type.String({ maxLength: 500, description: 'For people.' }))
const headers = byName(Type.String({ maxLength: 2000 }), 200, {
  maxProperties: 20,
  description:
    'Further headers to be sent, such as `Authorization`. Their values are stored encrypted and never shown.',
})
const optional = { description: Type.Optional(description), headers: Type.Optional(headers) }

export const NewWebhook = closed(
  { url, events: Type.Optional({ ...events, default: ['*'] }), ...optional },
  { title: 'NewWebhook' },
)
export const WebhookChanges = closed(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    ...optional,
    status: Type.Optional(
      oneOf(['enabled', 'disabled'], {
        description:
          'What a disabled subscription was still to be told has failed, and what happens meanwhile it is not told; `recover` brings both back.',
      }),
    ),
  },
  { title: 'WebhookChanges' },
)
export type WebhookChanges = Static<typeof WebhookChanges>

const fields = {
  id: id('The subscription.'),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description,
  headerNames: Type.Array(Type.String(), {
    description: 'Names of the further headers, in alphabetical order.',
  }),
  status: oneOf(['enabled', 'disabled']),
  disabledReason: nullable(Type.String()),
  disabledAt: nullable(time('Disabled.')),
  failingSince: nullable(time('Since when every attempt has failed; null: the last one did not.')),
  pausedUntil: nullable(time('Its receiver asked not to be called before (Retry-After).')),
  createdAt: time('Created.'),
  updatedAt: time('Last changed.'),
}

export const Webhook = closed(fields, { title: 'Webhook' })
export const CreatedWebhook = closed(
  { ...fields, secret: Type.String({ description: 'Verifies signatures. Shown this once.' }) },
  { title: 'CreatedWebhook' },
)

export const SecretRotation = closed(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: 168, default: 24 },
        description:
          'For so long the secrets until now sign beside the new one. 0 for a secret that leaked: none but the new one signs.',
      }),
    ),
  },
  { title: 'SecretRotation' },
)
export const RotatedSecret = closed(
  {
    secret: Type.String({ description: 'The new one. Shown this once.' }),
    formerSecretUntil: nullable(
      time('Until when the former secret signs as well; null: it does not any more.'),
    ),
  },
  { title: 'RotatedSecret' },
)

export const EventType = closed(
  {
    type: Type.String(),
    summary: Type.String(),
    schema: Type.Unsafe<object>({
      type: 'object',
      description: 'JSON Schema 2020-12 of what is sent, `data` included.',
    }),
    example: Type.Unsafe<object>({ type: 'object', description: 'What is sent.' }),
  },
  { title: 'EventType' },
)

export const Attempt = closed(
  {
    at: time('Begun.'),
    responseStatus: nullable(Type.Integer({ description: 'Null: no reply came.' })),
    durationMs: nullable(Type.Integer()),
    responseBody: nullable(
      Type.String({ description: 'The first 4 KB of the reply, as UTF-8; null: none came.' }),
    ),
    error: nullable(Type.String({ description: 'Why it is no delivery; null: it is one.' })),
  },
  { title: 'WebhookAttempt' },
)

const deliveryStatus = oneOf(['pending', 'delivered', 'failed'])
const deliveryFields = {
  id: id('The delivery.'),
  webhookId: id('The subscription.'),
  eventId: id('The event: the `webhook-id` of every attempt.'),
  eventType: Type.String(),
  isTest: Type.Boolean({ description: 'An example that somebody asked for.' }),
  status: deliveryStatus,
  attemptCount: Type.Integer({ description: 'Attempts since it was last sent by somebody; at most 8.' }),
  lastAttempt: nullable(Attempt),
  nextAttemptAt: nullable(time('The next attempt; null: there will be none.')),
  createdAt: time('Created.'),
  deliveredAt: nullable(time('Delivered.')),
}
export const Delivery = closed(deliveryFields, { title: 'WebhookDelivery' })
export const DeliveryWithEvent = closed(
  {
    ...deliveryFields,
    attempts: Type.Array(Attempt, { description: 'The last 20, oldest first.' }),
    event: Type.Unsafe<object>({ type: 'object', description: 'What is sent.' }),
  },
  { title: 'WebhookDeliveryWithEvent' },
)
export const DeliveryFilter = closed({
  ...pageQuery,
  status: Type.Optional(deliveryStatus),
  eventType: Type.Optional(oneOf(eventTypes)),
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const TestRequest = closed(
  {
    eventType: Type.Optional(
      oneOf(eventTypes, {
        default: 'webhook.test',
        description: 'The kind whose example is sent; its `sequence` is 0, as it tells of nothing.',
      }),
    ),
  },
  { title: 'WebhookTest' },
)

export const Recovery = closed(
  { since: time('Of events from then on; 30 days back at most.') },
  { title: 'WebhookRecovery' },
)
export const Recovered = closed(
  {
    recovered: Type.Integer({ description: 'Deliveries that are made now.' }),
    nextSince: nullable(time('There may be more: ask again with it as `since`. Null: those were all.')),
  },
  { title: 'WebhookRecovered' },
)

export const StatsQuery = closed({
  hours: Type.Integer({ minimum: 1, maximum: 720, default: 24, description: 'Of events in so many hours.' }),
})
export const Stats = closed(
  {
    since: time('Of events from then on.'),
    pending: Type.Integer(),
    delivered: Type.Integer(),
    failed: Type.Integer({ description: 'Given up.' }),
    attempts: Type.Integer(),
    successRate: nullable(
      Type.Number({ description: 'Delivered, of those that are no longer pending: 0 to 1.' }),
    ),
    medianMs: nullable(Type.Number({ description: 'Of the last attempt at each.' })),
    p95Ms: nullable(Type.Number()),
    lastDeliveredAt: nullable(time('The last delivery.')),
  },
  { title: 'WebhookStats' },
)

export const webhookExample: Static<typeof Webhook> = {
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

export const deliveryExample: Static<typeof Delivery> = {
  id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  webhookId: webhookExample.id,
  eventId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  eventType: 'leads.imported',
  isTest: false,
  status: 'delivered',
  attemptCount: 1,
  lastAttempt: {
    at: '2026-11-02T10:00:00.100Z',
    responseStatus: 200,
    durationMs: 41,
    responseBody: 'ok',
    error: null,
  },
  nextAttemptAt: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  deliveredAt: '2026-11-02T10:00:00.141Z',
}
