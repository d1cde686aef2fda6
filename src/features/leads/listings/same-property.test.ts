/** Which listings become one lead, which become two, and which are possible duplicates. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings as store, type TestTenant } from '../../../../test/tenant.ts'
import { toPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import type { StoredListing } from '../service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const agency = (phone: string): Partial<Listing> => ({
  contact: { name: 'Fincas', phone, phoneRaw: phone, email: null, advertiserType: 'agency' },
})
/** A flat of an agency, without its door number. The pin of the other agency is 30 m away. */
const flat: Partial<Listing> = { ...agency('+34931111111'), description: 'Un piso de tres habitaciones.' }
const elsewhere = { latitude: 41.3917 + 30 / 111_200 }
const otherAgency: Partial<Listing> = {
  ...agency('+34932222222'),
  ...elsewhere,
  title: 'Oportunidad',
  description: 'Tres dormitorios y dos baños.',
  price: 298_000,
}
const withoutPin = { latitude: null, longitude: null }

/** Stores one listing, then another from another portal. */
async function storeBoth(first: Partial<Listing>, second: Partial<Listing>) {
  const tenant = await makeTenant(app)
  const [one] = await store(tenant, { first })
  const [other] = await store(tenant, { second }, { platform: 'portal_b' })
  return { tenant, one: one!.leadId!, other: other!.leadId!, result: other!.result }
}

interface Duplicates {
  data: { lead: Record<string, unknown>; score: number; reason: string; createdAt: string }[]
  nextCursor: string | null
}

async function listDuplicates(tenant: TestTenant, leadId: string, query = ''): Promise<Duplicates> {
  const { status, body, text } = await tenant.call<Duplicates>('GET', `/leads/${leadId}/duplicates${query}`)
  expect(status, text).toBe(200)
  return body
}

describe('becomes one lead with the first listing:', () => {
  test.each<[string, Partial<Listing>, Partial<Listing>]>([
    ['the listing of another agency at an address with its number', flat, otherAgency],
    ['the listing of another agency without a pin', flat, { ...otherAgency, ...withoutPin }],
    [
      'two listings without pins, with addresses in different notations',
      { ...flat, ...withoutPin },
      { ...otherAgency, ...withoutPin, address: 'C/ Mallorca 214' },
    ],
    ['a listing without a pin, then one with a pin', { ...flat, ...withoutPin }, otherAgency],
    [
      'a listing with the same phone, both without a pin',
      { ...flat, ...withoutPin },
      { ...flat, ...withoutPin },
    ],
    ['a listing with the same phone, without an address', flat, { ...flat, address: null, title: 'Otro' }],
    [
      'a listing with photos of the same names, without an address',
      { ...flat, images: photos('a') },
      { ...otherAgency, address: null, images: photos('b') },
    ],
  ])('%s', async (_what, first, second) => {
    const { tenant, one, other, result } = await storeBoth(first, second)
    expect([result, other]).toEqual(['updated', one])
    expect((await tenant.listAllLeads()).map(({ sources }) => sources.length)).toEqual([2])
  })

  test('the most similar one of several leads in one house', async () => {
    const tenant = await makeTenant(app)
    const prices = [311_000, 298_000, 289_000]
    const stored = await store(
      tenant,
      Object.fromEntries(prices.map((price, at) => [at, { ...flat, price }])),
    )
    const [joined] = await store(tenant, { again: otherAgency }, { platform: 'portal_b' })
    expect(joined!.leadId).toBe(stored[1]!.leadId)
  })

  test('an address that the portal has corrected', async () => {
    const tenant = await makeTenant(app)
    await store(tenant, { first: { ...flat, ...withoutPin, address: 'Calle de Aragón, 12' } })
    const [first] = await store(tenant, { first: { ...flat, ...withoutPin } })
    const [second] = await store(
      tenant,
      { second: { ...otherAgency, ...withoutPin } },
      { platform: 'portal_b' },
    )
    expect(second!.leadId).toBe(first!.leadId)
  })
})

describe('becomes a lead of its own:', () => {
  test.each<[string, Partial<Listing>, Partial<Listing>]>([
    ['the flat above', flat, { ...otherAgency, floor: 4 }],
    [
      'the flat of the same agency next door',
      { ...flat, address: 'Carrer de Mallorca, 214, 3º 1ª' },
      { ...flat, address: 'Carrer de Mallorca, 214, 3º 2ª' },
    ],
    ['the next house', flat, { ...otherAgency, address: 'Carrer de Mallorca, 216' }],
    ['a flat to let', flat, { ...otherAgency, operation: 'rent' }],
    ['a dearer flat', flat, { ...otherAgency, price: 360_000 }],
    ['a larger flat', flat, { ...otherAgency, squareMeters: 84 }],
    ['a flat with another room', flat, { ...otherAgency, bedrooms: 4 }],
    [
      'a flat in the same street of another town',
      { ...flat, ...withoutPin },
      { ...otherAgency, ...withoutPin, municipality: 'Sabadell', postcode: '08201' },
    ],
    ['units of a new building', { ...flat, condition: 'new' }, { ...flat, condition: 'new' }],
  ])('%s', async (_what, first, second) => {
    const { one, other, result } = await storeBoth(first, second)
    expect(result).toBe('created')
    expect(other).not.toBe(one)
  })

  test('a listing to which two leads are equally similar: both are possible duplicates', async () => {
    const tenant = await makeTenant(app)
    const stored = await store(tenant, { one: flat, two: flat })
    const [third] = await store(tenant, { third: otherAgency }, { platform: 'portal_b' })
    expect(third!.result).toBe('created')
    const { data } = await listDuplicates(tenant, third!.leadId!)
    expect(data.map(({ lead }) => lead.id).toSorted()).toEqual(stored.map(({ leadId }) => leadId).toSorted())
  })
})

describe('possible duplicates', () => {
  const unpriced = { ...otherAgency, price: null }

  test.each<[string, Partial<Listing>, Partial<Listing>]>([
    ['the first does not state a price', unpriced, flat],
    ['neither states a price', { ...flat, price: null }, unpriced],
    ['only one states its bedrooms', flat, { ...unpriced, bedrooms: null }],
    [
      'only one states its floor',
      { ...flat, address: 'Carrer de Mallorca' },
      { ...flat, address: null, floor: null, condition: 'new' },
    ],
    ['units of a new building are alike', { ...flat, condition: 'new' }, { ...flat, condition: 'new' }],
  ])('are listed if %s', async (_what, first, second) => {
    const { tenant, one, other, result } = await storeBoth(first, second)
    expect(result).toBe('created')
    expect((await listDuplicates(tenant, other)).data.map(({ lead }) => lead.id)).toEqual([one])
  })

  test('are listed on both leads, with the reason', async () => {
    const { tenant, one, other, result } = await storeBoth(flat, unpriced)
    expect(result).toBe('created')
    const { data, nextCursor } = await listDuplicates(tenant, one)
    const lead = { id: other, title: 'Oportunidad', address: 'Carrer de Mallorca, 214', price: null }
    const { createdAt } = (await tenant.listAllLeads()).find(({ id }) => id === other)!
    expect(data).toEqual([
      {
        lead,
        score: expect.any(Number),
        reason: expect.stringMatching(
          /^other phone, same address, 30 m apart, .*; but a price is not stated$/,
        ),
        createdAt: expect.any(String),
      },
    ])
    expect(data[0]!.score).toBeGreaterThan(0)
    expect(data[0]!.createdAt >= createdAt).toBe(true)
    expect(nextCursor).toBeNull()
    const { data: fromOther } = await listDuplicates(tenant, other)
    const { title, price } = makeListing()
    expect(fromOther).toEqual([{ ...data[0], lead: { ...lead, id: one, title, price } }])
  })

  test('are not listed any more after one side is dismissed', async () => {
    const { tenant, one, other } = await storeBoth(flat, unpriced)
    const dismiss = (a: string, b: string) => tenant.call('DELETE', `/leads/${a}/duplicates/${b}`)
    expect((await dismiss(other, one)).status).toBe(204)
    expect((await dismiss(one, other)).status).toBe(404)
    for (const leadId of [one, other]) expect((await listDuplicates(tenant, leadId)).data).toEqual([])
    await store(tenant, { second: { ...unpriced, title: 'Nuevo título' } }, { platform: 'portal_b' })
    expect((await listDuplicates(tenant, one)).data).toEqual([])
  })

  test('are deleted with the leads', async () => {
    const { tenant, one, other } = await storeBoth(flat, unpriced)
    await tenant.call('DELETE', `/leads/${one}`)
    expect((await listDuplicates(tenant, other)).data).toEqual([])
  })

  test('are the five most similar ones of a listing, and are listed page by page', async () => {
    const tenant = await makeTenant(app)
    const prices = [300_000, 301_000, 305_000, 312_000, 320_000, 335_000, 340_000]
    // Units of a new building: listings of one portal stay separate leads.
    const stored = await store(
      tenant,
      Object.fromEntries(prices.map((price, at) => [at, { ...flat, condition: 'new' as const, price }])),
    )
    const [newest] = await store(tenant, { newest: { ...flat, condition: 'new' } }, { platform: 'portal_b' })
    const ids = (page: Duplicates) => page.data.map(({ lead }) => lead.id)
    const all = await listDuplicates(tenant, newest!.leadId!)
    expect(ids(all).toSorted()).toEqual(leadIds(stored).slice(0, 5).toSorted())
    const scores = all.data.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const seen: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Duplicates = await listDuplicates(
        tenant,
        newest!.leadId!,
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...ids(page))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(ids(all))
  })

  test('are 404 for a lead of another workspace', async () => {
    const tenant = await makeTenant(app)
    const { one } = await storeBoth(flat, unpriced)
    expect((await tenant.call('GET', `/leads/${one}/duplicates`)).status).toBe(404)
  })
})

test('the database computes the same cell for a pin as `toPlaceKeys`', async () => {
  const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true })
  const pins = fc.sample(fc.record({ latitude: degrees(90), longitude: degrees(180) }), 2000)
  const { rows } = await app.database.ownerPool.query<{ cell: number }>(
    `select aldaba.place_cell(latitude, longitude) as cell
     from rows from (jsonb_to_recordset($1::jsonb) as (latitude float8, longitude float8)) with ordinality as i (latitude, longitude, n)
     order by n`,
    [JSON.stringify(pins)],
  )
  const nowhere = { address: null, municipality: null, postcode: null }
  expect(rows.map(({ cell }) => cell)).toEqual(pins.map(pin => toPlaceKeys({ ...pin, ...nowhere }).cell))
})

const leadIds = (stored: StoredListing[]) => stored.map(({ leadId }) => leadId)

/** URLs of the same photo files on a portal. */
function photos(portal: string): string[] {
  return [1, 2, 3].map(number => `https://${portal}.example/${portal}/9027731-${number}.jpg`)
}
