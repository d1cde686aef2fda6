/** Live updates of the inbox over HTTP: across processes, resumed without loss, dropped if nobody reads. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  type ReceivedEvent,
  readEvents,
  storeAccount,
  storeConversation,
  storeMessage,
} from '../../../../test/inbox.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { createHub } from './hub.ts'
import { changesMax, deleteOldChanges } from './read-changes.ts'

let api: TestApp
let other: TestApp
let tenant: TestTenant
let conversationId: string
beforeAll(async () => {
  api = await startTestApp({ env: { ROLE: 'api' } })
  other = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: api.config.databaseUrl! })
})
afterAll(async () => {
  await other.stop()
  await api.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(api)
  conversationId = await tenant.inTenant(async tx =>
    storeConversation(tx, { accountId: await storeAccount(tx), phone: '+34612345678' }),
  )
})

interface Stream {
  next(): Promise<ReceivedEvent>
  close(): void
  lastEventId(): string
}

async function open(lastEventId?: string): Promise<Stream> {
  const stopping = new AbortController()
  const reply = await fetch(`${api.url}/public/v1/conversations/stream`, {
    headers: { 'x-api-key': tenant.key, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: stopping.signal,
  })
  expect(reply.status).toBe(200)
  const events = readEvents(reply)
  let last = ''
  onTestFinished(() => stopping.abort())
  return {
    async next() {
      const { value, done } = await events.next()
      if (done) throw new Error('the stream ended')
      last = value.id ?? last
      return value
    },
    close: () => stopping.abort(),
    lastEventId: () => last,
  }
}

/** Inserts a message in the other process. */
const write = (text: string) =>
  other.database.withTenant({ tenantId: tenant.tenantId }, tx => storeMessage(tx, conversationId, { text }))

/** Reads until so many texts have come, and the end of their batch, which has the id. */
async function readTexts(stream: Stream, count: number): Promise<string[]> {
  const texts = new Set<string>()
  for (let isEnd = false; !isEnd || texts.size < count; ) {
    const { event, data, id } = await stream.next()
    if (event === 'message') texts.add(data.message.text)
    isEnd = id !== null
  }
  return [...texts]
}

it('sends messages of another process, as soon as they are committed', async () => {
  const stream = await open()
  expect(await stream.next()).toMatchObject({ event: 'ready', data: { isResumed: false } })
  const beganMs = performance.now()
  const { id } = await write('Buenas tardes')
  let received = await stream.next()
  while (received.event !== 'message') received = await stream.next()
  expect(received.data).toMatchObject({
    messageId: id,
    conversationId,
    message: { id, text: 'Buenas tardes', direction: 'in' },
  })
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})

it('sends what a client missed, in whatever order it was committed', async () => {
  const first = await open()
  await first.next()
  await write('one')
  await readTexts(first, 1)
  first.close()
  // A transaction that began before, and commits after the client has seen a later message.
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const secondConversationId = await tenant.inTenant(async tx =>
    storeConversation(tx, { accountId: await storeAccount(tx), phone: '+34612345679' }),
  )
  const slow = other.database.withTenant({ tenantId: tenant.tenantId }, async tx => {
    await storeMessage(tx, secondConversationId, { text: 'slow' })
    started.resolve()
    await release.promise
  })
  await started.promise
  await write('two')
  const second = await open(first.lastEventId())
  expect(await second.next()).toMatchObject({ event: 'ready', data: { isResumed: true } })
  expect(await readTexts(second, 1)).toEqual(['two'])
  second.close()
  release.resolve()
  await slow
  const third = await open(second.lastEventId())
  expect(await third.next()).toMatchObject({ event: 'ready', data: { isResumed: true } })
  expect(await readTexts(third, 1)).toEqual(['slow'])
})

it.each(['nonsense', '1-1:1:', '99-5:3:', '99-5:9:8,7', `${Date.now()}-999999999999:999999999999:`])(
  'begins anew for the id %s',
  async id => {
    const stream = await open(id)
    expect(await stream.next()).toMatchObject({ event: 'ready', data: { isResumed: false } })
    await write('one')
    expect(await readTexts(stream, 1)).toEqual(['one'])
  },
)

it('sends a conversation that has changed', async () => {
  const stream = await open()
  await stream.next()
  await tenant.call('PATCH', `/conversations/${conversationId}`, { body: { labels: ['vip'] } })
  expect(await stream.next()).toMatchObject({
    event: 'conversation',
    id: expect.any(String),
    data: { conversation: { id: conversationId, labels: ['vip'] } },
  })
})

it('asks to load the inbox if too much has changed', async () => {
  const stream = await open()
  await stream.next()
  stream.close()
  const { id } = await write('one')
  await tenant.inTenant(tx =>
    recordInboxChanges(
      tx,
      Array.from({ length: changesMax + 1 }, (_, index) => ({
        conversationId,
        messageId: `${id.slice(0, 24)}${String(index).padStart(12, '0')}`,
      })),
    ),
  )
  const resumed = await open(stream.lastEventId())
  expect(await resumed.next()).toMatchObject({ event: 'ready', data: { isResumed: false } })
})

it('shows nothing of another environment, and ends when its key is revoked', async () => {
  const stream = await open()
  await stream.next()
  const stranger = await makeTenant(api)
  await stranger.inTenant(async tx => {
    const accountId = await storeAccount(tx)
    await storeMessage(tx, await storeConversation(tx, { accountId, phone: '+34612345678' }), { text: 'no' })
  })
  await write('yes')
  expect(await readTexts(stream, 1)).toEqual(['yes'])
  await api.database.owner
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('last4', '=', tenant.key.slice(-4))
    .execute()
  await new Promise(resolve => setTimeout(resolve, 2100))
  await write('secret')
  const received: ReceivedEvent[] = []
  for (let last = ''; last !== 'error'; last = received.at(-1)!.event) received.push(await stream.next())
  expect(received.at(-1)!.data).toMatchObject({ statusCode: 401 })
  expect(JSON.stringify(received)).not.toContain('secret')
})

it('sends the same to all who watch', async () => {
  const streams = await Promise.all([open(), open(), open()])
  for (const stream of streams) await stream.next()
  await write('one')
  for (const stream of streams) expect(await readTexts(stream, 1)).toEqual(['one'])
})

it('drops a client that does not read, and keeps the others', async () => {
  const hub = createHub(async (_tx, changes) =>
    changes.flatMap(() => Array.from({ length: 2000 }, () => 'update')),
  )
  const [slow, quick] = [
    hub.subscribe(api.database, tenant.tenantId),
    hub.subscribe(api.database, tenant.tenantId),
  ]
  onTestFinished(() => {
    slow.close()
    quick.close()
  })
  await Promise.all([slow.started, quick.started])
  const { signal } = new AbortController()
  for (const text of ['one', 'two']) {
    // It reads while the change is made: a change may come twice.
    const [batch] = await Promise.all([quick.next(10_000, signal), write(text)])
    expect(typeof batch === 'object' && batch.updates?.length).toBe(2000)
  }
  expect(await slow.next(10_000, signal)).toBe('ended')
})

it('keeps no changes for longer than a day', async () => {
  await write('one')
  const count = () =>
    tenant.inTenant(tx =>
      tx.selectFrom('inbox_changes').select('message_id').where('tenant_id', '=', tenant.tenantId).execute(),
    )
  await tenant.inTenant(tx =>
    tx
      .updateTable('inbox_changes')
      .set({ changed_at: new Date(0) })
      .where('tenant_id', '=', tenant.tenantId)
      .execute(),
  )
  expect((await count()).length).toBeGreaterThan(0)
  expect(await tenant.inTenant(deleteOldChanges)).toBe(false)
  expect(await count()).toEqual([])
})
