/** Telegram from end to end: the whole program in live, against the simulated Bot API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../src/features/accounts/schemas.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import type { Task } from '../src/features/messaging/tasks/schemas.ts'
import { startTelegram, type TelegramSimulator } from '../src/simulator/telegram/index.ts'
import {
  connectAccount,
  type FlowApp,
  listEventTypes,
  listMessages,
  readAccount,
  startFlowApp,
  waitForConversation,
  waitForMessage,
} from './chat-flow.ts'
import { eventually } from './harness.ts'
import { makeContact, openConversation, readMessage, send, waitForStatus } from './messaging.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

let telegram: TelegramSimulator
let app: FlowApp
let tenant: TestTenant
let account: Account
beforeAll(async () => {
  telegram = await startTelegram()
  app = await startFlowApp({ CHAT_URLS: `telegram=${telegram.url}` })
})
afterAll(async () => {
  await app.stop()
  await telegram.close()
})
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  account = await connectAccount(tenant, 'telegram', { token: telegram.token })
  expect(account).toMatchObject({ status: 'CONNECTED', displayName: 'Office' })
})

let personId = 123_456_000
/** A person who has written. */
async function meet() {
  personId += 1
  await telegram.say(personId, { text: '¿Sigue en venta el piso?' })
  const conversation = await waitForConversation(tenant)
  return { personId, conversation }
}
const listReceived = (id: number) => telegram.received.filter(({ chatId }) => chatId === id)
const readLead = async (id: string) => (await tenant.call<Lead>('GET', `/leads/${id}`)).body
const readChat = async (id: string) => (await readLead(id)).contactability.channels.chat
const tryToSend = (conversationId: string, body: object) =>
  tenant.call<{ code: string }>('POST', `/conversations/${conversationId}/messages`, { body })

describe('a person who writes first', () => {
  test('becomes a lead, is answered with buttons, and presses one', async () => {
    const { personId, conversation } = await meet()
    expect(conversation).toMatchObject({
      contactName: 'Marta Soler',
      accountId: account.id,
      canReply: true,
      replyWindowExpiresAt: null,
      identities: [{ kind: 'telegram', value: String(personId) }],
    })
    expect(await readLead(conversation.leadId!)).toMatchObject({ contact: { name: 'Marta Soler' } })
    const [question] = await listMessages(tenant, conversation.id)
    const buttons = [
      { id: 'yes', title: 'Sí' },
      { id: 'no', title: 'No' },
    ]
    const answer = await send(tenant, conversation.id, {
      text: 'Sí, ¿quiere verlo?',
      replyToId: question!.id,
      buttons,
    })
    await waitForStatus(tenant, answer.id, 'sent')
    const [received] = listReceived(personId)
    expect(received).toMatchObject({
      method: 'sendMessage',
      fields: {
        text: 'Sí, ¿quiere verlo?',
        reply_parameters: { message_id: expect.any(Number) },
        reply_markup: {
          inline_keyboard: [[{ text: 'Sí', callback_data: 'yes' }], [{ text: 'No', callback_data: 'no' }]],
        },
      },
    })
    await telegram.press(personId, received!, 'yes')
    expect(await waitForMessage(tenant, conversation.id, ({ kind }) => kind === 'choice')).toMatchObject({
      replyToId: answer.id,
      content: { id: 'yes', title: 'Sí' },
    })
    // The button does not wait until somebody reads it.
    await eventually(
      async () => telegram.answered,
      answered => answered.some(query => query.startsWith(String(personId))),
    )
    expect((await listEventTypes(tenant)).toSorted()).toEqual([
      'account.status_changed',
      'lead.created',
      'lead.replied',
      'lead.replied',
      'message.received',
      'message.received',
      'message.sent',
    ])
  })

  test('is not believed without the secret of the webhook', async () => {
    const { personId, conversation } = await meet()
    const date = Math.floor(Date.now() / 1000)
    const post = (text: string, headers: Record<string, string>) =>
      fetch(account.webhook!.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          update_id: 1,
          message: {
            message_id: 9,
            date,
            chat: { id: personId, type: 'private' },
            from: { id: personId, is_bot: false },
            text,
          },
        }),
      })
    for (const headers of [{}, { 'x-telegram-bot-api-secret-token': 'another' }] as Record<string, string>[])
      expect((await post('STOP', headers)).status).toBe(401)
    const secret = { 'x-telegram-bot-api-secret-token': account.webhook!.verifyToken }
    expect((await post('¿Hola?', secret)).status).toBe(200)
    await waitForMessage(tenant, conversation.id, ({ text }) => text === '¿Hola?')
    const texts = (await listMessages(tenant, conversation.id)).map(({ text }) => text)
    expect(texts).toEqual(['¿Sigue en venta el piso?', '¿Hola?'])
  })
})

describe('a person who blocks the bot', () => {
  test('refuses what is no answer, until they unblock it', async () => {
    const { personId, conversation } = await meet()
    const leadId = conversation.leadId!
    await telegram.block(personId, true)
    await eventually(
      () => readChat(leadId),
      ({ reason }) => reason === 'MARKETING_REFUSED',
    )
    await telegram.block(personId, false)
    await eventually(
      () => readChat(leadId),
      ({ allowed }) => allowed,
    )
  })

  test('refuses it too if only the refusal of a message says so', async () => {
    const { personId, conversation } = await meet()
    telegram.setFaults({ lost: 1 })
    await telegram.block(personId, true)
    telegram.setFaults({})
    const message = await send(tenant, conversation.id, { text: '¿Le va bien el jueves?' })
    expect((await waitForStatus(tenant, message.id, 'failed')).failure).toMatchObject({
      code: 'RECIPIENT_BLOCKED',
      providerCode: '403',
    })
    expect(await readChat(conversation.leadId!)).toEqual({ allowed: false, reason: 'MARKETING_REFUSED' })
    expect(listReceived(personId)).toEqual([])
  })
})

test('with too many messages, the account pauses as long as Telegram says, and all arrive in order', async () => {
  const { personId, conversation } = await meet()
  telegram.setFaults({ rateLimited: 1 })
  const texts = ['1', '2', '3']
  const ids: string[] = []
  for (const text of texts) ids.push((await send(tenant, conversation.id, { text })).id)
  await eventually(
    () => readAccount(tenant, account.id),
    ({ pausedUntil }) => pausedUntil !== null,
  )
  for (const id of ids) expect((await readMessage(tenant, id)).status).toBe('queued')
  telegram.setFaults({})
  for (const id of ids) await waitForStatus(tenant, id, 'sent')
  expect(listReceived(personId).map(({ fields }) => fields.text)).toEqual(texts)
  expect((await readAccount(tenant, account.id)).status).toBe('CONNECTED')
})

test('what a person sends by hand is not sent to who says stop in another account meanwhile', async () => {
  const phone = '+34612345678'
  const leadId = await makeContact(tenant, phone)
  const manual = await connectAccount(tenant, 'manual', { phone: '+34611222333' }, 'chat-no-api')
  const { id } = await openConversation(tenant, manual.id, leadId)
  const [opened, waiting] = [
    await send(tenant, id, { text: '¿Le va bien el jueves?' }),
    await send(tenant, id, { text: '¿O el viernes?' }),
  ]
  const open = (taskId: string) =>
    tenant.call<{ task: Task; link: string; code: string }>('POST', `/messaging/tasks/${taskId}/open`)
  expect((await open(opened.id)).body.link).toContain('https://wa.me/34612345678?text=')
  personId += 1
  await telegram.say(personId, { contact: { phone_number: phone, user_id: personId, first_name: 'Marta' } })
  await telegram.say(personId, { text: 'STOP' })
  for (const message of [opened, waiting])
    expect((await waitForStatus(tenant, message.id, 'failed')).failure?.code).toBe('OPTED_OUT')
  expect(await open(waiting.id)).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
  const done = await tenant.call('PATCH', `/messaging/tasks/${opened.id}`, { body: { status: 'done' } })
  expect(done.status).toBe(409)
  expect((await readMessage(tenant, opened.id)).status).toBe('failed')
  expect(await tryToSend(id, { text: 'Hola' })).toMatchObject({
    status: 422,
    body: { code: 'NOT_CONTACTABLE' },
  })
})
