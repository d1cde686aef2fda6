/** Messages of many people that are stored together. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  return () => app.stop()
})

/** Few, so that people share them, change them and lose them to others. */
const identities: ChatIdentity[] = [
  { kind: 'phone', value: '+34611111111' },
  { kind: 'phone', value: '+34622222222' },
  { kind: 'bsuid', value: 'ES.1' },
  { kind: 'bsuid', value: 'ES.2' },
]
const sender = fc.subarray(identities, { minLength: 1, maxLength: 2 })
const texts = ['hola', 'BAJA', 'ALTA']
const messages = fc.array(
  fc.record({ from: sender, text: fc.constantFrom(...texts), isEcho: fc.boolean() }),
  {
    minLength: 2,
    maxLength: 8,
  },
)

test('are those that were stored one by one, in the same conversations', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async written => {
      const startMs = Date.now() - 60_000
      const events = written.map(({ from, text, isEcho }, index) => ({
        ...makeMessage(from, text, { isEcho }),
        at: Temporal.Instant.fromEpochMilliseconds(startMs + index * 1000),
      }))
      const together = await store([events])
      expect(together).toEqual(await store(events.map(event => [event])))
    }),
    { numRuns: 8 },
  )
})

async function store(parts: InboundEvent[][]): Promise<object[]> {
  const tenant = await makeTenant(app, 'live')
  const accountId = await makeChatAccount(tenant)
  for (const events of parts) await receive(tenant, accountId, events)
  return describeInbox(tenant)
}

/** What does not depend on ids. The lead may: a number with a new owner is that of one of two leads. */
async function describeInbox(tenant: TestTenant): Promise<object[]> {
  const stored = Map.groupBy(await listMessages(tenant), each => each.conversation_id)
  const conversations = await listConversations(tenant)
  const described = conversations.map(({ id, lead_id, unread_count, last_sequence }) => {
    // An opt-out is confirmed after what the person wrote together with it.
    const [confirmations, messages] = partition(
      stored.get(id)!,
      each => each.nature === 'opt_out_confirmation',
    )
    return {
      unread: unread_count,
      last: last_sequence,
      confirmations: confirmations.map(({ text }) => text),
      messages: messages.map(({ direction, text, status, nature }) => [direction, text, status, nature]),
      hasLead: lead_id !== null,
    }
  })
  const { rows: events } = await sql<{ type: string; count: number }>`
    select type, count(*)::int as count from events
    where tenant_id = ${tenant.tenantId} and type in ('message.received', 'message.sent')
    group by type order by type`.execute(app.database.owner)
  return [
    events,
    ...described.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  ]
}

const partition = <T>(all: T[], isFirst: (each: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter(each => !isFirst(each)),
]

test('of two hundred people make as many conversations and leads', async () => {
  const tenant = await makeTenant(app, 'live')
  const accountId = await makeChatAccount(tenant)
  const makeAll = (text: string) =>
    Array.from({ length: 200 }, (_, index) => makeMessage(`+34600000${String(index).padStart(3, '0')}`, text))
  await receive(tenant, accountId, makeAll('1'))
  await receive(tenant, accountId, makeAll('2'))
  const conversations = await listConversations(tenant)
  expect(conversations.length).toBe(200)
  expect(new Set(conversations.map(({ lead_id }) => lead_id)).size).toBe(200)
  expect(new Set(conversations.map(({ unread_count }) => unread_count))).toEqual(new Set([2]))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events where tenant_id = ${tenant.tenantId} and type = 'lead.replied'`.execute(
    app.database.owner,
  )
  expect(rows[0]!.count).toBe(200)
})
