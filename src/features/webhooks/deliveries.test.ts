/** Deliveries end to end: from an event to a receiver on loopback, signed, tried again, given up. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bringForward, whenIdle } from '../../../test/e2e/jobs.ts'
import { isGenuine, type Receiver, startReceiver } from '../../../test/e2e/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/e2e/tenant.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { emit } from '../../kit/event.ts'
import { compile, type Static } from '../../kit/schema.ts'
import { extractionFailed } from '../extractions/events.ts'
import { leadsImported } from '../leads/events.ts'
import type { CreatedWebhook } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

async function receiverForTest(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  onTestFinished(() => receiver.stop())
  return receiver
}

async function subscribe(of: TestTenant, { url }: Receiver, events?: string[]) {
  const body = { url, ...(events ? { events } : {}) }
  const reply = await of.call<Static<typeof CreatedWebhook>>('POST', '/webhooks', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

/** Emits an event that says `number`, so that it can be told from others. */
const emitImported = (of: TestTenant, number = 0) =>
  of.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, created: number }))

const emitFailed = (of: TestTenant) => of.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))

const arrival = ({ deliveries }: Receiver, count = 1) =>
  eventually(
    async () => deliveries,
    all => all.length >= count,
  )

const findDelivery = (of: TestTenant) =>
  of.inTenant(tx => tx.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow())

async function statusOf(of: TestTenant, id: string) {
  const { body } = await of.call<{ status: string; disabledReason: string | null }>('GET', `/webhooks/${id}`)
  return [body.status, body.disabledReason]
}

describe('what arrives', () => {
  test('is the event in the form of the contract, signed as Standard Webhooks has it', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest()
    const { secret } = await subscribe(tenant, receiver)
    const eventId = await emitImported(tenant, 7)
    const [delivery] = await arrival(receiver)
    expect(isGenuine(secret, delivery!)).toBe(true)
    expect(isGenuine(secret, { ...delivery!, body: delivery!.body.replace('7', '8') })).toBe(false)
    expect(delivery!.headers['content-type']).toBe('application/json')

    const { event } = delivery!
    expect(Object.keys(event)).toEqual(['id', 'type', 'timestamp', 'environment', 'workspaceId', 'data'])
    const { workspace } = (await tenant.call<{ workspace: { id: string } }>('GET', '/me')).body
    expect(event).toMatchObject({ id: eventId, type: 'leads.imported', environment: 'test' })
    expect([event.workspaceId, delivery!.headers['webhook-id']]).toEqual([workspace.id, eventId])
    expect(Math.abs(Date.parse(event.timestamp) - Date.now())).toBeLessThan(60_000)
    expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(compile(leadsImported.data)(event.data)).toEqual([])
    expect(event.data.created).toBe(7)
    await whenIdle(app.database)
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('is what the subscription named, or everything with *', async () => {
    tenant = await makeTenant(app)
    const [named, all] = [await receiverForTest(), await receiverForTest()]
    await subscribe(tenant, named, ['extraction.failed', 'extraction.completed'])
    await subscribe(tenant, all, ['*'])
    await emitImported(tenant)
    await emitFailed(tenant)
    await whenIdle(app.database)
    expect(named.deliveries.map(({ event }) => event.type)).toEqual(['extraction.failed'])
    const types = all.deliveries.map(({ event }) => event.type).sort()
    expect(types).toEqual(['extraction.failed', 'leads.imported'])
  })

  test("is never an event of another workspace or of one's own other environment", async () => {
    const receiver = await receiverForTest()
    tenant = await makeTenant(app)
    await subscribe(tenant, receiver)
    const other = await makeTenant(app)
    const { live_id } = await app.database.ownerPool
      .query(
        `select l.id as live_id from aldaba.tenants t join aldaba.tenants l on l.workspace_id = t.workspace_id
         where t.id = $1 and l.environment = 'live'`,
        [tenant.tenantId],
      )
      .then(({ rows }) => rows[0] as { live_id: string })
    await emitImported(other, 1)
    await app.database.withTenant({ tenantId: live_id }, tx => emit(tx, leadsImported, leadsImported.example))
    await emitImported(tenant, 2)
    await whenIdle(app.database)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([2])
  })

  test('is nothing of a transaction that was rolled back, nor what came before the subscription', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest()
    await emitImported(tenant, 1)
    await whenIdle(app.database)
    await subscribe(tenant, receiver)
    const failing = tenant.inTenant(async tx => {
      await emit(tx, leadsImported, { ...leadsImported.example, created: 2 })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await emitImported(tenant, 3)
    await whenIdle(app.database)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([3])
  })
})

describe('a failed delivery', () => {
  test('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with one id, then given up', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: 500 }))
    const { secret } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt++) {
      await arrival(receiver, attempt)
      await whenIdle(app.database)
      waits.push(...(await bringForward(app.database, tenant.tenantId)))
    }
    await arrival(receiver, 8)
    await whenIdle(app.database)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    for (const [at, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(waits[at]).toBeGreaterThan(seconds * 0.9 - 3)
      expect(waits[at]).toBeLessThan(seconds * 1.1)
    }
    expect(waits).toHaveLength(7)
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.deliveries.every(delivery => isGenuine(secret, delivery))).toBe(true)
    const failed = { status: 'failed', attempts: 8, response_status: 500, next_attempt_at: null }
    expect(await findDelivery(tenant)).toMatchObject(failed)
  })

  test('that succeeds later is delivered, and not sent again', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: receiver.deliveries.length === 1 ? 503 : 200 }))
    await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    expect(await findDelivery(tenant)).toMatchObject({ status: 'pending', attempts: 1, response_status: 503 })
    await bringForward(app.database, tenant.tenantId)
    await arrival(receiver, 2)
    await whenIdle(app.database)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    expect(await findDelivery(tenant)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      response_status: 200,
    })
  })

  test('is one when the receiver redirects: nothing follows', async () => {
    tenant = await makeTenant(app)
    const target = await receiverForTest()
    const receiver = await receiverForTest(() => ({ status: 307, headers: { location: target.url } }))
    await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    expect(target.deliveries).toEqual([])
    expect(await findDelivery(tenant)).toMatchObject({ status: 'pending', response_status: 307 })
  })

  test('is one when nobody listens', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiver()
    await subscribe(tenant, receiver)
    await receiver.stop()
    await emitImported(tenant)
    await whenIdle(app.database)
    const delivery = await eventually(
      () => findDelivery(tenant),
      ({ attempts }) => attempts === 1,
    )
    expect(delivery).toMatchObject({ status: 'pending', response_status: null })
    expect(delivery.error).toMatch(/ECONNREFUSED/)
  })

  test('to a name inside the private network never leaves, whatever its address looked like', async () => {
    const guarded = await startTestApp({ env: { ALLOWED_PRIVATE_RANGES: '' } })
    onTestFinished(() => guarded.stop())
    tenant = await makeTenant(guarded)
    const receiver = await receiverForTest()
    await subscribe(tenant, { ...receiver, url: receiver.url.replace('127.0.0.1', 'localhost') })
    await emitImported(tenant)
    const delivery = await eventually(
      () => tenant.inTenant(tx => tx.selectFrom('webhook_deliveries').selectAll().executeTakeFirst()),
      row => row?.attempts === 1,
    )
    expect(delivery!.error).toMatch(/private network/)
    expect(receiver.deliveries).toEqual([])
  })
})

describe('a subscription', () => {
  test('that answers 410 is disabled at once, says so, and hears no more', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: 410 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    expect(await statusOf(tenant, id)).toEqual(['disabled', 'The receiver answered 410 Gone.'])
    await emitImported(tenant)
    await whenIdle(app.database)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('that has failed for five days is disabled and says so; a day less, and it is not', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    const failingFor = (interval: string) =>
      tenant.inTenant(tx =>
        sql`update webhooks set failing_since = now() - ${interval}::interval`.execute(tx),
      )
    await failingFor('4 days 23 hours 59 minutes')
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    expect(await statusOf(tenant, id)).toEqual(['enabled', null])
    await failingFor('5 days')
    await emitImported(tenant)
    await arrival(receiver, 2)
    await whenIdle(app.database)
    expect(await statusOf(tenant, id)).toEqual(['disabled', 'Deliveries have failed for 5 days.'])
  })

  test('that delivers once in five days of failures begins to count anew', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: receiver.deliveries.length === 1 ? 200 : 500 }))
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      sql`update webhooks set failing_since = now() - interval '9 days'`.execute(tx),
    )
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    await emitImported(tenant)
    await arrival(receiver, 2)
    await whenIdle(app.database)
    expect(await statusOf(tenant, id)).toEqual(['enabled', null])
  })

  test('that is deleted takes what was still to be delivered with it', async () => {
    tenant = await makeTenant(app)
    const receiver = await receiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database)
    expect((await tenant.call('DELETE', `/webhooks/${id}`)).status).toBe(204)
    expect(await bringForward(app.database, tenant.tenantId)).toHaveLength(1)
    await whenIdle(app.database)
    expect(receiver.deliveries).toHaveLength(1)
  })
})
