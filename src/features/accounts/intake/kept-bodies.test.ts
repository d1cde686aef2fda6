/** Stored bodies that nobody processes, and how long they are kept. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeChatAccount } from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { createLog } from '../../../kit/log.ts'
import { resumeBodies } from './jobs.ts'
import { storeBodies } from './store-body.ts'

let app: TestApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
  accountId = await makeChatAccount(tenant)
})

/** Stores bodies, as a process does that dies right afterwards. */
const store = (...bodies: string[]) =>
  tenant.inTenant(tx =>
    storeBodies(
      tx,
      app.deployment.cipher,
      bodies.map(body => ({ accountId, body: Buffer.from(body) })),
    ),
  )
const listAttempts = async () =>
  (
    await sql<{ attempts: number }>`
      select attempts from inbound_bodies where tenant_id = ${tenant.tenantId} order by id`.execute(
      app.database.owner,
    )
  ).rows.map(({ attempts }) => attempts)
const run = () =>
  resumeBodies.run({
    database: app.database,
    signal: AbortSignal.timeout(10_000),
    attempt: 1,
    isLastAttempt: false,
    hasWaitingJobs: async () => false,
    log: createLog('fatal'),
  })

test('a body is processed though its process died before the job was enqueued', async () => {
  await store('{}')
  expect(await listAttempts()).toEqual([0])
  await run()
  await eventually(listAttempts, ([attempts]) => attempts === 1)
})

test('a processed body is deleted after 7 days, one that could not be read after 30; counts of messages after 7', async () => {
  await store('{}', '[]', 'null', '0')
  await tenant.inTenant(async tx => {
    const { rows } = await sql<{
      id: string
    }>`select id from inbound_bodies where tenant_id = ${tenant.tenantId} order by id`.execute(tx)
    const [first, second, third, fourth] = rows.map(({ id }) => id)
    const change = (id: string, columns: object) =>
      tx
        .updateTable('inbound_bodies')
        .set({ next_attempt_at: null, ...columns })
        .where('tenant_id', '=', tenant.tenantId)
        .where('id', '=', id)
        .execute()
    const day = new Date()
    await change(first!, { processed_at: day, attempts: 1 })
    await change(second!, { error: 'It could not be read.', attempts: 2 })
    await change(third!, { processed_at: new Date(day.getTime() + 4 * 86_400_000), attempts: 3 })
    await change(fourth!, { processed_at: day, error: 'A message names nobody.', attempts: 4 })
    await tx
      .insertInto('account_usage')
      .values({ tenant_id: tenant.tenantId, account_id: accountId, day, used: 1 })
      .execute()
  })
  const moveTo = async (days: number) => {
    const now = new Date(Date.now() + days * 86_400_000).toISOString()
    const moved = await tenant.call('POST', '/sandbox/clock', { body: { now } })
    expect(moved.status, moved.text).toBe(200)
  }
  await moveTo(9)
  expect(await listAttempts()).toEqual([2, 3, 4])
  const counts = await tenant.inTenant(tx => tx.selectFrom('account_usage').select('used').execute())
  expect(counts).toEqual([])
  await moveTo(32)
  expect(await listAttempts()).toEqual([])
})
