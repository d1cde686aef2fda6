/** A person who refuses marketing in the program of the provider may still be answered. */
import { expect, test } from 'vitest'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Lead } from '../../leads/schemas.ts'
import { insertMessage } from '../messages/insert-message.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'
const say = (text: string) => inbox.receive([makeMessage(phone, text)])
const getLead = async () => (await inbox.tenant.listAllLeads())[0]!

test('a refusal in the program of the provider forbids all but answers, until it is taken back there', async () => {
  const { body } = await inbox.tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })
  const preference = {
    type: 'marketing_preference',
    externalId: null,
    from: [{ kind: 'phone', value: phone }],
    at: Temporal.Now.instant(),
  } as const
  const accept = (accepts: boolean) => inbox.receive([{ ...preference, from: [...preference.from], accepts }])
  const readChat = async () => (await getLead()).contactability.channels.chat
  await inbox.tenant.call('PUT', `/leads/${body.id}/lawful-basis`, {
    body: { kind: 'consent', proof: 'signed', noticeSentAt: new Date().toISOString() },
  })
  await accept(false)
  expect(await readChat()).toEqual({ allowed: false, reason: 'MARKETING_REFUSED' })
  expect([await inbox.listMessages(), await inbox.listConversations()]).toEqual([[], []])
  const entries = await inbox.tenant.call<{ data: { id: string; kind: string }[] }>('GET', '/suppressions')
  expect(entries.body.data.map(({ kind }) => kind)).toContain('marketing')
  expect((await inbox.tenant.call('DELETE', `/suppressions/${entries.body.data[0]!.id}`)).status).toBe(409)
  await say('¿Sigue libre?')
  const [conversation] = await inbox.listConversations()
  const answer = await inbox.tenant.call('POST', `/conversations/${conversation!.id}/messages`, {
    body: { text: 'Sí' },
  })
  expect(answer.status, answer.text).toBe(202)
  await accept(true)
  expect(await readChat()).toEqual({ allowed: true, reason: null })
})

test('a complaint about a message counts only if the message was sent to that person', async () => {
  await say('Hola')
  await inbox.receive([makeMessage('+34699999999', 'Hola')])
  const [own, other] = await inbox.listConversations()
  const insert = (conversationId: string) =>
    inbox.tenant.inTenant(tx =>
      insertMessage(tx, { conversationId, direction: 'out', kind: 'text', text: 'Sí', status: 'sent' }),
    )
  const complain = (messageId: string) =>
    inbox.receive([
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
    const { body } = await inbox.tenant.call<Lead>('GET', `/leads/${own!.lead_id}`)
    return body.contactability.channels.chat.reason
  }
  await complain((await insert(other!.id)).id)
  await complain('not an id')
  expect(await readReason()).toBe(null)
  await complain((await insert(own!.id)).id)
  expect(await readReason()).toBe('MARKETING_REFUSED')
})

test('a provider that refuses a message because the person refuses marketing reports it too', async () => {
  await say('Hola')
  const [conversation] = await inbox.listConversations()
  const { id } = await inbox.tenant.inTenant(tx =>
    insertMessage(tx, {
      conversationId: conversation!.id,
      direction: 'out',
      kind: 'text',
      text: 'Oferta',
      status: 'sent',
      providerMessageId: 'offer',
    }),
  )
  await inbox.receive([
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
  await say('Hola')
  const [conversation] = await inbox.listConversations()
  const queue = async (campaignId: string | null) => {
    const message = { conversationId: conversation!.id, direction: 'out', kind: 'text', text: 'Sí' } as const
    return (
      await inbox.tenant.inTenant(tx => insertMessage(tx, { ...message, status: 'queued', campaignId }))
    ).id
  }
  const claimed = await queue(crypto.randomUUID())
  const offer = await queue(crypto.randomUUID())
  const answer = await queue(null)
  await inbox.tenant.inTenant(tx =>
    sql`
      update messages set claimed_at = now(), claim_token = id, next_attempt_at = now()
      where tenant_id = ${inbox.tenant.tenantId} and id = ${claimed}`.execute(tx),
  )
  await inbox.receive([
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
    where tenant_id = ${inbox.tenant.tenantId} and direction = 'out' order by sequence`.execute(
    inbox.app.database.owner,
  )
  expect(rows).toEqual([
    { id: claimed, status: 'queued', code: 'MARKETING_REFUSED' },
    { id: offer, status: 'failed', code: 'MARKETING_REFUSED' },
    { id: answer, status: 'queued', code: null },
  ])
})
