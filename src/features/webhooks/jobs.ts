/** Delivers events to subscribers: at least once, signed, with growing waits, each receiver on its own. */

import type { Cipher } from '../../kit/crypto.ts'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/enqueue.ts'
import { type HttpClient, HttpFailure, type HttpReply } from '../../kit/http/client.ts'
import { job } from '../../kit/job.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { judge } from './judge.ts'
import * as queries from './queries.ts'
import { sign } from './signature.ts'

export interface WebhooksDependencies {
  http: HttpClient
  cipher: Cipher
  metrics: Metrics
}

const deliverName = 'deliver-webhook'
const timeoutMs = 15_000
const replyMaxBytes = 64 * 1024
const failingDaysMax = 5

/** One delivery per subscription that wants the event. */
export const fanOutEvent = job<{ eventId: string; type: string }>({
  name: 'fan-out-event',
  on: '*',
  hears: queries.isAnySubscribed,
  async run({ eventId, type }, { database, tenantId }) {
    await database.withTenant({ tenantId }, async tx => {
      for (const delivery of await queries.insertDeliveries(tx, eventId, type))
        await enqueueDelivery(tx, delivery, new Date())
    })
  },
})

/** One attempt. The next one, if any, is enqueued in the transaction that records this one. */
export function deliverWebhook({ http, cipher, metrics }: WebhooksDependencies) {
  return job<{ deliveryId: string }>({
    name: deliverName,
    async run({ deliveryId }, { database, tenantId, log }) {
      const delivery = await database.withTenant({ tenantId }, tx =>
        queries.findPendingDelivery(tx, deliveryId),
      )
      if (!delivery) return
      const reply = await send(http, delivery, cipher.decrypt(delivery.secret))
      const result = judge(reply, delivery.attempts)
      metrics.webhookDeliveries.inc({ result: result.delivered ? 'delivered' : 'failed' })
      if (!result.delivered)
        log.warn({ deliveryId, url: delivery.url, error: result.error }, 'a webhook was not delivered')
      await database.withTenant({ tenantId }, async tx => {
        await queries.recordAttempt(tx, delivery, result)
        if (result.responseStatus === 410)
          await queries.disableWebhook(tx, delivery.webhookId, 'The receiver answered 410 Gone.', 0)
        else if (!result.delivered)
          await queries.disableWebhook(
            tx,
            delivery.webhookId,
            `Deliveries have failed for ${failingDaysMax} days.`,
            failingDaysMax,
          )
        if (result.nextAttemptAt) await enqueueDelivery(tx, delivery, result.nextAttemptAt)
      })
    },
  })
}

/**
 * Deliveries to one subscription run one after another, so that a slow receiver holds up itself alone. A delivery has
 * one job at most: the next attempt takes the place of this one, should a killed worker leave it behind.
 */
function enqueueDelivery(
  tx: Tx,
  { id, webhookId }: { id: string; webhookId: string },
  runAt: Date,
): Promise<void> {
  const place = { jobKey: `${deliverName}:${id}`, queueName: `webhook ${webhookId}` }
  return enqueue(tx, deliverName, { deliveryId: id }, { runAt, ...place })
}

async function send(
  http: HttpClient,
  delivery: queries.PendingDelivery,
  secret: string,
): Promise<HttpReply | HttpFailure> {
  const body = JSON.stringify(delivery.event)
  const timestampSeconds = Math.floor(Date.now() / 1000)
  try {
    return await http.fetch(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Aldaba-Webhooks/1.0',
        'webhook-id': delivery.event.id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': sign(secret, { id: delivery.event.id, timestampSeconds, body }),
      },
      body,
      timeoutMs,
      bodyMaxBytes: replyMaxBytes,
    })
  } catch (error) {
    if (error instanceof HttpFailure) return error
    throw error
  }
}
