/** The lawful basis that a campaign attests, on the leads of its recipients. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  request,
  type SequenceOptions,
  setStatus,
  startSequence,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { browse, makeSignedInUser } from '../../../../test/users.ts'
import { sql } from '../../../kit/db/index.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const hour = 60
/** A last step that nobody gets in these tests: the campaign stays open. */
const later = { delayMinutes: 60 * 1440 }

const start = (leadIds: string[], options: SequenceOptions) => startSequence(tenant, leadIds, options)

const call = <T>(method: string, path: string, body?: object) => request<T>(tenant, method, path, body)
const states = async (id: string) =>
  (await listRecipients(tenant, id)).map(({ status, step, reason }) => [status, step, reason?.code ?? null])

test('a basis that is attested later is recorded on those who joined before, and those who lacked it go on', async () => {
  const [skipped, withdrawn] = await makeContacts(tenant, 2, { lawful_basis: null })
  const [held] = await makeContacts(tenant, 1)
  const { id } = await start([skipped!, withdrawn!, held!], { steps: [{}, later] })
  expect(await states(id)).toEqual([
    ['skipped', 0, 'NO_LAWFUL_BASIS'],
    ['skipped', 0, 'NO_LAWFUL_BASIS'],
    ['waiting', 1, null],
  ])
  await call('PUT', `/leads/${withdrawn}/lawful-basis`, { kind: 'contract', proof: 'mandate' })
  await call('DELETE', `/leads/${withdrawn}/lawful-basis`)
  await wait(tenant, 1)
  const [late] = await makeContacts(tenant, 1, { lawful_basis: null })
  await setStatus(tenant, id, 'paused')
  await joinLeads(tenant, id, [late!])
  await call('PATCH', `/campaigns/${id}`, {
    settings: { lawfulBasis: { kind: 'consent', note: 'Form of the fair', attestedBy: 'Ana' } },
  })
  await setStatus(tenant, id, 'running')
  await eventually(
    async () => (await states(id)).map(([status, step]) => `${status} ${step}`),
    all => [all[0], all[3]].every(state => state === 'waiting 1'),
  )
  const recipients = await listRecipients(tenant, id)
  for (const recipient of [recipients[0]!, recipients[3]!])
    expect(recipient.sends[0]!.lawfulBasis).toMatchObject({
      kind: 'consent',
      proof: `Campaign “Owners” (${id}); attested by Ana; Form of the fair`,
    })
  expect(recipients[2]!.sends[0]!.lawfulBasis?.kind).toBe('contract')
  expect(recipients[1]!.sends.filter(({ messageId }) => messageId).length).toBeLessThan(2)
})

test('a basis that the campaign has recorded follows what it attests later; another one stays', async () => {
  const leadIds = await makeContacts(tenant, 2, { lawful_basis: null })
  const [attested, own] = leadIds as [string, string]
  const legitimate = { kind: 'legitimate_interest' as const, attestedBy: 'Ana', note: 'Balance of 2026' }
  const { id } = await makeSequence(tenant, { lawfulBasis: legitimate })
  await joinLeads(tenant, id, leadIds)
  await call('PUT', `/leads/${own}/lawful-basis`, { kind: 'legitimate_interest', proof: 'Balance of Eva' })
  await call('PATCH', `/campaigns/${id}`, {
    name: 'Renamed',
    settings: { lawfulBasis: { ...legitimate, channels: ['chat'] } },
  })
  const { body } = await eventually(
    () => tenant.call<{ channels: string[] | null }>('GET', `/leads/${attested}/lawful-basis`),
    reply => reply.body.channels !== null,
  )
  expect(body).toMatchObject({
    channels: ['chat'],
    proof: `Campaign “Renamed” (${id}); attested by Ana; Balance of 2026`,
  })
  const { rows } = await tenant.inTenant(tx =>
    sql<{ changes: object[] }>`
      select data -> 'changes' as changes from events
      where tenant_id = ${tenant.tenantId} and type = 'lead.updated' and data ->> 'leadId' = ${attested} order by id desc limit 5`.execute(
      tx,
    ),
  )
  expect(rows.flatMap(({ changes }) => changes)).toContainEqual({
    field: 'lawfulBasisChannels',
    before: null,
    after: ['chat'],
  })
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect(await states(id)).toEqual([
    ['completed', 1, null],
    ['skipped', 0, 'CHANNEL_NOT_COVERED'],
  ])
})

test('a basis that the campaign no longer attests is removed from its leads, who get nothing more until it is attested again', async () => {
  const leadIds = await makeContacts(tenant, 2, { lawful_basis: null })
  const [attested, own] = leadIds as [string, string]
  await call('PUT', `/leads/${own}/lawful-basis`, { kind: 'contract', proof: 'Mandate' })
  const lawfulBasis = { kind: 'contract' as const, attestedBy: 'Ana', note: 'Fair of 2026' }
  const steps = [{}, { delayMinutes: hour }, later]
  const { id } = await start(leadIds, { lawfulBasis, steps })
  await eventually(
    () => states(id),
    all => all.every(([status, step]) => status === 'waiting' && step === 1),
  )
  await call('PATCH', `/campaigns/${id}`, { settings: { lawfulBasis: null } })
  await eventually(
    () => states(id),
    ([first]) => first![2] === 'NO_LAWFUL_BASIS',
  )
  await wait(tenant, hour + 1)
  expect(await states(id)).toEqual([
    ['failed', 1, 'NO_LAWFUL_BASIS'],
    ['waiting', 2, null],
  ])
  const [first] = await listRecipients(tenant, id)
  expect(first!.sends[0]!.lawfulBasis).toMatchObject({ kind: 'contract' })
  expect((await tenant.call('GET', `/leads/${own}/lawful-basis`)).body).toMatchObject({ proof: 'Mandate' })
  await call('PATCH', `/campaigns/${id}`, { settings: { lawfulBasis } })
  await eventually(
    () => states(id),
    all => all.every(([status, step]) => status === 'waiting' && step === 2),
  )
  expect((await tenant.call('GET', `/leads/${attested}/lawful-basis`)).body).toMatchObject({
    kind: 'contract',
  })
})

test('a basis that names nobody is attested by the caller, who has recorded it on the leads', async () => {
  await tenant.signIn()
  const [lead] = await makeContacts(tenant, 1, { lawful_basis: null })
  const lawfulBasis = { kind: 'contract' as const }
  const { id, settings, createdBy } = await makeSequence(tenant, { lawfulBasis })
  expect(settings.lawfulBasis!.attestedBy).toMatch(/^API key “.+”$/)
  await joinLeads(tenant, id, [lead!])
  const { body } = await tenant.call('GET', `/leads/${lead}/lawful-basis`)
  expect(createdBy).not.toBeNull()
  expect(body).toMatchObject({
    recordedBy: createdBy,
    proof: `Campaign “Owners” (${id}); attested by ${settings.lawfulBasis!.attestedBy}`,
  })
  const { cookie } = await makeSignedInUser(app, app.workspace.slug, 'owner')
  const made = await browse(app, 'POST', '/public/v1/campaigns', {
    cookie,
    headers: { 'X-Environment': 'test' },
    body: { name: 'Owners', platform: 'csv_import', settings: { lawfulBasis } },
  })
  expect(made.body).toMatchObject({ settings: { lawfulBasis: { attestedBy: 'Marta' } } })
})
