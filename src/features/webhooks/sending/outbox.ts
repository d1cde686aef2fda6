/** Webhook deliveries as an outbox: each subscription is a destination, and events of one object come in their order. */
import type { Cipher } from '../../../kit/crypto.ts'
import type { HttpClient } from '../../../kit/http/client.ts'
import type { CounterDefinition, Metrics } from '../../../kit/metrics.ts'
import type { Outbox } from '../../../kit/outbox/outbox.ts'
import type { Catalogue } from '../events.ts'
import { forgottenTopic } from '../forgetting.ts'
import { deliveriesTopic } from '../waking.ts'
import { attempt, type DeliveryAttempt, type Receiver } from './attempt.ts'
import {
  claimDue,
  type DueDelivery,
  listDueSubscriptions,
  recordEnded,
  subscriptionsTopic,
} from './queries.ts'

const deliveries: CounterDefinition<'result'> = {
  name: 'aldaba_webhook_deliveries_total',
  help: 'Attempts to deliver an event, by outcome.',
  labelNames: ['result'],
}

export interface WebhookOutboxDependencies {
  http: HttpClient
  cipher: Cipher
  metrics: Metrics
  catalogue: Catalogue
  /** Other than the usual one, for tests. */
  receiverTimeoutMs?: number | undefined
}

export function webhookOutbox({
  http,
  cipher,
  metrics,
  catalogue,
  receiverTimeoutMs,
}: WebhookOutboxDependencies): Outbox<Receiver, DueDelivery, DeliveryAttempt> {
  return {
    name: 'webhook',
    topics: { due: deliveriesTopic, changed: subscriptionsTopic, forgotten: forgottenTopic },
    concurrency: { first: 4, max: 16 },
    batch: 200,
    listDue: listDueSubscriptions,
    claim: (tx, webhookId, options) => claimDue(tx, { cipher, catalogue }, { webhookId, ...options }),
    async send(receiver, { eventId, body }, signal) {
      const made = await attempt(
        http,
        receiver,
        { id: eventId, body },
        { signal, timeoutMs: receiverTimeoutMs },
      )
      metrics.counter(deliveries).inc({ result: made.error === null ? 'delivered' : 'failed' })
      return made
    },
    record: recordEnded,
    logFailures(log, webhookId, failed) {
      const { target, attempt } = failed.at(-1)!
      // Not its whole address: paths and queries of receivers hold secrets.
      const { host } = new URL(target.url)
      log.warn({ webhookId, host, count: failed.length, error: attempt.error }, 'webhooks were not delivered')
    },
  }
}
