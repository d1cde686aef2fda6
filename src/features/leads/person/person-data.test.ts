/** The export of all data about a person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface PersonData {
  identifiers: string[]
  leads: { lead: Lead; lawfulBasis: { proof: string } | null; notes: { body: string }[] }[]
  absorbed: { lead: Lead; lawfulBasis: { proof: string } | null; mergedIntoLeadId: string }[]
  events: { type: string; data: { leadId: string } }[]
  suppressions: { kind: string }[]
}

test('contains every lead of the person with basis, notes, events and suppressions, and nothing about others', async () => {
  const contact = { ...makeListing().contact, email: 'marta@example.com' }
  const stored = await seedListings(tenant, {
    flat: { contact },
    garage: { contact: { ...contact, phone: null }, propertyType: 'garages', title: 'Garaje', price: 20_000 },
    other: { contact: { ...contact, phone: '+34699999999', email: null }, address: 'Calle 9', price: 90_000 },
  })
  const [flat, garage, other] = stored.map(({ leadId }) => leadId!)
  await tenant.call('POST', `/leads/${garage}/notes`, { body: { body: 'rings twice' } })
  await tenant.call('POST', `/leads/${other}/notes`, { body: { body: 'of another' } })
  await tenant.call('PUT', `/leads/${flat}/lawful-basis`, { body: { kind: 'consent', proof: 'signed' } })
  await tenant.call('PATCH', `/leads/${flat}`, { body: { status: 'contacted' } })
  const written = await tenant.call<Lead>('POST', '/leads', { body: { property: { title: 'Attic' } } })
  const contract = { kind: 'contract', proof: 'heard' }
  await tenant.call('PUT', `/leads/${written.body.id}/lawful-basis`, { body: contract })
  await tenant.call('POST', `/leads/${flat}/merge`, { body: { leadId: written.body.id } })
  const identifiers = [{ kind: 'phone', value: contact.phone! }]
  await tenant.call('POST', '/suppressions', { body: { identifiers, kind: 'opt_out' } })

  const { body } = await tenant.call<PersonData>('GET', `/leads/${garage}/data`)
  expect(body.identifiers).toEqual([contact.phone, 'marta@example.com'])
  expect(body.leads.map(({ lead }) => lead.id)).toEqual([flat, garage].sort())
  for (const { lead } of body.leads)
    expect((await tenant.call<Lead>('GET', `/leads/${lead.id}`)).body).toEqual(lead)
  expect(body.leads.flatMap(({ notes }) => notes.map(note => note.body))).toEqual(['rings twice'])
  expect(body.leads.flatMap(({ lawfulBasis }) => lawfulBasis?.proof ?? [])).toEqual(['signed'])
  const { lead: attic } = body.absorbed[0]!
  expect(body.absorbed).toEqual([
    {
      lead: {
        ...written.body,
        sources: [],
        updatedAt: attic.updatedAt,
        contactability: attic.contactability,
      },
      lawfulBasis: expect.objectContaining({ proof: 'heard' }),
      mergedIntoLeadId: flat,
    },
  ])
  expect(attic.contactability.lawfulBasis).toBe('contract')
  expect(body.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['lead.updated', 'lead.created', 'lead.deleted']),
  )
  expect(new Set(body.events.map(({ data }) => data.leadId))).toEqual(
    new Set([flat, garage, written.body.id]),
  )
  expect(body.suppressions).toMatchObject([{ kind: 'opt_out' }, { kind: 'opt_out' }])
})

test('contains each recorded lawful basis with its proof and author, even if it was withdrawn', async () => {
  const { id } = (await tenant.call<Lead>('POST', '/leads', { body: { contact: { phone: '612000999' } } }))
    .body
  const put = (proof: string) =>
    tenant.call('PUT', `/leads/${id}/lawful-basis`, { body: { kind: 'consent', proof, channels: ['phone'] } })
  await put('first')
  await put('second')
  await tenant.call('DELETE', `/leads/${id}/lawful-basis`)
  const history = (events: { data: object }[]) =>
    events.flatMap(({ data }) => {
      const { changes = [], keyId } = data as { changes?: Record<string, unknown>[]; keyId: string }
      expect(keyId).toEqual(expect.any(String))
      return changes
        .filter(({ field }) => field === 'lawfulBasisProof')
        .map(({ before, after }) => [before, after])
    })
  const proofs = [
    [null, 'first'],
    ['first', 'second'],
    ['second', null],
  ]
  expect(history((await tenant.call<PersonData>('GET', `/leads/${id}/data`)).body.events)).toEqual(proofs)
  const timeline = (await tenant.call<{ data: { data: object }[] }>('GET', `/leads/${id}/timeline`)).body.data
  expect(history(timeline)).toEqual(proofs.toReversed())
})

test('returns 404 for an unknown lead', async () => {
  expect((await tenant.call('GET', `/leads/${newId()}/data`)).status).toBe(404)
})
