/** Webhook deliveries as an outbox: each subscription is a destination; events of one object are sent in order. */
import type { Cipher } from '../../../kit/crypto.ts'
import type { HttpClient } from '../../../kit/http/client.ts'
import type { CounterDefinition, Metrics } from '../../../kit/metrics.ts'
import type { Outbox } from '../../../kit/outbox/outbox.ts'
import { erasedTopic } from '../erasure.ts'
import type { Catalogue } from '../events.ts'
import { deliveriesTopic } from '../notify-senders.ts'
import { attempt, type DeliveryAttempt, type Receiver } from './attempt.ts'
import {
  claimDue,
  type DueDelivery,
  listDueSubscriptions,
  recordAttempts,
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
  /** Overrides the timeout of 15 s, for tests. */
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
    topics: { due: deliveriesTopic, changed: subscriptionsTopic, erased: erasedTopic },
    concurrency: { first: 4, max: 16 },
    batch: 200,
    listDue: listDueSubscriptions,
    claim: (tx, subscriptionId, options) =>
      claimDue(tx, { cipher, catalogue }, { subscriptionId, ...options }),
    async send(receiver, { eventId, body }, { forceStop: signal }) {
      const made = await attempt(
        http,
        receiver,
        { id: eventId, body },
        { signal, timeoutMs: receiverTimeoutMs },
      )
      metrics.counter(deliveries).inc({ result: made.error === null ? 'delivered' : 'failed' })
      return made
    },
    record: recordAttempts,
    logFailures(log, subscriptionId, failed) {
      const { target, attempt } = failed.at(-1)!
      // Only the host: paths and queries of receivers may hold secrets.
      const { host } = new URL(target.url)
      log.warn(
        { subscriptionId, host, count: failed.length, error: attempt.error },
        'webhooks were not delivered',
      )
    },
  }
}
