/** Mailboxes: read from the stored cursor, by one process at a time, again after every failure. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createChatListener } from '../../../../test/chat-listener.ts'
import { createFakeProvider, makeFailure } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { ChatError } from '../../../plugins/chat.ts'
import { insertAccount } from '../queries.ts'
import type { Account } from '../schemas.ts'
import { listMailboxes } from './queries.ts'

/** The mailbox of all accounts. A listener reads what follows its cursor, the index of the last body. */
const mailbox: string[] = []
let failure: Error | null = null
let listening = 0
let mostListening = 0
const cursors: (string | null)[] = []
const provider = createFakeProvider('mailbox')
delete provider.webhook
provider.mailbox = {
  async listen(_connection, { cursor, onBody }, { signal }) {
    cursors.push(cursor)
    mostListening = Math.max(mostListening, ++listening)
    try {
      for (let next = Number(cursor ?? 0); !signal.aborted; ) {
        if (failure) throw failure
        if (next < mailbox.length) await onBody(Buffer.from(mailbox[next]!), String(++next))
        else await new Promise(resolve => setTimeout(resolve, 10))
      }
    } finally {
      listening--
    }
  },
  parse: async body => [
    {
      type: 'deleted',
      externalId: null,
      from: [],
      providerMessageId: body.toString(),
      at: Temporal.Instant.fromEpochMilliseconds(0),
    },
  ],
}

let received: string[] = []
const listener = createChatListener(async (_tx, { events }) => {
  received.push(...events.map(event => ('providerMessageId' in event ? event.providerMessageId : event.type)))
})
let app: TestApp
let second: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [provider], extraFeatures: [listener] })
  second = await startTestApp({
    chatProviders: [provider],
    extraFeatures: [listener],
    databaseUrl: app.config.databaseUrl!,
  })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})
beforeEach(async () => {
  mailbox.length = 0
  cursors.length = 0
  received = []
  failure = null
  mostListening = 0
  tenant = await makeTenant(app, 'live')
})

const connect = async () =>
  (
    await tenant.call<Account>('POST', '/accounts', {
      body: {
        provider: 'mailbox',
        mode: 'chat',
        displayName: 'Post',
        credentials: { number: '1', secret: 'correct horse' },
      },
    })
  ).body
const waitForMails = (count: number) =>
  eventually(
    async () => received,
    mails => mails.length >= count,
  )
const disconnect = async ({ id }: Account) => {
  await tenant.call('DELETE', `/accounts/${id}`)
  await eventually(
    async () => listening,
    count => count === 0,
  )
}

test('reading starts where the mailbox ended when it was connected', async () => {
  mailbox.push('before', 'after')
  const { connect: connectProvider } = provider
  provider.connect = async (...call) => ({ ...(await connectProvider(...call)), mailboxCursor: '1' })
  onTestFinished(() => {
    provider.connect = connectProvider
  })
  const account = await connect()
  await waitForMails(1)
  expect(received).toEqual(['after'])
  await disconnect(account)
})

test('one process listens; after a failure it continues where it was; a disconnected account is left', async () => {
  mailbox.push('1', '2')
  const account = await connect()
  await waitForMails(2)
  failure = new Error('the connection was cut')
  mailbox.push('3')
  await eventually(
    async () => listening,
    count => count === 0,
  )
  failure = null
  mailbox.push('4')
  await waitForMails(4)
  expect(received).toEqual(['1', '2', '3', '4'])
  expect(cursors.at(-1)).toBe('2')
  await disconnect(account)
  expect(mostListening).toBe(1)
})

test('revoked credentials log the account out, and end the attempts; new ones begin again', async () => {
  failure = new ChatError(makeFailure('INVALID_CREDENTIALS'))
  const account = await connect()
  const get = async () => (await tenant.call<Account>('GET', `/accounts/${account.id}`)).body
  await eventually(get, ({ status }) => status === 'LOGGED_OUT')
  await eventually(
    async () => listening,
    count => count === 0,
  )
  failure = null
  mailbox.push('1')
  await tenant.call('PATCH', `/accounts/${account.id}`, {
    body: { credentials: { number: '1', secret: 'another secret' } },
  })
  await waitForMails(1)
  await disconnect(account)
})

test('mailboxes that other processes read leave room for those that nobody reads', async () => {
  await tenant.inTenant(async tx => {
    for (const name of ['m1', 'm2', 'm3', 'm4'])
      await insertAccount(tx, createId(tx), {
        provider: 'unread',
        mode: 'chat',
        external_id: name,
        display_name: name,
        status: 'CONNECTED',
        status_changed_at: getNow(tx),
      })
  })
  const list = async (own: string[], elsewhere: string[], limit: number) => {
    const readable = [{ environment: 'live' as const, provider: 'unread' }]
    const found = await listMailboxes(app.database, readable, { own, elsewhere, limit })
    return found.map(({ accountId }) => accountId)
  }
  const all = await list([], [], 10)
  expect(all).toHaveLength(4)
  const [own, elsewhere, ...others] = all as [string, string, ...string[]]
  expect((await list([own], [elsewhere], 10)).sort()).toEqual([own, ...others].sort())
  expect(await list([own], [elsewhere], 1)).toEqual([own])
  expect(await list([], [own, elsewhere, others[0]!], 1)).toEqual([others[1]])
})
