/** Storing listings: new leads, updates, and text of every kind. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../../test/characters.ts'
import { countAdvisoryLockWaiters, eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing, makeSourceState } from '../../../../test/make.ts'
import { naughtyStrings } from '../../../../test/naughty-strings.ts'
import { makeTenant, seedListings as store, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import { getIdTime, newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'
import { storeListings, withdrawListings } from '../service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

async function getOnlyLead(tenant: TestTenant): Promise<Lead> {
  const leads = await tenant.listAllLeads()
  expect(leads).toHaveLength(1)
  return leads[0]!
}

const results = (stored: { result: string }[]) => stored.map(({ result }) => result)

describe('a new listing', () => {
  test('becomes a lead with all its values, its source, and its price as history', async () => {
    const tenant = await makeTenant(app)
    const extractionId = newId()
    const campaignId = newId()
    const [stored] = await store(tenant, { a1: {} }, { extractionId, campaignId, tags: ['x', 'y'] })
    const lead = await getOnlyLead(tenant)
    const { contact, ...property } = makeListing()
    expect(lead).toMatchObject({ id: stored!.leadId, status: 'new', contact, property, campaignId })
    expect(lead.tags).toEqual(['x', 'y'])
    expect(lead.priceHistory).toEqual([{ price: 300_000, at: lead.createdAt }])
    const source = { platform: 'portal_a', listingId: 'a1', url: property.url, extractionId, campaignId }
    const seenAt = {
      importId: null,
      firstSeenAt: lead.createdAt,
      lastSeenAt: lead.createdAt,
      withdrawnAt: null,
    }
    expect(lead.sources).toEqual([{ ...source, ...seenAt }])
    expect(lead.updatedAt).toBe(lead.createdAt)
  })

  test('has the creation time of its id, even if its transaction had to wait', async () => {
    const tenant = await makeTenant(app)
    const [stored, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const batch = { platform: 'portal_a', extractionId: newId(), campaignId: null, updateExisting: true }
    const slow = tenant.inTenant(async tx => {
      await storeListings(tx, {
        ...batch,
        tags: [],
        listings: [{ listingId: '1', listing: makeListing(), sourceState: makeSourceState() }],
      })
      stored.resolve()
      await release.promise
    })
    await stored.promise
    const waiting = store(tenant, { 2: {} })
    await eventually(
      () => countAdvisoryLockWaiters(app.database),
      count => count === 1,
    )
    release.resolve()
    await Promise.all([slow, waiting])
    for (const { id, createdAt } of await tenant.listAllLeads())
      expect(createdAt).toBe(getIdTime(id).toISOString())
  })

  test('without a price has no price history', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: { price: null } })
    expect(await getOnlyLead(tenant)).toMatchObject({ property: { price: null }, priceHistory: [] })
  })
})

describe('a listing that is seen again', () => {
  test('without changes only updates its source', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: {} })
    const before = await getOnlyLead(tenant)
    const again = await store(tenant, { a1: {} }, { tags: ['later'] })
    const after = await getOnlyLead(tenant)
    expect(again).toEqual([{ listingId: 'a1', result: 'unchanged', leadId: before.id }])
    expect(Date.parse(after.sources[0]!.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(before.createdAt))
    expect({ ...after, sources: [] }).toEqual({ ...before, sources: [] })
    expect(after.sources[0]!.extractionId).toBe(before.sources[0]!.extractionId)
  })

  test.each<[string, Partial<Listing>]>([
    ['a price in fractions of a cent', { price: 1234.567 }],
    ['a price that no float has', { price: 1.005 }],
    ['an area in thirds', { squareMeters: 85.333333 }],
    ['half a bathroom', { bathrooms: 2.5 }],
    ['an area that is too large for its column', { squareMeters: 2e8 }],
    ['a day before 1970', { publishedAt: '1969-12-31T23:59:59.999Z' }],
    ['a point with all its digits', { latitude: 41.39171234567892, longitude: 0.1 + 0.2 }],
    ['nothing but an address', { rooms: null, features: [], images: [], price: null }],
  ])('is unchanged with %s too', async (_what, overrides) => {
    const tenant = await makeTenant(app)
    expect(results(await store(tenant, { a1: overrides }))).toEqual(['created'])
    expect(results(await store(tenant, { a1: overrides }))).toEqual(['unchanged'])
    expect((await getOnlyLead(tenant)).priceHistory.length).toBeLessThanOrEqual(1)
  })

  test('with another price updates the lead and its price history', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: { price: 300_000 }, a2: {} })
    expect(results(await store(tenant, { a1: { price: 290_000.5 }, a2: {} }))).toEqual([
      'updated',
      'unchanged',
    ])
    const lead = (await tenant.listAllLeads()).find(({ property }) => property.price === 290_000.5)!
    expect(lead.priceHistory).toEqual([
      { price: 300_000, at: lead.createdAt },
      { price: 290_000.5, at: lead.updatedAt },
    ])
    expect(lead.priceHistory[1]!.at > lead.createdAt).toBe(true)
  })

  test('with another text updates the lead but not its price history', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: {} })
    await store(tenant, { a1: { title: 'Rebajado', features: ['lift', 'pool'] } })
    const lead = await getOnlyLead(tenant)
    expect(lead.property).toMatchObject({ title: 'Rebajado', features: ['lift', 'pool'] })
    expect(lead.priceHistory).toHaveLength(1)
  })

  test('without its phone, price, photos or features keeps the former ones', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: { images: ['https://portal.example/1.png'] } })
    const before = await getOnlyLead(tenant)
    const contact = { name: null, phone: null, phoneRaw: null, email: null, advertiserType: null }
    const bare = { contact, price: null, features: [], images: [], latitude: null, longitude: null }
    expect(results(await store(tenant, { a1: bare }))).toEqual(['unchanged'])
    expect(await getOnlyLead(tenant)).toMatchObject({ contact: before.contact, property: before.property })
  })

  test('with updateExisting false keeps the lead as it is', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: {} })
    const before = await getOnlyLead(tenant)
    const again = await store(tenant, { a1: { price: 1 }, a2: {} }, { updateExisting: false })
    expect(results(again)).toEqual(['unchanged', 'created'])
    const after = (await tenant.listAllLeads()).find(({ id }) => id === before.id)!
    expect({ ...after, sources: [] }).toEqual({ ...before, sources: [] })
  })

  test('does not change what people wrote on the lead', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: {} }, { tags: ['mine'] })
    const { id } = await getOnlyLead(tenant)
    await tenant.inTenant(tx =>
      tx
        .updateTable('leads')
        .set({ status: 'won', notes_count: 3 })
        .where('tenant_id', '=', tenant.tenantId)
        .where('id', '=', id)
        .execute(),
    )
    await store(tenant, { a1: { price: 1 } }, { tags: ['other'] })
    expect(await getOnlyLead(tenant)).toMatchObject({ status: 'won', notesCount: 3, tags: ['mine'] })
  })
})

describe('a property that is listed again on its portal', () => {
  const overrides = { latitude: 41.3917, longitude: 2.1649 }

  test('is another lead while the first listing is there', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: overrides })
    expect(results(await store(tenant, { a2: overrides }))).toEqual(['created'])
  })

  test('becomes the primary source if the former listing is withdrawn', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { first: { price: 100_000 } })
    await tenant.inTenant(tx => withdrawListings(tx, 'portal_a', ['first']))
    await store(tenant, { again: { price: 101_000 } })
    await store(tenant, { again: { price: 95_000 } })
    const [lead, ...others] = await tenant.listAllLeads()
    expect(others).toEqual([])
    expect(lead!.priceHistory.map(({ price }) => price)).toEqual([100_000, 101_000, 95_000])
  })

  test('joins the lead of the withdrawn listing', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: overrides })
    const { id } = await getOnlyLead(tenant)
    await tenant.inTenant(tx =>
      tx
        .updateTable('lead_sources')
        .set({ withdrawn_at: new Date() })
        .where('tenant_id', '=', tenant.tenantId)
        .where('listing_id', '=', 'a1')
        .execute(),
    )
    expect(await store(tenant, { a2: overrides })).toMatchObject([{ leadId: id }])
    const { sources } = await getOnlyLead(tenant)
    expect(sources.map(({ listingId, withdrawnAt }) => [listingId, withdrawnAt !== null]).toSorted()).toEqual(
      [
        ['a1', true],
        ['a2', false],
      ],
    )
  })
})

describe('many at once', () => {
  test('concurrent transactions with the same listings create each lead once', async () => {
    const tenant = await makeTenant(app)
    const listings = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, {}]))
    const stored = await Promise.all(Array.from({ length: 4 }, () => store(tenant, listings)))
    expect(stored.map(one => new Set(results(one)))).toContainEqual(new Set(['created']))
    expect(stored.flatMap(results).filter(result => result === 'created')).toHaveLength(40)
    expect(stored.flatMap(results).filter(result => result === 'unchanged')).toHaveLength(120)
    expect(new Set(stored.flat().map(one => one.leadId)).size).toBe(40)
    expect(await tenant.listAllLeads()).toHaveLength(40)
    expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(40)
  })

  test('the same listing id is a lead in each tenant and on each portal', async () => {
    const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
    await store(tenant, { a1: {} })
    expect(results(await store(other, { a1: {} }))).toEqual(['created'])
    expect(results(await store(tenant, { a1: { price: 1 } }, { platform: 'portal_b' }))).toEqual(['created'])
    expect([(await tenant.listAllLeads()).length, (await other.listAllLeads()).length]).toEqual([2, 1])
  })

  test('an empty batch does nothing', async () => {
    const tenant = await makeTenant(app)
    expect(await store(tenant, {})).toEqual([])
  })
})

describe('text', () => {
  test.each([
    ['U+0000 is left out', 'a\0b', 'ab'],
    ['half a surrogate pair becomes the replacement character', 'x\ud83dy\udc00', 'x\ufffdy\ufffd'],
    ['emojis', '🏠👨‍👩‍👧🇪🇸', '🏠👨‍👩‍👧🇪🇸'],
    ['quotes, braces, backslashes', `'"\\{},"NULL"\\n\`$1`, `'"\\{},"NULL"\\n\`$1`],
  ])('%s', async (_what, text, expected) => {
    const tenant = await makeTenant(app)
    const contact = { ...makeListing().contact, name: text }
    await store(
      tenant,
      { a1: { title: text, description: text, images: [text, text], contact } },
      { tags: [expected] },
    )
    const lead = await getOnlyLead(tenant)
    expect([lead.property.title, lead.property.description, lead.contact.name]).toEqual(
      Array(3).fill(expected),
    )
    expect([lead.property.images, lead.tags]).toEqual([[expected, expected], [expected]])
    expect(
      results(await store(tenant, { a1: { title: text, description: text, images: [text, text], contact } })),
    ).toEqual(['unchanged'])
  })

  test('strings that break programs are returned unchanged', async () => {
    const tenant = await makeTenant(app)
    const some = naughtyStrings.slice(0, 200)
    await store(
      tenant,
      Object.fromEntries(
        some.map((text, at) => [`a${at}`, { title: text, municipality: text, floorText: text }]),
      ),
    )
    const leads = await tenant.listAllLeads()
    const stored = new Map(leads.map(({ sources, property }) => [sources[0]!.listingId, property]))
    for (const [at, text] of some.entries())
      expect(stored.get(`a${at}`)).toMatchObject({ title: text, municipality: text, floorText: text })
  })

  test('any text is stored, and is unchanged the next time', async () => {
    const tenant = await makeTenant(app)
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.array(fc.string()), async (text, images) => {
        const listings = { [`a${number++}`]: { title: text, images } }
        expect(results(await store(tenant, listings))).toEqual(['created'])
        expect(results(await store(tenant, listings))).toEqual(['unchanged'])
      }),
      { numRuns: 40 },
    )
  })
})
