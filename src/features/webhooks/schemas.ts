/** API schemas of subscriptions and deliveries. */
import { pageQuery } from '../../kit/page.ts'
import { byName, id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { description, subscriptionExample, subscriptionFields } from './subscription-schema.ts'

const url = Type.String({
  format: 'uri',
  maxLength: 2000,
  description: 'The URL that receives the events. Use `https:`: over `http:` others can read them.',
})
const headers = byName(Type.String({ maxLength: 2000 }), 200, {
  maxProperties: 20,
  description:
    'Additional headers to send, such as `Authorization`. Their values are stored encrypted and never returned.',
})
const optional = { description: Type.Optional(description), headers: Type.Optional(headers) }

export const CreatedSubscription = strictObject(
  {
    ...subscriptionFields,
    secret: Type.String({ description: 'The secret that verifies signatures. It is returned only once.' }),
  },
  { title: 'CreatedSubscription' },
)

export const SecretRotation = strictObject(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description:
          'How many hours the previous secrets sign in addition to the new one. Send 0 for a leaked secret: then only the new one signs.',
      }),
    ),
  },
  { title: 'SecretRotation' },
)
export const RotatedSecret = strictObject(
  {
    secret: Type.String({ description: 'The new secret. It is returned only once.' }),
    previousSecretExpiresAt: nullable(
      time('Until when the previous secret signs as well; null: it no longer signs.'),
    ),
  },
  { title: 'RotatedSecret' },
)

export const EventType = strictObject(
  {
    type: Type.String({ description: 'The type of event, as `events` of a subscription names it.' }),
    summary: Type.String({ description: 'When the event is emitted, for people.' }),
    schema: Type.Unsafe<object>({
      type: 'object',
      description: 'The schema of the message, JSON Schema 2020-12.',
    }),
    example: Type.Unsafe<object>({ type: 'object', description: 'An example of the message.' }),
  },
  { title: 'EventType' },
)

export const Attempt = strictObject(
  {
    at: time('When the attempt began.'),
    responseStatus: nullable(
      Type.Integer({ description: 'The HTTP status of the reply; null: none arrived.' }),
    ),
    durationMs: nullable(
      Type.Integer({ description: 'How long the attempt took, in milliseconds; null: unknown.' }),
    ),
    responseBody: nullable(
      Type.String({ description: 'The first 4 KB of the reply, as UTF-8; null: none arrived.' }),
    ),
    error: nullable(Type.String({ description: 'Why the attempt failed; null: it succeeded.' })),
  },
  { title: 'WebhookAttempt', description: 'An attempt to send the message.' },
)

const deliveryStatus = oneOf(['pending', 'delivered', 'failed'], {
  description: '`pending`: an attempt will follow; `failed`: no attempt will follow.',
})
const deliveryFields = {
  id: id('The delivery.'),
  subscriptionId: id('The subscription.'),
  eventId: id('The event: the `webhook-id` of every attempt.'),
  eventType: Type.String({ description: 'The type of the event.' }),
  isTest: Type.Boolean({ description: 'true: a test event that a user requested.' }),
  status: deliveryStatus,
  attemptCount: Type.Integer({
    description: 'The number of attempts since it was created or resent; at most 8.',
  }),
  lastAttempt: nullable(Attempt),
  nextAttemptAt: nullable(time('When the next attempt is due; null: there will be none.')),
  createdAt: time('When it was created.'),
  deliveredAt: nullable(time('When it was delivered; null: it was not.')),
}
export const Delivery = strictObject(deliveryFields, { title: 'WebhookDelivery' })
export const DeliveryWithEvent = strictObject(
  {
    ...deliveryFields,
    attempts: Type.Array(Attempt, { description: 'The last 20 attempts, oldest first.' }),
    event: Type.Unsafe<object>({ type: 'object', description: 'The message.' }),
  },
  { title: 'WebhookDeliveryWithEvent' },
)
export const Recovery = strictObject(
  { since: time('Recover deliveries of events from this time on; at most 30 days ago.') },
  { title: 'WebhookRecovery' },
)
export const Recovered = strictObject(
  {
    recovered: Type.Integer({ description: 'The number of deliveries created or made due again.' }),
    nextSince: nullable(time('Send it as `since` to recover the rest; null: everything is recovered.')),
  },
  { title: 'WebhookRecovered' },
)

export const StatsQuery = strictObject({
  hours: Type.Integer({
    minimum: 1,
    maximum: 720,
    default: 24,
    description: 'The number of hours to look back.',
  }),
})
export const Stats = strictObject(
  {
    since: time('The start of the period: events from this time on are counted.'),
    pending: Type.Integer({ description: 'The deliveries that wait for an attempt.' }),
    delivered: Type.Integer({ description: 'The deliveries that succeeded.' }),
    failed: Type.Integer({ description: 'The deliveries that failed for good.' }),
    attempts: Type.Integer({ description: 'The attempts of all these deliveries.' }),
    successRate: nullable(
      Type.Number({
        description: 'The share of finished deliveries that succeeded, from 0 to 1; null: none has finished.',
      }),
    ),
    medianMs: nullable(
      Type.Number({ description: 'The median duration of the last attempts, in milliseconds; null: none.' }),
    ),
    p95Ms: nullable(
      Type.Number({ description: 'The 95th percentile of these durations, in milliseconds; null: none.' }),
    ),
    lastDeliveredAt: nullable(time('When a delivery last succeeded; null: never.')),
  },
  { title: 'WebhookStats' },
)

export const deliveryExample: Static<typeof Delivery> = {
  id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  subscriptionId: subscriptionExample.id,
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

/** The schemas that list the event types of all features. */
export function webhookSchemas(eventTypes: string[]) {
  const events = Type.Array(oneOf(['*', ...eventTypes]), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'The types of events to send; `*`: all of them.',
  })
  const NewSubscription = strictObject(
    { url, events: Type.Optional({ ...events, default: ['*'] }), ...optional },
    { title: 'NewSubscription' },
  )
  const SubscriptionChanges = strictObject(
    {
      url: Type.Optional(url),
      events: Type.Optional(events),
      ...optional,
      status: Type.Optional(
        oneOf(['enabled', 'disabled'], {
          description:
            'A disabled subscription receives nothing: its pending deliveries fail, and new events are not sent. After enabling it, `recover` sends both.',
        }),
      ),
    },
    { title: 'SubscriptionChanges' },
  )
  const DeliveryFilter = strictObject({
    ...pageQuery,
    status: Type.Optional(deliveryStatus),
    eventType: Type.Optional(oneOf(eventTypes, { description: 'Only deliveries of this type of event.' })),
  })

  const TestRequest = strictObject(
    {
      eventType: Type.Optional(
        oneOf(eventTypes, {
          default: 'webhook.test',
          description: 'The type of the event to send; its `sequence` is 0.',
        }),
      ),
    },
    { title: 'WebhookTest' },
  )
  return { NewSubscription, SubscriptionChanges, DeliveryFilter, TestRequest }
}

export type DeliveryFilter = Static<ReturnType<typeof webhookSchemas>['DeliveryFilter']>
