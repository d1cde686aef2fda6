/** A person who refuses messages is opted out at once and for good, and gets one confirmation. */
import { expect, test } from 'vitest'
import { makeContact, openConversation } from '../../../../test/messaging.ts'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import { sql } from '../../../kit/db/index.ts'
import { insertMessage } from '../messages/insert-message.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'
const say = (text: string) => inbox.receive([makeMessage(phone, text)])
const getLead = async () => (await inbox.tenant.listAllLeads())[0]!
const listOutgoing = async () =>
  (await inbox.listMessages())
    .filter(({ direction }) => direction === 'out')
    .map(({ text, status, nature }) => ({ text, status, nature }))
const queue = (conversationId: string) =>
  inbox.tenant.inTenant(tx =>
    insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: 'Offer', status: 'queued' }),
  )

test('STOP opts the person out, fails what is queued, and is confirmed once; they can still write', async () => {
  await say('Hola')
  const [conversation] = await inbox.listConversations()
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
  const stored = await inbox.listMessages()
  expect(stored.map(({ text }) => text)).toContain('Gracias')
  expect(stored.map(({ content }) => content.intent)).toContain('opt_out')
  expect((await inbox.listConversations())[0]).toMatchObject({ unread_count: 4, status: 'open' })
})

test('a wish to have messages again is shown to people, and changes nothing by itself', async () => {
  await say('STOP')
  await say('ALTA')
  expect((await getLead()).contactability.channels.chat.reason).toBe('OPTED_OUT')
  expect((await inbox.listMessages()).at(-1)).toMatchObject({ text: 'ALTA', content: { intent: 'opt_in' } })
})

test('the confirmation has the language of the words', async () => {
  for (const [text, confirmation] of [
    ['No m’escriguis més', /^D’acord/],
    ['Basta messaggi', /^Va bene/],
    ['Unsubscribe', /^De acuerdo/],
    ['Lassen Sie mich in Ruhe', /^In Ordnung/],
  ] as const) {
    await inbox.restart()
    await say(text)
    expect((await listOutgoing())[0]!.text).toMatch(confirmation)
  }
})

test('words of several languages are confirmed in the language in which the person was written to', async () => {
  const write = async (language: string) => {
    const [{ id: conversationId } = { id: '' }] = await inbox.listConversations()
    const template = { providerName: null, language, values: [] }
    const message = { conversationId, direction: 'out', kind: 'template', text: 'Guten Tag' } as const
    const unsent = { ...template, language: 'fr' }
    await inbox.tenant.inTenant(async tx => {
      await insertMessage(tx, { ...message, content: { template }, status: 'sent' })
      await insertMessage(tx, { ...message, content: { template: unsent }, status: 'queued' })
    })
  }
  for (const [language, text, confirmation] of [
    ['de', 'STOP', /^In Ordnung/],
    ['pt-BR', 'Stop', /^Está bem/],
    ['nl', 'STOP', /^De acuerdo/],
    ['de', 'Basta messaggi', /^Va bene/],
  ] as const) {
    await inbox.restart()
    await say('Hola')
    await write(language)
    await say(text)
    expect((await listOutgoing()).at(-1)!.text).toMatch(confirmation)
  }
})

test('a choice or a short word that answers a question is no refusal', async () => {
  await say('Hola')
  const [conversation] = await inbox.listConversations()
  const ask = (text: string) =>
    inbox.tenant.inTenant(tx =>
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
  await inbox.receive([makeMessage(phone, { kind: 'choice', id: '1', title: 'Baja' })])
  await ask('¿Le enseño alguno más?')
  await say('No más')
  await ask('¿En qué planta está el suyo?')
  await say('Baja')
  expect(await readReason()).toBe(null)
  await ask('Este piso le puede interesar.')
  await say('No más')
  expect(await readReason()).toBe('OPTED_OUT')
})

test.each([
  ['first', '¿Sigue en venta el piso?', 'No más'],
  ['late', '¿En qué planta está?', 'Baja'],
])('a short word after the question of a %s contact is a refusal', async (when, question, answer) => {
  if (when === 'late') await say('Hola')
  else await openConversation(inbox.tenant, inbox.accountId, await makeContact(inbox.tenant, phone))
  const [conversation] = await inbox.listConversations()
  await inbox.tenant.inTenant(async tx => {
    await sql`update messages set created_at = created_at - interval '8 days' where tenant_id = ${inbox.tenant.tenantId}`.execute(
      tx,
    )
    await insertMessage(tx, {
      conversationId: conversation!.id,
      direction: 'out',
      kind: 'text',
      text: question,
      status: 'sent',
    })
  })
  await say(answer)
  expect((await getLead()).contactability.channels.chat.reason).toBe('OPTED_OUT')
})

test('a button that says so is a refusal, and a clear word also after a question', async () => {
  for (const content of [{ kind: 'choice', id: 'Baja', title: 'No quiero más' } as const, 'Stop']) {
    await inbox.restart()
    await say('Hola')
    const [{ id: conversationId } = { id: '' }] = await inbox.listConversations()
    await inbox.tenant.inTenant(tx =>
      insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: '¿Sí?', status: 'sent' }),
    )
    await inbox.receive([makeMessage(phone, content)])
    expect((await getLead()).contactability.channels.chat.reason).toBe('OPTED_OUT')
  }
})

test('an opt-out by hand fails what is queued on its channel', async () => {
  await say('Hola')
  const mailbox = await makeChatAccount(inbox.tenant, 'none')
  await receive(inbox.tenant, mailbox, [makeMessage(phone, 'Hola')], { channel: 'email' })
  for (const { id } of await inbox.listConversations()) await queue(id)
  const body = { identifiers: [{ kind: 'phone', value: phone }], kind: 'opt_out', channel: 'chat' }
  expect((await inbox.tenant.call('POST', '/suppressions', { body })).status).toBe(201)
  expect((await listOutgoing()).map(({ status }) => status).toSorted()).toEqual(['failed', 'queued'])
})

test('the opt-out covers all identities of the person, in every account', async () => {
  const from = [{ kind: 'bsuid', value: 'ES.1' } as const, { kind: 'phone', value: phone } as const]
  await inbox.receive([makeMessage(from, 'Hola')])
  await inbox.receive([makeMessage([from[0]!], 'STOP')])
  const check = await inbox.tenant.call<{ checks: { suppressed: boolean }[] }>(
    'POST',
    '/suppressions/check',
    {
      body: {
        identifiers: [
          { kind: 'phone', value: phone },
          { kind: 'chat', value: 'bsuid:ES.1' },
        ],
      },
    },
  )
  expect(JSON.stringify(check.body).match(/"suppressed":true/g)).toHaveLength(2)
})
