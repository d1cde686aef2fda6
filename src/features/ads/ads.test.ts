/** Lead ads over HTTP: what people submit becomes leads with their consent, whatever the network does. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { type AdsSimulator, startAds } from '../../simulator/ads/index.ts'
import { insertAdLeads } from './lead-queries.ts'
import { enqueueSweep, retrieveName, sweepName } from './retrieval/enqueue.ts'
import type { AdConnection, AdLead } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let simulator: AdsSimulator

beforeAll(async () => {
  simulator = await startAds()
  app = await startTestApp({ env: { AD_URLS: `meta=${simulator.url}` } })
})
afterAll(async () => {
  await app.stop()
  await simulator.close()
})
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  simulator.setAccessToken(simulator.credentials.accessToken)
  simulator.faults.clear()
  simulator.setWebhookFaults({})
  // Leads of the same second as a new connection belong to it.
  simulator.leads.length = 0
})

const post = <T = Record<string, never>>(path: string, body?: object) =>
  tenant.call<T>('POST', path, body === undefined ? {} : { body })
const connect = (more: object = {}) =>
  post<AdConnection & { code: string; connectionId: string }>('/ads/connections', {
    network: 'meta',
    credentials: simulator.credentials,
    ...more,
  })
const get = async (id: string) => (await tenant.call<AdConnection>('GET', `/ads/connections/${id}`)).body
const listSubmissions = async (id: string, query = '') =>
  (await tenant.call<{ data: AdLead[] }>('GET', `/ads/connections/${id}/leads${query}`)).body.data
const settle = async () => {
  await simulator.settle()
  await waitUntilIdle(app.database, tenant.tenantId)
}
/** The webhook address as the program that runs here serves it. */
const toLocal = (url: string) => url.replace(/^https?:\/\/[^/]+/, app.url)

/** Connects the page, and lets the network verify the webhook address. */
async function connectVerified(more: object = {}): Promise<AdConnection> {
  const { status, body, text } = await connect(more)
  expect(status, text).toBe(201)
  const { url, verifyToken } = body.webhook
  expect(await simulator.verifyWebhook({ url: toLocal(url), verifyToken })).toBe(true)
  await settle()
  return body
}

const answers = {
  full_name: 'Marta Soler',
  phone_number: '+34612345678',
  email: 'Marta@Example.com',
  post_code: '46001',
  '¿cuándo_quieres_vender?': 'Este año',
}
const findBasis = async (leadId: string) =>
  (
    await tenant.call<{ kind: string; proof: string; channels: string[] }>(
      'GET',
      `/leads/${leadId}/lawful-basis`,
    )
  ).body

test('a form that somebody submits becomes a lead with its answers, its source and the consent', async () => {
  const connection = await connectVerified()
  expect(connection).toMatchObject({
    status: 'CONNECTED',
    pageName: 'Agencia Simulada',
    name: 'Agencia Simulada',
  })
  expect(JSON.stringify(connection)).not.toContain(simulator.credentials.accessToken)
  const submitted = simulator.submit({ answers })
  await settle()
  const [lead] = await tenant.listAllLeads()
  expect(lead).toMatchObject({
    contact: { name: 'Marta Soler', phone: '+34612345678', email: 'marta@example.com' },
    property: { postcode: '46001' },
    customFields: { '¿Cuándo quieres vender?': 'Este año' },
    sources: [{ platform: 'social_ads', listingId: submitted.id }],
    contactability: { lawfulBasis: 'consent' },
  })
  const basis = await findBasis(lead!.id)
  expect(basis).toMatchObject({ kind: 'consent', channels: ['chat', 'phone', 'email'] })
  expect(basis.proof).toContain('«contacto»: Acepto que Agencia Simulada me contacte')
  expect(basis.proof).toContain(submitted.id)
  expect(basis.proof).not.toContain('novedades')
  const [submission] = await listSubmissions(connection.id)
  expect(submission).toMatchObject({ status: 'taken', leadId: lead!.id, consent: { isGiven: true } })
  expect(basis.proof).toContain(submission!.consent!.version)
  const found = await get(connection.id)
  expect(found).toMatchObject({ leads: { taken: 1, waiting: 0 } })
  expect(found.webhook.verifiedAt).not.toBeNull()
  expect(found.webhook.notifiedAt).not.toBeNull()
})

test('without the box, or without a consent text, no basis is recorded, and the lead is kept', async () => {
  const connection = await connectVerified()
  simulator.submit({ answers, boxes: { contacto: false, novedades: true } })
  simulator.submit({
    answers: { full_name: 'João', phone_number: '+351912345678' },
    formId: simulator.forms[1]!.id,
  })
  await settle()
  const leads = await tenant.listAllLeads()
  expect(leads).toHaveLength(2)
  expect(leads.map(({ contactability }) => contactability.lawfulBasis)).toEqual([null, null])
  expect((await listSubmissions(connection.id)).map(({ consent }) => consent?.isGiven)).toEqual([
    false,
    false,
  ])
})

test('repeated and reordered webhooks bring each lead once, and a known person no second lead', async () => {
  const connection = await connectVerified()
  simulator.setWebhookFaults({ repeated: 1, reordered: 0.5, late: 0.5, lateMs: 50 })
  for (let count = 0; count < 20; count += 1) simulator.submit()
  simulator.submit({ answers })
  simulator.submit({ answers: { ...answers, full_name: 'Otro nombre' } })
  await settle()
  expect(await listSubmissions(connection.id)).toHaveLength(22)
  const leads = await tenant.listAllLeads()
  expect(leads).toHaveLength(21)
  const known = leads.find(({ contact }) => contact.phone === '+34612345678')!
  // Whichever came first: the other one changes nothing.
  expect(['Marta Soler', 'Otro nombre']).toContain(known.contact.name)
  expect(known.notesCount).toBe(1)
})

test('lost webhooks lose nothing: the next sweep lists the leads, also those from before the connection', async () => {
  simulator.submit({ answers: { full_name: 'Antes', phone_number: '+34611000001' } })
  const since = new Date(Date.now() - 60_000).toISOString()
  const connection = await connectVerified({ since })
  const names = async () => (await tenant.listAllLeads()).map(({ contact }) => contact.name)
  expect(await names()).toContain('Antes')
  simulator.setWebhookFaults({ lost: 1 })
  simulator.submit({ answers: { full_name: 'Perdida', phone_number: '+34611000002' } })
  await settle()
  expect(await names()).not.toContain('Perdida')
  await post(`/ads/connections/${connection.id}/test`)
  await settle()
  const found = await names()
  expect(found).toContain('Perdida')
  expect(found.filter(name => name === 'Antes')).toHaveLength(1)
})

test('a form that the network refuses keeps no other form waiting', async () => {
  const connection = await connectVerified()
  const [bad, other] = simulator.forms
  simulator.setWebhookFaults({ lost: 1 })
  for (const fault of [
    { status: 400, code: 100 },
    { status: 500, code: 1 },
  ]) {
    simulator.submit({ formId: other!.id })
    simulator.faults.add({ kind: 'error', path: `/${bad!.id}/leads`, ...fault })
    await tenant.inTenant(tx => enqueueSweep(tx, connection.id))
    await settle()
  }
  expect(await tenant.listAllLeads()).toHaveLength(2)
})

test('an expired token stops the reading, says so, and loses nothing once it is renewed', async () => {
  const connection = await connectVerified()
  simulator.setAccessToken('renewed-page-access-token')
  simulator.submit({ answers })
  await settle()
  expect(await get(connection.id)).toMatchObject({
    status: 'EXPIRED',
    statusReason: expect.stringContaining('Enter a new page token'),
    leads: { waiting: 1 },
  })
  expect(await listSubmissions(connection.id)).toMatchObject([
    { status: 'waiting', attempts: 0, reason: { code: 'AD_INVALID_CREDENTIALS' } },
  ])
  const wrong = await tenant.call('PATCH', `/ads/connections/${connection.id}`, {
    body: { credentials: simulator.credentials },
  })
  expect(wrong).toMatchObject({ status: 422, body: { code: 'INVALID_CREDENTIALS' } })
  const credentials = { ...simulator.credentials, accessToken: 'renewed-page-access-token' }
  const renewed = await tenant.call('PATCH', `/ads/connections/${connection.id}`, { body: { credentials } })
  expect(renewed).toMatchObject({ status: 200, body: { status: 'CONNECTED', statusReason: null } })
  await settle()
  expect(await tenant.listAllLeads()).toHaveLength(1)
  const { rows } = await tenant.inTenant(tx =>
    sql<{ status: string }>`
      select data->>'status' as status from events
      where tenant_id = ${tenant.tenantId} and type = 'ad_connection.status_changed' order by position`.execute(
      tx,
    ),
  )
  expect(rows.map(({ status }) => status)).toEqual(['CONNECTED', 'EXPIRED', 'CONNECTED'])
})

test('a limit of the network delays leads as long as it says; a test lead is none; failures are retried', async () => {
  const connection = await connectVerified()
  simulator.faults.add({ kind: 'error', status: 400, code: 4, retryAfterSeconds: 600, times: 1 })
  simulator.submit({ answers })
  await settle()
  expect(await listSubmissions(connection.id)).toMatchObject([
    { status: 'waiting', reason: { code: 'AD_RATE_LIMITED' } },
  ])
  const requests = simulator.requests.length
  simulator.submit()
  await settle()
  expect(simulator.requests).toHaveLength(requests)
  expect(await get(connection.id)).toMatchObject({ status: 'CONNECTED', leads: { waiting: 2 } })
  await post(`/ads/connections/${connection.id}/test`)
  await settle()
  expect((await get(connection.id)).leads).toMatchObject({ waiting: 0, taken: 2 })

  simulator.submit({ answers: { full_name: '<test lead: dummy data for full_name>' } })
  simulator.faults.add({ kind: 'page', status: 500, path: '/none', times: 1 })
  await settle()
  expect((await listSubmissions(connection.id, '?status=skipped'))[0]).toMatchObject({
    reason: { code: 'TEST_LEAD' },
    leadId: null,
  })
  expect(await tenant.listAllLeads()).toHaveLength(2)
})

test('several workers on one connection take each lead once', async () => {
  const { id } = await connectVerified()
  simulator.setWebhookFaults({ lost: 1 })
  const count = 45
  for (let at = 0; at < count; at += 1) simulator.submit()
  await tenant.inTenant(async tx => {
    await insertAdLeads(
      tx,
      simulator.leads
        .slice(0, count - 5)
        .map(lead => ({ connectionId: id, externalId: lead.id, formId: lead.formId, content: null })),
    )
    // Without the queue of the connection, they run at once.
    for (let worker = 0; worker < 4; worker += 1) {
      await enqueue(tx, retrieveName, { connectionId: id }, { jobKey: `retrieve ${id} ${worker}` })
      await enqueue(tx, sweepName, { connectionId: id }, { jobKey: `sweep ${id} ${worker}` })
    }
  })
  await waitUntilIdle(app.database, tenant.tenantId)
  const submissions = await listSubmissions(id, '?limit=100')
  expect(submissions.map(({ status }) => status)).toEqual(Array(count).fill('taken'))
  expect(new Set(submissions.map(({ leadId }) => leadId)).size).toBe(count)
  expect((await tenant.listAllLeads()).length).toBe(count)
})
