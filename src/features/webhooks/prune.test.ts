/** The nightly job deletes old deliveries and keeps their events. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { maxIdAt, newId } from '../../kit/id.ts'
import { RequeueJob } from '../../kit/jobs/job.ts'
import { createLog } from '../../kit/log.ts'
import { leadsImported } from '../leads/events.ts'
import { pruneDeliveries } from './jobs.ts'

const dayMs = 86_400_000
const { type } = leadsImported
const data = JSON.stringify(leadsImported.example)
let app: TestApp
let tenant: TestTenant
let subscriptionId: string
beforeAll(async () => {
  // No sender runs in this process.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
  subscriptionId = (await subscribe(tenant, { url: 'https://crm.example/hooks' })).id
})

const prune = ({ tenantId }: TestTenant, signal = new AbortController().signal) =>
  pruneDeliveries.run(
    {},
    {
      database: app.database,
      tenantId,
      log: createLog('silent'),
      attempt: 1,
      isLastAttempt: false,
      hasWaitingJobs: async () => false,
      signal,
    },
  )

/** Inserts an event from that many days ago with its delivery. Returns the event's id. */
async function insertEventAgo(days: number, { status = 'delivered', isTest = false } = {}): Promise<string> {
  const at = new Date(Date.now() - days * dayMs)
  const eventId = maxIdAt(at).slice(0, 13) + newId().slice(13)
  await tenant.inTenant(async tx => {
    // A test event gets no delivery automatically.
    await sql`
      insert into events (tenant_id, id, type, data, object_id, sequence, created_at, is_test)
      values (${tenant.tenantId}, ${eventId}, ${type}, ${data}, ${eventId}, 0, ${at}, true)`.execute(tx)
    await sql`update events set is_test = ${isTest} where id = ${eventId}`.execute(tx)
    await sql`
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, sequence, created_at, status)
      values (${tenant.tenantId}, ${newId()}, ${subscriptionId}, ${eventId}, 0, now(), ${status})`.execute(tx)
  })
  return eventId
}

/** The ids of all events, and of those with a delivery, both sorted. */
async function listKept(owner = tenant): Promise<{ events: string[]; delivered: string[] }> {
  return owner.inTenant(async tx => {
    const events = await tx.selectFrom('events').select('id').orderBy('id').execute()
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .orderBy('event_id')
      .execute()
    return { events: events.map(({ id }) => id), delivered: deliveries.map(({ event_id }) => event_id) }
  })
}

test('deliveries of events older than 31 days are deleted, the events are kept', async () => {
  const old = [await insertEventAgo(400, { status: 'failed' }), await insertEventAgo(31.01)]
  const recent = [
    await insertEventAgo(30.99),
    await insertEventAgo(30.01, { status: 'failed' }),
    await insertEventAgo(0),
  ]
  await prune(tenant)
  expect(await listKept()).toEqual({ events: [...old, ...recent], delivered: recent })
})

test('pending deliveries are kept at any age', async () => {
  const pending = await insertEventAgo(40, { status: 'pending' })
  await prune(tenant)
  expect((await listKept()).delivered).toEqual([pending])
})

test('test events are deleted with their deliveries', async () => {
  await insertEventAgo(32, { isTest: true })
  const pending = await insertEventAgo(31.5, { isTest: true, status: 'pending' })
  const recent = await insertEventAgo(1, { isTest: true })
  await prune(tenant)
  expect(await listKept()).toEqual({ events: [pending, recent], delivered: [pending, recent] })
})

test('all old deliveries of all subscriptions are deleted, and none of another workspace', async () => {
  const first = subscriptionId
  subscriptionId = (await subscribe(tenant, { url: 'https://other.example/hooks' })).id
  await insertEventAgo(50)
  const other = await makeTenant(app)
  const ours = tenant
  tenant = other
  subscriptionId = (await subscribe(other, { url: 'https://crm.example/hooks' })).id
  const theirs = await insertEventAgo(50)
  tenant = ours
  const start = maxIdAt(new Date(Date.now() - 60 * dayMs)).slice(0, 13)
  // More than one batch.
  await tenant.inTenant(tx =>
    sql`
      with old_events as (
        insert into events (tenant_id, id, type, data, object_id, sequence, is_test, created_at)
        select ${tenant.tenantId}::uuid, (${start} || substr(gen_random_uuid()::text, 14))::uuid, ${type}, ${data}::jsonb, aldaba.current_tenant(), 0, true, now()
        from generate_series(1, 5001) returning id)
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, sequence, created_at, status)
      select ${tenant.tenantId}::uuid, gen_random_uuid(), ${first}, id, 0, now(), 'delivered' from old_events`.execute(
      tx,
    ),
  )
  await prune(tenant)
  expect([(await listKept()).delivered, (await listKept(other)).delivered]).toEqual([[], [theirs]])
})

test('nothing is deleted once the process is stopping', async () => {
  await insertEventAgo(50)
  await expect(prune(tenant, AbortSignal.abort())).rejects.toThrow(RequeueJob)
  expect((await listKept()).delivered).toHaveLength(1)
})
