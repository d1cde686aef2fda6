/** Messages that are refused when they are posted: each has its code, and nothing is stored or counted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFakeProvider, makeFailure } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount, makeContact, openConversation } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Environment } from '../../../kit/key.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { findRefusal } from '../../../plugins/chat/whatsapp-cloud/message-body.ts'
import { applyStatuses } from './apply-status.ts'

const fake = createFakeProvider()
const facts = {
  ...fake.capabilities,
  media: { document: { mediaTypes: ['application/pdf'], bytesMax: 1000 } },
}
let app: TestApp
let tenant: TestTenant
let accountId: string
let conversationId: string
let number = 0

beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake], env: { ROLE: 'api' } })
  tenant = await makeTenant(app, 'live')
  accountId = await connectAccount(tenant)
})
afterAll(() => app.stop())
beforeEach(async () => {
  fake.capabilities = facts
  const leadId = await makeContact(tenant, `+3461234560${number++}`)
  conversationId = (await openConversation(tenant, accountId, leadId)).id
})

async function refuse(body: object) {
  const reply = await tenant.call<{ code: string }>('POST', `/conversations/${conversationId}/messages`, {
    body,
  })
  const messages = await tenant.call<{ data: object[] }>('GET', `/conversations/${conversationId}/messages`)
  expect(messages.body.data).toEqual([])
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
  return [reply.status, reply.body.code]
}
async function create(path: string, options: object): Promise<string> {
  const reply = await tenant.call<{ id: string }>('POST', path, options)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
const makeTemplate = (text: string) =>
  create('/templates', {
    body: { name: `Saludo ${newId()}`, language: 'es', category: 'utility', body: text },
  })
const upload = (content: string, contentType = 'application/pdf') =>
  create('/media?fileName=file', { rawBody: content, contentType })
const pdf = '%PDF-1.4\n%%EOF\n'

test('a template of another language, with a gap, or deleted', async () => {
  const templateId = await makeTemplate('Vale {{ property.price }}')
  expect(await refuse({ templateId, language: 'fr' })).toEqual([422, 'TEMPLATE_LANGUAGE_MISSING'])
  expect(await refuse({ templateId })).toEqual([422, 'MISSING_VARIABLE'])
  // A text for another region is no other language.
  expect(await refuse({ templateId, language: 'es-MX' })).toEqual([422, 'MISSING_VARIABLE'])
  await tenant.call('DELETE', `/templates/${templateId}`)
  expect(await refuse({ templateId })).toEqual([422, 'TEMPLATE_ARCHIVED'])
})

test('a template to a person with several leads that names none', async () => {
  const [first, second] = [150_000, 300_000].map(price => ({
    title: 'Piso',
    squareMeters: price / 2000,
    price,
  }))
  await makeContact(tenant, '+34699111222', { property: first })
  const leadId = await makeContact(tenant, '+34699111222', { property: second })
  conversationId = (await openConversation(tenant, accountId, leadId)).id
  const templateId = await makeTemplate('Vale {{ property.price }}')
  expect(await refuse({ templateId })).toEqual([422, 'LEAD_AMBIGUOUS'])
  expect(await refuse({ templateId, leadId: null })).toEqual([422, 'LEAD_AMBIGUOUS'])
})

test('a subject for a provider without subjects, or for an answer', async () => {
  expect(await refuse({ text: 'Hola', subject: 'Su piso' })).toEqual([422, 'UNSUPPORTED_MESSAGE'])
  expect(await refuse({ text: 'Hola', subject: 'Su piso', replyToId: newId() })).toEqual([
    400,
    'INVALID_INPUT',
  ])
  expect(await refuse({ note: 'Hola', subject: 'Su piso' })).toEqual([400, 'INVALID_INPUT'])
})

test('a file that is too large, or of a type that the provider does not send', async () => {
  expect(await refuse({ mediaId: await upload(pdf + ' '.repeat(2000)) })).toEqual([422, 'MEDIA_TOO_LARGE'])
  expect(await refuse({ mediaId: await upload('just words', 'text/plain') })).toEqual([
    422,
    'MEDIA_NOT_ACCEPTED',
  ])
})

test('a content that the provider of the account would refuse, with its sentence', async () => {
  fake.capabilities = { ...facts, buttonsMax: 3, listRowsMax: 10, reactions: true }
  fake.findRefusal = findRefusal
  const body = { text: 'a', buttons: [{ title: 'Quiero verlo el jueves' }] }
  const reply = await tenant.call<{ message: string }>('POST', `/conversations/${conversationId}/messages`, {
    body,
  })
  expect(reply.body.message).toBe('The title of a button has 22 characters. WhatsApp requires 1 to 20.')
  expect(await refuse(body)).toEqual([422, 'UNSUPPORTED_MESSAGE'])
  const buttons = ['A', 'B', 'A'].map((title, index) => ({ id: String(index), title }))
  expect(await refuse({ text: 'a', buttons })).toEqual([422, 'UNSUPPORTED_MESSAGE'])
  const rows = [{ id: '1', title: 'Piso' }]
  const list = { button: 'Ver', sections: [{ rows }, { rows: [{ id: '2', title: 'Casa' }] }] }
  expect(await refuse({ text: 'a', list })).toEqual([422, 'UNSUPPORTED_MESSAGE'])
  delete fake.findRefusal
  const repeated = { button: 'Ver', sections: [{ rows }, { title: 'B', rows }] }
  expect(await refuse({ text: 'a', list: repeated })).toEqual([400, 'INVALID_INPUT'])
})

test('a person to whom the provider can’t write any more', async () => {
  await tenant.inTenant(tx =>
    sql`
      update conversation_identities set kind = 'email', value = ${`${newId()}@example.org`}
      where tenant_id = ${tenant.tenantId} and conversation_id = ${conversationId}`.execute(tx),
  )
  expect(await refuse({ text: 'a' })).toEqual([422, 'NO_IDENTITY'])
})

test('what does not exist, before what is not possible now', async () => {
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })
  expect(await refuse({ templateId: newId() })).toEqual([400, 'INVALID_INPUT'])
  expect(await refuse({ mediaId: newId() })).toEqual([400, 'INVALID_INPUT'])
  expect(await refuse({ text: 'a', replyToId: newId() })).toEqual([400, 'INVALID_INPUT'])
  expect(await refuse({ note: 'a', replyToId: newId() })).toEqual([400, 'INVALID_INPUT'])
  expect(await refuse({ text: 'a' })).toEqual([409, 'ACCOUNT_NOT_SENDING'])
})

describe('a person who refuses messages at the provider', () => {
  /** The recipient `blocked` of the sandbox. */
  const number = '+34600000002'
  const failure = makeFailure('RECIPIENT_BLOCKED', { scope: 'recipient' })

  async function open(environment: Environment) {
    const other = await makeTenant(app, environment)
    const account = await connectAccount(other)
    const { id } = await openConversation(other, account, await makeContact(other, number))
    const post = (text: string) =>
      other.call<{ id: string }>('POST', `/conversations/${id}/messages`, { body: { text } })
    return { other, account, post, first: await post('1') }
  }

  test.each([
    ['live', 422],
    ['test', 202],
  ] as const)(
    'gets no more, unless it is a recipient of the sandbox (%s: %s)',
    async (environment, status) => {
      const { other, account, post, first } = await open(environment)
      const report = { providerMessageId: 'p-1', messageId: first.body.id, at: new Date(), failure }
      await other.inTenant(tx => applyStatuses(tx, account, [{ ...report, status: 'failed' }]))
      expect((await post('2')).status).toBe(status)
    },
  )

  test('is not one whose message had arrived, although both reports arrive together', async () => {
    const { other, account, post, first } = await open('live')
    const report = { providerMessageId: 'p-1', messageId: first.body.id, at: new Date() }
    await other.inTenant(tx =>
      applyStatuses(tx, account, [
        { ...report, status: 'delivered', failure: null },
        { ...report, status: 'failed', failure },
      ]),
    )
    expect((await post('2')).status).toBe(202)
  })
})
