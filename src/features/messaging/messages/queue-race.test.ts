/** A message that is queued while its person opts out, is erased or merged: nothing is sent or left that must not be. */
import { expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { countAdvisoryLockWaiters, eventually } from '../../../../test/harness.ts'
import { makeContact, openConversation, readMessage, send } from '../../../../test/messaging.ts'
import { listMessages } from '../../../../test/receiving.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { mergeLeads } from '../../leads/history/merge.ts'
import { erasePeople, optOut, toIdentifier } from '../../privacy/service.ts'

const chat = prepareChat({ role: 'api' })
const author = { keyId: null, userId: null }
const text = { text: 'Hola' }
const post = (body: object) =>
  chat.tenant.call<{ code: string }>('POST', `/conversations/${chat.conversationId}/messages`, { body })
const optOutPerson = (tx: Tx) =>
  optOut(tx, [toIdentifier('+34612345678')], { channel: null, note: 'by phone' }, author)

/** Transactions that wait for a row of another one. */
async function countRowWaiters(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`.execute(
    chat.app.database.owner,
  )
  return rows.length
}

/** Posts the message when `work` has locked the conversation, and commits when the message waits for it. */
async function postDuring(work: (tx: Tx) => Promise<unknown>) {
  const posted = await chat.tenant.inTenant(async tx => {
    await work(tx)
    const reply = post(text)
    await eventually(countRowWaiters, count => count > 0)
    return { reply }
  })
  return posted.reply
}

test('does not wait for the lock of leads, which received messages hold; an opt-out that holds it fails the message', async () => {
  const id = await chat.tenant.inTenant(async tx => {
    await lockLeadWrites(tx)
    const message = await send(chat.tenant, chat.conversationId, text)
    await optOutPerson(tx)
    return message.id
  })
  expect(await readMessage(chat.tenant, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'OPTED_OUT' },
  })
  expect(await chat.tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
})

test('is refused if the opt-out is committed first', async () => {
  const { status, body } = await postDuring(optOutPerson)
  expect([status, body.code]).toEqual([422, 'NOT_CONTACTABLE'])
})

test('is not stored if its person is erased first', async () => {
  const { status } = await postDuring(tx => erasePeople(tx, [chat.leadId], author))
  expect(status).toBe(404)
  expect(await listMessages(chat.tenant)).toEqual([])
})

test('is refused if a merge of leads has joined its conversation into another one first', async () => {
  const kept = await makeContact(chat.tenant, '+34699999999')
  await openConversation(chat.tenant, chat.accountId, kept)
  const { status } = await postDuring(tx => mergeLeads(tx, kept, chat.leadId, { author, ifMatch: null }))
  expect(status).toBe(404)
  expect(await listMessages(chat.tenant)).toEqual([])
})

test('waits for a merge of the lead that it names, and an erasure waits for what a template says of a person', async () => {
  const template = await chat.tenant.call<{ id: string }>('POST', '/templates', {
    body: { name: 'Saludo', language: 'es', category: 'utility', body: 'Hola {{ contact.name }}' },
  })
  const replies = await chat.tenant.inTenant(async tx => {
    await lockLeadWrites(tx)
    const named = post({ ...text, leadId: chat.leadId })
    const rendered = post({ templateId: template.body.id })
    await eventually(
      () => countAdvisoryLockWaiters(chat.app.database),
      count => count === 2,
    )
    return [named, rendered]
  })
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([202, 202])
})
