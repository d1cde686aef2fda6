/** Replies and opt-outs race the messages of a campaign, which two processes send. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCampaignTrial } from '../../../../test/campaign-trial.ts'
import { prepareChat } from '../../../../test/chat-app.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount, makeContact, readMessage, succeed } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import type { Message } from '../message-schemas.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { queueCampaignMessages } from '../service.ts'

const trial = createCampaignTrial()
const chat = prepareChat({ capabilities: { messagesPerSecond: 40 }, features: [trial.feature] })
const accounts = {
  getProvider: (name: string) => [chat.fake, ...chatProviders].find(each => each.id === name),
}
let other: TestApp
beforeAll(async () => {
  other = await startTestApp({
    chatProviders: [...chatProviders, chat.fake],
    databaseUrl: chat.app.config.databaseUrl!,
    extraFeatures: [trial.feature],
  })
})
afterAll(() => other.stop())

const people = 48
/** From the last check before the call to the call itself, while other programs keep the machine busy. */
const callMs = 250

async function makeTemplate(tenant: TestTenant): Promise<string> {
  const body = { name: 'Saludo', language: 'es', category: 'utility', body: 'Hola.' }
  return (await tenant.call<{ id: string }>('POST', '/templates', { body })).body.id
}
const queue = (tenant: TestTenant, accountId: string, steps: { leadId: string; delayMs: number }[]) =>
  makeTemplate(tenant).then(templateId =>
    tenant.inTenant(tx =>
      queueCampaignMessages(tx, accounts, {
        campaignId: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
        accountId,
        steps: steps.map(({ leadId, delayMs }) => ({
          leadId,
          templateId,
          step: 0,
          sendAt: new Date(getNow(tx).getTime() + delayMs),
        })),
      }),
    ),
  )

/** Waits until none of the messages is queued. */
async function waitForEnds(tenant: TestTenant, ids: string[]): Promise<Message[]> {
  for (;;) {
    const messages = await Promise.all(ids.map(id => readMessage(tenant, id)))
    if (messages.every(({ status }) => status !== 'queued')) return messages
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('nobody gets a message twice, nor after a reply or an opt-out', async () => {
  const { tenant, accountId, outgoing } = chat
  const failure = { code: 'REPLIED', message: 'The person has written.' }
  trial.decide = ({ lastInboundAt }) => (lastInboundAt ? { kind: 'withdraw', failure } : { kind: 'send' })
  const calledAt = new Map<string, number[]>()
  outgoing.answer = message => {
    calledAt.set(message.id, [...(calledAt.get(message.id) ?? []), performance.now()])
    return succeed(message)
  }
  const phones = Array.from({ length: people }, (_, index) => `+346140000${String(index).padStart(2, '0')}`)
  const leadIds: string[] = []
  for (const phone of phones) leadIds.push(await makeContact(tenant, phone))
  const results = await queue(
    tenant,
    accountId,
    leadIds.map(leadId => ({ leadId, delayMs: 0 })),
  )
  const ids = results.map(({ messageId }) => messageId!)
  const stoppedAt = new Map<string, number>()
  // The last ones first: they wait the longest for the rate.
  for (let index = people - 1; index > 0; index -= 2) {
    const { conversationId } = await readMessage(tenant, ids[index]!)
    if (index % 4 === 1)
      await tenant.inTenant(tx =>
        insertMessage(tx, {
          conversationId,
          direction: 'in',
          kind: 'text',
          text: 'Hola',
          status: 'received',
        }),
      )
    else
      await tenant.call('POST', '/suppressions', {
        body: { identifiers: [{ kind: 'phone', value: phones[index]! }], kind: 'opt_out' },
      })
    stoppedAt.set(ids[index]!, performance.now())
  }
  const messages = await waitForEnds(tenant, ids)
  for (const id of ids) expect(calledAt.get(id)?.length ?? 0).toBeLessThanOrEqual(1)
  for (const [id, stoppedMs] of stoppedAt)
    for (const calledMs of calledAt.get(id) ?? []) expect(calledMs).toBeLessThan(stoppedMs + callMs)
  for (const { id, status, failure: why } of messages) {
    expect(status).toBe(calledAt.has(id) ? 'sent' : 'failed')
    if (status === 'failed') expect(['REPLIED', 'OPTED_OUT', 'SUPPRESSED']).toContain(why?.code)
  }
  const failed = messages.filter(({ status }) => status === 'failed')
  expect(failed.length).toBeGreaterThan(0)
  const ends = trial.ends.filter(({ messageId }) => ids.includes(messageId))
  expect(ends.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort())
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(people - failed.length)
})

test('a clock that is moved sends each message at its time', async () => {
  trial.decide = () => ({ kind: 'send' })
  const tenant = await makeTenant(chat.app)
  const accountId = await connectAccount(tenant, 'sandbox')
  const delays = [1, 2, 30].map(hours => hours * 3_600_000)
  const startMs = Date.now()
  const steps: { leadId: string; delayMs: number }[] = []
  for (const [index, delayMs] of delays.entries())
    steps.push({ leadId: await makeContact(tenant, `+3461500000${index}`), delayMs })
  const ids = (await queue(tenant, accountId, steps)).map(({ messageId }) => messageId!)
  const queuedMs = Date.now()
  const now = new Date(startMs + 3 * 86_400_000).toISOString()
  const moved = await tenant.call('POST', '/sandbox/clock', { body: { now } })
  expect(moved.status, moved.text).toBe(200)
  for (const [index, { sentAt }] of (await waitForEnds(tenant, ids)).entries()) {
    const lateMs = Date.parse(sentAt!) - delays[index]!
    expect(lateMs).toBeGreaterThanOrEqual(startMs)
    expect(lateMs).toBeLessThan(queuedMs + 60_000)
  }
})
