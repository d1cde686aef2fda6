/** A webhook receiver on loopback: it keeps deliveries and answers as the test defines. */

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { leadsImported, leadWithdrawn } from '../src/features/leads/events.ts'
import { createDeliveries } from '../src/features/webhooks/create-deliveries.ts'
import type { CreatedSubscription, DeliveryWithEvent } from '../src/features/webhooks/schemas.ts'
import { emit, emitMany } from '../src/kit/events/emit.ts'
import { newId } from '../src/kit/id.ts'
import type { Static } from '../src/kit/schema.ts'
import { eventually } from './harness.ts'
import type { TestTenant } from './tenant.ts'

export interface Delivery {
  headers: IncomingHttpHeaders
  body: string
  /** The parsed body. */
  event: {
    id: string
    type: string
    timestamp: string
    environment: string
    workspaceId: string
    sequence: number
    data: Record<string, unknown>
  }
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface Receiver {
  url: string
  /** In order of arrival, including unanswered ones. */
  deliveries: Delivery[]
  /**
   * Returns the answer of a delivery. A pending promise is a hanging receiver. Null: the function handles the
   * response or its connection itself.
   */
  answer: (delivery: Delivery, response: ServerResponse) => Answer | null | Promise<Answer>
  /** Closes the port; `start` opens the same port again. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a receiver that answers 204. */
export async function startReceiver(answer: Receiver['answer'] = () => ({ status: 204 })): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null)
    // The sender was killed.
    if (body === null) return
    const delivery = { headers: request.headers, body, event: JSON.parse(body) }
    receiver.deliveries.push(delivery)
    const answer = await receiver.answer(delivery, response)
    if (!answer) return
    const { status, headers = {}, body: reply = '' } = answer
    response.writeHead(status, headers).end(reply)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    async start() {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    deliveries: [],
    answer,
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}

/** Starts a receiver that stops when the test ends. */
export async function startReceiverForTest(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  onTestFinished(() => receiver.stop())
  return receiver
}

/** Subscribes a receiver through the API, by default to all event types. */
export async function subscribe(
  tenant: TestTenant,
  { url }: Pick<Receiver, 'url'>,
  events?: string[],
): Promise<Static<typeof CreatedSubscription>> {
  const body = { url, ...(events ? { events } : {}) }
  const reply = await tenant.call<Static<typeof CreatedSubscription>>('POST', '/webhooks', { body })
  if (reply.status !== 201) throw new Error(`POST /webhooks answered ${reply.status}: ${reply.text}`)
  return reply.body
}

/** Waits for at least `count` deliveries. Returns all. */
export const waitForDeliveries = (
  { deliveries }: Receiver,
  count = 1,
  timeoutMs?: number,
): Promise<Delivery[]> =>
  eventually(
    async () => deliveries,
    all => all.length >= count,
    timeoutMs,
  )

/** Emits `count` events of different leads in one transaction. Returns the event ids. */
export const emitWithdrawals = (tenant: TestTenant, count: number): Promise<string[]> =>
  tenant.inTenant(tx => {
    const leads = Array.from({ length: count }, () => ({ ...leadWithdrawn.example, leadId: newId() }))
    return emitMany(tx, leadWithdrawn, leads)
  })

/** Emits an event with `number`, which identifies it. Returns its id. */
export const emitImported = (tenant: TestTenant, number = 0): Promise<string> =>
  tenant.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, created: number }))

/** Reads the newest delivery of a subscription, with all its attempts. */
export async function getNewestDelivery(
  { call }: TestTenant,
  subscriptionId: string,
): Promise<Static<typeof DeliveryWithEvent>> {
  const path = `/webhooks/${subscriptionId}/deliveries`
  const { body } = await call<{ data: { id: string }[] }>('GET', `${path}?limit=1`)
  return (await call<Static<typeof DeliveryWithEvent>>('GET', `${path}/${body.data[0]!.id}`)).body
}

/** Counts sent, received and lost events, and repeated deliveries. */
export function countDeliveries(eventIds: string[], { deliveries }: Pick<Receiver, 'deliveries'>) {
  const ids = deliveries.map(({ headers }) => headers['webhook-id'])
  const arrived = new Set(ids)
  const received = eventIds.filter(id => arrived.has(id)).length
  return {
    sent: eventIds.length,
    received,
    lost: eventIds.length - received,
    repeated: ids.length - arrived.size,
  }
}

/** Verifies a signature by the Standard Webhooks specification. */
export function isSignedWith(
  secret: string,
  message: { id: unknown; timestamp: unknown; signatures: unknown; body: string },
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const text = `${message.id}.${message.timestamp}.${message.body}`
  const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(message.signatures).split(' ').includes(expected)
}

/** Verifies the signature of a delivery, and that it was sent within the last minute. */
export function hasValidSignature(secret: string, { headers, body }: Delivery): boolean {
  const timestamp = headers['webhook-timestamp']
  const signed = { id: headers['webhook-id'], timestamp, signatures: headers['webhook-signature'], body }
  return Math.abs(Date.now() / 1000 - Number(timestamp)) < 60 && isSignedWith(secret, signed)
}

/** Creates the deliveries of events like a sender, without sending them. */
export const createPendingDeliveries = (tenant: TestTenant, subscriptionId: string): Promise<number> =>
  tenant.inTenant(tx => createDeliveries(tx, subscriptionId, 100))
