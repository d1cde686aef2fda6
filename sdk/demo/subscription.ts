/** A webhook receiver on loopback, subscribed while the demo runs. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, verifyWebhook, type WebhookEvent } from '../index.ts'

/** A received webhook: an event with a verified signature, or the reason for its rejection. */
export type WebhookArrival = { event: WebhookEvent } | { rejection: string }

export interface Subscription extends AsyncDisposable {
  /** URL of the receiver. */
  url: string
  /** All webhooks in order, buffered until they are read. */
  arrivals: ReadableStream<WebhookArrival>
}

const description = 'npm run demo'

/** Starts the receiver and subscribes it to the events of extractions. Disposing of it ends both. */
export async function subscribe(aldaba: Client): Promise<Subscription> {
  const secret = Promise.withResolvers<string>()
  let queue!: ReadableStreamDefaultController<WebhookArrival>
  const arrivals = new ReadableStream<WebhookArrival>({
    start(controller) {
      queue = controller
    },
  })
  const http = createServer(async (request, response) => {
    const arrival = await receive(request, await secret.promise)
    response.writeHead('event' in arrival ? 204 : 400).end()
    queue.enqueue(arrival)
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  // The receiver must not keep the demo running; the Aldaba server does.
  http.unref()

  // Deletes the subscriptions of demos that were killed; the server would retry their deliveries.
  for await (const webhook of aldaba.list('listSubscriptions')) {
    if (webhook.description === description)
      await aldaba.call('deleteSubscription', { params: { id: webhook.id } })
  }
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const webhook = await aldaba.call('createSubscription', {
    body: {
      url,
      events: ['extraction.completed', 'extraction.failed', 'leads.imported'],
      description,
    },
  })
  secret.resolve(webhook.secret)
  return {
    url,
    arrivals,
    async [Symbol.asyncDispose]() {
      // If the server is already gone, the next demo deletes the subscription.
      await aldaba.call('deleteSubscription', { params: { id: webhook.id } }).catch(() => {})
      http.closeAllConnections()
      http.close()
      queue.close()
    },
  }
}

async function receive(request: IncomingMessage, secret: string): Promise<WebhookArrival> {
  try {
    return { event: await verifyWebhook({ secret, headers: request.headers, body: await text(request) }) }
  } catch (error) {
    return { rejection: (error as Error).message }
  }
}
