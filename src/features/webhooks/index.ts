/** Webhooks: subscriptions to events and their delivery, signed as Standard Webhooks has it. */
import { on } from '../../kit/hook.ts'
import type { Feature } from '../../kit/route.ts'
import { forgetMessages } from '../privacy/service.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { webhookEvents } from './events.ts'
import { feedRoute } from './feed-routes.ts'
import { forgetWebhookReplies } from './forgetting.ts'
import { failPendingWebhooks, pruneDeliveries } from './jobs.ts'
import { type WebhooksDependencies, webhookRoutes } from './routes.ts'
import { webhookSender } from './sending/sender.ts'

export function webhooks(dependencies: WebhooksDependencies): Feature {
  return {
    name: 'webhooks',
    tags: { Webhooks: 'Signed notifications of events, by the Standard Webhooks specification.' },
    routes: [...webhookRoutes(dependencies), ...deliveryRoutes, feedRoute],
    jobs: [failPendingWebhooks, pruneDeliveries],
    events: webhookEvents,
    hooks: [on(forgetMessages, forgetWebhookReplies)],
    runners: [webhookSender(dependencies)],
  }
}
