/** Webhooks: subscriptions to events and their delivery, signed as Standard Webhooks has it. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { forgetMessages } from '../privacy/service.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { catalogueOf, webhookEvents } from './events.ts'
import { feedRoute } from './feed-routes.ts'
import { forgetMessagesOf, forgetWhatWasSent } from './forgetting.ts'
import { deliveriesExpire, failPendingWebhooks, pruneDeliveries } from './jobs.ts'
import { type WebhooksDependencies, webhookRoutes } from './routes.ts'
import { webhookSchemas } from './schemas.ts'
import { webhookOutbox } from './sending/outbox.ts'
import { wakeSendersOf } from './waking.ts'

export function webhooks(dependencies: WebhooksDependencies): Feature {
  const catalogue = catalogueOf(dependencies.events)
  const schemas = webhookSchemas([...catalogue.keys()])
  return {
    name: 'webhooks',
    tags: { Webhooks: 'Signed notifications of events, by the Standard Webhooks specification.' },
    messages: {
      tag: 'Webhooks',
      description:
        'Sent to each subscription of this type, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
      responses: {
        '2XX': 'The message was received. Anything else is retried.',
        '4XX': 'The message is retried; 410 disables the subscription.',
      },
    },
    scopes: ['webhooks:read', 'webhooks:write'],
    routes: [
      ...webhookRoutes(dependencies, catalogue, schemas),
      ...deliveryRoutes(catalogue, schemas),
      feedRoute(catalogue),
    ],
    jobs: [failPendingWebhooks, pruneDeliveries],
    waits: [deliveriesExpire],
    events: webhookEvents,
    encryptedColumns: ['secret', 'former_secrets', 'headers'].map(column => ({
      table: 'webhooks',
      column,
      key: ['id'],
    })),
    subscribers: [{ name: 'webhooks', on: 'all', emitted: wakeSendersOf, forgotten: forgetWhatWasSent }],
    hooks: [on(forgetMessages, forgetMessagesOf)],
    outboxes: [webhookOutbox({ ...dependencies, catalogue })],
  }
}
