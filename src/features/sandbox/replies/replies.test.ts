/** Leads of the test environment that answer by a script, over HTTP and on the environment's clock. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeContact, openConversation, send, waitForStatus } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Conversation } from '../../messaging/conversations/schemas.ts'
import type { Message } from '../../messaging/message-schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const hourMs = 3_600_000

async function connect(script?: string): Promise<string> {
  const { status, body, text } = await tenant.call<{ id: string }>('POST', '/accounts', {
    body: {
      provider: 'sandbox',
      mode: 'chat',
      displayName: 'Office',
      credentials: script ? { script } : {},
    },
  })
  expect(status, text).toBe(201)
  return body.id
}

async function moveClock(ms: number): Promise<void> {
  const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
  const now = new Date(Date.parse(body.now) + ms).toISOString()
  const { status, text } = await tenant.call('POST', '/sandbox/clock', { body: { now } })
  expect(status, text).toBe(200)
}

const listMessages = async (conversationId: string): Promise<Message[]> =>
  (await tenant.call<{ data: Message[] }>('GET', `/conversations/${conversationId}/messages?order=oldest`))
    .body.data

async function write(conversation: Conversation, text: string): Promise<Message> {
  const { id } = await send(tenant, conversation.id, { text })
  return waitForStatus(tenant, id, 'delivered')
}

const describeMessages = (messages: Message[]) =>
  messages.map(({ direction, text, nature }) => [direction, nature, text])

test('a lead asks for a viewing when the clock has moved, and goes on when we answer', async () => {
  const conversation = await openConversation(
    tenant,
    await connect('viewing'),
    await makeContact(tenant, '612000001'),
  )
  await write(conversation, '¿Sigue en venta su piso?')
  expect(await listMessages(conversation.id)).toHaveLength(1)
  await moveClock(hourMs)
  const [, first] = await listMessages(conversation.id)
  expect(first).toMatchObject({ direction: 'in', text: expect.stringMatching(/ver/) })
  await write(conversation, '¿Qué día le va bien?')
  await moveClock(hourMs)
  await write(conversation, 'Hasta entonces.')
  await moveClock(hourMs)
  await write(conversation, 'Adiós.')
  await moveClock(hourMs)
  expect((await listMessages(conversation.id)).map(({ direction }) => direction)).toEqual([
    'out',
    'in',
    'out',
    'in',
    'out',
    'in',
    'out',
  ])
})

test('late answers of several leads arrive in the order in which they are due', async () => {
  const accountId = await connect('late')
  const conversations: Conversation[] = []
  for (const nth of [1, 2, 3, 4]) {
    const lead = await makeContact(tenant, `61200010${nth}`)
    conversations.push(await openConversation(tenant, accountId, lead))
    await write(conversations.at(-1)!, 'Buenos días')
  }
  await moveClock(5 * hourMs)
  for (const { id } of conversations) expect(await listMessages(id)).toHaveLength(1)
  await moveClock(27 * hourMs)
  const answers = (await Promise.all(conversations.map(({ id }) => listMessages(id)))).map(
    ([, answer]) => answer!,
  )
  expect(answers.map(({ direction }) => direction)).toEqual(['in', 'in', 'in', 'in'])
  const byTime = answers.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
  expect(new Set(byTime.map(({ createdAt }) => createdAt)).size).toBe(4)
  expect(byTime.map(({ id }) => id)).toEqual(answers.map(({ id }) => id).sort())
})

test('the script of a recipient comes before that of the account: STOP is an opt-out, confirmed once', async () => {
  const accountId = await connect('silent')
  const leadId = await makeContact(tenant, '+34600000014')
  const conversation = await openConversation(tenant, accountId, leadId)
  await write(conversation, '¿Sigue en venta su piso?')
  await moveClock(hourMs)
  const messages = await eventually(
    () => listMessages(conversation.id),
    list => list.length >= 2,
  )
  expect(messages[1]).toMatchObject({ direction: 'in', text: expect.stringMatching(/^(STOP|Baja|No más)$/) })
  const refused = await tenant.call('POST', `/conversations/${conversation.id}/messages`, {
    body: { text: '¿Seguro?' },
  })
  expect(refused).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
  await moveClock(48 * hourMs)
  expect((await listMessages(conversation.id)).filter(({ direction }) => direction === 'in')).toHaveLength(1)
})

test('a machine answers at once, its person later; a voice note can be played', async () => {
  const accountId = await connect()
  const away = await openConversation(tenant, accountId, await makeContact(tenant, '+34600000016'))
  await write(away, 'Buenos días')
  await moveClock(24 * hourMs)
  expect(describeMessages(await listMessages(away.id))).toEqual([
    ['out', 'person', 'Buenos días'],
    ['in', 'auto_reply', expect.any(String)],
    ['in', 'person', expect.any(String)],
  ])
  const voice = await openConversation(tenant, accountId, await makeContact(tenant, '+34600000017'))
  await write(voice, 'Buenos días')
  await moveClock(hourMs)
  const [, note] = await eventually(
    () => listMessages(voice.id),
    messages => messages[1]?.media[0]?.status === 'ready',
  )
  expect(note!.media).toMatchObject([{ kind: 'voice', mediaType: 'audio/ogg' }])
})

test('the same people say the same in another environment', async () => {
  const answers: (string | null)[] = []
  for (const _ of [1, 2]) {
    tenant = await makeTenant(app)
    const accountId = await connect('who_are_you')
    const conversation = await openConversation(tenant, accountId, await makeContact(tenant, '612000301'))
    await write(conversation, 'Buenos días')
    await moveClock(hourMs)
    answers.push((await listMessages(conversation.id))[1]!.text)
  }
  expect(answers[1]).toBe(answers[0])
})

test('a lead without a script never answers', async () => {
  const conversation = await openConversation(tenant, await connect(), await makeContact(tenant, '612000401'))
  await write(conversation, 'Buenos días')
  await moveClock(48 * hourMs)
  expect(await listMessages(conversation.id)).toHaveLength(1)
})

test('an erased lead answers no more', async () => {
  const leadId = await makeContact(tenant, '612000501')
  const conversation = await openConversation(tenant, await connect('viewing'), leadId)
  await write(conversation, 'Buenos días')
  expect((await tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
  await moveClock(hourMs)
  const { body } = await tenant.call<{ data: object[] }>('GET', '/conversations')
  expect(body.data).toEqual([])
})
