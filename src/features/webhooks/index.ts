/** Webhooks: signed notifications of what happens, to addresses that asked for them. */
import type { Feature } from '../../kit/route.ts'
import { deliverWebhook, fanOutEvent, type WebhooksDependencies } from './jobs.ts'
import { webhookRoutes } from './routes.ts'

export function webhooks(dependencies: WebhooksDependencies): Feature {
  return {
    name: 'webhooks',
    routes: webhookRoutes(dependencies),
    jobs: [fanOutEvent, deliverWebhook(dependencies)],
    events: [],
  }
}
