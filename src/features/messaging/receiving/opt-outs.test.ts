/** A person who refuses messages is opted out at once and for good, and gets one confirmation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { insertMessage } from '../messages/insert-message.ts'

let app: TestApp
let tenant: TestTenant
let account: string
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const start = async () => {
  tenant = await makeTenant(app)
  account = await makeChatAccount(tenant)
}
const phone = '+34612345678'
const say = (text: string) => receive(tenant, account, [makeMessage(phone, text)])
const getLead = async () => (await tenant.listAllLeads())[0]!
const listOutgoing = async () =>
  (await listMessages(tenant))
    .filter(({ direction }) => direction === 'out')
    .map(({ text, status, nature }) => ({ text, status, nature }))
const queue = (conversationId: string) =>
  tenant.inTenant(tx =>
    insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: 'Offer', status: 'queued' }),
  )

test('STOP opts the person out, fails what is queued, and is confirmed once; they can still write', async () => {
  await start()
  await say('Hola')
  const [conversation] = await listConversations(tenant)
  await queue(conversation!.id)
  await say('STOP, por favor 🙏')
  const { contactability } = await getLead()
  expect(contactability).toMatchObject({
    allowed: false,
    reason: 'OPTED_OUT',
    answerUntil: null,
  })
  expect(contactability.channels.chat).toEqual({ allowed: false, reason: 'OPTED_OUT' })
  const confirmation = {
    text: 'De acuerdo: no volveremos a escribirte por este canal.',
    status: 'queued',
    nature: 'opt_out_confirmation',
  }
  const outgoing = [{ text: 'Offer', status: 'failed', nature: 'person' }, confirmation]
  expect(await listOutgoing()).toEqual(outgoing)
  await say('Baja')
  await say('Gracias')
  expect(await listOutgoing()).toEqual(outgoing)
  const stored = await listMessages(tenant)
  expect(stored.map(({ text }) => text)).toContain('Gracias')
  expect(stored.map(({ content }) => content.intent)).toContain('opt_out')
  expect((await listConversations(tenant))[0]).toMatchObject({ unread_count: 4, status: 'open' })
})

test('a wish to have messages again is shown to people, and changes nothing by itself', async () => {
  await start()
  await say('STOP')
  await say('ALTA')
  expect((await getLead()).contactability.channels.chat.reason).toBe('OPTED_OUT')
  expect((await listMessages(tenant)).at(-1)).toMatchObject({ text: 'ALTA', content: { intent: 'opt_in' } })
})

test('the confirmation has the language of the words', async () => {
  for (const [text, confirmation] of [
    ['No m’escriguis més', /^D’acord/],
    ['Basta messaggi', /^Va bene/],
    ['Unsubscribe', /^De acuerdo/],
    ['Lassen Sie mich in Ruhe', /^In Ordnung/],
  ] as const) {
    await start()
    await say(text)
    expect((await listOutgoing())[0]!.text).toMatch(confirmation)
  }
})

test('a choice or a short word that answers a question is no refusal', async () => {
  await start()
  await say('Hola')
  const [conversation] = await listConversations(tenant)
  const ask = (text: string) =>
    tenant.inTenant(tx =>
      insertMessage(tx, {
        conversationId: conversation!.id,
        direction: 'out',
        kind: 'text',
        text,
        status: 'sent',
      }),
    )
  const readReason = async () => (await getLead()).contactability.channels.chat.reason
  await ask('¿Qué planta?')
  await receive(tenant, account, [makeMessage(phone, { kind: 'choice', id: '1', title: 'Baja' })])
  await ask('¿Le enseño alguno más?')
  await say('No más')
  expect(await readReason()).toBe(null)
  await ask('Este piso le puede interesar.')
  await say('No más')
  expect(await readReason()).toBe('OPTED_OUT')
})

test('a button that says so is a refusal, and a clear word also after a question', async () => {
  for (const content of [{ kind: 'choice', id: 'Baja', title: 'No quiero más' } as const, 'Stop']) {
    await start()
    await say('Hola')
    const [{ id: conversationId } = { id: '' }] = await listConversations(tenant)
    await tenant.inTenant(tx =>
      insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: '¿Sí?', status: 'sent' }),
    )
    await receive(tenant, account, [makeMessage(phone, content)])
    expect((await getLead()).contactability.channels.chat.reason).toBe('OPTED_OUT')
  }
})

test('an opt-out by hand fails what is queued on its channel', async () => {
  await start()
  await say('Hola')
  const mailbox = await makeChatAccount(tenant, 'none')
  await receive(tenant, mailbox, [makeMessage(phone, 'Hola')], { channel: 'email' })
  for (const { id } of await listConversations(tenant)) await queue(id)
  const body = { identifiers: [{ kind: 'phone', value: phone }], kind: 'opt_out', channel: 'chat' }
  expect((await tenant.call('POST', '/suppressions', { body })).status).toBe(201)
  expect((await listOutgoing()).map(({ status }) => status).toSorted()).toEqual(['failed', 'queued'])
})

test('the opt-out covers all names of the person, in every account', async () => {
  await start()
  const from = [{ kind: 'bsuid', value: 'ES.1' } as const, { kind: 'phone', value: phone } as const]
  await receive(tenant, account, [makeMessage(from, 'Hola')])
  await receive(tenant, account, [makeMessage([from[0]!], 'STOP')])
  const check = await tenant.call<{ checks: { suppressed: boolean }[] }>('POST', '/suppressions/check', {
    body: {
      identifiers: [
        { kind: 'phone', value: phone },
        { kind: 'chat', value: 'bsuid:ES.1' },
      ],
    },
  })
  expect(JSON.stringify(check.body).match(/"suppressed":true/g)).toHaveLength(2)
})
