/** Messages of campaigns are queued in batches: who is refused, and why, keeps nobody else from being queued. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createCampaignTrial } from '../../../../test/campaign-trial.ts'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeContact, openConversation, readMessage } from '../../../../test/messaging.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { tenantStatements } from '../../../kit/db/statement-channel.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { queueCampaignMessages } from '../service.ts'
import type { StepResult } from './queue-campaign.ts'

/** So different that the leads are two. */
const property = (number: number) => ({
  property: {
    address: `Avenida ${number}, ${number}0`,
    municipality: 'Girona',
    price: 100_000 * number,
    squareMeters: 50 * number,
  },
})
const trial = createCampaignTrial()
const chat = prepareChat({ role: 'api', lead: property(1), features: [trial.feature] })
const campaignId = '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f'
const accounts = {
  getProvider: (name: string) => [chat.fake, ...chatProviders].find(each => each.id === name),
}
let { tenant, accountId, leadId, conversationId } = chat
let templateId: string
beforeEach(async () => {
  ;({ tenant, accountId, leadId, conversationId } = chat)
  templateId = await makeTemplate('Hola {{ contact.name }}.')
})

async function makeTemplate(body: string): Promise<string> {
  const template = { name: `Saludo ${crypto.randomUUID()}`, language: 'es', category: 'utility', body }
  const reply = await tenant.call<{ id: string }>('POST', '/templates', { body: template })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
const queue = (
  steps: { leadId: string; templateId?: string; delayMs?: number }[],
  account = accountId,
): Promise<StepResult[]> =>
  tenant.inTenant(tx =>
    queueCampaignMessages(tx, accounts, {
      campaignId,
      accountId: account,
      steps: steps.map(({ delayMs = 0, ...step }, index) => ({
        templateId,
        step: index,
        sendAt: new Date(getNow(tx).getTime() + delayMs),
        ...step,
      })),
    }),
  )
const listConversations = async () =>
  (await tenant.call<{ data: { id: string; leadId: string }[] }>('GET', '/conversations?limit=100')).body.data
const makeContacts = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push(await makeContact(tenant, `+3461300${String(index).padStart(4, '0')}`))
  return ids
}

test('fifty messages need less than a statement each, and are due at their time', async () => {
  const leadIds = await makeContacts(50)
  let count = 0
  const countStatement = () => count++
  tenantStatements.subscribe(countStatement)
  const results = await queue(leadIds.map(leadId => ({ leadId, delayMs: 3_600_000 })))
  tenantStatements.unsubscribe(countStatement)
  expect(results.filter(({ messageId }) => messageId !== null)).toHaveLength(50)
  expect(count).toBeGreaterThan(10)
  expect(count).toBeLessThan(50)
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(50)
  const message = await readMessage(tenant, results[7]!.messageId!)
  expect(message).toMatchObject({
    leadId: leadIds[7],
    text: 'Hola Marta Ruiz.',
    kind: 'template',
    status: 'queued',
    campaignId,
    campaignStep: 7,
    authorUserId: null,
    waiting: { code: 'SCHEDULED' },
  })
  expect(new Set((await listConversations()).map(each => each.leadId))).toEqual(new Set([leadId, ...leadIds]))
})

test('who is refused has the code that a single message gets, and no conversation', async () => {
  const [good, other] = await makeContacts(2)
  const noBasis = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Ana', phone: '+34613999999' } },
  })
  const noPhone = await makeContact(tenant, '+34613888888')
  await tenant.call('PATCH', `/leads/${noPhone}`, {
    body: { contact: { phone: null, email: 'a@example.com' } },
  })
  const missing = await makeTemplate('Hola, {{ property.title }}.')
  const results = await queue([
    { leadId: good! },
    { leadId: noBasis.body.id },
    { leadId: crypto.randomUUID() },
    { leadId: noPhone },
    { leadId: other!, templateId: missing },
    { leadId: other!, templateId: crypto.randomUUID() },
    { leadId: other! },
  ])
  expect(results.map(({ reason }) => reason?.code ?? null)).toEqual([
    null,
    'NO_LAWFUL_BASIS',
    'UNKNOWN_LEAD',
    'NO_IDENTITY',
    'MISSING_VARIABLE',
    'UNKNOWN_TEMPLATE',
    null,
  ])
  expect((await listConversations()).map(each => each.leadId).sort()).toEqual([leadId, good, other].sort())
  const conversation = await openConversation(tenant, accountId, other!)
  const single = await tenant.call<{ code: string; message: string }>(
    'POST',
    `/conversations/${conversation.id}/messages`,
    { body: { templateId: missing } },
  )
  const remedy = 'Add them to the lead, give them a fallback in the template, or send them with the message.'
  expect(single.body.message).toBe(`The template has variables without a value: property.title. ${remedy}`)
  expect(results[4]!.reason).toEqual({
    code: single.body.code,
    message:
      'The template has variables without a value: property.title. Add them to the lead, or give them a fallback in the template.',
  })
})

describe('a person', () => {
  test('has one conversation: the one that there is, also if another lead of theirs has it', async () => {
    const second = await makeContact(tenant, '+34612345678', property(2))
    const [own, others] = await queue([{ leadId }, { leadId: second }])
    expect(await readMessage(tenant, own!.messageId!)).toMatchObject({ conversationId, leadId })
    expect(await readMessage(tenant, others!.messageId!)).toMatchObject({ conversationId, leadId: second })
  })

  test('gets one new conversation, also with two leads in a batch', async () => {
    const phone = '+34613777777'
    const leads = [
      await makeContact(tenant, phone, property(1)),
      await makeContact(tenant, phone, property(2)),
    ]
    expect(new Set(leads).size).toBe(2)
    const results = await queue(leads.map(leadId => ({ leadId })))
    const messages = await Promise.all(results.map(({ messageId }) => readMessage(tenant, messageId!)))
    expect(new Set(messages.map(message => message.conversationId)).size).toBe(1)
    expect(messages.map(message => message.leadId)).toEqual(leads)
  })
})

test('the last ones get nothing if the quota is too small for all', async () => {
  await tenant.limitQuota('maxMessagesPerMonth', 2)
  const results = await queue((await makeContacts(4)).map(leadId => ({ leadId })))
  expect(results.map(({ reason }) => reason?.code ?? null)).toEqual([
    null,
    null,
    'QUOTA_EXCEEDED',
    'QUOTA_EXCEEDED',
  ])
  expect(await listConversations()).toHaveLength(3)
})

test('an account that does not send refuses all of them', async () => {
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })
  const results = await queue((await makeContacts(2)).map(leadId => ({ leadId })))
  expect(results.map(({ reason }) => reason?.code)).toEqual(['ACCOUNT_NOT_SENDING', 'ACCOUNT_NOT_SENDING'])
  expect(await listConversations()).toHaveLength(1)
})

test('messages that people send by hand become tasks', async () => {
  const account = await tenant.call<{ id: string }>('POST', '/accounts', {
    body: {
      provider: 'manual',
      mode: 'chat-no-api',
      displayName: 'Phone',
      credentials: { phone: '+34611222333' },
    },
  })
  const [first, second] = await makeContacts(2)
  const results = await queue([{ leadId: first! }, { leadId: second!, delayMs: 60_000 }], account.body.id)
  const { body } = await tenant.call<{ data: { id: string; text: string }[] }>('GET', '/messaging/tasks')
  expect(body.data.map(({ id }) => id).sort()).toEqual(results.map(({ messageId }) => messageId).sort())
  expect(body.data[0]!.text).toBe('Hola Marta Ruiz.')
  const [now, later] = results.map(({ messageId }) => messageId!)
  const open = (id: string) => tenant.call<{ code: string }>('POST', `/messaging/tasks/${id}/open`)
  const refusal = { status: 422, body: { code: 'CAMPAIGN_HOLDS' } }
  expect(await open(later!)).toMatchObject(refusal)
  const failure = { code: 'REPLIED', message: 'The person has replied.' }
  trial.decide = () => ({ kind: 'withdraw', failure })
  expect(await open(now!)).toMatchObject({ ...refusal, body: { message: failure.message } })
  trial.decide = () => ({ kind: 'send' })
  expect((await open(now!)).status).toBe(200)
  await tenant.call('PATCH', `/messaging/tasks/${now}`, { body: { status: 'done' } })
  await tenant.call('PATCH', `/messaging/tasks/${later}`, { body: { status: 'skipped' } })
  expect(trial.ends).toMatchObject([
    { messageId: now, status: 'sent', failure: null },
    { messageId: later, status: 'failed', failure: { code: 'TASK_SKIPPED' } },
  ])
})
