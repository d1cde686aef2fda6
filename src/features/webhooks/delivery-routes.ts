/** Deliveries over HTTP: listing, testing, resending and recovering them. */

import type { Tx } from '../../kit/db/index.ts'
import { messageExample } from '../../kit/events/event-schema.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { longPollQuery, waitUntilEnded } from '../../kit/operations/long-poll.ts'
import { createPager, pageSchema } from '../../kit/page.ts'
import { type InputError, notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import { leadsImported } from '../leads/events.ts'
import * as queries from './delivery-queries.ts'
import { type Catalogue, webhookTest } from './events.ts'
import { findSubscription, lockSubscription } from './queries.ts'
import {
  Delivery,
  DeliveryWithEvent,
  deliveryExample,
  Recovered,
  Recovery,
  Stats,
  StatsQuery,
  type webhookSchemas,
} from './schemas.ts'
import { deliveryTopic } from './sending/queries.ts'

const tag = 'Webhooks'
const disabledMessage = 'The subscription is disabled. Enable it first: PATCH it with `"status": "enabled"`.'
const params = strictObject({ id: id('The subscription.') })
const deliveryParams = strictObject({ id: id('The subscription.'), deliveryId: id('The delivery.') })
const pendingExample = {
  ...deliveryExample,
  status: 'pending' as const,
  attemptCount: 0,
  lastAttempt: null,
  deliveredAt: null,
  nextAttemptAt: deliveryExample.createdAt,
}

export function deliveryRoutes(
  catalogue: Catalogue,
  { DeliveryFilter, TestRequest }: ReturnType<typeof webhookSchemas>,
): Route[] {
  return [
    route({
      method: 'POST',
      path: '/webhooks/{id}/test',
      operation: 'testSubscription',
      tag,
      summary: 'Send a test event',
      description:
        'An example of the event is sent at once, to this subscription only, even if it is not subscribed to that type. Read the result with `GET /webhooks/{id}/deliveries/{deliveryId}?waitSeconds=20`.',
      scope: 'webhooks:write',
      params,
      body: TestRequest,
      example: { eventType: 'lead.created' },
      status: 202,
      reply: Delivery,
      replyExample: { ...pendingExample, eventType: 'lead.created', isTest: true },
      errors: ['INVALID_TRANSITION'],
      errorExamples: { INVALID_TRANSITION: disabledMessage },
      async handle({ params, body, tx }) {
        await lockEnabled(tx, params.id)
        const { eventType = webhookTest.type } = body
        const { type, example } = catalogue.get(eventType)!
        const data = eventType === webhookTest.type ? { subscriptionId: params.id } : example
        const deliveryId = await queries.insertTestDelivery(tx, params.id, { type, data })
        return toJsonText((await queries.findDelivery(tx, params.id, deliveryId))!)
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      operation: 'listWebhookDeliveries',
      tag,
      summary: 'List deliveries, newest events first',
      description: `Deliveries are kept for ${queries.retentionDays} days. If many events are pending, the list shows only the next few hundred of them.`,
      scope: 'webhooks:read',
      params,
      query: DeliveryFilter,
      status: 200,
      reply: pageSchema(Delivery),
      replyExample: { data: [deliveryExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ params, query, caller, tx }) {
        if (!(await findSubscription(tx, params.id))) throw notFound('subscription')
        const pager = createPager(`webhooks/${params.id}/deliveries`, caller.tenantId, query)
        return pager.reply(await queries.listDeliveries(tx, params.id, query, pager.after))
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks/{id}/deliveries/{deliveryId}',
      operation: 'getWebhookDelivery',
      tag,
      summary: 'Retrieve a delivery, its attempts and its message',
      scope: 'webhooks:read',
      params: deliveryParams,
      query: strictObject(longPollQuery),
      status: 200,
      reply: DeliveryWithEvent,
      replyExample: {
        ...deliveryExample,
        attempts: [deliveryExample.lastAttempt!],
        event: messageExample(leadsImported),
      },
      async prepare({ params, query, caller, database, signal }) {
        await waitUntilEnded(database, caller, {
          topic: deliveryTopic(params.deliveryId),
          hasEnded: tx => queries.wasAttempted(tx, params.deliveryId),
          waitSeconds: query.waitSeconds,
          signal,
        })
      },
      async handle({ params, tx }) {
        const json = await queries.findDelivery(tx, params.id, params.deliveryId, { withAttempts: true })
        if (!json) throw notFound('delivery')
        return toJsonText(
          `${json.slice(0, -1)},"event":${await queries.readMessage(tx, catalogue, params.deliveryId)}}`,
        )
      },
    }),
    route({
      method: 'POST',
      path: '/webhooks/{id}/deliveries/{deliveryId}/resend',
      operation: 'resendWebhookDelivery',
      tag,
      summary: 'Send a delivery again',
      description:
        'It is sent with the same `webhook-id`, so that the receiver recognizes a repetition. If it fails, it is retried like a new delivery.',
      scope: 'webhooks:write',
      params: deliveryParams,
      status: 202,
      reply: Delivery,
      replyExample: pendingExample,
      errors: ['INVALID_TRANSITION'],
      errorExamples: { INVALID_TRANSITION: disabledMessage },
      async handle({ params, tx }) {
        await lockEnabled(tx, params.id)
        if (!(await queries.findDelivery(tx, params.id, params.deliveryId))) throw notFound('delivery')
        await queries.resendDelivery(tx, params.id, params.deliveryId)
        return toJsonText((await queries.findDelivery(tx, params.id, params.deliveryId))!)
      },
    }),
    route({
      method: 'POST',
      path: '/webhooks/{id}/recover',
      operation: 'recoverDeliveries',
      tag,
      summary: 'Resend all failed deliveries since a time',
      description:
        'This includes deliveries that wait for a retry, and events from the time when the subscription was disabled. Delivered events are not sent again. One request handles the oldest 10,000 events; `nextSince` is the time to continue from.',
      scope: 'webhooks:write',
      params,
      body: Recovery,
      example: { since: '2026-11-01T00:00:00Z' },
      status: 202,
      reply: Recovered,
      replyExample: { recovered: 240, nextSince: null },
      errors: ['INVALID_TRANSITION'],
      errorExamples: { INVALID_TRANSITION: disabledMessage },
      check: ({ body, now }) => validateRecovery(body, now),
      async handle({ params, body, tx }) {
        await lockEnabled(tx, params.id)
        return queries.recoverDeliveries(tx, params.id, new Date(body.since))
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks/{id}/stats',
      operation: 'getSubscriptionStats',
      tag,
      summary: 'Retrieve the statistics of a subscription',
      scope: 'webhooks:read',
      params,
      query: StatsQuery,
      status: 200,
      reply: Stats,
      replyExample: {
        since: '2026-11-01T10:00:00.000Z',
        pending: 0,
        delivered: 240,
        failed: 2,
        attempts: 251,
        successRate: 0.992,
        medianMs: 38,
        p95Ms: 120,
        lastDeliveredAt: '2026-11-02T10:00:00.141Z',
      },
      async handle({ params, query, tx }) {
        if (!(await findSubscription(tx, params.id))) throw notFound('subscription')
        return toJsonText(await queries.readStats(tx, params.id, query.hours))
      },
    }),
  ]
}

async function lockEnabled(tx: Tx, subscriptionId: string): Promise<void> {
  const subscription = await lockSubscription(tx, subscriptionId)
  if (!subscription) throw notFound('subscription')
  if (subscription.status === 'disabled') throw new Problem('INVALID_TRANSITION', disabledMessage)
}

function validateRecovery({ since }: { since?: string }, now: Date): InputError[] {
  if (since === undefined || Date.parse(since) >= now.getTime() - queries.retentionDays * 86_400_000)
    return []
  const message = `must be at most ${queries.retentionDays} days ago: older deliveries are deleted`
  return [{ path: '/since', code: 'TOO_OLD', message }]
}
