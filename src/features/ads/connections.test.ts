/** Connections of lead ads over HTTP: webhooks, forms, privacy and limits. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { type AdsSimulator, startAds } from '../../simulator/ads/index.ts'
import type { AdConnection, AdLead, LeadForm } from './schemas.ts'

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

test('a webhook needs the signature of exactly its body, and is answered at once, whatever it contains', async () => {
  const connection = await connectVerified()
  const url = toLocal(connection.webhook.url)
  const send = (body: string, secret = simulator.credentials.appSecret) =>
    fetch(url, {
      method: 'POST',
      headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` },
      body,
    })
  const notice = (pageId: string, leadId: string) =>
    JSON.stringify({
      object: 'page',
      entry: [
        { changes: [{ field: 'leadgen', value: { page_id: pageId, form_id: '7', leadgen_id: leadId } }] },
      ],
    })
  const { pageId } = simulator.credentials
  expect((await send(notice(pageId, '1'), '0'.repeat(32))).status).toBe(401)
  expect((await fetch(url, { method: 'POST', body: notice(pageId, '1') })).status).toBe(401)
  for (const body of ['', 'no JSON', '{"object":"page","entry":[null]}', notice('999999', '2')])
    expect((await send(body)).status, body).toBe(200)
  expect(await listSubmissions(connection.id)).toEqual([])
  const query = 'hub.mode=subscribe&hub.challenge=1&hub.verify_token='
  expect((await fetch(`${url}?${query}wrong`)).status).toBe(401)
  const verified = await fetch(`${url}?${query}${connection.webhook.verifyToken}`)
  expect(await verified.text()).toBe('1')

  // A lead that the network does not have is tried again, and neither delays others nor fails the connection.
  expect((await send(notice(pageId, '404'))).status).toBe(200)
  simulator.submit({ answers })
  await settle()
  expect(await listSubmissions(connection.id, '?status=waiting')).toMatchObject([
    { externalId: '404', attempts: expect.any(Number), reason: { code: 'AD_NOT_FOUND' } },
  ])
  expect(await tenant.listAllLeads()).toHaveLength(1)
  expect((await get(connection.id)).status).toBe('CONNECTED')

  expect((await tenant.call('DELETE', `/ads/connections/${connection.id}`)).status).toBe(204)
  expect((await send(notice(pageId, '3'))).status).toBe(404)
  expect(await tenant.listAllLeads()).toHaveLength(1)
  expect(simulator.subscribedFields).toEqual(['feed'])
})

test('a mapping and a consent rule of a form count from then on, and are checked', async () => {
  const connection = await connectVerified()
  const [form] = simulator.forms
  const path = `/ads/connections/${connection.id}/forms/${form!.id}`
  const { body } = await tenant.call<{ data: LeadForm[] }>('GET', `/ads/connections/${connection.id}/forms`)
  expect(body.data[0]).toMatchObject({
    formId: form!.id,
    isConsentGuessed: true,
    consent: { boxes: ['contacto'], channels: ['chat', 'phone', 'email'] },
    questions: expect.arrayContaining([
      { key: 'post_code', label: 'Código postal', field: 'property.postcode', isGuessed: true },
    ]),
  })
  const key = '¿cuándo_quieres_vender?'
  const refused = await tenant.call<{ errors: { path: string; code: string }[] }>('PATCH', path, {
    body: {
      fieldMapping: { [key]: 'status', unknown: 'note', email: 'lawfulBasis.kind' },
      consent: { boxes: ['nada'], channels: ['email'] },
    },
  })
  expect(refused.status).toBe(400)
  expect(refused.body.errors.map(({ code }) => code)).toEqual([
    'NOT_ALLOWED',
    'UNKNOWN_QUESTION',
    'NOT_ALLOWED',
    'UNKNOWN_BOX',
  ])
  const changed = await tenant.call('PATCH', path, {
    body: {
      fieldMapping: { [key]: 'note', post_code: null },
      consent: { boxes: ['contacto', 'novedades'], channels: ['email'] },
    },
  })
  expect(changed.status, changed.text).toBe(200)
  simulator.submit({ answers, boxes: { contacto: true, novedades: false } })
  simulator.submit({ answers: { ...answers, phone_number: '+34600111222', email: 'b@example.com' } })
  await settle()
  const leads = await tenant.listAllLeads()
  expect(leads.map(({ contactability }) => contactability.lawfulBasis).toSorted()).toEqual(['consent', null])
  expect(leads[0]).toMatchObject({ property: { postcode: null }, customFields: {}, notesCount: 1 })
  const given = leads.find(({ contactability }) => contactability.lawfulBasis !== null)!
  expect((await findBasis(given.id)).channels).toEqual(['email'])
})

test('a page is connected once, and what is wrong with it is said at once', async () => {
  const connection = await connectVerified()
  expect(await connect()).toMatchObject({
    status: 409,
    body: { code: 'AD_PAGE_EXISTS', connectionId: connection.id },
  })
  const unknown = await connect({ network: 'other', since: '2020-01-01T00:00:00Z' })
  expect(unknown.status).toBe(400)
  const old = await connect({ since: '2020-01-01T00:00:00Z' })
  expect(old).toMatchObject({ status: 400, body: { errors: [{ path: '/since' }] } })
  simulator.faults.add({ kind: 'error', status: 403, code: 200, path: '/leadgen_forms' })
  expect(await connect()).toMatchObject({ status: 422, body: { code: 'PERMISSION_MISSING' } })
})

test('an erased person is not stored again, and nothing of them is left in the submission', async () => {
  const connection = await connectVerified()
  simulator.submit({ answers })
  await settle()
  const [lead] = await tenant.listAllLeads()
  const data = await tenant.call<{ adLeads: AdLead[] }>('GET', `/leads/${lead!.id}/data`)
  expect(data.body.adLeads).toMatchObject([{ leadId: lead!.id, consent: { isGiven: true } }])
  await tenant.call('DELETE', `/leads/${lead!.id}?erase=true`)
  expect((await listSubmissions(connection.id))[0]).toMatchObject({ leadId: null, consent: null })
  simulator.submit({ answers })
  await settle()
  expect((await listSubmissions(connection.id))[0]).toMatchObject({
    status: 'skipped',
    reason: { code: 'PERSON_ERASED' },
  })
  expect(await tenant.listAllLeads()).toEqual([])
})

test('leads over the quota wait for it', async () => {
  const connection = await connectVerified()
  await tenant.limitQuota('maxLeadsPerMonth', 0)
  simulator.submit({ answers })
  await settle()
  expect(await listSubmissions(connection.id)).toMatchObject([
    { status: 'waiting', reason: { code: 'QUOTA_EXCEEDED' } },
  ])
  await tenant.inTenant(tx =>
    tx.deleteFrom('quota_limits').where('tenant_id', '=', tenant.tenantId).execute(),
  )
  expect((await post(`/ads/connections/${connection.id}/leads/retry`)).body).toEqual({ retried: 1 })
  await settle()
  expect(await tenant.listAllLeads()).toHaveLength(1)
})

test('in the test environment a program submits a form with its key alone', async () => {
  const live = tenant
  onTestFinished(() => {
    tenant = live
  })
  tenant = await makeTenant(app)
  const { body: connection } = await connect()
  const submit = (more: object = {}) =>
    post<{ status: string; leadId: string | null }>('/sandbox/ad-leads', {
      connectionId: connection.id,
      answers: { full_name: 'Marta Soler', phone_number: '+34612345678', cuando: 'Este año' },
      ...more,
    })
  const { status, body } = await submit()
  expect([status, body.status]).toEqual([201, 'taken'])
  const { body: lead } = await tenant.call('GET', `/leads/${body.leadId}`)
  expect(lead).toMatchObject({
    contact: { name: 'Marta Soler' },
    customFields: { '¿Cuándo quieres vender?': 'Este año' },
    contactability: { lawfulBasis: 'consent' },
  })
  const typos = { answers: { fullname: 'Marta' }, boxes: { foo: true } }
  expect(await submit(typos)).toMatchObject({
    status: 400,
    body: {
      errors: [
        { path: '/answers/fullname', code: 'UNKNOWN_FIELD' },
        { path: '/boxes/foo', code: 'UNKNOWN_FIELD' },
      ],
    },
  })
  expect((await submit({ isTest: true })).body).toMatchObject({ status: 'skipped', leadId: null })
  const { rows } = await tenant.inTenant(tx =>
    sql`select from ad_leads where tenant_id = ${tenant.tenantId} and content is not null`.execute(tx),
  )
  expect(rows).toEqual([])
})
