/** After the erasure of a person, a search of all stored data finds nothing of them, and no input stores them again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import { appointmentExample } from '../src/features/scheduling/appointments/examples.ts'
import type { NewValuation } from '../src/features/valuations/schemas.ts'
import { enqueue } from '../src/kit/jobs/enqueue.ts'
import { chooseStart, storeBookable } from './appointments.ts'
import { extract, type Search } from './extraction.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { importFile, listRows } from './imports.ts'
import { waitUntilIdle } from './jobs.ts'
import { startReceiverForTest, subscribe, waitForDeliveries } from './receiver.ts'
import { findStored } from './stored-values.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

const search: Search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' }
const email = 'Marta.Quintanilla@example.com'
const chat = 'telegram:martaquintanilla'

let dataDir: string
let app: TestApp
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'aldaba-erasure-'))
  app = await startTestApp({ env: { DATA_DIR: dataDir } })
})
afterAll(async () => {
  await app.stop()
  rmSync(dataDir, { recursive: true })
})

const toCsv = ({ contact }: Lead) =>
  `Nombre;Teléfono;Título\n${contact.name};${contact.phone};Ático en venta\n`

const headers = (key: string) => ({ 'idempotency-key': key })
const toSuppression = (phone: string | null, note: string) => ({
  identifiers: [{ kind: 'phone', value: phone }],
  note,
})

/** Spellings of a phone and a name. */
const listSpellings = ({ contact: { phone, name } }: Lead) => [
  phone!,
  phone!.slice(3).replace(/(\d{3})(?=\d)/g, '$1 '),
  name!,
  name!.toUpperCase(),
  name!.normalize('NFD').replace(/\p{M}/gu, ''),
]

/** Values the property of the lead. The market has comparables from extractions. Returns the id of the valuation. */
async function createValuation(
  { property }: Lead,
  tenant: TestTenant,
  words: Partial<NewValuation>,
): Promise<string> {
  const { latitude, longitude } = property
  const kind = { operation: 'sale', propertyType: 'homes', radiusKm: 50 }
  const facts = { latitude, longitude, squareMeters: 80, bedrooms: 3, bathrooms: 1 }
  return (await send(tenant, 'POST', '/valuations', { ...facts, ...kind, ...words }, words.name!)).id
}

async function send(tenant: TestTenant, method: string, path: string, body?: object, key?: string) {
  const more = { ...(body ? { body } : {}), ...(key ? { headers: headers(key) } : {}) }
  const reply = await tenant.call<{ id: string; mergeId: string }>(method, path, more)
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`)
  return reply.body
}

/** Books two appointments of the person, one of which is cancelled. */
async function bookFor({ id: leadId, contact }: Lead, tenant: TestTenant, who: string): Promise<void> {
  await storeBookable(app, tenant.tenantId)
  const { eventTypeId, answers } = appointmentExample
  const visitor = { name: contact.name, phone: contact.phone, email }
  for (const about of ['kept', 'cancelled']) {
    const body = { eventTypeId, leadId, visitor, answers: { ...answers, budget: who }, notes: `Of ${who}` }
    const appointment = { ...body, start: chooseStart() }
    const { id } = await send(tenant, 'POST', '/scheduling/appointments', appointment, `${about} ${who}`)
    if (about === 'cancelled')
      await send(
        tenant,
        'POST',
        `/scheduling/appointments/${id}/cancel`,
        { reason: `${who} is ill` },
        'cancel',
      )
  }
}

/** A private owner from an extraction, with data from every other input. */
async function makeKnownPerson(tenant: TestTenant): Promise<Lead> {
  await extract(tenant, search, { maxResults: 60 })
  const lead = (await tenant.listAllLeads()).find(
    ({ contact: { phone, name, advertiserType } }) => phone && name && advertiserType === 'private',
  )!
  const { id, contact } = lead
  const who = `${contact.name}, ${contact.phone}`
  await send(tenant, 'POST', `/leads/${id}/notes`, { body: `Spoke to ${who}` }, 'note')
  const note = await send(tenant, 'POST', `/leads/${id}/notes`, { body: `${who} will call` }, 'lost note')
  await send(tenant, 'DELETE', `/leads/${id}/notes/${note.id}`)
  const customFields = { who }
  await send(tenant, 'PATCH', `/leads/${id}`, { contact: { email, identifiers: [chat] }, customFields })
  await send(tenant, 'PUT', `/leads/${id}/lawful-basis`, { kind: 'consent', proof: `${who} agreed` })
  await send(tenant, 'POST', '/leads', toNewLead(lead), `of ${contact.phone}`)
  for (const q of listSpellings(lead))
    await send(tenant, 'PATCH', '/leads', { filter: { q }, changes: { addTags: ['called'] } })
  await send(tenant, 'POST', '/suppressions', toSuppression(contact.phone, `${who} asked`), 'suppressed')
  const identifiers = [{ kind: 'phone', value: contact.phone }]
  await send(tenant, 'POST', '/suppressions/check', { identifiers }, 'check')
  await importFile(tenant, toCsv(lead))
  const named = { contact: { name: contact.name }, property: { title: `House of ${who}` } }
  const other = await send(tenant, 'POST', '/leads', named)
  await send(tenant, 'POST', `/leads/${id}/merge`, { leadId: other.id }, 'merge')
  await bookFor(lead, tenant, who)
  const [phone, spaced] = listSpellings(lead)
  const words = { address: `Carrer 1 (${spaced}), call ${phone}` }
  const valuation = await createValuation(lead, tenant, {
    ...words,
    name: contact.name!,
    portalLocationId: email.toLowerCase(),
  })
  await send(tenant, 'POST', `/valuations/${valuation}/share`, {}, 'share')
  return lead
}

/** Another person with a valuation, and a lead that was merged for a while. */
async function makeBystander(tenant: TestTenant, lead: Lead): Promise<{ id: string; valuationId: string }> {
  const { id } = lead
  const own = { name: 'Eva Mas', email: 'quintanilla@example.com', phone: '688888888' }
  const bystander = await send(tenant, 'POST', '/leads', { contact: own }, 'bystander')
  await send(tenant, 'POST', `/leads/${bystander.id}/notes`, { body: 'Of another' }, 'note of another')
  await send(tenant, 'PATCH', `/leads/${bystander.id}`, { contact: { identifiers: ['telegram:marta'] } })
  await send(tenant, 'POST', '/suppressions', toSuppression('699999999', 'Of another'))
  const passing = await send(tenant, 'POST', '/leads', { property: { title: 'Garage' } })
  const { mergeId } = await send(tenant, 'POST', `/leads/${passing.id}/merge`, { leadId: id }, 'passing')
  await send(tenant, 'POST', `/leads/${passing.id}/merges/${mergeId}/undo`, undefined, 'unmerged')
  const words = { address: 'quintanilla@example.com, 688 888 888' }
  return {
    id: bystander.id,
    valuationId: await createValuation(lead, tenant, { name: 'Of Eva Mas', ...words }),
  }
}

/** Returns everything that the API shows about other leads. */
async function readOthers(
  tenant: TestTenant,
  bystander: Awaited<ReturnType<typeof makeBystander>>,
  excludedIds: string[],
) {
  const leads = (await tenant.listAllLeads()).filter(({ id }) => !excludedIds.includes(id))
  const paths = ['', '/timeline', '/notes', '/data'].map(path => `/leads/${bystander.id}${path}`)
  paths.push('/leads/imports', `/valuations/${bystander.valuationId}`)
  const shown = await Promise.all(paths.map(path => tenant.call('GET', path)))
  return [leads, ...shown.map(({ body: { exportedAt: _now, ...body } }) => body)]
}

const toNewLead = ({ contact }: Lead) => ({
  contact: { name: contact.name, phone: contact.phone },
  property: { title: 'Local en venta', operation: 'sale', propertyType: 'premises', price: 90_000 },
})

test('nothing of an erased person is left anywhere, and they are not stored again', async () => {
  const tenant = await makeTenant(app)
  // The reply repeats the request, with the person's identifiers.
  const receiver = await startReceiverForTest(({ body, event }) => ({
    status: 200,
    body: event.type === 'leads.imported' ? `${body} ${email}` : body,
  }))
  await subscribe(tenant, receiver)
  const lead = await makeKnownPerson(tenant)
  const bystander = await makeBystander(tenant, lead)
  const theirs = (await tenant.listAllLeads()).filter(({ contact }) => contact.phone === lead.contact.phone)
  const others = await readOthers(
    tenant,
    bystander,
    theirs.map(({ id }) => id),
  )
  const { name, phone } = lead.contact
  const later = new Date(Date.now() + 86_400_000)
  // A job that names the person and has not run yet.
  await tenant.inTenant(tx => enqueue(tx, 'call-later', { leadId: lead.id, phone }, { runAt: later }))
  await waitForDeliveries(receiver, 3)
  await waitUntilIdle(app.database, tenant.tenantId)
  const needles = [name!, phone!, phone!.slice(3), lead.contact.phoneRaw!, email, chat, lead.property.url!]
  const before = (await findStored(app, needles)).map(place => place.split(':')[0])
  expect(before).toEqual(
    expect.arrayContaining(
      [
        'leads.phone',
        'lead_identifiers.value',
        'lead_search.document',
        'lead_sources.url',
        'notes.body',
        'events.data',
        'webhook_deliveries.attempt_log',
        'idempotency_keys.body',
        'suppressions.note',
        'lead_merges.absorbed',
        'leads.lawful_basis_proof',
        'leads.custom_fields',
        ...['name', 'address', 'portal_location_id'].map(column => `valuations.${column}`),
      ].map(place => `aldaba.${place}`),
    ),
  )
  expect(before).toContain('graphile_worker._private_jobs.payload')
  // The market has their listing, without personal data.
  expect(await findStored(app, ['portal_a'])).toContain('aldaba.market_listings.source: portal_a')
  expect(before.filter(place => place?.startsWith('aldaba.market_'))).toEqual([])

  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(await findStored(app, needles)).toEqual([])
  expect(await readOthers(tenant, bystander, [])).toEqual(others)

  const { skippedByReason } = await extract(tenant, search, { maxResults: 60 })
  expect(skippedByReason.erased).toBeGreaterThanOrEqual(1)
  expect(await tenant.call('POST', '/leads', { body: toNewLead(lead) })).toMatchObject({
    status: 409,
    body: { code: 'PERSON_ERASED' },
  })
  expect(await listRows(tenant, await importFile(tenant, toCsv(lead)))).toMatchObject([
    { result: 'skipped', reason: 'SUPPRESSED' },
  ])
  const [someone] = await tenant.listAllLeads()
  const change = { body: { contact: { phone } } }
  expect((await tenant.call('PATCH', `/leads/${someone!.id}`, change)).status).toBe(409)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(await findStored(app, needles)).toEqual([])
})
