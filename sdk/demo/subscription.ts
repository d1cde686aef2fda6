/** A receiver of webhooks on loopback, subscribed for as long as the demo runs. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, verifyWebhook, type WebhookEvent } from '../index.ts'

/** A webhook as it arrived: an event whose signature was verified, or why it was refused. */
export type WebhookArrival = { event: WebhookEvent } | { rejection: string }

export interface Subscription extends AsyncDisposable {
  /** Where the receiver is. */
  url: string
  /** Every webhook in its turn, kept until it is read. */
  arrivals: ReadableStream<WebhookArrival>
}

const description = 'npm run demo'

/** Starts the receiver and subscribes it to what extractions bring. Disposing of it ends both. */
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
  // The server is what keeps the demo running.
  http.unref()

  // What a demo that was killed has left behind would be tried again and again.
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
      // If the server is gone already, the next demo cleans up.
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
