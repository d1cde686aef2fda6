/** What becomes of a message between its claim and its result. The test claims, sends and records by itself. */
import type { RawBuilder } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp, testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox } from '../../../../test/message-outbox.ts'
import {
  connectAccount,
  makeContact,
  type Outgoing,
  openConversation,
  readMessage,
  recordSending,
  send,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'

const fake = createFakeProvider()
const outbox = createMessageOutbox([fake], { encryptionKey: testEncryptionKey })
let app: TestApp
let tenant: TestTenant
let outgoing: Outgoing
let accountId: string
let conversationId: string
let stopping: AbortController

beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake], env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  fake.capabilities = { ...fake.capabilities, messagesPerSecond: 1000, idempotent: false }
  delete fake.reconcile
  outgoing = recordSending(fake)
  stopping = new AbortController()
  tenant = await makeTenant(app, 'live')
  accountId = await connectAccount(tenant)
  conversationId = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345678'))).id
})

const claim = () => tenant.inTenant(tx => outbox.claim(tx, accountId, { excludedIds: [], limit: 16 }))
type Claim = Awaited<ReturnType<typeof claim>>

/** Sends what was claimed, and records the results. Returns them with what the record says. */
async function sendClaimed({ items, target }: Claim) {
  const context = {
    database: app.database,
    stopping: stopping.signal,
    forceStop: new AbortController().signal,
  }
  const sent = await Promise.all(
    items.map(async item => ({ item, target: target!, attempt: await outbox.send(target!, item, context) })),
  )
  const recorded = await tenant.inTenant(tx => outbox.record(tx, accountId, sent))
  return { ...recorded, outcomes: sent.map(({ attempt }) => attempt.outcome) }
}

async function readSending(id: string) {
  const { rows } = await sql<{ isClaimed: boolean; isDue: boolean; dueInMs: number; attempts: number }>`
    select claimed_at is not null as "isClaimed", next_attempt_at <= now() as "isDue",
      extract(epoch from next_attempt_at - now())::float8 * 1000 as "dueInMs", attempts
    from messages where id = ${id}`.execute(app.database.owner)
  return rows[0]!
}
const run = (statement: RawBuilder<unknown>) => tenant.inTenant(tx => statement.execute(tx))

describe('what was claimed and not yet handed over', () => {
  test('is not sent by a process that stops, and is due again', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    expect(claimed.items.map(item => item.id)).toEqual([id])
    stopping.abort()
    expect((await sendClaimed(claimed)).outcomes).toEqual([{ kind: 'not_sent', retryAfterMs: 0 }])
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: true, attempts: 0 })
  })

  test.each([
    ['paused', () => tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })],
    ['disconnected', () => tenant.call('DELETE', `/accounts/${accountId}`)],
    [
      'told to wait by its provider',
      () =>
        run(
          sql`update accounts set paused_until = now() + interval '1 hour' where tenant_id = ${tenant.tenantId} and id = ${accountId}`,
        ),
    ],
  ])('is not sent once its account was %s', async (_what, change) => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    await change()
    await sendClaimed(claimed)
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: true })
  })

  test('is sent although it has waited longer than its claim, which is renewed', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    claimed.items[0]!.claimEndsMs = performance.now() - 1
    await run(
      sql`update messages set next_attempt_at = now() - interval '1 minute' where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    let leaseMs = 0
    outgoing.answer = async ({ id }) => {
      leaseMs = (await readSending(id)).dueInMs
      return { status: 'sent', providerMessageId: `p-${id}` }
    }
    await sendClaimed(claimed)
    expect((await readMessage(tenant, id)).status).toBe('sent')
    expect(leaseMs).toBeGreaterThan(60_000)
  })

  test('is not sent by a process that has lost it to another one', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    claimed.items[0]!.claimEndsMs = 0
    await run(
      sql`update messages set claim_token = gen_random_uuid() where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    await sendClaimed(claimed)
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: true })
  })
})

test('a message whose provider is to be asked is not sent again because the process stops before', async () => {
  fake.reconcile = async () => null
  const { id } = await send(tenant, conversationId, { text: '1' })
  await claim()
  await run(
    sql`update messages set next_attempt_at = now() - interval '1 minute' where tenant_id = ${tenant.tenantId} and id = ${id}`,
  )
  const claimed = await claim()
  expect(claimed.items).toMatchObject([{ id, task: 'reconcile' }])
  stopping.abort()
  await sendClaimed(claimed)
  expect(await readSending(id)).toMatchObject({ isClaimed: true, isDue: true })
})
