/** People leave a campaign: one by one, and those of a file whose import is undone. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { waitUntilImported } from '../../../../test/imports.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  listStates,
  makeContacts,
  makeSequence,
  retryRecipients,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { CampaignNumbers } from '../numbers/schemas.ts'
import type { RecipientUpload } from '../uploads/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const lawfulBasis = { kind: 'contract' as const, note: 'Mandate.' }
const steps = [{}, { delayMinutes: 60 }]

const upload = async (campaignId: string, file: string) => {
  const { body } = await tenant.call<RecipientUpload>('POST', `/campaigns/${campaignId}/recipients`, {
    rawBody: file,
    contentType: 'text/csv',
  })
  return body
}
const undo = async (importId: string | null) => {
  await tenant.call('POST', `/leads/imports/${importId}/undo`)
  return (await waitUntilImported(tenant, { id: importId! })).progress
}
const takeOut = async (campaignId: string, recipientId: string) =>
  (await tenant.call('DELETE', `/campaigns/${campaignId}/recipients/${recipientId}`)).status
const states = (campaignId: string) => listStates(tenant, campaignId)

const known = 'Nombre;Teléfono\nAna;612000001\n'

test('the undo of a file takes back a known lead that had got nothing, and the basis that the campaign recorded on it', async () => {
  const { id } = await makeSequence(tenant, { lawfulBasis, steps })
  await tenant.call('POST', '/leads', { body: { contact: { name: 'Ana', phone: '612000001' } } })
  const { importId, joined } = await upload(id, known)
  expect(joined).toBe(1)
  expect((await tenant.listAllLeads())[0]!.contactability.lawfulBasis).toBe('contract')
  expect(await undo(importId)).toMatchObject({ updated: 1, undone: 1, notReverted: 0 })
  expect(await listRecipients(tenant, id)).toEqual([])
  expect((await tenant.listAllLeads())[0]!.contactability.lawfulBasis).toBeNull()
  // The right file brings the person.
  expect(await upload(id, known)).toMatchObject({ joined: 1, refused: 0 })
})

test('the undo of a file stops those who have got a message, and leaves those whom another file names', async () => {
  const { id } = await makeSequence(tenant, { lawfulBasis, steps })
  const wrong = await upload(id, 'Nombre;Teléfono\nAna;612000001\nEva;612000002\n')
  await upload(id, known)
  await tenant.call('PATCH', `/leads/${(await listRecipients(tenant, id))[1]!.leadId}`, {
    body: { tags: ['vip'] },
  })
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect((await listSent(tenant, id)).length).toBe(2)
  await undo(wrong.importId)
  await wait(tenant, 120)
  const recipients = await listRecipients(tenant, id)
  expect(recipients.map(({ status, reason, sends }) => [status, reason?.code ?? null, sends.length])).toEqual(
    [
      ['completed', null, 2],
      ['stopped', 'IMPORT_UNDONE', 1],
    ],
  )
})

test('a person is taken out: what waits is withdrawn, a retry does not bring it back, and what it got stays', async () => {
  const leadIds = await makeContacts(tenant, 3)
  const { id } = await makeSequence(tenant, { steps })
  await joinLeads(tenant, id, leadIds)
  const [first, second, third] = await listRecipients(tenant, id)
  expect(await takeOut(id, first!.id)).toBe(204)
  expect(await takeOut(id, first!.id)).toBe(204)
  await tenant.call('DELETE', `/leads/${leadIds[1]}/lawful-basis`)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect((await states(id))[1]).toEqual(['skipped', 'NO_LAWFUL_BASIS'])
  for (const { id: recipientId } of [second!, third!]) expect(await takeOut(id, recipientId)).toBe(204)
  expect(await retryRecipients(tenant, id)).toMatchObject({ retried: 0 })
  await wait(tenant, 120)
  expect(await states(id)).toEqual(leadIds.map(() => ['stopped', 'TAKEN_OUT']))
  expect((await listSent(tenant, id)).map(({ leadId }) => leadId)).toEqual([leadIds[2]])
  const other = await makeSequence(tenant, { steps })
  expect(await takeOut(other.id, third!.id)).toBe(404)
})

test('who was taken out does not join again, also where others may, and after their last step', async () => {
  const leadIds = await makeContacts(tenant, 3)
  const { id } = await makeSequence(tenant, {
    steps: [{}, { delayMinutes: 10 }],
    reentryAfterDays: 1,
    // The third waits for tomorrow, so the campaign does not complete.
    dailyLeadLimit: 2,
  })
  await joinLeads(tenant, id, leadIds)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 5)
  const [first, second] = (await listRecipients(tenant, id)).filter(({ sends }) => sends.length > 0)
  expect(await takeOut(id, first!.id)).toBe(204)
  await wait(tenant, 30)
  expect(await takeOut(id, second!.id)).toBe(204)
  await setStatus(tenant, id, 'paused')
  await wait(tenant, 2 * 1440)
  await joinLeads(tenant, id, leadIds)
  expect((await listRecipients(tenant, id)).map(({ id, status }) => [id, status])).toEqual(
    expect.arrayContaining([
      [first!.id, 'stopped'],
      [second!.id, 'stopped'],
    ]),
  )
  expect((await listSent(tenant, id)).length).toBe(3)
})

test('with a person go their other leads of the campaign, and those that they get later', async () => {
  const phone = '+34655900011'
  const leadIds = await makeContacts(tenant, 2, { phone })
  const { id } = await makeSequence(tenant, { steps })
  await joinLeads(tenant, id, leadIds)
  expect(await states(id)).toEqual([
    ['waiting', null],
    ['skipped', 'SAME_PERSON'],
  ])
  const stranger = await makeContacts(tenant, 1)
  await joinLeads(tenant, id, stranger)
  expect(await takeOut(id, (await listRecipients(tenant, id))[0]!.id)).toBe(204)
  expect(await retryRecipients(tenant, id)).toMatchObject({ retried: 0 })
  const later = await makeContacts(tenant, 1, { phone })
  expect(await joinLeads(tenant, id, later)).toMatchObject({
    joined: 0,
    skipped: [{ leadId: later[0], reason: { code: 'TAKEN_OUT' } }],
  })
  expect(await retryRecipients(tenant, id)).toMatchObject({ retried: 0 })
  await setStatus(tenant, id, 'running')
  await wait(tenant, 120)
  expect(await states(id)).toEqual([
    ['stopped', 'TAKEN_OUT'],
    ['stopped', 'TAKEN_OUT'],
    ['completed', null],
    ['skipped', 'TAKEN_OUT'],
  ])
  expect(new Set((await listSent(tenant, id)).map(({ leadId }) => leadId))).toEqual(new Set(stranger))
})

test('who was taken out before the first message was not contactable; who got one was', async () => {
  const { id } = await makeSequence(tenant, { steps })
  await joinLeads(tenant, id, await makeContacts(tenant, 3))
  const [first, second] = await listRecipients(tenant, id)
  await takeOut(id, first!.id)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  await takeOut(id, second!.id)
  const { body } = await tenant.call<CampaignNumbers>('GET', `/campaigns/${id}/numbers`)
  expect(body.funnel).toMatchObject({ recipients: 3, contactable: 2, sent: 2 })
})
