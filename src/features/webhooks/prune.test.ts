/** Deliveries of long ago are forgotten, by night; what they told of is not. */
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
  // Nothing is sent here.
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

/** An event of so many days ago with its delivery. Returns the event's id. */
async function insertEventAgo(days: number, { status = 'delivered', isTest = false } = {}): Promise<string> {
  const at = new Date(Date.now() - days * dayMs)
  const eventId = maxIdAt(at).slice(0, 13) + newId().slice(13)
  await tenant.inTenant(async tx => {
    // As an example it makes no delivery of its own accord.
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

/** Ids of the events that there are, and of those with a delivery, both in their order. */
async function listKept(of = tenant): Promise<{ events: string[]; delivered: string[] }> {
  return of.inTenant(async tx => {
    const events = await tx.selectFrom('events').select('id').orderBy('id').execute()
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .orderBy('event_id')
      .execute()
    return { events: events.map(({ id }) => id), delivered: deliveries.map(({ event_id }) => event_id) }
  })
}

test('what became of events of more than 31 days ago is forgotten, the events are not', async () => {
  const old = [await insertEventAgo(400, { status: 'failed' }), await insertEventAgo(31.01)]
  const recent = [
    await insertEventAgo(30.99),
    await insertEventAgo(30.01, { status: 'failed' }),
    await insertEventAgo(0),
  ]
  await prune(tenant)
  expect(await listKept()).toEqual({ events: [...old, ...recent], delivered: recent })
})

test('what is still to be sent is not forgotten, however old', async () => {
  const pending = await insertEventAgo(40, { status: 'pending' })
  await prune(tenant)
  expect((await listKept()).delivered).toEqual([pending])
})

test('examples go with their deliveries', async () => {
  await insertEventAgo(32, { isTest: true })
  const pending = await insertEventAgo(31.5, { isTest: true, status: 'pending' })
  const recent = await insertEventAgo(1, { isTest: true })
  await prune(tenant)
  expect(await listKept()).toEqual({ events: [pending, recent], delivered: [pending, recent] })
})

test('of however many subscriptions, however much, and of no other workspace', async () => {
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
  // More than are forgotten at a time.
  await tenant.inTenant(tx =>
    sql`
      with told as (
        insert into events (tenant_id, id, type, data, object_id, sequence, is_test, created_at)
        select ${tenant.tenantId}::uuid, (${start} || substr(gen_random_uuid()::text, 14))::uuid, ${type}, ${data}::jsonb, aldaba.current_tenant(), 0, true, now()
        from generate_series(1, 5001) returning id)
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, sequence, created_at, status)
      select ${tenant.tenantId}::uuid, gen_random_uuid(), ${first}, id, 0, now(), 'delivered' from told`.execute(
      tx,
    ),
  )
  await prune(tenant)
  expect([(await listKept()).delivered, (await listKept(other)).delivered]).toEqual([[], [theirs]])
})

test('nothing is forgotten once the process is asked to stop', async () => {
  await insertEventAgo(50)
  await expect(prune(tenant, AbortSignal.abort())).rejects.toThrow(RequeueJob)
  expect((await listKept()).delivered).toHaveLength(1)
})
