/** Webhooks: subscriptions to events and signed deliveries, by the Standard Webhooks specification. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { eraseMessages } from '../privacy/service.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { eraseReplies, eraseMessages as eraseStoredMessages } from './erasure.ts'
import { createCatalogue, webhookEvents } from './events.ts'
import { feedRoute } from './feed-routes.ts'
import { deliveryPruneSchedule, failPendingDeliveries, pruneDeliveries } from './jobs.ts'
import { notifySendersOfEvent } from './notify-senders.ts'
import { type WebhooksDependencies, webhookRoutes } from './routes.ts'
import { webhookSchemas } from './schemas.ts'
import { webhookOutbox } from './sending/outbox.ts'

export function webhooks(dependencies: WebhooksDependencies): Feature {
  const catalogue = createCatalogue(dependencies.events)
  const schemas = webhookSchemas([...catalogue.keys()])
  return {
    name: 'webhooks',
    tags: { Webhooks: 'Signed notifications of events, by the Standard Webhooks specification.' },
    messages: {
      tag: 'Webhooks',
      description:
        'Sent to each subscription to this type, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
      responses: {
        '2XX': 'The message was received. Any other status is retried.',
        '4XX': 'The message is retried; 410 disables the subscription.',
      },
    },
    scopes: ['webhooks:read', 'webhooks:write'],
    routes: [
      ...webhookRoutes(dependencies, catalogue, schemas),
      ...deliveryRoutes(catalogue, schemas),
      feedRoute(catalogue),
    ],
    jobs: [failPendingDeliveries, pruneDeliveries],
    scheduledTasks: [deliveryPruneSchedule],
    events: webhookEvents,
    encryptedColumns: ['secret', 'previous_secrets', 'headers'].map(column => ({
      table: 'webhook_subscriptions',
      column,
      key: ['id'],
    })),
    subscribers: [{ name: 'webhooks', on: 'all', onEmitted: notifySendersOfEvent, onErased: eraseReplies }],
    hooks: [on(eraseMessages, eraseStoredMessages)],
    outboxes: [webhookOutbox({ ...dependencies, catalogue })],
  }
}
