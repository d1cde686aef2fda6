/** The ledger as evidence over HTTP: exports, access requests, erasures and merges of leads that are recipients. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { changeMeanwhile } from '../../../../test/change-meanwhile.ts'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  makeTemplate,
  request,
  type SequenceOptions,
  setStatus,
  startSequence,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { CampaignPreview } from '../preview/schemas.ts'
import type { ExportedSend } from './export-schemas.ts'
import type { CampaignRecipient } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const day = 1440
const later = { delayMinutes: 60 * day }

const start = (leadIds: string[], options: SequenceOptions = {}) =>
  startSequence(tenant, leadIds, { steps: [{}, { delayMinutes: 60 }, later], ...options })
const call = <T>(method: string, path: string, body?: object) => request<T>(tenant, method, path, body)
async function exportRows(id: string, query = ''): Promise<ExportedSend[]> {
  const { status, text } = await tenant.call(
    'GET',
    `/campaigns/${id}/recipients/export?format=ndjson${query}`,
  )
  expect(status).toBe(200)
  return text
    .split('\n')
    .filter(line => line)
    .map(line => JSON.parse(line) as ExportedSend)
}
const reply = async (accountId: string, leadId: string, text: string) => {
  const { contact } = await call<{ contact: { phone: string } }>('GET', `/leads/${leadId}`)
  await call('POST', '/sandbox/messages', { accountId, from: contact.phone, text })
}
const toState = ({ status, reason }: CampaignRecipient) => [status, reason?.code ?? null]
const countSteps = async (id: string) => (await listSent(tenant, id)).map(({ step }) => step)

test('the export says of everybody why they were contacted or not, in the words of preview, ledger and conversation', async () => {
  const named = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const [replied, optedOut] = await makeContacts(tenant, 2)
  const [noBasis] = await makeContacts(tenant, 1, { lawful_basis: null })
  const [nameless] = await makeContacts(tenant, 1, { contact_name: null })
  const [unreachable] = await makeContacts(tenant, 1, { phone: '+34600000001' })
  const all = [replied!, optedOut!, noBasis!, nameless!, unreachable!]
  const { id, accountId } = await makeSequence(tenant, { steps: [{ templateId: named }, later] })
  await joinLeads(tenant, id, all)
  const preview = await call<CampaignPreview>('POST', `/campaigns/${id}/preview`, {})
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  await reply(accountId!, replied!, 'Sí, llámame')
  await reply(accountId!, optedOut!, 'STOP')
  await wait(tenant, 1)
  const recipients = await listRecipients(tenant, id)
  expect(recipients.map(toState)).toEqual([
    ['stopped', 'REPLIED'],
    ['stopped', 'OPTED_OUT'],
    ['skipped', 'NO_LAWFUL_BASIS'],
    ['skipped', 'MISSING_VARIABLE'],
    ['failed', 'RECIPIENT_UNREACHABLE'],
  ])
  const rows = await exportRows(id)
  expect(rows.map(({ leadId, step, status }) => [leadId, step, status])).toEqual([
    [replied, 0, 'stopped'],
    [optedOut, 0, 'stopped'],
    [noBasis, null, 'skipped'],
    [nameless, 0, 'skipped'],
    [unreachable, 0, 'failed'],
  ])
  expect(rows[0]).toMatchObject({
    name: 'Marta Ruiz',
    templateId: named,
    lawfulBasis: 'contract',
    lawfulBasisProof: 'asked for a viewing',
    lawfulBasisRecordedAt: '2026-01-01T00:00:00.000Z',
    messageId: recipients[0]!.sends[0]!.messageId,
  })
  expect(rows[0]!.sentAt).not.toBeNull()
  expect([rows[0]!.phone, rows[4]!.sentTo]).toEqual([rows[0]!.sentTo, null])
  for (const [index, row] of rows.entries())
    if (index > 1) {
      expect([row.result, row.explanation]).toEqual([
        recipients[index]!.reason!.code,
        recipients[index]!.reason!.message,
      ])
      expect(row.sentAt).toBeNull()
    }
  for (const { reason } of recipients.slice(2, 4))
    expect(preview.skipped.map(({ code, message }) => ({ code, message }))).toContainEqual(reason)
  const message = await call<{ failure: { code: string; message: string } }>(
    'GET',
    `/messages/${rows[4]!.messageId}`,
  )
  expect(message.failure).toMatchObject(recipients[4]!.reason!)
  expect(
    (await exportRows(id, '&status=skipped&reason=NO_LAWFUL_BASIS')).map(({ leadId }) => leadId),
  ).toEqual([noBasis])
  const { text } = await tenant.call('GET', `/campaigns/${id}/recipients/export`)
  expect(text.split('\r\n')).toHaveLength(1 + rows.length + 1)
})

test('an access request lists what the person got, and an erasure leaves nothing of them', async () => {
  const [leadId, other] = await makeContacts(tenant, 2)
  const { id } = await start([leadId!, other!])
  interface Data {
    campaigns: { name: string; recipient: CampaignRecipient }[]
  }
  const { campaigns } = await call<Data>('GET', `/leads/${leadId}/data`)
  expect(campaigns).toEqual([{ name: 'Owners', recipient: (await listRecipients(tenant, id))[0] }])
  expect(campaigns[0]!.recipient.sends).toHaveLength(1)
  await call('DELETE', `/leads/${leadId}?erase=true`)
  expect((await listRecipients(tenant, id)).map(each => each.leadId)).toEqual([other])
  expect((await exportRows(id)).map(each => each.leadId)).toEqual([other])
  await wait(tenant, 61)
  expect(await countSteps(id)).toEqual([0, 1])
})

interface Merged {
  mergeId: string
}
const merge = (leadId: string, absorbedId: string) =>
  call<Merged>('POST', `/leads/${leadId}/merge`, { leadId: absorbedId })
const undo = (leadId: string, { mergeId }: Merged) => call('POST', `/leads/${leadId}/merges/${mergeId}/undo`)

test('an access request is of one moment: nothing is missing if the lead is merged meanwhile', async () => {
  const [leadId, other] = await makeContacts(tenant, 2)
  await start([leadId!])
  const { leads, campaigns } = await changeMeanwhile(app.database, {
    // Read after the lead and before its campaigns.
    table: 'message_files',
    read: () => call<{ leads: object[]; campaigns: object[] }>('GET', `/leads/${leadId}/data`),
    change: () => merge(other!, leadId!),
  })
  expect([leads.length, campaigns.length]).toEqual([1, 1])
})

test('two leads of one campaign that are merged get its messages once, and each its own after the undo', async () => {
  const [kept, absorbed] = await makeContacts(tenant, 2)
  const { id } = await start([kept!, absorbed!])
  const merged = await merge(kept!, absorbed!)
  const ended = await listRecipients(tenant, id)
  expect(ended.map(each => [each.leadId, ...toState(each)])).toEqual([
    [kept, 'waiting', null],
    [null, 'stopped', 'ALREADY_JOINED'],
  ])
  await wait(tenant, 61)
  expect(await countSteps(id)).toEqual([0, 0, 1])
  await undo(kept!, merged)
  await wait(tenant, 1)
  expect(await countSteps(id)).toEqual([0, 0, 1, 1])
  const restored = await listRecipients(tenant, id)
  expect(restored.map(each => [each.leadId, ...toState(each), each.step])).toEqual([
    [kept, 'waiting', null, 2],
    [absorbed, 'waiting', null, 2],
  ])
})

test('two leads of two campaigns that are merged are written to by one of them', async () => {
  const [kept, absorbed] = await makeContacts(tenant, 2)
  const [open] = await makeContacts(tenant, 1)
  const one = await start([kept!])
  const other = await start([absorbed!, open!])
  const merged = await merge(kept!, absorbed!)
  const readFirst = async () =>
    (await listRecipients(tenant, other.id)).slice(0, 1).map(each => [each.leadId, ...toState(each)])
  expect(await readFirst()).toEqual([[kept, 'stopped', 'IN_ANOTHER_CAMPAIGN']])
  await wait(tenant, 61)
  expect([await countSteps(one.id), await countSteps(other.id)]).toEqual([
    [0, 1],
    [0, 0, 1],
  ])
  await undo(kept!, merged)
  await wait(tenant, 1)
  expect(await countSteps(other.id)).toEqual([0, 0, 1, 1])
  expect(await readFirst()).toEqual([[absorbed, 'waiting', null]])
})

test('the undo of a merge does not revive the recipient of a campaign that has completed meanwhile', async () => {
  const [kept, absorbed] = await makeContacts(tenant, 2)
  await start([kept!])
  const other = await start([absorbed!])
  const merged = await merge(kept!, absorbed!)
  await wait(tenant, 61)
  expect((await call<{ status: string }>('GET', `/campaigns/${other.id}`)).status).toBe('completed')
  await undo(kept!, merged)
  const [restored] = await listRecipients(tenant, other.id)
  expect([restored!.leadId, ...toState(restored!)]).toEqual([absorbed, 'stopped', 'IN_ANOTHER_CAMPAIGN'])
})

test('a lead that is no recipient takes the place of the one that is merged into it', async () => {
  const [kept, absorbed] = await makeContacts(tenant, 2)
  const { id } = await start([absorbed!])
  await merge(kept!, absorbed!)
  await wait(tenant, 61)
  expect((await listRecipients(tenant, id)).map(each => [each.leadId, each.status, each.step])).toEqual([
    [kept, 'waiting', 2],
  ])
  expect(await countSteps(id)).toEqual([0, 1])
})

test('a lead joins again only as often as the campaign allows, in a new round with its own evidence', async () => {
  const [leadId, open] = await makeContacts(tenant, 2)
  const { id, accountId } = await start([leadId!, open!], { reentryAfterDays: 30 })
  await reply(accountId, leadId!, 'Ahora no')
  await eventually(
    async () => (await listRecipients(tenant, id))[0]!.status,
    status => status === 'stopped',
  )
  const add = async () =>
    (
      await call<{ joined: number; refusedByReason: object }>('POST', `/campaigns/${id}/recipients`, {
        leadIds: [leadId],
      })
    ).joined
  expect(await add()).toBe(0)
  await wait(tenant, 29 * day)
  expect(await add()).toBe(0)
  await wait(tenant, 2 * day)
  expect(await add()).toBe(1)
  await wait(tenant, 1)
  const [again] = await listRecipients(tenant, id)
  expect(again).toMatchObject({ leadId, status: 'waiting', step: 1, round: 2 })
  expect(again!.sends.map(({ round, step }) => [round, step])).toEqual([
    [1, 0],
    [2, 0],
  ])
})
