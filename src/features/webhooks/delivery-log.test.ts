/** Deliveries over HTTP: test events, lists, single deliveries and statistics. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  createPendingDeliveries,
  emitImported,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { maxIdAt, newId } from '../../kit/id.ts'
import { pollIntervalMs } from '../../kit/operations/long-poll.ts'
import type { Static } from '../../kit/schema.ts'
import { extractionFailed } from '../extractions/events.ts'
import { leadCreated, leadsImported } from '../leads/events.ts'
import type { DeliveryWithEvent, Delivery as Listed, Stats } from './schemas.ts'

type Shown = Static<typeof DeliveryWithEvent>
interface Page {
  data: Static<typeof Listed>[]
  nextCursor: string | null
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const waitForIdle = () => waitUntilIdle(app.database, tenant.tenantId)
const list = async (id: string, query = '') =>
  (await tenant.call<Page>('GET', `/webhooks/${id}/deliveries${query}`)).body

async function sendTest(id: string, body: { eventType?: string } = {}): Promise<Static<typeof Listed>> {
  const reply = await tenant.call<Static<typeof Listed>>('POST', `/webhooks/${id}/test`, { body })
  expect(reply.status, reply.text).toBe(202)
  return reply.body
}

/** Waits until a delivery was attempted. */
async function waitForAttempt(id: string, deliveryId: string): Promise<Shown> {
  const path = `/webhooks/${id}/deliveries/${deliveryId}?waitSeconds=20`
  return (await tenant.call<Shown>('GET', path)).body
}

describe('a test event', () => {
  test('is sent at once to the tested subscription only', async () => {
    tenant = await makeTenant(app)
    const [receiver, bystander] = [await startReceiverForTest(), await startReceiverForTest()]
    const { id } = await subscribe(tenant, receiver, ['lead.created'])
    await subscribe(tenant, bystander)
    const sent = await sendTest(id)
    expect(sent).toMatchObject({
      eventType: 'webhook.test',
      isTest: true,
      status: 'pending',
      lastAttempt: null,
    })
    const { event } = (await waitForDeliveries(receiver))[0]!
    expect(event).toMatchObject({
      id: sent.eventId,
      type: 'webhook.test',
      sequence: 0,
      data: { subscriptionId: id },
    })
    await waitForIdle()
    expect([receiver.deliveries.length, bystander.deliveries.length]).toEqual([1, 0])
  })

  test('can have any type, equals the example in the catalogue, and takes no sequence number', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver, ['leads.imported'])
    await sendTest(id, { eventType: leadCreated.type })
    const { event } = (await waitForDeliveries(receiver))[0]!
    expect(event).toMatchObject({ type: leadCreated.type, sequence: 0, data: leadCreated.example })
    await sendTest(id, { eventType: leadsImported.type })
    await waitForDeliveries(receiver, 2)
    await emitImported(tenant)
    expect((await waitForDeliveries(receiver, 3))[2]!.event).toMatchObject({
      type: leadsImported.type,
      sequence: 1,
    })
  })

  test('can be waited for, and shows the reply of the receiver', async () => {
    tenant = await makeTenant(app)
    const answer = Promise.withResolvers<Answer>()
    const receiver = await startReceiverForTest(() => answer.promise)
    const { id } = await subscribe(tenant, receiver)
    const sent = await sendTest(id)
    const soon = await tenant.call<Shown>('GET', `/webhooks/${id}/deliveries/${sent.id}?waitSeconds=1`)
    expect(soon.body).toMatchObject({ status: 'pending', attemptCount: 0, lastAttempt: null, attempts: [] })
    const waiting = waitForAttempt(id, sent.id)
    await sleep(200)
    // The limit of 4 KB cuts the last character in two.
    answer.resolve({ status: 202, body: `${'a'.repeat(4095)}${'é'.repeat(2000)}` })
    const answeredMs = performance.now()
    const shown = await waiting
    expect(performance.now() - answeredMs).toBeLessThan(pollIntervalMs)
    expect(shown).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      attempts: [{ responseStatus: 202, responseBody: 'a'.repeat(4095), error: null }],
    })
    const [{ at, durationMs }] = shown.attempts as [Shown['attempts'][0]]
    expect(durationMs).toBeGreaterThan(1000)
    expect(shown.deliveredAt).toBe(at)
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  })

  test('that fails shows the reply, and is retried', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 401, body: 'who are you? ¿\u0000?' }))
    const { id } = await subscribe(tenant, receiver)
    const shown = await waitForAttempt(id, (await sendTest(id)).id)
    expect(shown).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      deliveredAt: null,
      nextAttemptAt: expect.any(String),
      attempts: [
        { responseStatus: 401, responseBody: 'who are you? ¿?', error: 'the receiver answered 401' },
      ],
    })
  })

  test('is refused for a disabled subscription, and for an unknown type', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'https://crm.example/hooks' })
    const unknown = await tenant.call<{ errors: { path: string }[] }>('POST', `/webhooks/${id}/test`, {
      body: { eventType: '*' },
    })
    expect([unknown.status, unknown.body.errors[0]!.path]).toEqual([400, '/eventType'])
    await tenant.call('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } })
    const refusal = await tenant.call<{ code: string }>('POST', `/webhooks/${id}/test`, { body: {} })
    expect([refusal.status, refusal.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    expect((await list(id)).data).toEqual([])
  })
})

describe('the list', () => {
  test('shows the newest events first, in pages, filtered if requested', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(({ event }) => ({
      status: event.data.created === 1 ? 500 : 200,
    }))
    const { id } = await subscribe(tenant, receiver)
    const imported: string[] = []
    for (const number of [0, 1, 2]) imported.unshift(await emitImported(tenant, number))
    const failed = await tenant.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))
    await waitForDeliveries(receiver, 4)
    await waitForIdle()
    const eventIds = ({ data }: Page) => data.map(({ eventId }) => eventId)

    const first = await list(id, '?limit=3')
    const rest = await list(id, `?limit=3&cursor=${first.nextCursor}`)
    expect([...eventIds(first), ...eventIds(rest)]).toEqual([failed, ...imported])
    expect(rest.nextCursor).toBeNull()
    expect(first.data[0]).toMatchObject({ subscriptionId: id, eventType: 'extraction.failed', isTest: false })

    expect(eventIds(await list(id, '?status=pending'))).toEqual([imported[1]])
    expect(eventIds(await list(id, '?status=delivered'))).toEqual([failed, imported[0], imported[2]])
    expect(eventIds(await list(id, '?status=failed'))).toEqual([])
    expect(eventIds(await list(id, '?eventType=leads.imported'))).toEqual(imported)
    const filter = 'eventType=leads.imported&status=delivered&limit=1'
    const one = await list(id, `?${filter}`)
    expect(eventIds(one)).toEqual([imported[0]])
    expect(eventIds(await list(id, `?${filter}&cursor=${one.nextCursor}`))).toEqual([imported[2]])
  })

  test('shows only deliveries of its subscription; 404 for one of another workspace', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const [{ id }, other] = [
      await subscribe(tenant, receiver),
      await subscribe(tenant, receiver, ['lead.created']),
    ]
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    const [delivery] = (await list(id)).data
    expect((await list(other.id)).data).toEqual([])
    expect((await tenant.call('GET', `/webhooks/${other.id}/deliveries/${delivery!.id}`)).status).toBe(404)
    const stranger = await makeTenant(app)
    for (const path of ['deliveries', `deliveries/${delivery!.id}`, 'stats'])
      expect((await stranger.call('GET', `/webhooks/${id}/${path}`)).status).toBe(404)
  })
})

test('a delivery shows the event exactly as it was sent', async () => {
  tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  const { id } = await subscribe(tenant, receiver)
  const data = {
    ...extractionFailed.example,
    error: { ...extractionFailed.example.error, message: 'Íñigo "🏠"' },
  }
  await tenant.inTenant(tx => emit(tx, extractionFailed, data))
  const { body } = (await waitForDeliveries(receiver))[0]!
  expect(body).toContain('Íñigo')
  const [delivery] = (await list(id)).data
  const shown = await tenant.call<Shown>('GET', `/webhooks/${id}/deliveries/${delivery!.id}`)
  expect(shown.text.endsWith(`,"event":${body}}`)).toBe(true)
})

describe('the statistics of a subscription', () => {
  const getStats = async (id: string, query = '') =>
    (await tenant.call<Static<typeof Stats>>('GET', `/webhooks/${id}/stats${query}`)).body

  test('have counts, a success rate and durations', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'http://127.0.0.1:9/' })
    // Paused, so that no sender touches it.
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set paused_until = now() + interval '1 day'`.execute(tx),
    )
    const cases: [status: string, attempts: number, lastMs: number | null][] = [
      ['delivered', 1, 10],
      ['delivered', 1, 20],
      ['delivered', 2, 30],
      ['failed', 8, 100],
      ['pending', 1, 40],
      ['pending', 0, null],
    ]
    for (const [at, [status, attempts, lastMs]] of cases.entries()) {
      const eventId = await emitImported(tenant)
      await createPendingDeliveries(tenant, id)
      const log = lastMs === null ? [] : [{ durationMs: 5000 }, { durationMs: lastMs }]
      await tenant.inTenant(tx =>
        sql`
          update webhook_deliveries set status = ${status}, attempts = ${attempts}, attempt_log = ${JSON.stringify(log)}::jsonb,
            delivered_at = case when ${status}::text = 'delivered' then '2026-11-02T10:00:00Z'::timestamptz + make_interval(secs => ${at}) end
          where event_id = ${eventId}`.execute(tx),
      )
    }
    expect(await getStats(id)).toEqual({
      since: expect.any(String),
      pending: 2,
      delivered: 3,
      failed: 1,
      attempts: 13,
      successRate: 0.75,
      // The median and the 95th percentile of 10, 20, 30, 40 and 100; the latter is 40 + 0.8 × 60.
      medianMs: 30,
      p95Ms: expect.closeTo(88),
      lastDeliveredAt: '2026-11-02T10:00:02.000Z',
    })
  })

  test('count the events of the requested hours, by default 24', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'http://127.0.0.1:9/' })
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set paused_until = now() + interval '1 day'`.execute(tx),
    )
    for (const hours of [1, 3, 25]) {
      const at = new Date(Date.now() - hours * 3_600_000)
      const eventId = maxIdAt(at).slice(0, 13) + newId().slice(13)
      await tenant.inTenant(tx =>
        sql`
          insert into events (tenant_id, id, type, data, object_id, sequence, position, created_at)
          values (${tenant.tenantId}, ${eventId}, ${leadsImported.type}, ${JSON.stringify(leadsImported.example)}, ${eventId}, 1, ${hours}, ${at})`.execute(
          tx,
        ),
      )
    }
    await createPendingDeliveries(tenant, id)
    const countPending = async (query: string) => (await getStats(id, query)).pending
    expect([await countPending('?hours=2'), await countPending('?hours=4'), await countPending('')]).toEqual([
      1, 2, 2,
    ])
    expect(await countPending('?hours=720')).toBe(3)
    const { since } = await getStats(id, '?hours=2')
    expect(Math.abs(Date.now() - Date.parse(since) - 2 * 3_600_000)).toBeLessThan(60_000)
  })

  test('are empty for a new subscription', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'http://127.0.0.1:9/' })
    expect(await getStats(id)).toEqual({
      since: expect.any(String),
      pending: 0,
      delivered: 0,
      failed: 0,
      attempts: 0,
      successRate: null,
      medianMs: null,
      p95Ms: null,
      lastDeliveredAt: null,
    })
  })
})
