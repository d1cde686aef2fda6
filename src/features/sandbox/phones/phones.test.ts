/** Phones of the test environment: pages on which somebody reads and writes as a lead, without a key. */
import type { RawBuilder } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeMeanwhile } from '../../../../test/change-meanwhile.ts'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { drawImage } from '../../../../test/media.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  send,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeChatAccount } from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Message } from '../../messaging/message-schemas.ts'
import { phonesMax } from './queries.ts'

let app: TestApp
let tenant: TestTenant
let accountId: string
let conversationId: string
let leadId: string
let url: string
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
  accountId = await connectAccount(tenant, 'sandbox')
  leadId = await makeContact(tenant, '+34612345678')
  conversationId = (await openConversation(tenant, accountId, leadId)).id
  url = await createPhone()
})

interface Phone {
  url: string
  expiresAt: string
  code?: string
}
const callPhones = (body: object, caller = tenant) =>
  caller.call<Phone>('POST', '/sandbox/phones', { body: { accountId, from: '+34612345678', ...body } })
/** Creates a phone. Returns its URL at the test server. */
async function createPhone(body: object = {}): Promise<string> {
  const reply = await callPhones({ name: 'Marta Ruiz', ...body })
  expect(reply.status, reply.text).toBe(201)
  return `${app.url}/phone/${reply.body.url.split('/').at(-1)}`
}

async function open(path = '') {
  const reply = await fetch(url + path, { redirect: 'manual' })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}
async function submit(fields: Record<string, string | File>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const reply = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  return { status: reply.status, location: reply.headers.get('location'), text: await reply.text() }
}
const listMessages = async (): Promise<Message[]> =>
  (await tenant.call<{ data: Message[] }>('GET', `/conversations/${conversationId}/messages?order=oldest`))
    .body.data
const deliver = async (body: object) =>
  waitForStatus(tenant, (await send(tenant, conversationId, body)).id, 'delivered')
const readItems = async (version = '') =>
  JSON.parse((await open(`/messages?version=${version}`)).text) as {
    version: string
    items: { id: string; html: string }[] | null
  }

describe('a phone', () => {
  test('shows what was received, whose sender then sees that it was read', async () => {
    const { id } = await deliver({ text: 'Hola <b>Marta</b>, mire https://example.com/a?b=1&c=2' })
    const { status, text, headers } = await open()
    expect(status).toBe(200)
    expect(text).toContain('<html lang="es">')
    expect(text).toContain('Hola &lt;b&gt;Marta&lt;/b&gt;')
    expect(text).toContain('href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'sha256-/),
    })
    expect((await waitForStatus(tenant, id, 'read')).readAt).not.toBeNull()
  })

  test('leaves out a message, and a conversation, that is erased while it is read', async () => {
    const { id } = await deliver({ text: 'Nichts davon' })
    await deliver({ text: 'Hola' })
    const openMeanwhile = (change: RawBuilder<unknown>) =>
      changeMeanwhile(app.database, {
        table: 'template_versions',
        read: () => open(),
        change: () => tenant.inTenant(tx => change.execute(tx)),
      })
    const left = await openMeanwhile(
      sql`delete from messages where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    expect(left.status).toBe(200)
    expect([left.text.includes('Hola'), left.text.includes('Nichts davon')]).toEqual([true, false])
    const none = await openMeanwhile(
      sql`delete from conversations where tenant_id = ${tenant.tenantId} and id = ${conversationId}`,
    )
    expect([none.status, none.text.includes('Hola')]).toEqual([200, false])
  })

  test('writes as the person: the form is answered when the message is there', async () => {
    expect(await submit({ id: 'first', text: '¿Siguen\r\nbuscando?' })).toMatchObject({
      status: 303,
      location: url.split('/').at(-1),
    })
    expect(await listMessages()).toMatchObject([
      { direction: 'in', kind: 'text', text: '¿Siguen\nbuscando?', leadId },
    ])
    expect((await open()).text).toMatch(/<li id="m-[^"]+" class="own"/)
  })

  test('that is submitted twice writes once', async () => {
    await Promise.all([submit({ id: 'same', text: 'Hola' }), submit({ id: 'same', text: 'Hola' })])
    await submit({ id: 'other', text: 'Hola' })
    expect(await listMessages()).toHaveLength(2)
  })

  test('shows whether its messages were read', async () => {
    await submit({ text: 'Hola' })
    expect((await open()).text).toContain('aria-label="Entregado"')
    await tenant.call('PATCH', `/conversations/${conversationId}`, { body: { read: true } })
    expect((await open()).text).toContain('aria-label="Leído"')
  })

  test('sends a photo with a caption, and shows it', async () => {
    const photo = new File([await drawImage(60, 40)], 'casa.png', { type: 'image/png' })
    expect((await submit({ text: 'La cocina', photo })).status).toBe(303)
    const [message] = await eventually(listMessages, list => list[0]?.media[0]?.status === 'ready')
    expect(message).toMatchObject({ kind: 'media', text: 'La cocina', media: [{ mediaType: 'image/png' }] })
    const path = /src="[\w-]+(\/media\/[^"]+)"/.exec((await open()).text)![1]!
    expect(await open(path)).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } })
  })

  test('presses buttons and rows of lists', async () => {
    const asked = await deliver({ text: '¿Cuándo?', buttons: [{ id: 'thu', title: 'El jueves' }] })
    const list = await deliver({
      text: '¿A qué hora?',
      list: { button: 'Horas', sections: [{ title: 'Tarde', rows: [{ id: '5', title: 'A las cinco' }] }] },
    })
    const { text } = await open()
    expect(text).toContain('<button>El jueves</button>')
    expect(text).toContain('☰ Horas</summary><h3>Tarde</h3>')
    await submit({ messageId: asked.id, choice: 'thu' })
    await submit({ messageId: list.id, choice: '5' })
    expect((await listMessages()).filter(({ direction }) => direction === 'in')).toMatchObject([
      { kind: 'choice', text: 'El jueves', content: { id: 'thu' }, replyToId: asked.id },
      { kind: 'choice', text: 'A las cinco', content: { id: '5' }, replyToId: list.id },
    ])
    expect(await submit({ messageId: asked.id, choice: 'fri' })).toMatchObject({ status: 422 })
  })

  test('shows a reaction of the agency on the message alone', async () => {
    await submit({ text: 'Vale' })
    const [message] = await listMessages()
    await deliver({ reaction: { messageId: message!.id, emoji: '👍' } })
    const { text } = await open()
    expect(text.match(/👍/g)).toHaveLength(1)
    expect(text).toContain('<p class="reactions">👍</p>')
  })

  test('gives its script the messages again only if they changed', async () => {
    await deliver({ text: 'Hola' })
    const first = await readItems()
    expect(first.items!.map(({ id }) => id[0])).toEqual(['d', 'm'])
    expect(await readItems(first.version)).toEqual({ version: first.version, items: null })
    await submit({ text: 'Hola' })
    expect((await readItems(first.version)).items).toHaveLength(3)
  })

  test('does not show notes, nor messages that were not sent', async () => {
    const blocked = '+34600000002'
    const opened = await openConversation(tenant, accountId, await makeContact(tenant, blocked))
    conversationId = opened.id
    await tenant.call('POST', `/conversations/${conversationId}/messages`, {
      body: { note: 'Parece interesada' },
    })
    await waitForStatus(tenant, (await send(tenant, conversationId, { text: 'Hola' })).id, 'failed')
    expect(await listMessages()).toHaveLength(2)
    url = await createPhone({ from: blocked })
    expect((await open()).text).not.toContain('<li ')
  })

  test('of somebody unknown makes them a lead when they write', async () => {
    url = await createPhone({ from: '+34699000111', name: 'Ana' })
    expect((await open()).text).toContain('Móvil de prueba de Ana')
    await submit({ text: 'Vendo mi piso' })
    const { data } = await tenant.listLeads({ q: 'Ana' })
    expect(data).toMatchObject([{ contact: { phone: '+34699000111' } }])
  })
})

describe('refused', () => {
  test.each([
    ['nothing', { text: '  ' }, 'Escriba algo'],
    ['a text that is too long', { text: 'x'.repeat(4097) }, 'demasiado largo'],
    [
      'a photo that is none',
      { photo: new File(['<svg/>'], 'a.png', { type: 'image/png' }) },
      'Elija una foto',
    ],
  ])('is %s, and the page says why', async (_, fields, notice) => {
    const { status, text } = await submit(fields as Record<string, string>)
    expect([status, text]).toEqual([422, expect.stringContaining(notice)])
    expect(await listMessages()).toEqual([])
  })

  test('are files of other conversations', async () => {
    const photo = new File([await drawImage(6, 4)], 'a.png', { type: 'image/png' })
    await submit({ photo })
    const [message] = await eventually(listMessages, list => list[0]?.media[0]?.status === 'ready')
    url = await createPhone({ from: '+34699000112' })
    for (const file of [message!.media[0]!.id, 'x']) expect((await open(`/media/${file}`)).status).toBe(404)
  })

  test('are forms that are none', async () => {
    const post = (body: string, type: string) =>
      fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } })
    expect((await post('text=Hola', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await post('nothing', 'multipart/form-data; boundary=x')).status).toBe(400)
    const parts = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(201)
    expect((await post(`${parts}--x--\r\n`, 'multipart/form-data; boundary=x')).status).toBe(400)
  })

  test.each([
    ['an unknown account', { accountId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f' }, 400],
    ['a name that the provider does not know', { from: '@' }, 400],
    ['an invalid phone', { from: '+0' }, 400],
    ['an unknown field', { colour: 'red' }, 400],
  ])('is %s', async (_, body, status) => {
    expect((await callPhones(body)).status).toBe(status)
  })

  test('is an account that receives nothing, and a live key', async () => {
    expect(await callPhones({ accountId: await makeChatAccount(tenant, 'manual') })).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    const live = await makeTenant(app, 'live')
    expect(await callPhones({}, live)).toMatchObject({ status: 403, body: { code: 'TEST_ONLY' } })
  })

  test('are more phones than an environment may have', async () => {
    await tenant.inTenant(tx =>
      sql`
        insert into sandbox_phones (tenant_id, id, account_id, kind, value, created_at, expires_at)
        select ${tenant.tenantId}::uuid, gen_random_uuid(), ${accountId}::uuid, 'sandbox', n::text, now(), now() + interval '1 day'
        from generate_series(1, ${phonesMax - 1}) n`.execute(tx),
    )
    expect((await callPhones({})).status).toBe(201)
    expect(await callPhones({ from: '+34699000113' })).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_PHONES' },
    })
  })
})

describe('the link', () => {
  const moveDays = async (days: number) => {
    const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
    const now = new Date(Date.parse(body.now) + days * 86_400_000).toISOString()
    expect((await tenant.call('POST', '/sandbox/clock', { body: { now } })).status).toBe(200)
  }

  test('stays the same, and ends after seven days of the environment', async () => {
    await moveDays(5)
    expect(await createPhone()).toBe(url)
    await moveDays(5)
    expect((await open()).status).toBe(200)
    await moveDays(3)
    expect((await open()).status).toBe(404)
    const former = url
    expect(await createPhone()).not.toBe(former)
  })

  test('ends when the person is erased', async () => {
    expect((await tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
    expect((await open()).status).toBe(404)
  })

  test('of a disconnected account shows the conversation, but nothing can be said', async () => {
    await deliver({ text: 'Hola' })
    await tenant.call('DELETE', `/accounts/${accountId}`)
    const { status, text } = await open()
    expect([status, text]).toEqual([200, expect.stringContaining('no está conectada')])
    expect((await submit({ text: 'Hola' })).status).toBe(422)
  })
})
