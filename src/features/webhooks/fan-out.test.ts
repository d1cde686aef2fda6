/** Many subscriptions: a change writes the same number of rows, and all of them get every event. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  countDeliveries,
  emitImported,
  emitWithdrawals,
  startReceiver,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emitMany } from '../../kit/events/emit.ts'
import { newId } from '../../kit/id.ts'
import { leadWithdrawn } from '../leads/events.ts'
import { createDeliveries } from './create-deliveries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const countRows = (tenant: TestTenant) =>
  tenant.inTenant(async tx => {
    const { rows } = await sql<{ deliveries: number; events: number }>`
      select (select count(*) from webhook_deliveries) as deliveries, (select count(*) from events) as events`.execute(
      tx,
    )
    return rows[0]!
  })

test('a change of 500 leads writes 500 rows with any number of subscriptions; each gets every event once', async () => {
  const tenant = await makeTenant(app)
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startReceiver()))
  for (const receiver of receivers) await subscribe(tenant, receiver)
  const pause = sql`update webhook_subscriptions set paused_until = now() + interval '1 hour'`
  await tenant.inTenant(tx => pause.execute(tx))
  const eventIds = await emitWithdrawals(tenant, 500)
  expect(await countRows(tenant)).toEqual({ deliveries: 0, events: 500 })

  await tenant.inTenant(tx => sql`update webhook_subscriptions set paused_until = null`.execute(tx))
  eventIds.push(...(await emitWithdrawals(tenant, 1)))
  for (const receiver of receivers) await waitForDeliveries(receiver, 501)
  await waitUntilIdle(app.database, tenant.tenantId)
  for (const receiver of receivers)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 501, received: 501, lost: 0, repeated: 0 })
  await Promise.all(receivers.map(receiver => receiver.stop()))
})

test('a subscription skips events of other types, and new types apply to events from then on', async () => {
  const tenant = await makeTenant(app)
  const receiver = await startReceiver()
  const { id } = await subscribe(tenant, receiver, ['leads.imported'])
  await emitWithdrawals(tenant, 350)
  const expectedId = await emitImported(tenant)
  expect(await waitForDeliveries(receiver)).toMatchObject([{ headers: { 'webhook-id': expectedId } }])
  await tenant.call('PATCH', `/webhooks/${id}`, { body: { events: [leadWithdrawn.type] } })
  const [next] = await emitWithdrawals(tenant, 1)
  expect((await waitForDeliveries(receiver, 2))[1]).toMatchObject({ headers: { 'webhook-id': next } })
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(receiver.deliveries).toHaveLength(2)
  await receiver.stop()
})

test('events of transactions that end in another order than they began all get deliveries, in one order', async () => {
  const tenant = await makeTenant(app)
  const { id } = await subscribe(tenant, { url: 'http://127.0.0.1:9/' })
  await tenant.inTenant(tx =>
    sql`update webhook_subscriptions set paused_until = now() + interval '1 hour'`.execute(tx),
  )
  const began = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const slow = tenant.inTenant(async tx => {
    await sql`select`.execute(tx)
    began.resolve()
    await mayEnd.promise
    return emitMany(tx, leadWithdrawn, [{ ...leadWithdrawn.example, leadId: newId() }])
  })
  await began.promise
  const [quick] = await emitWithdrawals(tenant, 1)
  const createNext = () => tenant.inTenant(tx => createDeliveries(tx, id, 100))
  expect(await createNext()).toBe(1)
  mayEnd.resolve()
  const [late] = await slow
  expect([await createNext(), await createNext()]).toEqual([1, 0])
  const { rows } = await tenant.inTenant(tx =>
    sql<{ id: string }>`
      select event_id as id from webhook_deliveries order by next_attempt_at`.execute(tx),
  )
  expect(rows.map(row => row.id)).toEqual([quick, late])
})
