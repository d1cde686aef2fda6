/** Bodies of an account that wait together. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createChatListener } from '../../../../test/chat-listener.ts'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { waitUntilIdle } from '../../../../test/jobs.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { enqueueProcessing, storeBodies } from './store-body.ts'

/** The names of the events that the handler received at a time. */
let received: string[][]
let app: TestApp
beforeAll(async () => {
  const listener = createChatListener(async (_tx, { accountId, events }) => {
    const names = events.map(event => (event as unknown as { name: string }).name)
    if (names.includes('refused')) throw new Error('the handler failed')
    received.push([accountId, ...names])
  })
  app = await startTestApp({ chatProviders: [createFakeProvider()], extraFeatures: [listener] })
  return () => app.stop()
})

let tenant: TestTenant
let accountId: string
beforeEach(async () => {
  received = []
  tenant = await makeTenant(app, 'live')
  accountId = await connectAccount(tenant)
})

/** Stores a body for each event, and then processes them. */
async function process(events: { name: string; externalId?: string }[]): Promise<void> {
  const bodies = events.map(({ name, externalId = null }) => {
    const from = [{ kind: 'phone', value: '+34611111111' }]
    const event = { type: 'marketing_preference', externalId, from, accepts: true, name }
    return { accountId, body: Buffer.from(JSON.stringify([event])) }
  })
  await tenant.inTenant(async tx => {
    await storeBodies(tx, app.deployment.cipher, bodies)
    await enqueueProcessing(tx, accountId)
  })
  await waitUntilIdle(app.database, tenant.tenantId)
}

const countProcessed = async () =>
  (
    await sql<{ count: number }>`
      select count(*)::int as count from inbound_bodies where tenant_id = ${tenant.tenantId} and processed_at is not null`.execute(
      app.database.owner,
    )
  ).rows[0]!.count

test('are passed on together; if one is refused, each alone', async () => {
  await process([{ name: '1' }, { name: '2' }, { name: '3' }])
  expect(received).toEqual([[accountId, '1', '2', '3']])
  received = []
  await process([{ name: '4' }, { name: 'refused' }, { name: '5' }])
  expect(received).toEqual([
    [accountId, '4'],
    [accountId, '5'],
  ])
  expect(await countProcessed()).toBe(5)
})

test('reach their accounts, however many accounts of others they name', async () => {
  const other = await connectAccount(tenant)
  const { rows } = await sql<{ name: string }>`
    select external_id as name from accounts where tenant_id = ${tenant.tenantId} and id = ${other}`.execute(
    app.database.owner,
  )
  const strangers = Array.from({ length: 99 }, (_, n) => ({ name: `${n}`, externalId: `stranger-${n}` }))
  await process([...strangers, { name: 'ours', externalId: rows[0]!.name }])
  expect(received).toEqual([[other, 'ours']])
  expect(await countProcessed()).toBe(100)
})
