/** The clock of the test environment, over HTTP: moving it runs everything that is due, in order, before the reply. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extract } from '../../../test/extraction.ts'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile } from '../../../test/imports.ts'
import {
  emitImported,
  getNewestDelivery,
  hasValidSignature,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { setSetting } from '../../../test/settings.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { retention } from '../privacy/settings.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const dayMs = 86_400_000

interface Moved {
  now: string
  code?: string
  errors?: object[]
}
const readNow = async (caller = tenant) =>
  Date.parse((await caller.call<Moved>('GET', '/sandbox/clock')).body.now)
const moveTo = (timeMs: number, caller = tenant) =>
  caller.call<Moved>('POST', '/sandbox/clock', { body: { now: new Date(timeMs).toISOString() } })
/** Moves the clock forward by `days`. Fails unless all due work is done. Returns the new time in ms. */
async function move(days: number, caller = tenant): Promise<number> {
  const { status, text, body } = await moveTo((await readNow(caller)) + days * dayMs, caller)
  expect(status, text).toBe(200)
  return Date.parse(body.now)
}

const expectAbout = (time: string | number, expectedMs: number) =>
  expect(Math.abs(new Date(time).getTime() - expectedMs)).toBeLessThan(60_000)

describe('the clock', () => {
  test('is the real one until it is moved, then runs from there, in this environment only', async () => {
    expectAbout(await readNow(), Date.now())
    expectAbout(await move(10), Date.now() + 10 * dayMs)
    expectAbout(await readNow(), Date.now() + 10 * dayMs)
    expectAbout(await readNow(await makeTenant(app)), Date.now())
    const { body } = await tenant.call<{ id: string; createdAt: string }>('POST', '/leads', {
      body: { contact: { phone: '611000001' } },
    })
    expectAbout(body.createdAt, Date.now() + 10 * dayMs)
  })

  test.each([
    ['earlier', -1, 'earlier'],
    ['years later', 801, 'at most 800 days'],
  ])('cannot be moved to a time that is %s', async (_, days, message) => {
    const own = await makeTenant(app)
    const { status, body } = await moveTo(Date.now() + days * dayMs, own)
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ path: '/now', message: expect.stringContaining(message) }] },
    ])
    expectAbout(await readNow(own), Date.now())
  })

  test('of the live environment can be neither moved nor read', async () => {
    const live = await makeTenant(app, 'live')
    expect(await moveTo(Date.now() + dayMs, live)).toMatchObject({ status: 403, body: { code: 'TEST_ONLY' } })
    expect(await live.call('GET', '/sandbox/clock')).toMatchObject({ status: 403 })
  })

  test('moved by several requests at once ends at the latest of their times', async () => {
    const own = await makeTenant(app)
    // A request for a time that has already passed is refused.
    const replies = await Promise.all([3, 1, 2, 5, 4].map(days => moveTo(Date.now() + days * dayMs, own)))
    expect([200, 400]).toEqual(expect.arrayContaining(replies.map(({ status }) => status)))
    expect(replies[3]!.status).toBe(200)
    expectAbout(await readNow(own), Date.now() + 5 * dayMs)
  })
})

describe('when the clock is moved', () => {
  test('webhooks are retried on schedule, signed with the real time', async () => {
    const own = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id, secret } = await subscribe(own, receiver, ['leads.imported'])
    await emitImported(own, 1)
    await waitForDeliveries(receiver)
    await move(2, own)
    const attempts = receiver.deliveries
    expect(attempts).toHaveLength(8)
    const { body } = await own.call<{ attempts: { at: string }[] }>(
      'GET',
      `/webhooks/${id}/deliveries/${(await getNewestDelivery(own, id)).id}`,
    )
    const waitsSeconds = body.attempts.map(({ at }, n) =>
      n === 0 ? 0 : (Date.parse(at) - Date.parse(body.attempts[n - 1]!.at)) / 1000,
    )
    for (const [n, seconds] of [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(waitsSeconds[n]).toBeGreaterThanOrEqual(seconds * 0.9)
      expect(waitsSeconds[n]).toBeLessThanOrEqual(seconds * 1.1 + 5)
    }
    for (const attempt of attempts) {
      expect(hasValidSignature(secret, attempt)).toBe(true)
      expectAbout(Number(attempt.headers['webhook-timestamp']) * 1000, Date.now())
    }
  })

  test('a receiver that recovers gets every remaining message, and then new ones', async () => {
    const own = await makeTenant(app)
    let isReceiverUp = false
    const receiver = await startReceiverForTest(() => ({ status: isReceiverUp ? 200 : 500 }))
    await subscribe(own, receiver, ['leads.imported'])
    for (const number of [1, 2, 3]) await emitImported(own, number)
    await waitForDeliveries(receiver)
    isReceiverUp = true
    await move(1, own)
    const delivered = receiver.deliveries.slice(-3).map(({ event }) => event.data.created)
    expect([...delivered].sort()).toEqual([1, 2, 3])
    await emitImported(own, 4)
    await waitForDeliveries(receiver, receiver.deliveries.length + 1)
    expect(receiver.deliveries.at(-1)!.event.data.created).toBe(4)
    expectAbout(receiver.deliveries.at(-1)!.event.timestamp, Date.now() + dayMs)
  })

  test('leads are erased when their retention ends, and not before', async () => {
    const own = await makeTenant(app)
    await setSetting(app.database, own.tenantId, retention, { months: 1 })
    const createLead = async (phone: string) =>
      (await own.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })).body.id
    const first = await createLead('611000011')
    await move(20, own)
    const second = await createLead('611000012')
    await move(7, own)
    expect((await own.listAllLeads()).map(({ id }) => id)).toEqual([second, first])
    await move(5, own)
    expect((await own.listAllLeads()).map(({ id }) => id)).toEqual([second])
    await move(20, own)
    expect(await own.listAllLeads()).toEqual([])
  })

  test('a lawful basis expires, an Idempotency-Key is free again, a quota is renewed', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxLeadsPerMonth', 1)
    const create = (phone: string) =>
      own.call<{ id: string; code?: string }>('POST', '/leads', {
        body: { contact: { phone } },
        headers: { 'idempotency-key': 'once' },
      })
    const { body: lead } = await create('611000021')
    await own.call('PUT', `/leads/${lead.id}/lawful-basis`, {
      body: {
        kind: 'consent',
        proof: 'https://example.com/proof',
        expiresAt: new Date(Date.now() + 10 * dayMs).toISOString(),
      },
    })
    const isContactable = async () => (await own.listLeads({ contactable: true })).data.length === 1
    expect(await isContactable()).toBe(true)
    expect((await create('611000022')).status).toBe(422)
    await move(11, own)
    expect(await isContactable()).toBe(false)
    await move(31, own)
    expect((await create('611000022')).status).toBe(201)
  })

  test('events stay in the feed for thirty days', async () => {
    const own = await makeTenant(app)
    await emitImported(own, 1)
    const readEvents = async (after = '') =>
      own.call<{ data: object[]; nextAfter: string }>('GET', `/events${after && `?after=${after}`}`)
    const { body } = await readEvents()
    expect(body.data).toHaveLength(1)
    await move(29, own)
    expect((await readEvents()).body.data).toHaveLength(1)
    expect((await readEvents(body.nextAfter)).status).toBe(200)
    await move(2, own)
    expect((await readEvents()).body.data).toEqual([])
    expect((await readEvents(body.nextAfter)).status).toBe(410)
  })
})

test('an extraction at a future time runs as usual, and the next one finds the same listings', async () => {
  const own = await makeTenant(app)
  const flats = { operation: 'sale', propertyType: 'homes', city: 'barcelona' } as const
  await move(40, own)
  const first = await extract(own, flats, { maxResults: 5 })
  expect(first).toMatchObject({ status: 'COMPLETED', progress: { leadsCreated: 5 } })
  expectAbout(first.finishedAt!, Date.now() + 40 * dayMs)
  await move(40, own)
  const second = await extract(own, flats, { maxResults: 5 })
  expect(second).toMatchObject({ status: 'COMPLETED', progress: { leadsCreated: 0, duplicates: 5 } })
  const leads = await own.listAllLeads()
  expect(leads).toHaveLength(5)
  for (const { createdAt, sources } of leads) {
    expectAbout(createdAt, Date.now() + 40 * dayMs)
    expectAbout(sources[0]!.lastSeenAt, Date.now() + 80 * dayMs)
  }
})

describe('what is kept for a time', () => {
  test('files of imports and deliveries expire with the clock', async () => {
    const own = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(own, receiver, ['leads.imported'])
    const imported = await importFile(own, 'Teléfono\n622000001\n', { dryRun: 'true' })
    await emitImported(own, 1)
    await waitForDeliveries(receiver)
    const countDeliveries = async () =>
      (await own.call<{ data: object[] }>('GET', `/webhooks/${id}/deliveries`)).body.data.length
    const readFileKeptUntil = async () =>
      (await own.call<{ fileKeptUntil: string | null }>('GET', `/leads/imports/${imported.id}`)).body
        .fileKeptUntil
    expect([await readFileKeptUntil(), await countDeliveries()]).toEqual([expect.any(String), 1])
    await move(29, own)
    expect([await readFileKeptUntil(), await countDeliveries()]).toEqual([null, 1])
    const { rows } = await own.inTenant(tx => sql`select from import_chunks`.execute(tx))
    expect(rows).toEqual([])
    await move(3, own)
    expect(await countDeliveries()).toBe(0)
  })
})
