/** Somebody is erased: a walk through all that is stored finds nothing of them, and no way in brings them back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import { enqueue } from '../src/kit/enqueue.ts'
import { findEverywhere } from './everything.ts'
import { extract, type Search } from './extraction.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { importFile, rowsOf } from './imports.ts'
import { whenIdle } from './jobs.ts'
import { arrival, startReceiverForTest, subscribe } from './receiver.ts'
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

const fileOf = ({ contact }: Lead) =>
  `Nombre;Teléfono;Título\n${contact.name};${contact.phone};Ático en venta\n`

/** A private owner whom an extraction found, and of whom much has been written since, by every way in. */
async function makeKnownPerson(tenant: TestTenant): Promise<Lead> {
  await extract(tenant, search, { maxResults: 60 })
  const lead = (await tenant.allLeads()).find(
    ({ contact: { phone, name, advertiserType } }) => phone && name && advertiserType === 'private',
  )!
  const { id, contact } = lead
  const who = `${contact.name}, ${contact.phone}`
  const headers = (key: string) => ({ 'idempotency-key': key })
  const calls: [method: string, path: string, body: object, headers?: Record<string, string>][] = [
    ['POST', `/leads/${id}/notes`, { body: `Spoke to ${who}` }, headers('note')],
    ['PATCH', `/leads/${id}`, { contact: { email, identifiers: [chat] }, customFields: { who } }],
    ['PUT', `/leads/${id}/lawful-basis`, { kind: 'consent', proof: `${who} agreed` }],
    ['POST', '/leads', newLeadOf(lead), headers(`of ${contact.phone}`)],
    ['PATCH', '/leads', { filter: { q: contact.phone }, changes: { addTags: ['called'] } }],
    ['POST', '/suppressions/check', { identifiers: [{ kind: 'phone', value: contact.phone }] }, headers('c')],
  ]
  for (const [method, path, body, more = {}] of calls) {
    const { status, text } = await tenant.call(method, path, { body, headers: more })
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  }
  await importFile(tenant, fileOf(lead))
  const { body: other } = await tenant.call<Lead>('POST', '/leads', {
    body: { contact: { name: contact.name }, property: { title: `House of ${who}` } },
  })
  await tenant.call('POST', `/leads/${id}/merge`, { body: { leadId: other.id }, headers: headers('merge') })
  return lead
}

const newLeadOf = ({ contact }: Lead) => ({
  contact: { name: contact.name, phone: contact.phone },
  property: { title: 'Local en venta', operation: 'sale', propertyType: 'premises', price: 90_000 },
})

test('nothing is left of an erased person, anywhere, and they do not come back', async () => {
  const tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  const lead = await makeKnownPerson(tenant)
  const { name, phone } = lead.contact
  const later = new Date(Date.now() + 86_400_000)
  await tenant.inTenant(tx =>
    enqueue(tx, 'deliver-webhook', { deliveryId: lead.id, to: phone }, { runAt: later }),
  )
  await arrival(receiver, 3)
  await whenIdle(app.database, tenant.tenantId)
  const marks = [name!, phone!, phone!.slice(3), lead.contact.phoneRaw!, email, chat, lead.property.url!]
  const before = (await findEverywhere(app, marks)).map(place => place.split(':')[0])
  expect(before).toEqual(
    expect.arrayContaining(
      [
        ...[
          'leads.phone',
          'lead_identifiers.value',
          'lead_search.document',
          'lead_sources.url',
          'notes.body',
        ],
        ...['events.data', 'idempotency_keys.body', 'idempotency_keys.key', 'lead_operations.selection'],
        ...['lead_merges.absorbed', 'leads.lawful_basis_proof', 'leads.custom_fields'].map(place => place),
      ].map(place => `aldaba.${place}`),
    ),
  )
  expect(before).toContain('graphile_worker._private_jobs.payload')

  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  await whenIdle(app.database, tenant.tenantId)
  expect(await findEverywhere(app, marks)).toEqual([])

  const { skippedByReason } = await extract(tenant, search, { maxResults: 60 })
  expect(skippedByReason.erased).toBeGreaterThanOrEqual(1)
  expect(await tenant.call('POST', '/leads', { body: newLeadOf(lead) })).toMatchObject({
    status: 409,
    body: { code: 'PERSON_ERASED' },
  })
  expect(await rowsOf(tenant, await importFile(tenant, fileOf(lead)))).toMatchObject([
    { result: 'skipped', reason: 'SUPPRESSED' },
  ])
  const [someone] = await tenant.allLeads()
  const change = { body: { contact: { phone } } }
  expect((await tenant.call('PATCH', `/leads/${someone!.id}`, change)).status).toBe(409)
  await whenIdle(app.database, tenant.tenantId)
  expect(await findEverywhere(app, marks)).toEqual([])
})
