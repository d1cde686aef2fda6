/** WhatsApp from end to end: the whole program in live, against the simulated Graph API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import type { Media } from '../src/features/messaging/media/schemas.ts'
import type { Template } from '../src/features/templates/schemas.ts'
import { startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import {
  closeWindow,
  connectAccount,
  type FlowApp,
  listConversations,
  listEventTypes,
  listMessages,
  readAccount,
  startFlowApp,
  waitForConversation,
  waitForMessage,
} from './chat-flow.ts'
import { eventually } from './harness.ts'
import { drawImage, makeVoiceNote } from './media.ts'
import { readMessage, send, waitForStatus } from './messaging.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

let whatsapp: WhatsappSimulator
let app: FlowApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  whatsapp = await startWhatsapp()
  app = await startFlowApp({ CHAT_URLS: `whatsapp_cloud=${whatsapp.url}` })
})
afterAll(async () => {
  await app.stop()
  await whatsapp.close()
})
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  whatsapp.setWebhook(null)
  whatsapp.setAccessToken(whatsapp.credentials.accessToken)
  const account = await connectAccount(tenant, 'whatsapp_cloud', whatsapp.credentials)
  accountId = account.id
  expect(account).toMatchObject({ status: 'CONNECTED', phone: '+34910000000', dailyBudget: 1000 })
  await eventually(
    async () => whatsapp.callbackUrl,
    url => url === account.webhook!.url,
    10_000,
  )
})

let number = 0
/** A person who has written. */
async function meet(settings: { phone?: string | null } = {}) {
  number += 1
  const phone = settings.phone === undefined ? `+3461100000${number}` : settings.phone
  const userId = `ES.person${number}`
  const person = whatsapp.addPerson({ name: 'Marta Ruiz', phone, userId })
  person.write('¿Sigue en venta el piso?')
  const conversation = await waitForConversation(tenant, ({ unreadCount }) => unreadCount > 0)
  return { person, phone, userId, conversation }
}

const upload = async (rawBody: Uint8Array<ArrayBuffer>, contentType: string, query = '') => {
  const reply = await tenant.call<Media>('POST', `/media${query}`, { rawBody, contentType })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}

describe('a person who writes first', () => {
  test('becomes a lead that may be answered, and the answer is delivered and read', async () => {
    const { person, phone, conversation } = await meet()
    expect(conversation).toMatchObject({ canReply: true, contactName: 'Marta Ruiz', accountId })
    const { body: lead } = await tenant.call<Lead>('GET', `/leads/${conversation.leadId}`)
    expect(lead).toMatchObject({ contact: { phone, name: 'Marta Ruiz' } })
    expect((await tenant.call('POST', `/conversations/${conversation.id}/typing`)).status).toBe(204)
    const answer = await send(tenant, conversation.id, { text: 'Sí, ¿quiere verlo?' })
    expect(await waitForStatus(tenant, answer.id, 'read')).toMatchObject({
      sentAt: expect.any(String),
      deliveredAt: expect.any(String),
      readAt: expect.any(String),
    })
    expect(person.received.map(({ body }) => body.text)).toMatchObject([{ body: 'Sí, ¿quiere verlo?' }])
    expect(await listEventTypes(tenant)).toEqual([
      'account.status_changed',
      'lead.created',
      'message.received',
      'lead.replied',
      'message.sent',
      'message.delivered',
      'message.read',
    ])
  })

  test('is sent every kind of message, in order', async () => {
    const { person, conversation } = await meet()
    const [question] = await listMessages(tenant, conversation.id)
    const image = await upload(await drawImage(40, 20), 'image/png', '?fileName=salon.png')
    const voice = await upload(makeVoiceNote(20_000), 'audio/ogg')
    const list = {
      button: 'Elegir',
      sections: [
        {
          title: 'Jueves',
          rows: [
            { id: 'a', title: '18:00' },
            { id: 'b', title: '19:00' },
          ],
        },
      ],
    }
    const bodies = [
      { text: 'Sí', replyToId: question!.id },
      { mediaId: image, caption: 'El salón' },
      { mediaId: voice },
      {
        text: '¿Le va bien?',
        buttons: [
          { id: 'yes', title: 'Sí' },
          { id: 'no', title: 'No' },
        ],
      },
      { text: '¿Cuándo?', list },
      { location: { latitude: 41.4, longitude: 2.15, name: 'El piso' } },
      { reaction: { messageId: question!.id, emoji: '👍' } },
    ]
    const tooLong = { mediaId: image, caption: 'a'.repeat(1025) }
    const refused = await tenant.call<{ code: string }>(
      'POST',
      `/conversations/${conversation.id}/messages`,
      { body: tooLong },
    )
    expect([refused.status, refused.body.code]).toEqual([422, 'TEXT_TOO_LONG'])
    const ids: string[] = []
    for (const body of bodies) ids.push((await send(tenant, conversation.id, body)).id)
    for (const id of ids) await waitForStatus(tenant, id, 'read')
    const types = person.received.map(({ body }) => [body.type, (body.interactive as { type: string })?.type])
    expect(types).toEqual([
      ['text', undefined],
      ['image', undefined],
      ['audio', undefined],
      ['interactive', 'button'],
      ['interactive', 'list'],
      ['location', undefined],
      ['reaction', undefined],
    ])
    expect(person.received[0]!.body.context).toMatchObject({ message_id: expect.stringMatching(/^wamid/) })
    person.write(
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Sí' } },
      },
      { replyTo: person.received[3]!.id },
    )
    person.sendFile('image', Buffer.from(await drawImage(60, 30)), 'image/png', { caption: 'Mi salón' })
    const choice = await waitForMessage(tenant, conversation.id, ({ kind }) => kind === 'choice')
    expect(choice).toMatchObject({ replyToId: ids[3], content: { id: 'yes', title: 'Sí' } })
    const photo = await waitForMessage(
      tenant,
      conversation.id,
      ({ direction, media }) => direction === 'in' && media[0]?.status === 'ready',
    )
    expect(photo).toMatchObject({ text: 'Mi salón', media: [{ kind: 'image', widthPx: 60 }] })
  })

  test('is sent, and sends, a file of 17 MB as it is', async () => {
    const { person, conversation } = await meet()
    const plan = new Uint8Array(17_000_000).map((_, index) => (index * 31) % 251)
    plan.set(Buffer.from('%PDF-1.7\n'))
    const mediaId = await upload(plan, 'application/pdf', '?fileName=plano.pdf')
    const { id } = await send(tenant, conversation.id, { mediaId, caption: 'El plano' })
    await waitForStatus(tenant, id, 'read', 30_000)
    const { document } = person.received.at(-1)!.body as { document: { id: string; filename: string } }
    expect(document.filename).toBe('plano.pdf')
    const { origin } = new URL(whatsapp.url)
    const authorization = `Bearer ${whatsapp.credentials.accessToken}`
    const sent = await fetch(`${origin}/files/${document.id}`, { headers: { authorization } })
    expect(Buffer.from(await sent.arrayBuffer()).equals(plan)).toBe(true)
    person.sendFile('document', Buffer.from(plan), 'application/pdf', { filename: 'suyo.pdf' })
    const { media } = await waitForMessage(
      tenant,
      conversation.id,
      ({ direction, media }) => direction === 'in' && media[0]?.status === 'ready',
    )
    const received = await fetch(`${app.url}/public/v1${media[0]!.url}`, {
      headers: { 'x-api-key': tenant.key },
    })
    expect(Buffer.from(await received.arrayBuffer()).equals(plan)).toBe(true)
  })
})

test('outside the window, only an approved template is sent', async () => {
  const { person, conversation } = await meet()
  await closeWindow(tenant, conversation.id)
  const refuse = (body: object) =>
    tenant.call<{ code: string }>('POST', `/conversations/${conversation.id}/messages`, { body })
  expect((await refuse({ text: 'Hola' })).body.code).toBe('WINDOW_CLOSED')
  const created = await tenant.call<Template>('POST', '/templates', {
    body: {
      name: `Visita ${number}`,
      language: 'es',
      body: 'Hola {{ contact.name }}, ¿sigue interesada?',
      category: 'utility',
    },
  })
  const templateId = created.body.id
  const submitted = await tenant.call<Template>('POST', `/templates/${templateId}/submit`, {
    body: { accountId },
  })
  expect(submitted.body).toMatchObject({ status: 'pending' })
  expect((await refuse({ templateId })).status).toBe(422)
  const atProvider = whatsapp.templates.at(-1)!
  const report = (event: string) =>
    whatsapp.notify('message_template_status_update', {
      event,
      message_template_id: atProvider.id,
      message_template_name: atProvider.name,
      message_template_language: 'es',
      reason: 'NONE',
    })
  const readStatus = async () => (await tenant.call<Template>('GET', `/templates/${templateId}`)).body.status
  atProvider.status = 'APPROVED'
  report('APPROVED')
  await eventually(readStatus, status => status === 'approved', 10_000)
  const message = await send(tenant, conversation.id, { templateId })
  expect(await waitForStatus(tenant, message.id, 'read')).toMatchObject({
    kind: 'template',
    text: 'Hola Marta Ruiz, ¿sigue interesada?',
  })
  expect(person.received.at(-1)!.body).toMatchObject({
    type: 'template',
    template: { name: atProvider.name },
  })
  // WhatsApp pauses it, and its report is late: the refusal says so.
  atProvider.status = 'PAUSED'
  const refused = await send(tenant, conversation.id, { templateId })
  expect((await waitForStatus(tenant, refused.id, 'failed')).failure?.code).toBe('TEMPLATE_PAUSED')
  expect(await readStatus()).toBe('paused')
  expect((await refuse({ templateId })).status).toBe(422)
})

describe('an account', () => {
  test('whose token is revoked is logged out; its messages wait, and go out in order with new credentials', async () => {
    const { person, conversation } = await meet()
    whatsapp.setAccessToken('another-token-of-the-business')
    const ids: string[] = []
    for (const text of ['1', '2', '3']) {
      const reply = await tenant.call<{ id: string }>('POST', `/conversations/${conversation.id}/messages`, {
        body: { text },
      })
      if (reply.status === 202) ids.push(reply.body.id)
    }
    const account = await eventually(
      () => readAccount(tenant, accountId),
      ({ status }) => status === 'LOGGED_OUT',
      10_000,
    )
    expect(account.health.reason).toMatch(/token/i)
    expect((await listEventTypes(tenant)).filter(type => type === 'account.status_changed')).toHaveLength(2)
    for (const id of ids) expect((await readMessage(tenant, id)).status).toBe('queued')
    expect(ids.length).toBeGreaterThan(0)
    const credentials = { ...whatsapp.credentials, accessToken: 'another-token-of-the-business' }
    const changed = await tenant.call('PATCH', `/accounts/${accountId}`, { body: { credentials } })
    expect(changed.status, changed.text).toBe(200)
    for (const id of ids) await waitForStatus(tenant, id, 'read')
    expect(person.received.map(({ body }) => (body.text as { body: string }).body)).toEqual(
      ['1', '2', '3'].slice(0, ids.length),
    )
    expect(whatsapp.callbackUrl).toBe(account.webhook!.url)
  })

  test('that is disconnected fails what it has not sent, and gives the quota back', async () => {
    const { conversation } = await meet()
    await tenant.limitQuota('maxMessagesPerMonth', 10)
    whatsapp.faults.add({ kind: 'error', status: 503, code: 2, path: '/messages' })
    const ids: string[] = []
    for (const text of ['1', '2']) ids.push((await send(tenant, conversation.id, { text })).id)
    expect((await tenant.call('DELETE', `/accounts/${accountId}`)).status).toBe(204)
    for (const id of ids)
      expect((await waitForStatus(tenant, id, 'failed')).failure?.code).toBe('ACCOUNT_NOT_SENDING')
    whatsapp.faults.clear()
    expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
    const typing = await tenant.call<{ code: string }>('POST', `/conversations/${conversation.id}/typing`)
    expect([typing.status, typing.body.code]).toEqual([409, 'ACCOUNT_NOT_SENDING'])
  })

  test('is restricted, banned and reinstated by reports of WhatsApp', async () => {
    const { conversation } = await meet()
    const waitForAccount = (status: string) =>
      eventually(
        () => readAccount(tenant, accountId),
        account => account.status === status,
        10_000,
      )
    whatsapp.notify('account_update', {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '2026-12-01' },
      ],
    })
    expect((await waitForAccount('RESTRICTED')).health.reason).toContain('RESTRICTED_BIZ_INITIATED_MESSAGING')
    const body = { text: 'Hola' }
    const refused = await tenant.call<{ code: string }>(
      'POST',
      `/conversations/${conversation.id}/messages`,
      { body },
    )
    expect([refused.status, refused.body.code]).toEqual([409, 'ACCOUNT_NOT_SENDING'])
    const ban = (state: string) =>
      whatsapp.notify('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } })
    ban('DISABLE')
    expect((await waitForAccount('BANNED')).health.reason).toContain('Appeal')
    ban('REINSTATE')
    expect((await waitForAccount('CONNECTED')).health.reason).toBeNull()
  })
})

describe('one person has one conversation', () => {
  test('first without a phone, then with it', async () => {
    const { userId, conversation } = await meet({ phone: null })
    expect(conversation.identities).toEqual([{ kind: 'bsuid', value: userId }])
    whatsapp.addPerson({ name: 'Marta Ruiz', phone: '+34622000001', userId }).write('Este es mi número')
    await waitForMessage(tenant, conversation.id, ({ text }) => text === 'Este es mi número')
    const [only, ...others] = await listConversations(tenant)
    expect(others).toEqual([])
    expect(only!.identities).toHaveLength(2)
    const answer = await send(tenant, conversation.id, { text: 'Gracias' })
    await waitForStatus(tenant, answer.id, 'read')
    expect(whatsapp.accepted.at(-1)!.body).toMatchObject({ to: '+34622000001' })
  })

  test('after a change of number, too', async () => {
    const { person, phone, userId, conversation } = await meet()
    const digits = '34622000002'
    person.write({
      type: 'system',
      system: { body: 'changed', type: 'user_changed_number', wa_id: digits },
    })
    whatsapp
      .addPerson({ name: 'Marta Ruiz', phone: `+${digits}`, userId: `${userId}b` })
      .write('Número nuevo')
    await waitForMessage(tenant, conversation.id, ({ text }) => text === 'Número nuevo')
    const all = await listConversations(tenant)
    expect(all).toHaveLength(1)
    const values = all[0]!.identities.map(({ value }) => value)
    expect(values).toContain(`+${digits}`)
    expect(values).not.toContain(phone)
  })
})
