/** Messages embed the current object, equally in the feed, in webhooks and in deliveries; never an erased person. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import {
  getNewestDelivery,
  type Receiver,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { embeddedMaxBytes } from '../../kit/events/event-schema.ts'
import { newId } from '../../kit/id.ts'
import { extractionCancelled } from '../extractions/events.ts'
import { extractionExample } from '../extractions/schemas.ts'
import type { Lead } from '../leads/schemas.ts'
import { eraseMessages } from './erasure.ts'
import { disableSubscription } from './subscription-status.ts'

interface Message {
  type: string
  data: Record<string, unknown>
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

/** The messages on the first page of the feed that contain this id. */
async function listMessages(objectId: string, reader = tenant): Promise<Message[]> {
  const { body, status, text } = await reader.call<{ data: Message[] }>('GET', '/events?limit=200')
  if (status !== 200) throw new Error(`GET /events answered ${status}: ${text}`)
  return body.data.filter(({ data }) => Object.values(data).includes(objectId))
}

async function makeLead(body: object): Promise<string> {
  const reply = await tenant.call<Lead>('POST', '/leads', { body })
  expect(reply.status).toBe(201)
  return reply.body.id
}
const person = (name: string, phone: string) => ({
  contact: { name, phone },
  property: { title: `Piso de ${name}` },
})

test('events of a lead embed its current state, or say that it is gone', async () => {
  const leadId = await makeLead(person('Marta Soler', '612345678'))
  await tenant.call('PATCH', `/leads/${leadId}`, { body: { status: 'contacted' } })
  const { body: lead } = await tenant.call<Lead>('GET', `/leads/${leadId}`)
  const embedded = { data: { leadId, lead, objectOmitted: null } }
  expect(await listMessages(leadId)).toMatchObject([
    { type: 'lead.created', ...embedded },
    { type: 'lead.updated', ...embedded },
  ])
  await tenant.call('DELETE', `/leads/${leadId}`)
  const gone = { data: { leadId, lead: null, objectOmitted: 'gone' } }
  expect(await listMessages(leadId)).toMatchObject([
    { type: 'lead.created', ...gone },
    { type: 'lead.updated', ...gone },
    { type: 'lead.deleted', data: { leadId, externalId: null, mergedIntoLeadId: null } },
  ])
})

test('a lead that is too large for a message is omitted, and its events are still listed', async () => {
  const leadId = await makeLead(person('Pere Mas', '612345679'))
  const description = 'ñ'.repeat(embeddedMaxBytes / 2)
  await tenant.inTenant(tx =>
    sql`update leads set description = ${description} where id = ${leadId}`.execute(tx),
  )
  expect(await listMessages(leadId)).toMatchObject([{ data: { lead: null, objectOmitted: 'too_large' } }])
})

test('price changes of listings embed the lead', async () => {
  const reader = await makeTenant(app)
  const [stored] = await seedListings(reader, { 1: { price: 250_000 } })
  await seedListings(reader, { 1: { price: 239_000 } })
  expect(await listMessages(stored!.leadId!, reader)).toMatchObject([
    { type: 'lead.price_changed', data: { price: 239_000, lead: { property: { price: 239_000 } } } },
  ])
})

test('an erased person is in no message except by the id of the lead', async () => {
  const leadId = await makeLead(person('Joana Prat', '+34699887766'))
  await tenant.call('PATCH', `/leads/${leadId}`, { body: { status: 'qualified' } })
  expect((await tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
  const feed = await tenant.call('GET', '/events?limit=200')
  expect(feed.text).not.toMatch(/Joana|699887766/)
  expect(await listMessages(leadId)).toMatchObject([{ type: 'lead.deleted' }])
})

test('events of extractions embed them', async () => {
  const extractionId = newId()
  await tenant.inTenant(async tx => {
    await sql`
      insert into extractions (tenant_id, id, platform, filters, max_results, options, search_key, created_at)
      values (${tenant.tenantId}, ${extractionId}, 'portal_a', ${JSON.stringify(extractionExample.filters)}::jsonb, 10,
        ${JSON.stringify(extractionExample.options)}::jsonb, 'key', now())`.execute(tx)
    const { progress } = extractionCancelled.example
    await emit(tx, extractionCancelled, { extractionId, platform: 'portal_a', progress })
  })
  const { body: extraction } = await tenant.call('GET', `/extractions/${extractionId}`)
  expect(await listMessages(extractionId)).toMatchObject([
    { type: 'extraction.cancelled', data: { extraction, objectOmitted: null } },
  ])
})

test('a valuation is embedded without the links that open its report', async () => {
  const place = { latitude: 41.3917, longitude: 2.1611 }
  await fillMarket(app.database, 'test', makeListingsAround(place))
  const body = {
    ...place,
    squareMeters: 80,
    bedrooms: 3,
    bathrooms: 2,
    operation: 'sale',
    propertyType: 'homes',
    address: 'Mallorca 214',
  }
  const { body: made, status, text } = await tenant.call<{ id: string }>('POST', '/valuations', { body })
  expect([status, text]).toMatchObject([201, expect.any(String)])
  const { comparables, exclusionCounts, links, share, ...valuation } = made as Record<string, unknown>
  const [message] = await listMessages(made.id)
  expect(message).toMatchObject({ type: 'valuation.created', data: { objectOmitted: null } })
  expect(message!.data.valuation).toEqual(valuation)
})

test('a disabled subscription is embedded without its URL', async () => {
  const receiver = await startReceiverForTest()
  const { id } = await subscribe(tenant, { url: `${receiver.url}?token=secret` })
  await tenant.inTenant(tx => disableSubscription(tx, id, 'failures'))
  const { url, ...subscription } = (await tenant.call('GET', `/webhooks/${id}`)).body as Record<
    string,
    unknown
  >
  const [message] = await listMessages(id)
  expect(message).toMatchObject({ type: 'webhook.disabled', data: { objectOmitted: null } })
  expect(message!.data.subscription).toEqual(subscription)
  expect(JSON.stringify(message)).not.toContain('secret')
})

test('webhooks, the feed and the deliveries show the same message', async () => {
  const reader = await makeTenant(app)
  const receiver = await startReceiverForTest()
  const subscription = await subscribe(reader, receiver)
  await reader.call('POST', '/leads', { body: person('Marta Soler', '612345678') })
  const { event } = (await waitForDeliveries(receiver))[0]!
  const { body } = await reader.call<{ data: Message[] }>('GET', '/events')
  expect(body.data).toEqual([event])
  expect((await getNewestDelivery(reader, subscription.id)).event).toEqual(event)
  expect(event.data).toMatchObject({ lead: { contact: { name: 'Marta Soler' } } })
})

test('a test event embeds an example of its object', async () => {
  const reader = await makeTenant(app)
  const receiver = await startReceiverForTest()
  const { id } = await subscribe(reader, receiver)
  await reader.call('POST', `/webhooks/${id}/test`, { body: { eventType: 'lead.created' } })
  const { event } = (await waitForDeliveries(receiver))[0]!
  expect(event.data).toMatchObject({ lead: { id: event.data.leadId }, objectOmitted: null })
})

test('deleting a lead erases the reply of a receiver that repeats the message', async () => {
  const reader = await makeTenant(app)
  const receiver = await startReceiverForTest(({ body }) => ({ status: 200, body }))
  const subscription = await subscribe(reader, receiver, ['lead.created'])
  const { body } = await reader.call<Lead>('POST', '/leads', { body: person('Joana Prat', '699887766') })
  await waitForDeliveries(receiver)
  const readReply = async () => (await getNewestDelivery(reader, subscription.id)).attempts[0]?.responseBody
  await expect.poll(readReply).toContain('Joana Prat')
  await reader.call('DELETE', `/leads/${body.id}`)
  expect(await readReply()).toBeNull()
})

/**
 * Sends a lead to a receiver that replies with the message once `release` is called. `waitForReply` waits until the reply
 * is stored, and reads it.
 */
async function sendLeadToEchoingReceiver() {
  const reader = await makeTenant(app)
  const released = Promise.withResolvers<void>()
  const receiver = await startReceiverForTest((async ({ body }) => {
    await released.promise
    return { status: 200, body }
  }) satisfies Receiver['answer'])
  const subscription = await subscribe(reader, receiver, ['lead.created'])
  const { body: lead } = await reader.call<Lead>('POST', '/leads', {
    body: person('Joana Prat', '699887766'),
  })
  await waitForDeliveries(receiver)
  const waitForReply = () =>
    eventually(
      async () => (await getNewestDelivery(reader, subscription.id)).attempts,
      attempts => attempts.length > 0,
    )
  // By then the reply has arrived, and recording it waits for a lock.
  const release = async () => {
    released.resolve()
    await sleep(300)
  }
  return { reader, subscription, lead, waitForReply, release }
}
const withoutReply = [{ responseStatus: 200, responseBody: null }]

test('a reply that waits to be recorded while the lead is deleted is recorded without its body', async () => {
  const { reader, subscription, lead, waitForReply, release } = await sendLeadToEchoingReceiver()
  await reader.inTenant(async tx => {
    await sql`select from webhook_subscriptions where id = ${subscription.id} for update`.execute(tx)
    await release()
    expect((await reader.call('DELETE', `/leads/${lead.id}`)).status).toBe(204)
    // Longer than the notification takes.
    await sleep(100)
  })
  expect(await waitForReply()).toMatchObject(withoutReply)
})

test('a reply that comes while its event is being erased is recorded without its body', async () => {
  const { reader, lead, waitForReply, release } = await sendLeadToEchoingReceiver()
  await reader.inTenant(async tx => {
    await eraseMessages(tx, [lead.id])
    await release()
  })
  expect(await waitForReply()).toMatchObject(withoutReply)
})
