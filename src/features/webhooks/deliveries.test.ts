/** Deliveries end to end, from an event to receivers on loopback. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  emitImported,
  emitWithdrawals,
  hasValidSignature,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/events/emit.ts'
import { notifyErased } from '../../kit/events/subscriber.ts'
import { newId } from '../../kit/id.ts'
import { compile } from '../../kit/schema.ts'
import { extractionFailed } from '../extractions/events.ts'
import { leadsImported } from '../leads/events.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const emitExtractionFailed = (caller: TestTenant) =>
  caller.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))

describe('a receiver gets', () => {
  test('the event as specified, signed by Standard Webhooks', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { secret } = await subscribe(tenant, receiver)
    const eventId = await emitImported(tenant, 7)
    const [delivery] = await waitForDeliveries(receiver)
    expect(hasValidSignature(secret, delivery!)).toBe(true)
    expect(hasValidSignature(secret, { ...delivery!, body: delivery!.body.replace('7', '8') })).toBe(false)
    expect(delivery!.headers['content-type']).toBe('application/json')

    const { event } = delivery!
    expect(Object.keys(event)).toEqual([
      'id',
      'type',
      'timestamp',
      'environment',
      'workspaceId',
      'sequence',
      'data',
    ])
    expect(event.sequence).toBe(1)
    const { workspace } = (await tenant.call<{ workspace: { id: string } }>('GET', '/me')).body
    expect(event).toMatchObject({ id: eventId, type: 'leads.imported', environment: 'test' })
    expect([event.workspaceId, delivery!.headers['webhook-id']]).toEqual([workspace.id, eventId])
    expect(Math.abs(Date.parse(event.timestamp) - Date.now())).toBeLessThan(60_000)
    expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(compile(leadsImported.data)(event.data)).toEqual([])
    expect(event.data.created).toBe(7)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('the subscribed types, or all types with *', async () => {
    tenant = await makeTenant(app)
    const [named, all] = [await startReceiverForTest(), await startReceiverForTest()]
    await subscribe(tenant, named, ['extraction.failed', 'extraction.completed'])
    await subscribe(tenant, all, ['*'])
    await emitImported(tenant)
    await emitExtractionFailed(tenant)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(named.deliveries.map(({ event }) => event.type)).toEqual(['extraction.failed'])
    const types = all.deliveries.map(({ event }) => event.type).sort()
    expect(types).toEqual(['extraction.failed', 'leads.imported'])
  })

  test('no event of another workspace or environment', async () => {
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
    for (const id of [tenant.tenantId, other.tenantId, live_id]) await waitUntilIdle(app.database, id)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([2])
  })

  test('no event of a rolled back transaction, or from before the subscription', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    await emitImported(tenant, 1)
    await waitUntilIdle(app.database, tenant.tenantId)
    await subscribe(tenant, receiver)
    const failing = tenant.inTenant(async tx => {
      await emit(tx, leadsImported, { ...leadsImported.example, created: 2 })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await emitImported(tenant, 3)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries.map(({ event }) => event.data.created)).toEqual([3])
  })
})

describe('to one subscription', () => {
  const emitOne = (n: number, extractionId = newId()) =>
    tenant.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, extractionId, created: n }))

  test('events of one object are sent one after another, in order', async () => {
    tenant = await makeTenant(app)
    let underWay = 0
    let maxAtOnce = 0
    const receiver = await startReceiverForTest(async () => {
      maxAtOnce = Math.max(maxAtOnce, ++underWay)
      await sleep(5)
      underWay--
      return { status: 200 }
    })
    await subscribe(tenant, receiver)
    const extractionId = newId()
    for (let n = 1; n <= 20; n++) await emitOne(n, extractionId)
    const all = await waitForDeliveries(receiver, 20)
    expect(all.map(({ event }) => event.sequence)).toEqual(all.map((_, index) => index + 1))
    expect(all.map(({ event }) => event.data.created)).toEqual(all.map((_, index) => index + 1))
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(maxAtOnce).toBe(1)
  })

  test('events of different objects are sent concurrently, at most 16', async () => {
    tenant = await makeTenant(app)
    const release = Promise.withResolvers<Answer>()
    const receiver = await startReceiverForTest(() =>
      receiver.deliveries.length <= 12 ? { status: 200 } : release.promise,
    )
    await subscribe(tenant, receiver)
    for (let n = 1; n <= 60; n++) await emitOne(n)
    await waitForDeliveries(receiver, 28)
    await sleep(100)
    expect(receiver.deliveries).toHaveLength(28)
    release.resolve({ status: 200 })
    await waitForDeliveries(receiver, 60)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(new Set(receiver.deliveries.map(({ event }) => event.data.created)).size).toBe(60)
  })

  test('that fails, one event is sent at a time until one succeeds', async () => {
    tenant = await makeTenant(app)
    const answers: PromiseWithResolvers<Answer>[] = []
    const receiver = await startReceiverForTest(() => {
      const answer = Promise.withResolvers<Answer>()
      answers.push(answer)
      return answer.promise
    })
    await subscribe(tenant, receiver)
    for (let n = 1; n <= 30; n++) await emitOne(n)
    await waitForDeliveries(receiver, 4)
    for (const answer of answers.slice(0, 4)) answer.resolve({ status: 500 })
    await waitForDeliveries(receiver, 5)
    await sleep(100)
    expect(receiver.deliveries).toHaveLength(5)
    answers[4]!.resolve({ status: 500 })
    await waitForDeliveries(receiver, 6)
    await sleep(100)
    expect(receiver.deliveries).toHaveLength(6)
    answers[5]!.resolve({ status: 200 })
    await waitForDeliveries(receiver, 8)
    receiver.answer = () => ({ status: 200 })
    for (const answer of answers) answer.resolve({ status: 200 })
    await waitForDeliveries(receiver, 30)
  })

  test('that was failing, one event is sent first', async () => {
    tenant = await makeTenant(app)
    const release = Promise.withResolvers<Answer>()
    const receiver = await startReceiverForTest(() => release.promise)
    await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      tx.updateTable('webhook_subscriptions').set({ failing_since: new Date() }).execute(),
    )
    await emitWithdrawals(tenant, 10)
    await waitForDeliveries(receiver)
    await sleep(200)
    expect(receiver.deliveries).toHaveLength(1)
    release.resolve({ status: 200 })
    await waitForDeliveries(receiver, 10)
  })

  const rotate = (id: string) =>
    tenant.call('POST', `/webhooks/${id}/rotate-secret`, { body: { overlapHours: 0 } })
  const changes: [name: string, change: (id: string) => Promise<{ status: number }>, total: number | null][] =
    [
      ['is disabled', id => tenant.call('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } }), null],
      ['is deleted', id => tenant.call('DELETE', `/webhooks/${id}`), null],
      ['gets a new secret', rotate, 100],
    ]

  test.each(changes)(
    'that %s, messages read before the change are not sent',
    async (_name, change, total) => {
      tenant = await makeTenant(app)
      const receiver = await startReceiverForTest(async () => {
        await sleep(50)
        return { status: 200 }
      })
      const { id, secret } = await subscribe(tenant, receiver)
      await emitWithdrawals(tenant, 100)
      await waitForDeliveries(receiver, 4)
      const { status } = await change(id)
      expect(status).toBeLessThan(300)
      const soFar = receiver.deliveries.length
      await waitUntilIdle(app.database, tenant.tenantId)
      await sleep(300)
      // The requests under way when the sender is notified: at most 16.
      const withOldSecret = receiver.deliveries.filter(delivery => hasValidSignature(secret, delivery)).length
      expect(withOldSecret - soFar).toBeLessThanOrEqual(16)
      if (total !== null) expect(receiver.deliveries).toHaveLength(total)
    },
  )
})

test('an erased event is not sent, even if a sender has already read it', async () => {
  tenant = await makeTenant(app)
  const release = Promise.withResolvers<Answer>()
  const receiver = await startReceiverForTest(() => release.promise)
  await subscribe(tenant, receiver)
  const ids = await emitWithdrawals(tenant, 60)
  await waitForDeliveries(receiver, 4)
  const [deleted, emptied] = [ids.at(-1)!, ids.at(-2)!]
  await tenant.inTenant(async tx => {
    await tx.deleteFrom('events').where('id', '=', deleted).execute()
    await tx.updateTable('events').set({ data: '{"leadId":null}' }).where('id', '=', emptied).execute()
    await notifyErased(tx, [emptied])
  })
  // The notification arrives on a separate connection.
  await sleep(200)
  release.resolve({ status: 200 })
  await waitUntilIdle(app.database, tenant.tenantId)
  const received = new Map(receiver.deliveries.map(({ event }) => [event.id, event.data]))
  expect(received.size).toBe(59)
  expect([received.get(deleted), received.get(emptied)]).toEqual([
    undefined,
    { leadId: null, lead: null, objectOmitted: 'gone' },
  ])
  await tenant.inTenant(tx => tx.deleteFrom('events').where('id', '=', emptied).execute())
})

test('a delivery that is changed while its success is recorded is delivered', async () => {
  tenant = await makeTenant(app)
  const release = Promise.withResolvers<Answer>()
  const receiver = await startReceiverForTest(() => release.promise)
  const { id } = await subscribe(tenant, receiver)
  await emitImported(tenant)
  await waitForDeliveries(receiver)
  await tenant.inTenant(async tx => {
    await tx.updateTable('webhook_deliveries').set({ next_attempt_at: new Date() }).execute()
    release.resolve({ status: 204 })
    const listWaitingStatements = () =>
      app.database.ownerPool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_deliveries%'`,
      )
    await eventually(listWaitingStatements, ({ rowCount }) => rowCount === 1)
  })
  await waitUntilIdle(app.database, tenant.tenantId)
  const { body } = await tenant.call<{ data: object[] }>('GET', `/webhooks/${id}/deliveries`)
  expect(body.data).toMatchObject([{ status: 'delivered', attemptCount: 1 }])
  expect(receiver.deliveries).toHaveLength(1)
})
