/** A program that is the lead: it writes to accounts, and reads what it received. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { findStored } from '../../../test/stored-values.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const phone = '+34612345678'
interface Received {
  id: string
  conversationId: string
  leadId: string | null
}
interface Delivered {
  data: {
    id: string
    to: string
    text: string | null
    media: object[]
    templateId: string | null
    at: string
  }[]
  nextCursor: string | null
}

async function start(provider = 'sandbox', credentials: object = {}): Promise<string> {
  tenant = await makeTenant(app)
  return connect(provider, credentials)
}
async function connect(provider = 'sandbox', credentials: object = {}): Promise<string> {
  const body = { provider, mode: 'chat', displayName: 'Office', credentials }
  const reply = await tenant.call<{ id: string }>('POST', '/accounts', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
const say = (accountId: string, text: string, from = phone) =>
  tenant.call<Received>('POST', '/sandbox/messages', { body: { accountId, from, text } })
const listReceived = async (query = `to=${encodeURIComponent(phone)}`) =>
  (await tenant.call<Delivered>('GET', `/sandbox/messages?${query}`)).body
/** Longer than a busy machine needs to send what is queued. */
let settledMs = 0
const settle = () => {
  settledMs += 30_000
  return tenant.call('POST', '/sandbox/clock', {
    body: { now: new Date(Date.now() + settledMs).toISOString() },
  })
}

test('what a lead says is read before the reply, and what they received is listed in order', async () => {
  const accountId = await start()
  const said = await say(accountId, 'Hola, ¿sigue libre?')
  expect(said.status, said.text).toBe(201)
  const { id, conversationId, leadId } = said.body
  const messages = await tenant.call<{ data: object[] }>('GET', `/conversations/${conversationId}/messages`)
  expect(messages.body.data).toMatchObject([{ id, text: 'Hola, ¿sigue libre?', direction: 'in', leadId }])
  expect((await tenant.listAllLeads())[0]).toMatchObject({ id: leadId, status: 'replied' })
  for (const text of ['Sí', '¿Cuándo viene?', 'Hasta luego']) {
    const sent = await tenant.call('POST', `/conversations/${conversationId}/messages`, { body: { text } })
    expect(sent.status, sent.text).toBe(202)
  }
  expect((await settle()).status).toBe(200)
  const { data } = await listReceived()
  expect(data.map(({ to, text, media, templateId }) => ({ to, text, media, templateId }))).toEqual(
    ['Sí', '¿Cuándo viene?', 'Hasta luego'].map(text => ({ to: phone, text, media: [], templateId: null })),
  )
  const first = await listReceived('limit=2')
  const second = await listReceived(`limit=2&cursor=${first.nextCursor}`)
  expect([first.data.length, second.data.map(({ text }) => text)]).toEqual([2, ['Hasta luego']])
  expect((await listReceived('to=nobody')).data).toEqual([])
})

test('STOP is answered once, and nothing more is sent', async () => {
  const accountId = await start()
  const { conversationId } = (await say(accountId, 'Hola')).body
  await say(accountId, 'STOP')
  await say(accountId, 'STOP')
  const body = { text: 'One more thing' }
  const later = await tenant.call('POST', `/conversations/${conversationId}/messages`, { body })
  await settle()
  const texts = (await listReceived()).data.map(({ text }) => text)
  expect([later.status, texts]).toEqual([422, ['De acuerdo: no volveremos a escribirte por este canal.']])
})

test('files are fetched from the sandbox; the lead is named as the provider names people', async () => {
  const accountId = await start()
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const body = {
    accountId,
    from: 'marta',
    text: 'Mira',
    media: [{ mediaType: 'image/png', fileName: 'a.png', data: png }],
  }
  const said = await tenant.call<Received>('POST', '/sandbox/messages', { body })
  expect(said.status, said.text).toBe(201)
  const { body: page } = await tenant.call<{ data: { media: { fileName: string }[] }[] }>(
    'GET',
    `/conversations/${said.body.conversationId}/messages`,
  )
  expect(page.data[0]!.media).toMatchObject([{ fileName: 'a.png', kind: 'image' }])
  expect((await tenant.listAllLeads())[0]!.contact.identifiers).toEqual(['sandbox:marta'])
})

test('a phone number is read as it is read everywhere: the lead who has it wrote', async () => {
  const accountId = await start()
  const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { phone: '644 55 66 77' } },
  })
  const written = ['+34644556677', '644556677', '+34 644 55 66 77', '0034 644-556-677', '(644) 55.66.77']
  const leadIds: (string | null)[] = []
  for (const from of written) leadIds.push((await say(accountId, 'Hola', from)).body.leadId)
  expect(leadIds).toEqual(written.map(() => lead.id))
  await tenant.call('POST', `/conversations/${(await say(accountId, '¿Sí?')).body.conversationId}/messages`, {
    body: { text: 'Sí' },
  })
  await settle()
  expect((await listReceived('to=612 34 56 78')).data.map(({ to }) => to)).toEqual([phone])
})

test('a message keeps the number to which it went, whatever becomes of its lead', async () => {
  const accountId = await start()
  const answer = async (from: string, text: string) => {
    const { conversationId, leadId } = (await say(accountId, 'Hola', from)).body
    await tenant.call('POST', `/conversations/${conversationId}/messages`, { body: { text } })
    await settle()
    return leadId!
  }
  const [one, other] = ['+34622000001', '+34622000002']
  const [kept, absorbed] = [await answer(one, 'To Ana'), await answer(other, 'To Ana B')]
  const sent = [
    [one, 'To Ana'],
    [other, 'To Ana B'],
  ]
  const list = async (query?: string) => (await listReceived(query)).data.map(({ to, text }) => [to, text])
  const merge = await tenant.call('POST', `/leads/${kept}/merge`, { body: { leadId: absorbed } })
  expect(merge.status, merge.text).toBe(200)
  expect(await list('')).toEqual(sent)
  await answer(other, 'Again to Ana B')
  sent.push([other, 'Again to Ana B'])
  expect(await list('')).toEqual(sent)
  expect(await list(`to=${encodeURIComponent(one)}`)).toEqual(sent.slice(0, 1))
  expect(await list(`to=${encodeURIComponent(other)}`)).toEqual(sent.slice(1))
  expect((await tenant.call('DELETE', `/leads/${kept}?erase=true`)).status).toBe(204)
  expect(await findStored(app, [one, other])).toEqual([])
})

test('a repeated request with the same key says it once', async () => {
  const accountId = await start()
  const headers = { 'idempotency-key': 'once' }
  const body = { accountId, from: phone, text: 'Hola' }
  const replies = [1, 2].map(() => tenant.call<Received>('POST', '/sandbox/messages', { body, headers }))
  await Promise.all(replies)
  const again = await tenant.call<Received>('POST', '/sandbox/messages', { body, headers })
  const { body: page } = await tenant.call<{ data: object[] }>(
    'GET',
    `/conversations/${again.body.conversationId}/messages`,
  )
  expect(page.data).toHaveLength(1)
})

test('an erased person is gone from the stored bodies too', async () => {
  const accountId = await start()
  const { leadId } = (await say(accountId, 'Soy Casilda Romaguera', '+34611998877')).body
  await say(accountId, 'Otra persona', '+34622887766')
  expect((await tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
  expect(await findStored(app, ['Romaguera', '+34611998877'])).toEqual([])
})

test('bad input is refused, each with its place', async () => {
  const accountId = await start()
  const post = async (body: object) => {
    const reply = await tenant.call<{ code: string; errors?: { path: string; code: string }[] }>(
      'POST',
      '/sandbox/messages',
      { body },
    )
    return [reply.status, reply.body.errors?.[0]?.path ?? reply.body.code]
  }
  const other = await makeTenant(app)
  expect(await post({ accountId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', from: phone, text: 'a' })).toEqual([
    400,
    '/accountId',
  ])
  expect(await post({ accountId, from: phone })).toEqual([400, '/text'])
  expect(await post({ accountId, from: phone, text: 'x'.repeat(65_537) })).toEqual([400, '/text'])
  for (const from of ['+0', '6445566', '+34 644 55 66', '@'])
    expect(await post({ accountId, from, text: 'a' })).toEqual([400, '/from'])
  expect(
    (await other.call('POST', '/sandbox/messages', { body: { accountId, from: phone, text: 'a' } })).status,
  ).toBe(400)
  await tenant.call('DELETE', `/accounts/${accountId}`)
  expect(await post({ accountId, from: phone, text: 'a' })).toEqual([409, 'INVALID_TRANSITION'])
})

test('live keys may not call it', async () => {
  const live = await makeTenant(app, 'live')
  const body = { accountId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', from: phone, text: 'a' }
  for (const reply of [
    await live.call<{ code: string }>('POST', '/sandbox/messages', { body }),
    await live.call<{ code: string }>('GET', '/sandbox/messages'),
  ])
    expect([reply.status, reply.body.code]).toEqual([403, 'TEST_ONLY'])
})
