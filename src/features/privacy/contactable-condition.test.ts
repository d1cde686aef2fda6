/** `contactable=` filters leads exactly by their `contactability.allowed`. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { changeLeadRows, makeListing } from '../../../test/make.ts'
import { setSetting } from '../../../test/settings.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { reasonCodes } from '../../domain/contactability/reasons.ts'
import { collectedMax, planSearch } from '../leads/list/lead-search.ts'
import { retention } from './settings.ts'
import { suppress } from './suppression-list.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const monthsAgo = (months: number) =>
  Temporal.Now.zonedDateTimeISO('UTC').subtract({ months, hours: 1 }).toInstant().toString()
const later = '2999-01-01T00:00:00Z'
const weighted = <T>(base: T, ...others: T[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(base) }, { weight: 2, arbitrary: fc.constantFrom(...others) })

/** All facts of the decision. Most values allow contact, so that each reason occurs alone in some lead. */
const facts = fc.record({
  phone: weighted(true, false),
  email: weighted(false, true),
  identifiers: weighted('', 'whatsapp:346{n}', '+349{n}', 'other{n}@example.com'),
  status: weighted('new', 'won', 'discarded', 'replied'),
  basis: weighted('contract', 'consent', 'legitimate_interest', null),
  recordedAt: weighted('2026-01-01T00:00:00Z', later),
  proof: weighted('signed', null),
  channels: weighted(null, ['phone'], ['email'], ['chat'], ['chat', 'email']),
  expiresAt: weighted(null, later, '2026-02-01T00:00:00Z'),
  noAgencies: weighted([false], [true], [true, false], [false, false]),
  withdrawn: weighted([false], [true], [true, false], [false, true]),
  createdAt: weighted(monthsAgo(1), monthsAgo(12), monthsAgo(30)),
  contactedAt: weighted(monthsAgo(2), monthsAgo(13), null),
  contactKind: fc.constantFrom('last_contacted_at', 'last_reply_at', 'status_changed_at', 'note', 'seen'),
  suppressed: weighted(null, 'phone', 'email', 'further'),
  kind: fc.constantFrom('opt_out', 'manual', 'exclusion_list', 'erased', 'marketing'),
  channel: weighted(null, 'phone', 'chat', 'email'),
})
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never

/** Creates a lead for each of these facts, with its own phone and address. */
async function makeLeads(tenant: TestTenant, all: Facts[]): Promise<void> {
  const listings = all.map((_, index) => {
    const contact = { ...makeListing().contact, phone: `+346${10_000_000 + index}`, phoneRaw: null }
    return [`listing ${index}`, { contact, address: `Carrer ${index}`, price: 1000 * (index + 1) }]
  })
  const stored = await seedListings(tenant, Object.fromEntries(listings))
  for (const [index, one] of all.entries()) await applyFacts(tenant, stored[index]!.leadId!, one, index)
}

async function applyFacts(tenant: TestTenant, id: string, one: Facts, index: number): Promise<void> {
  const digits = String(10_000_000 + index)
  const phone = one.phone ? `+346${digits}` : null
  const email = one.email ? `one${index}@example.com` : null
  const further = one.identifiers === '' ? [] : [one.identifiers.replace('{n}', digits)]
  const dateIf = (name: string) => (one.contactKind === name ? one.contactedAt : null)
  await tenant.inTenant(async tx => {
    await changeLeadRows(tx, [id], {
      phone,
      email,
      identifiers: further,
      status: one.status,
      lawful_basis: one.basis,
      lawful_basis_at: one.basis && one.recordedAt,
      lawful_basis_proof: one.basis && one.proof,
      lawful_basis_channels: one.basis && one.channels,
      lawful_basis_expires_at: one.basis && one.expiresAt,
      last_contacted_at: dateIf('last_contacted_at'),
      last_reply_at: dateIf('last_reply_at'),
    })
    // `changeLeadRows` has set the time of the status change to now.
    await sql`
      update leads set created_at = ${one.createdAt}, status_changed_at = ${dateIf('status_changed_at')}
      where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(tx)
    await sql`delete from lead_sources where tenant_id = ${tenant.tenantId} and lead_id = ${id}`.execute(tx)
    for (const [n, noAgencies] of one.noAgencies.entries())
      await sql`
        insert into lead_sources (tenant_id, platform, listing_id, lead_id, no_agencies, first_seen_at, last_seen_at, withdrawn_at)
        values (${tenant.tenantId}, 'portal_a', ${`${index}-${n}`}, ${id}, ${noAgencies}, ${one.createdAt}, ${dateIf('seen') ?? one.createdAt},
          ${one.withdrawn[n] ? one.createdAt : null})`.execute(tx)
    const identifier = { phone, email, further: further[0], none: null }[one.suppressed ?? 'none']
    if (identifier) {
      const entry = { channel: one.kind === 'erased' ? null : one.channel, note: null, keyId: null }
      const listName = one.kind === 'exclusion_list' ? 'Robinson' : null
      await suppress(tx, [{ kind: 'phone', value: identifier }], {
        ...entry,
        kind: one.kind,
        listName,
      } as never)
    }
  })
  if (dateIf('note')) {
    await tenant.call('POST', `/leads/${id}/notes`, { body: { body: 'called' } })
    await tenant.inTenant(tx =>
      sql`update notes set created_at = ${dateIf('note')} where tenant_id = ${tenant.tenantId} and lead_id = ${id}`.execute(
        tx,
      ),
    )
  }
}

test('the filter agrees with each lead, for every reason, with and without a retention', async () => {
  const tenant = await makeTenant(app)
  const all = fc.sample(facts, { numRuns: 250, seed: 44 })
  // Random facts seldom contain a won lead beyond the retention without another reason.
  const base = {
    email: true,
    suppressed: null,
    recordedAt: '2026-01-01T00:00:00Z',
    expiresAt: null,
    channels: null,
  }
  const old = { createdAt: monthsAgo(30), contactedAt: null, noAgencies: [false], basis: 'contract' }
  const wonAndNew = ['won', 'new'].map(status => ({ ...all[0]!, ...base, ...old, status }))
  await makeLeads(tenant, [...all, ...wonAndNew])
  const check = async () => {
    const leads = await tenant.listAllLeads()
    const ids = (allowed: boolean) =>
      leads.filter(({ contactability }) => contactability.allowed === allowed).map(({ id }) => id)
    const listIds = async (contactable: boolean) => {
      const pages = [await tenant.listLeads({ contactable, limit: 200 })]
      for (let next = pages[0]!.nextCursor; next; next = pages.at(-1)!.nextCursor)
        pages.push(await tenant.listLeads({ contactable, limit: 200, cursor: next }))
      return pages.flatMap(({ data }) => data.map(({ id }) => id))
    }
    expect(await listIds(true)).toEqual(ids(true))
    expect(await listIds(false)).toEqual(ids(false))
    const { notContactable } = collectedMax
    collectedMax.notContactable = 0
    try {
      expect(await listIds(false), 'with too many candidates to collect').toEqual(ids(false))
    } finally {
      collectedMax.notContactable = notContactable
    }
    expect(ids(true).length).toBeGreaterThan(20)
    return new Set(leads.map(({ contactability }) => contactability.reason))
  }
  const withoutRetention = reasonCodes.filter(reason => reason !== 'RETENTION_EXPIRED')
  expect(await check()).toEqual(new Set([null, ...withoutRetention]))
  await setSetting(app.database, tenant.tenantId, retention, { months: 12 })
  expect(await check()).toEqual(new Set([null, ...reasonCodes]))
})

test('works with other filters and orders, in bulk changes and in the export', async () => {
  const tenant = await makeTenant(app)
  for (const [index, price] of [300, 100, 200].entries()) {
    const contact = { phone: `+3461234567${index}` }
    const { body } = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact, property: { price } },
    })
    if (price !== 100)
      await tenant.call('PUT', `/leads/${body.id}/lawful-basis`, { body: { kind: 'contract' } })
  }
  const listPrices = async (query: Record<string, unknown>) =>
    (await tenant.listLeads(query)).data.map(({ property }) => property.price)
  expect(await listPrices({ contactable: true, sort: 'price' })).toEqual([200, 300])
  expect(await listPrices({ contactable: true, sort: '-price', maxPrice: 250 })).toEqual([200])
  expect(await listPrices({ contactable: false })).toEqual([100])
  const exported = await tenant.call('GET', '/leads/export?format=ndjson&contactable=true')
  expect(exported.text.trim().split('\n')).toHaveLength(2)
  const { body } = await tenant.call('PATCH', '/leads', {
    body: { filter: { contactable: false }, changes: { addTags: ['no basis'] } },
  })
  expect(body).toMatchObject({ progress: { matched: 1, changed: 1 } })
  expect(await listPrices({ tag: 'no basis' })).toEqual([100])
})

test('an export that was planned for few leads includes those that are added while it runs', async () => {
  const tenant = await makeTenant(app)
  const make = () => tenant.call('POST', '/leads', { body: { contact: { name: 'Ana' } } })
  const filter = { contactable: false, sort: '-createdAt' } as const
  const { notContactable } = collectedMax
  collectedMax.notContactable = 1
  try {
    await make()
    const { conditions } = await tenant.inTenant(tx => planSearch(tx, filter, true))
    for (let n = 0; n < 3; n++) await make()
    const { rows } = await tenant.inTenant(tx =>
      sql`select from leads l where l.tenant_id = ${tenant.tenantId} and ${sql.join(conditions, sql` and `)}`.execute(
        tx,
      ),
    )
    expect(rows).toHaveLength(4)
  } finally {
    collectedMax.notContactable = notContactable
  }
})
