/** A person who refuses marketing in the program of the provider may still be answered. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Lead } from '../../leads/schemas.ts'
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

test('a refusal in the program of the provider forbids all but answers, until it is taken back there', async () => {
  await start()
  const { body } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })
  const preference = {
    type: 'marketing_preference',
    externalId: null,
    from: [{ kind: 'phone', value: phone }],
    at: Temporal.Now.instant(),
  } as const
  const accept = (accepts: boolean) =>
    receive(tenant, account, [{ ...preference, from: [...preference.from], accepts }])
  const readChat = async () => (await getLead()).contactability.channels.chat
  await tenant.call('PUT', `/leads/${body.id}/lawful-basis`, {
    body: { kind: 'consent', proof: 'signed', noticeSentAt: new Date().toISOString() },
  })
  await accept(false)
  expect(await readChat()).toEqual({ allowed: false, reason: 'MARKETING_REFUSED' })
  expect([await listMessages(tenant), await listConversations(tenant)]).toEqual([[], []])
  const entries = await tenant.call<{ data: { id: string; kind: string }[] }>('GET', '/suppressions')
  expect(entries.body.data.map(({ kind }) => kind)).toContain('marketing')
  expect((await tenant.call('DELETE', `/suppressions/${entries.body.data[0]!.id}`)).status).toBe(409)
  await say('¿Sigue libre?')
  const [conversation] = await listConversations(tenant)
  const answer = await tenant.call('POST', `/conversations/${conversation!.id}/messages`, {
    body: { text: 'Sí' },
  })
  expect(answer.status, answer.text).toBe(202)
  await accept(true)
  expect(await readChat()).toEqual({ allowed: true, reason: null })
})

test('a complaint about a message counts only if the message was sent to that person', async () => {
  await start()
  await say('Hola')
  await receive(tenant, account, [makeMessage('+34699999999', 'Hola')])
  const [own, other] = await listConversations(tenant)
  const insert = (conversationId: string) =>
    tenant.inTenant(tx =>
      insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: 'Sí', status: 'sent' }),
    )
  const complain = (messageId: string) =>
    receive(tenant, account, [
      {
        type: 'marketing_preference',
        externalId: null,
        from: [{ kind: 'phone', value: phone }],
        at: Temporal.Now.instant(),
        accepts: false,
        messageId,
      },
    ])
  const readReason = async () => {
    const { body } = await tenant.call<Lead>('GET', `/leads/${own!.lead_id}`)
    return body.contactability.channels.chat.reason
  }
  await complain((await insert(other!.id)).id)
  await complain('not an id')
  expect(await readReason()).toBe(null)
  await complain((await insert(own!.id)).id)
  expect(await readReason()).toBe('MARKETING_REFUSED')
})

test('a provider that refuses a message because the person refuses marketing tells it too', async () => {
  await start()
  await say('Hola')
  const [conversation] = await listConversations(tenant)
  const { id } = await tenant.inTenant(tx =>
    insertMessage(tx, {
      conversationId: conversation!.id,
      direction: 'out',
      kind: 'text',
      text: 'Oferta',
      status: 'sent',
      providerMessageId: 'offer',
    }),
  )
  await receive(tenant, account, [
    {
      type: 'status',
      externalId: null,
      at: Temporal.Now.instant(),
      providerMessageId: 'offer',
      messageId: id,
      to: [],
      status: 'failed',
      failure: makeFailure('RECIPIENT_OPTED_OUT', { scope: 'recipient' }),
    },
  ])
  expect((await getLead()).contactability.channels.chat.reason).toBe('MARKETING_REFUSED')
})

test('a refusal fails what is queued, also what is claimed, but no answer', async () => {
  await start()
  await say('Hola')
  const [conversation] = await listConversations(tenant)
  const queue = async (campaignId: string | null) => {
    const message = { conversationId: conversation!.id, direction: 'out', kind: 'text', text: 'Sí' } as const
    return (await tenant.inTenant(tx => insertMessage(tx, { ...message, status: 'queued', campaignId }))).id
  }
  const claimed = await queue(crypto.randomUUID())
  const offer = await queue(crypto.randomUUID())
  const answer = await queue(null)
  await tenant.inTenant(tx =>
    sql`
      update messages set claimed_at = now(), claim_token = id, next_attempt_at = now()
      where tenant_id = ${tenant.tenantId} and id = ${claimed}`.execute(tx),
  )
  await receive(tenant, account, [
    {
      type: 'marketing_preference',
      externalId: null,
      from: [{ kind: 'phone', value: phone }],
      at: Temporal.Now.instant(),
      accepts: false,
    },
  ])
  const { rows } = await sql`
    select id, status, failure ->> 'code' as code from messages
    where tenant_id = ${tenant.tenantId} and direction = 'out' order by sequence`.execute(app.database.owner)
  expect(rows).toEqual([
    { id: claimed, status: 'queued', code: 'MARKETING_REFUSED' },
    { id: offer, status: 'failed', code: 'MARKETING_REFUSED' },
    { id: answer, status: 'queued', code: null },
  ])
})
