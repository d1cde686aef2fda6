/** Digests of saved searches by e-mail: at their time, once, in the words of the person, with a link that ends them. */
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectAccount, type FlowApp, startFlowApp } from '../../../../test/chat-flow.ts'
import { eventually } from '../../../../test/harness.ts'
import { prepareMail } from '../../../../test/mail-account.ts'
import { connectMailbox } from '../../../../test/notices.ts'
import {
  changeListing,
  listChanges,
  moveSearch,
  runAt,
  startSearch,
  waitForRuns,
} from '../../../../test/saved-searches.ts'
import { advanceTo } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import type { SimulatedListing } from '../../../simulator/listing.ts'
import type { Campaign } from '../campaigns/schemas.ts'
import { createDueDigest, sendDigestMailName } from './create.ts'
import type { WrittenDigest } from './schemas.ts'

const server = prepareMail({ keepsSent: true })
let app: FlowApp
let tenant: TestTenant
let offices: SimulatedListing[]
beforeAll(async () => {
  app = await startFlowApp({})
  const simulator = await app.app.getSimulator()
  offices = simulator
    .findListings({ operation: 'rent', propertyType: 'offices', city: 'granada' })
    .toSorted((a, b) => a.price - b.price)
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const ana = 'ana@agency.example'
const bea = 'bea@agency.example'

const listDigests = async (id: string) =>
  (await tenant.call<{ data: WrittenDigest[] }>('GET', `/campaigns/${id}/digests`)).body.data
/** Waits until so many digests were written and their e-mails sent, or not. */
const settleDigests = (id: string, count: number) =>
  eventually(
    () => listDigests(id),
    found =>
      found.length === count && found.every(({ mails }) => mails.every(({ status }) => status !== 'queued')),
  )
const get = async (id: string) => (await tenant.call<Campaign>('GET', `/campaigns/${id}`)).body

/** Lets the first listing be a euro cheaper each hour. */
async function makeCheaper(search: Campaign, hour: number) {
  await changeListing(tenant, offices[0]!.id, { price: offices[0]!.price - hour })
  return runAt(tenant, search, hour)
}

test('are written at their time of the wall clock, with what has become of each listing', async () => {
  await connectMailbox(tenant)
  const at = new Date(Date.now() + 150 * 60_000).toISOString().slice(11, 16)
  const notifications = { emails: [ana, bea], language: 'de', digest: { at, timezone: 'UTC' } }
  const search = await startSearch(tenant, { name: 'Büros <b>', notifications })
  await waitForRuns(tenant, search.id, 1)
  await changeListing(tenant, offices[1]!.id, { withdrawn: true })
  await makeCheaper(search, 1)
  await changeListing(tenant, offices[1]!.id, { withdrawn: false })
  await makeCheaper(search, 2)
  expect((await listChanges(tenant, search.id)).map(({ type }) => type).sort()).toEqual([
    'cheaper',
    'cheaper',
    'gone',
    'new',
  ])
  expect(await listDigests(search.id)).toEqual([])
  await runAt(tenant, search, 3)
  const [digest] = await settleDigests(search.id, 1)
  expect(digest!.dueAt.slice(11, 19)).toBe(`${at}:00`)
  expect(digest).toMatchObject({ new: 0, cheaper: 1, gone: 0 })
  expect(digest!.mails.map(({ email, status }) => `${email} ${status}`)).toEqual([
    `${ana} sent`,
    `${bea} sent`,
  ])
  const { body: written } = await tenant.call<WrittenDigest>(
    'GET',
    `/campaigns/${search.id}/digests/${digest!.id}`,
  )
  expect(written.subject).toBe('Büros <b> – Günstiger: 1')
  expect(written.text).toContain(`vorher ${offices[0]!.price.toLocaleString('de-DE')}`)
  expect(written.html).toContain('Büros &lt;b&gt;')
  expect(written.html).not.toContain('<b>')
})

test('all e-mails of a digest leave at its time, also if the clock is moved far beyond it', async () => {
  await connectMailbox(tenant)
  const at = new Date(Date.now() + 90 * 60_000).toISOString().slice(11, 16)
  const emails = Array.from({ length: 8 }, (_, index) => `member${index}@agency.example`)
  const notifications = { emails, digest: { at, timezone: 'UTC' } }
  const search = await startSearch(tenant, { notifications })
  await waitForRuns(tenant, search.id, 1)
  await makeCheaper(search, 1)
  await advanceTo(tenant, new Date(Date.parse(search.startedAt!) + 12 * 3_600_000).toISOString())
  const { mails, dueAt } = (await listDigests(search.id)).at(-1)!
  expect(mails.map(({ status }) => status)).toEqual(emails.map(() => 'sent'))
  for (const { updatedAt } of mails) expect(Date.parse(updatedAt) - Date.parse(dueAt)).toBeLessThan(60_000)
})

test('follow each run without a time; a pause holds them back', async () => {
  await connectMailbox(tenant)
  const search = await startSearch(tenant, { notifications: { emails: [ana] } })
  await waitForRuns(tenant, search.id, 1)
  await makeCheaper(search, 1)
  await settleDigests(search.id, 1)
  await tenant.call('PATCH', `/campaigns/${search.id}`, {
    body: { settings: { notifications: { digest: { at: '00:00', timezone: 'UTC' } } } },
  })
  await makeCheaper(search, 2)
  await moveSearch(tenant, search.id, 'paused')
  await advanceTo(tenant, new Date(Date.parse(search.startedAt!) + 30 * 3_600_000).toISOString())
  expect(await listDigests(search.id)).toHaveLength(1)
  await moveSearch(tenant, search.id, 'running')
  expect((await settleDigests(search.id, 2))[0]).toMatchObject({ cheaper: 1 })
})

test('without a mailbox, the campaign is not ready; one that is gone is the reason of the e-mail', async () => {
  const settings = { notifications: { emails: [ana] } }
  const { body } = await tenant.call<Campaign>('POST', '/campaigns', {
    body: { name: 'n', platform: 'portal_a', settings },
  })
  const refused = await tenant.call<{ missing: object[] }>('PATCH', `/campaigns/${body.id}/status`, {
    body: { status: 'running' },
  })
  expect(refused.body.missing).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'NO_EMAIL_ACCOUNT', path: '/settings/notifications/emails' }),
    ]),
  )
  const accountId = await connectMailbox(tenant)
  const search = await startSearch(tenant, { notifications: { emails: [ana] } })
  await waitForRuns(tenant, search.id, 1)
  await tenant.call('DELETE', `/accounts/${accountId}`)
  await makeCheaper(search, 1)
  const [digest] = await settleDigests(search.id, 1)
  expect(digest!.mails).toMatchObject([{ status: 'skipped', reason: { code: 'NO_EMAIL_ACCOUNT' } }])
})

test('an address on the suppression list gets none; erasing the person removes it everywhere', async () => {
  await connectMailbox(tenant)
  const search = await startSearch(tenant, { notifications: { emails: [ana, bea] } })
  await waitForRuns(tenant, search.id, 1)
  const entry = { kind: 'opt_out', identifiers: [{ kind: 'email', value: ana }] }
  const suppressed = await tenant.call('POST', '/suppressions', { body: entry })
  expect(suppressed.status, suppressed.text).toBe(201)
  await makeCheaper(search, 1)
  const [digest] = await settleDigests(search.id, 1)
  expect(digest!.mails.map(({ email, reason }) => `${email} ${reason?.code}`)).toEqual([
    `${ana} OPTED_OUT`,
    `${bea} undefined`,
  ])
  const lead = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { email: bea } } })
  const { body: data } = await tenant.call<{ searchSubscriptions: object[] }>(
    'GET',
    `/leads/${lead.body.id}/data`,
  )
  expect(data.searchSubscriptions).toMatchObject([{ campaignId: search.id, email: bea, mails: 1 }])
  expect((await tenant.call('DELETE', `/leads/${lead.body.id}?erase=true`)).status).toBe(204)
  expect((await get(search.id)).settings.notifications!.emails).toEqual([ana])
  const [after] = await listDigests(search.id)
  expect(after!.mails.map(({ email }) => email)).toEqual([ana])
})

test('one e-mail arrives with text, HTML and the link that ends it, also if the process is killed on the way', async () => {
  tenant = await makeTenant(app, 'live')
  await connectAccount(tenant, 'email', server.credentials)
  const campaignId = await storeDigest()
  expect(server.mail.accepted).toHaveLength(1)
  // As if it had been killed before the result was stored.
  await tenant.inTenant(async tx => {
    const { rows } = await sql<{ id: string }>`
      update campaign_digest_mails set status = 'queued' where tenant_id = ${tenant.tenantId} returning id`.execute(
      tx,
    )
    await enqueue(tx, sendDigestMailName, { mailId: rows[0]!.id })
  })
  await settleDigests(campaignId, 1)
  expect(server.mail.accepted).toHaveLength(1)
  const mail = await simpleParser(server.mail.accepted[0]!.raw)
  expect(mail.subject).toBe('Offices – Bajan de precio: 1')
  const [, url] = /búsqueda «Offices»\.\nNo recibir más estos mensajes: (\S+)/.exec(mail.text!)!
  expect(mail.html).toContain(url)
  const list = mail.headers.get('list') as { unsubscribe: { url: string } }
  expect(list.unsubscribe.url).toBe(url)
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')

  const visit = async (init?: RequestInit) =>
    (await fetch(new URL(new URL(url!).pathname, app.url), init)).text()
  expect(await visit()).toContain('No recibir más</button>')
  expect((await get(campaignId)).settings.notifications!.emails).toEqual([ana])
  expect(
    await visit({ method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
  ).toContain('No recibirá más mensajes sobre esta búsqueda.')
  expect((await get(campaignId)).settings.notifications!.emails).toEqual([])
  const add = (emails: string[]) =>
    tenant.call<{ errors: object[] }>('PATCH', `/campaigns/${campaignId}`, {
      body: { settings: { notifications: { emails } } },
    })
  expect((await add([ana.toUpperCase()])).body.errors).toMatchObject([
    { path: '/settings/notifications/emails/0', code: 'UNSUBSCRIBED' },
  ])
  await visit({ method: 'POST', body: new URLSearchParams({ again: '1' }) })
  expect((await get(campaignId)).settings.notifications!.emails).toEqual([ana])
})

/** A campaign that has found something, and its digest. Written twice, it is one. */
async function storeDigest() {
  const lead = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { property: { title: 'Oficina', price: 900 } },
  })
  const { body: campaign } = await tenant.call<Campaign>('POST', '/campaigns', {
    body: { name: 'Offices', platform: 'portal_a', settings: { notifications: { emails: [ana] } } },
  })
  const { tenantId } = tenant
  await tenant.inTenant(async tx => {
    await sql`
      insert into campaign_runs (tenant_id, id, campaign_id, status, incremental, started_at)
      values (${tenantId}, ${campaign.id}, ${campaign.id}, 'completed', true, now())`.execute(tx)
    await sql`
      insert into campaign_search_changes (tenant_id, id, campaign_id, run_id, type, platform, listing_id, lead_id, price,
        previous_price, currency, created_at)
      values (${tenantId}, ${campaign.id}, ${campaign.id}, ${campaign.id}, 'cheaper', 'portal_a', '1', ${lead.body.id}, 900, 1000,
        'EUR', now())`.execute(tx)
    await sql`
      insert into campaign_searches (tenant_id, campaign_id, baseline_at, digest_at)
      values (${tenantId}, ${campaign.id}, now(), now())`.execute(tx)
  })
  const create = () => tenant.inTenant(tx => createDueDigest(tx, app.deployment.cipher, campaign.id))
  await create()
  await create()
  const [digest] = await settleDigests(campaign.id, 1)
  expect(digest!.mails).toMatchObject([{ status: 'sent' }])
  return campaign.id
}
