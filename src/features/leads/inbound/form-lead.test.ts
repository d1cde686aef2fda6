/** Leads of people who filled in a form. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'
import { type FormPerson, saveFormLeads } from './form-lead.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const phone = '+34655010203'
const campaignId = newId()
const makePerson = (fields: Partial<FormPerson> = {}): FormPerson => ({
  name: 'Marta Soler',
  identifiers: [{ kind: 'phone', value: phone }],
  property: { operation: 'sale', address: 'Carrer Major, 4' },
  consent: { channels: ['phone', 'chat'], at: null, proof: 'Ticked “Yes” in the form.' },
  note: 'After six, please.',
  knownNote: 'Name: Marta Soler',
  ...fields,
})
const save = (...people: FormPerson[]) =>
  tenant.inTenant(tx => saveFormLeads(tx, { platform: 'widget', campaignId }, people))

const readLead = async (id: string) => (await tenant.call<Lead>('GET', `/leads/${id}`)).body
const readNotes = async (id: string) =>
  (await tenant.call<{ data: { body: string }[] }>('GET', `/leads/${id}/notes`)).body.data.map(
    note => note.body,
  )
const listEvents = async () =>
  (await tenant.call<{ data: { type: string; data: object }[] }>('GET', '/events')).body.data
const readBasis = async (id: string) => (await tenant.call('GET', `/leads/${id}/lawful-basis`)).body

it('creates a lead with its source, campaign, consent and note', async () => {
  const [saved] = await save(makePerson({ customFields: { form: 'spring' } }))
  expect(saved).toMatchObject({ result: 'created' })
  const id = saved!.leadId!
  expect(await readLead(id)).toMatchObject({
    contact: { name: 'Marta Soler', phone },
    property: { operation: 'sale', address: 'Carrer Major, 4' },
    customFields: { form: 'spring' },
    campaignId,
    sources: [{ platform: 'widget', campaignId }],
    contactability: { lawfulBasis: 'consent' },
  })
  expect(await readNotes(id)).toEqual(['After six, please.'])
  expect(await readBasis(id)).toMatchObject({
    kind: 'consent',
    channels: ['phone', 'chat'],
    proof: 'Ticked “Yes” in the form.',
  })
  expect((await listEvents()).map(({ type }) => type)).toEqual(['lead.created'])
})

it('keeps names and addresses that are none out of messages: they are in the note', async () => {
  const name = 'su banco bloqueó la cuenta, entre en https://evil.example/login'
  const [saved] = await save(
    makePerson({ name, property: { address: 'llame al 912 345 678', municipality: 'Reus' } }),
  )
  expect(await readLead(saved!.leadId!)).toMatchObject({
    contact: { name: null },
    property: { address: null, municipality: 'Reus' },
  })
  expect(await readNotes(saved!.leadId!)).toEqual([
    `After six, please.\ncontact.name: ${name}\nproperty.address: llame al 912 345 678`,
  ])
})

it.each(['won', 'lost', 'discarded', 'no agencies'])(
  'a known lead (%s) that may not be contacted is not that of a new request',
  async state => {
    const isClosed = state !== 'no agencies'
    const { body: known } = await tenant.call<Lead>('POST', '/leads', {
      body: {
        contact: { name: 'Marta', phone },
        property: { description: isClosed ? 'Piso' : 'Abstenerse agencias' },
      },
    })
    if (isClosed) await tenant.call('PATCH', `/leads/${known.id}`, { body: { status: state } })
    const request = makePerson({ property: {} })
    const [first] = await save(request)
    expect(first).toMatchObject({ result: 'created' })
    expect(await readLead(first!.leadId!)).toMatchObject({ status: 'new', contactability: { allowed: true } })
    expect(await save(request)).toEqual([{ leadId: first!.leadId, result: 'known' }])
    expect(await readNotes(known.id)).toEqual([])
    // Without consent, the form is a note of what is known.
    const other = makePerson({ consent: null, property: {} })
    await tenant.call('DELETE', `/leads/${first!.leadId}`)
    expect(await save(other)).toEqual([{ leadId: known.id, result: 'known' }])
  },
)

it('changes nothing that is known of a lead, because nobody has proven who they are', async () => {
  const { body: known } = await tenant.call<Lead>('POST', '/leads', {
    body: { contact: { name: 'Marta', phone } },
  })
  const [saved] = await save(
    makePerson({
      name: 'Somebody Else',
      identifiers: [...makePerson().identifiers, { kind: 'email', value: 'else@example.com' }],
    }),
  )
  expect(saved).toEqual({ leadId: known.id, result: 'known' })
  expect((await readLead(known.id)).contact).toMatchObject({ name: 'Marta', email: null })
  expect(await readNotes(known.id)).toEqual(['Name: Marta Soler'])
  expect(await readBasis(known.id)).toMatchObject({ kind: 'consent' })
  expect((await listEvents()).at(-1)).toMatchObject({
    type: 'lead.updated',
    data: {
      leadId: known.id,
      cause: 'form_received',
      changes: expect.arrayContaining([expect.objectContaining({ field: 'consentAt' })]),
    },
  })
  await save(makePerson({ knownNote: 'Again' }))
  expect(await readNotes(known.id)).toHaveLength(2)
})

it.each([
  ['legitimate_interest', 'consent'],
  ['contract', 'contract'],
])('a lead with the basis %s has %s afterwards', async (before, after) => {
  const { body: known } = await tenant.call<Lead>('POST', '/leads', { body: { contact: { phone } } })
  await tenant.call('PUT', `/leads/${known.id}/lawful-basis`, { body: { kind: before, proof: 'A sign.' } })
  await save(makePerson())
  expect(await readBasis(known.id)).toMatchObject({ kind: after })
})

it('takes no erased person, and no more than the quota', async () => {
  const [saved] = await save(makePerson())
  await tenant.call('DELETE', `/leads/${saved!.leadId}?erase=true`)
  expect(await save(makePerson())).toEqual([{ leadId: null, reason: 'PERSON_ERASED' }])
  await tenant.limitQuota('maxLeadsPerMonth', 1)
  const other = makePerson({ identifiers: [{ kind: 'phone', value: '+34655010204' }], consent: null })
  expect(await save(other)).toEqual([{ leadId: null, reason: 'QUOTA_EXCEEDED' }])
  expect(await tenant.listAllLeads()).toEqual([])
})
