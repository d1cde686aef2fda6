/** Deliveries end to end: from an event to receivers on loopback, signed, each receiver on its own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { whenIdle } from '../../../test/jobs.ts'
import { type Answer, arrival, isGenuine, startReceiverForTest, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/event.ts'
import { compile } from '../../kit/schema.ts'
import { extractionFailed } from '../extractions/events.ts'
import { leadsImported } from '../leads/events.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Emits an event that says `number`, so that it can be told from others. */
const emitImported = (of: TestTenant, number = 0) =>
  of.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, created: number }))

const emitFailed = (of: TestTenant) => of.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))

describe('what arrives', () => {
  test('is the event in the form of the contract, signed as Standard Webhooks has it', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
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
    await whenIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('is what the subscription named, or everything with *', async () => {
    tenant = await makeTenant(app)
    const [named, all] = [await startReceiverForTest(), await startReceiverForTest()]
    await subscribe(tenant, named, ['extraction.failed', 'extraction.completed'])
    await subscribe(tenant, all, ['*'])
    await emitImported(tenant)
    await emitFailed(tenant)
    await whenIdle(app.database, tenant.tenantId)
    expect(named.deliveries.map(({ event }) => event.type)).toEqual(['extraction.failed'])
    const types = all.deliveries.map(({ event }) => event.type).sort()
    expect(types).toEqual(['extraction.failed', 'leads.imported'])
  })

  test("is never an event of another workspace or of one's own other environment", async () => {
    const receiver = await startReceiverForTest()
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
    for (const id of [tenant.tenantId, other.tenantId, live_id]) await whenIdle(app.database, id)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([2])
  })

  test('is nothing of a transaction that was rolled back, nor what came before the subscription', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    await emitImported(tenant, 1)
    await whenIdle(app.database, tenant.tenantId)
    await subscribe(tenant, receiver)
    const failing = tenant.inTenant(async tx => {
      await emit(tx, leadsImported, { ...leadsImported.example, created: 2 })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await emitImported(tenant, 3)
    await whenIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([3])
  })
})

describe('a receiver that hangs', () => {
  test('holds up its own deliveries alone, which come one at a time', async () => {
    tenant = await makeTenant(app)
    const release = Promise.withResolvers<Answer>()
    const slow = await startReceiverForTest(() => release.promise)
    const [quick, stranger] = [await startReceiverForTest(), await startReceiverForTest()]
    await subscribe(tenant, slow)
    await subscribe(tenant, quick)
    const other = await makeTenant(app)
    await subscribe(other, stranger)
    await emitImported(tenant, 1)
    await arrival(slow)
    for (const number of [2, 3, 4]) {
      await emitImported(tenant, number)
      await emitImported(other, number)
    }
    await arrival(quick, 4)
    await arrival(stranger, 3)
    expect(slow.deliveries).toHaveLength(1)
    release.resolve({ status: 200 })
    await arrival(slow, 4)
    const numbers = slow.deliveries.map(({ event }) => event.data.created)
    expect(numbers.toSorted()).toEqual([1, 2, 3, 4])
  })
})
