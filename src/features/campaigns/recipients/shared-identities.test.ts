/** The inbox has one conversation with those who share the identity by which an account writes: they get the messages once. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  retryRecipients,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { CampaignPreview } from '../preview/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

/** A campaign of an account from which a person sends. */
async function makeManualSequence(provider: string, credentials: object): Promise<string> {
  const account = await tenant.call<{ id: string }>('POST', '/accounts', {
    body: { provider, mode: 'chat-no-api', displayName: 'Ana', credentials },
  })
  const options = { accountId: account.body.id, contactMode: 'chat-no-api' }
  return (await makeSequence(tenant, { ...options, steps: [{}, { delayMinutes: 60 }] })).id
}
const makeEmailSequence = (address = 'ana@agency.example') => makeManualSequence('manual_email', { address })

const states = async (id: string) =>
  (await listRecipients(tenant, id)).map(({ status, reason }) => reason?.code ?? status)
const listSkipped = async (id: string) => {
  const reply = await tenant.call<CampaignPreview>('POST', `/campaigns/${id}/preview`, { body: {} })
  return reply.body.skipped.map(({ code, leadIds }) => [code, leadIds])
}
const paco = { email: 'paco@example.org' }

test('people who share an address get an e-mail campaign once, as the preview says, and one campaign at a time', async () => {
  const family = await makeContacts(tenant, 2, paco)
  const further = await makeContacts(tenant, 1, { email: 'pepe@example.org', identifiers: [paco.email] })
  const id = await makeEmailSequence()
  await joinLeads(tenant, id, [...family, ...further])
  expect(await listSkipped(id)).toEqual([['SAME_PERSON', [family[1], further[0]]]])
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect(await states(id)).toEqual(['queued', 'SAME_PERSON', 'SAME_PERSON'])
  expect(await retryRecipients(tenant, id)).toMatchObject({ retried: 2 })
  await wait(tenant, 1)
  expect(await states(id)).toEqual(['queued', 'SAME_PERSON', 'SAME_PERSON'])
  const second = await makeEmailSequence('eva@agency.example')
  await joinLeads(tenant, second, [family[1]!])
  await setStatus(tenant, second, 'running')
  await wait(tenant, 1)
  expect(await states(second)).toEqual(['IN_ANOTHER_CAMPAIGN'])
})

test('who shares the address of somebody who was taken out gets nothing', async () => {
  const id = await makeEmailSequence()
  await joinLeads(tenant, id, await makeContacts(tenant, 2, paco))
  const [first] = await listRecipients(tenant, id)
  await tenant.call('DELETE', `/campaigns/${id}/recipients/${first!.id}`)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect(await states(id)).toEqual(['TAKEN_OUT', 'TAKEN_OUT'])
})

test('in a chat campaign, people who share an address have their own phones, and a WhatsApp chat is a phone', async () => {
  const family = await makeContacts(tenant, 2, paco)
  const phone = '+34655900021'
  const known = await makeContacts(tenant, 1, { phone })
  const chat = await makeContacts(tenant, 1, { phone: null, identifiers: [`whatsapp:${phone.slice(1)}`] })
  const id = await makeManualSequence('manual', { phone: '+34600000001' })
  await joinLeads(tenant, id, [...family, ...known, ...chat])
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect(await states(id)).toEqual(['queued', 'queued', 'queued', 'SAME_PERSON'])
})

/** Both leads of a campaign have got the first message, before they share an address. */
async function startFamily(): Promise<{ id: string; leads: string[] }> {
  const leads = [
    ...(await makeContacts(tenant, 1, paco)),
    ...(await makeContacts(tenant, 1, { email: 'pepe@example.org' })),
  ]
  const id = await makeEmailSequence()
  await joinLeads(tenant, id, leads)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  const { body } = await tenant.call<{ data: { id: string }[] }>('GET', '/messaging/tasks')
  for (const task of body.data)
    expect(
      (await tenant.call('PATCH', `/messaging/tasks/${task.id}`, { body: { status: 'done' } })).status,
    ).toBe(200)
  expect(await states(id)).toEqual(['waiting', 'waiting'])
  return { id, leads }
}
const shareAddress = (leadId: string) =>
  tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { email: paco.email } } })

test('two who share an address after the first message get the next one once', async () => {
  const { id, leads } = await startFamily()
  expect((await shareAddress(leads[1]!)).status).toBe(200)
  await wait(tenant, 61)
  expect(await states(id)).toEqual(['queued', 'SAME_PERSON'])
})
