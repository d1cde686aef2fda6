/** What a batch of results makes of its messages. The test claims and records by itself. */
import { beforeEach, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { countAdvisoryLockWaiters, eventually, testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox, toAttempt } from '../../../../test/message-outbox.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  send,
} from '../../../../test/messaging.ts'
import { makeMessage, receive } from '../../../../test/receiving.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import { createLog } from '../../../kit/log.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { SendResult } from '../../../plugins/chat.ts'
import { failQueued } from '../messages/fail-queued.ts'
import { hastenAccount } from '../messages/promote-next.ts'
import { toRefusal } from '../messages/to-failure.ts'
import { endOverdueMessages, overdueSchedule } from './jobs.ts'

const chat = prepareChat({ role: 'api' })
const { fake } = chat
const outbox = createMessageOutbox([fake], { encryptionKey: testEncryptionKey })
let { app, tenant, accountId } = chat
beforeEach(() => {
  ;({ app, tenant, accountId } = chat)
})

let made = 0
const toPhone = (count: number) => `+346${10_000_000 + count}`
const makeLead = () => makeContact(tenant, toPhone(++made))
/** Queues a message to each lead. Returns their ids, and those of their conversations. */
const queue = (leadIds: string[], account = accountId) =>
  Promise.all(
    leadIds.map(async leadId => {
      const conversationId = (await openConversation(tenant, account, leadId)).id
      return { conversationId, id: (await send(tenant, conversationId, { text: 'Hola' })).id }
    }),
  )
const claim = (account = accountId) =>
  tenant.inTenant(tx => outbox.claim(tx, account, { excludedIds: [], limit: 16 }))
type Claim = Awaited<ReturnType<typeof claim>>

function toSent({ items, target }: Claim, toResult: (id: string) => SendResult) {
  return items.map(item => ({ item, target: target!, attempt: toAttempt(toResult(item.id)) }))
}
const record = (claimed: Claim, toResult: (id: string) => SendResult) =>
  tenant.inTenant(tx => outbox.record(tx, accountId, toSent(claimed, toResult)))

const stop = (): SendResult => ({ status: 'failed', failure: makeFailure('PERMISSION_MISSING') })
const connectAgain = () =>
  tenant.inTenant(tx =>
    sql`
      update accounts set status = 'CONNECTED', paused_until = null
      where tenant_id = ${tenant.tenantId} and id = ${accountId}`.execute(tx),
  )

test('results of two accounts that write to the same people wait for each other, and never deadlock', async () => {
  const leads = await Promise.all(Array.from({ length: 6 }, makeLead))
  const accounts = [accountId, await connectAccount(tenant)]
  await queue(leads)
  await queue(leads, accounts[1])
  const claimed = await Promise.all(accounts.map(claim))
  let attempts = 0
  await Promise.all(
    claimed.flatMap((claim, index) => {
      const sent = toSent(claim, id => ({ status: 'sent', providerMessageId: `p-${id}` }))
      const ordered = index === 0 ? sent : sent.toReversed()
      return [ordered.slice(0, 3), ordered.slice(3)].map(part =>
        tenant.inTenant(tx => {
          attempts++
          return outbox.record(tx, accounts[index]!, part)
        }),
      )
    }),
  )
  expect(attempts).toBe(4)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where tenant_id = ${tenant.tenantId} and status = 'sent'`.execute(
    app.database.owner,
  )
  expect(rows).toEqual([{ count: 12 }])
})

test('an opt-out while messages are given back waits for them, and never deadlocks', async () => {
  const [message] = await queue([await makeLead()])
  const { items } = await claim()
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let attempts = 0
  const optOut = tenant.inTenant(async tx => {
    attempts++
    await lockLeadWrites(tx)
    locked.resolve()
    await released.promise
    await failQueued(tx, [message!.conversationId], toRefusal('OPTED_OUT', 'No more.'))
  })
  await locked.promise
  const givenBack = tenant.inTenant(async tx => {
    attempts++
    const release = outbox.release!(tx, accountId, items)
    // A release that does not wait for the opt-out has changed the row by then.
    await Promise.race([
      release,
      eventually(
        () => countAdvisoryLockWaiters(app.database),
        count => count > 0,
      ),
    ])
    released.resolve()
    await release
    await outbox.claim(tx, accountId, { excludedIds: [], limit: 16 })
  })
  await Promise.all([optOut, givenBack])
  expect(attempts).toBe(2)
})

test('two claims of a workspace do not wait for each other', async () => {
  const other = await connectAccount(tenant)
  await queue([await makeLead()])
  await queue([await makeLead()], other)
  const counts = await tenant.inTenant(async tx => {
    const { items } = await outbox.claim(tx, accountId, { excludedIds: [], limit: 16 })
    return [items.length, (await claim(other)).items.length]
  })
  expect(counts).toEqual([1, 1])
})

test('a strange id of the provider, and one that another message has, lose no other result', async () => {
  const queued = await queue(await Promise.all(Array.from({ length: 4 }, makeLead)))
  const [first, second, third, last] = queued.map(({ id }) => id)
  const ids = new Map([
    [first, 'same'],
    [second, 'same'],
    [third, `a\u0000${'b'.repeat(5000)}`],
    [last, ''],
  ])
  await record(await claim(), id => ({ status: 'sent', providerMessageId: ids.get(id)! }))
  const { rows } = await sql<{ status: string; stored: string | null }>`
    select status, provider_message_id as stored from messages
    where tenant_id = ${tenant.tenantId} and direction = 'out'`.execute(app.database.owner)
  expect(rows.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent'])
  const stored = rows.flatMap(({ stored }) => stored ?? []).sort()
  expect(stored).toEqual(['same', expect.stringMatching(/^sha256:/)])
})

test('a used-up limit of the account fails no message', async () => {
  const [message] = await queue([await makeLead()])
  await record(await claim(), () => ({ status: 'failed', failure: makeFailure('ACCOUNT_LIMIT') }))
  expect((await readMessage(tenant, message!.id)).status).toBe('queued')
  expect((await claim()).target).toBeNull()
  await connectAgain()
  expect((await claim()).items.map(({ id }) => id)).toEqual([message!.id])
})

test('a message that stops its account three times fails', async () => {
  const [message] = await queue([await makeLead()])
  for (const status of ['queued', 'queued', 'failed']) {
    await record(await claim(), stop)
    expect((await readMessage(tenant, message!.id)).status).toBe(status)
    await connectAgain()
  }
})

test.each([
  [23, 'queued'],
  [25, 'failed'],
])('a text that could not be sent for %s hours is %s', async (hours, status) => {
  const [message] = await queue([await makeLead()])
  await tenant.inTenant(tx =>
    sql`
      update messages set expires_at = expires_at - make_interval(hours => ${hours}::int)
      where tenant_id = ${tenant.tenantId} and id = ${message!.id}`.execute(tx),
  )
  await claim()
  const { failure, ...read } = await readMessage(tenant, message!.id)
  expect([read.status, failure?.code]).toEqual([status, status === 'failed' ? 'EXPIRED' : undefined])
})

test('messages of an account that does not send expire, and give the quota back', async () => {
  await tenant.limitQuota('maxMessagesPerMonth', 10)
  const [message] = await queue([await makeLead()])
  const ids = [message!.id, (await send(tenant, message!.conversationId, { text: '2' })).id]
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })
  await tenant.inTenant(tx =>
    sql`
      update messages set expires_at = expires_at - interval '25 hours'
      where tenant_id = ${tenant.tenantId} and direction = 'out'`.execute(tx),
  )
  const findNextDueAt = () =>
    app.database.readSnapshot(tenant, tx => overdueSchedule.findNextDueAt(tx, new Date()))
  expect((await findNextDueAt())!.getTime()).toBeLessThan(Date.now())
  await overdueSchedule.start!(app.database, tenant.tenantId)
  for (const id of ids)
    expect(await readMessage(tenant, id)).toMatchObject({ status: 'failed', failure: { code: 'EXPIRED' } })
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
  expect(await findNextDueAt()).toBeNull()
})

test.each([
  [16, 'queued'],
  [18, 'unknown'],
])(
  'a message of a process that died %s minutes ago is %s, although its account does not send',
  async (minutes, status) => {
    const [message] = await queue([await makeLead()])
    await claim()
    await tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })
    await tenant.inTenant(tx =>
      sql`
      update messages set claimed_at = claimed_at - make_interval(mins => ${minutes}::int),
        next_attempt_at = claimed_at - make_interval(mins => ${minutes}::int) + interval '15 minutes'
      where tenant_id = ${tenant.tenantId} and id = ${message!.id}`.execute(tx),
    )
    await endOverdueMessages.run({
      database: app.database,
      log: createLog('silent'),
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      hasWaitingJobs: async () => false,
    })
    expect((await readMessage(tenant, message!.id)).status).toBe(status)
  },
)

test('what waits for the budget does not expire meanwhile, nor what waits behind it', async () => {
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 0 } })
  const [message] = await queue([await makeLead()])
  await send(tenant, message!.conversationId, { text: '2' })
  await claim()
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from m.expires_at - f.next_attempt_at)::float8 / 3600 as hours
    from messages m join messages f on f.id = ${message!.id}
    where m.tenant_id = ${tenant.tenantId} and m.conversation_id = ${message!.conversationId}`.execute(
    app.database.owner,
  )
  expect(rows).toEqual([{ hours: 24 }, { hours: 24 }])
})

test('a higher limit first sends what people wrote, and then what campaigns queued', async () => {
  const campaignId = newId()
  const [ofCampaign] = await queue([await makeLead()])
  await queue([await makeLead()])
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 0 } })
  expect((await claim()).items).toEqual([])
  await tenant.inTenant(tx =>
    sql`
      update messages set campaign_id = ${campaignId}, send_at = created_at, next_attempt_at = next_attempt_at - interval '1 minute'
      where tenant_id = ${tenant.tenantId} and id = ${ofCampaign!.id}`.execute(tx),
  )
  expect(await tenant.inTenant(tx => hastenAccount(tx, accountId, 1))).toBe(1)
  const { rows } = await tenant.inTenant(tx =>
    sql<{ id: string }>`
      select id from messages where tenant_id = ${tenant.tenantId} and status = 'queued' and next_attempt_at > now() + interval '1 second'`.execute(
      tx,
    ),
  )
  expect(rows.map(({ id }) => id)).toEqual([ofCampaign!.id])
})

test.each([
  ['the person writes', false],
  ['the person writes', true],
  ['the limit is higher', false],
  ['the limit is higher', true],
])('what waits for the budget of tomorrow is sent when %s (refused before: %s)', async (wake, isRefused) => {
  const [message] = await queue([await makeLead()])
  const { id } = message!
  if (isRefused) {
    const failure = makeFailure('PROVIDER_UNAVAILABLE', { scope: 'recipient', retryable: true })
    await record(await claim(), () => ({ status: 'failed', failure }))
    await tenant.inTenant(tx =>
      sql`
        update messages set next_attempt_at = now() - interval '1 second'
        where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(tx),
    )
  }
  const setLimit = (dailyLimit: number) =>
    tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit } })
  await setLimit(0)
  expect((await claim()).items).toEqual([])
  if (wake === 'the limit is higher') {
    await setLimit(1)
    expect(await tenant.inTenant(tx => hastenAccount(tx, accountId, 10))).toBe(1)
  } else await receive(tenant, accountId, [makeMessage(toPhone(made), '¿Sigue en venta?')])
  expect((await claim()).items.map(item => item.id)).toEqual([id])
})
