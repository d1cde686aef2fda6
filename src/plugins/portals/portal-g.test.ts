/**
 * The definition of portal G reads the simulator's RESO Web API over HTTP: it must return exactly what the simulator
 * advertises.
 */
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Search } from '../../simulator/search.ts'
import type { FactsCard, PortalDocument, PortalRequest, SearchContext, SearchPlace } from '../portal.ts'
import { portalG } from './portal-g.ts'

type Filters = Parameters<typeof portalG.search.start>[0]

const madridPlace = { id: '28079', label: 'Madrid' }
const vigoPlace = { id: '36057', label: 'Vigo' }
const pontevedra = { id: 'PO', label: 'Pontevedra' }
const fullRunContext = { since: null } as SearchContext
const kindPairs = portalG.operations.flatMap(operation =>
  portalG.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let simulator: Simulator
let token: string
beforeAll(async () => {
  // Incremental runs use the machine's clock, so all listings must be older.
  simulator = await startSimulator({ asOf: '2025-01-01T00:00:00Z' })
  token = new URL(simulator.portalAddress('portal_g')).password
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function fetchDocument({ path, accept }: PortalRequest): Promise<PortalDocument> {
  const reply = await fetch(new URL(path, simulator.portalUrl('portal_g')), {
    headers: { authorization: `Bearer ${token}`, accept: accept ?? 'text/html' },
  })
  return { text: await reply.text(), url: reply.url }
}

async function search(
  filters: Filters,
  context = fullRunContext,
  request = portalG.search.start(filters, context),
) {
  return portalG.search.read(await fetchDocument(request), filters, context)
}

/** Throws if the page is unreadable. */
async function readPage(...which: Parameters<typeof search>) {
  const result = await search(...which)
  if (result.kind !== 'page') throw new Error(`unreadable: ${result.detail}`)
  return result
}

/** Reads all pages of a search; throws if one is unreadable. */
async function fetchAll(filters: Filters, context = fullRunContext) {
  const cards: FactsCard[] = []
  const withdrawnIds: string[] = []
  const totals: (number | null)[] = []
  let next: PortalRequest[] = [portalG.search.start(filters, context)]
  while (next[0]) {
    const result = await readPage(filters, context, next[0])
    cards.push(...(result.cards as FactsCard[]))
    withdrawnIds.push(...(result.withdrawnIds ?? []))
    totals.push(result.total)
    next = result.next
  }
  return { cards, withdrawnIds, totals, ids: cards.map(({ listingId }) => listingId) }
}

const toListingKey = ({ id }: SimulatedListing) => `ESG-${id}`

function getOriginal(listingId: string): SimulatedListing {
  const original = simulator.findListing(listingId.slice('ESG-'.length))
  if (!original) throw new Error(`no listing ${listingId}`)
  return original
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await fetchAll({ ...kind, location: vigoPlace })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, changedAt, listing } of cards) {
      const original = getOriginal(listingId)
      expect(listing).toMatchObject({
        ...kind,
        title: null,
        description: original.description,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        condition: original.condition,
        floor: original.floor,
        address: original.address,
        municipality: original.city,
        province: original.province,
        postcode: original.postcode,
        latitude: original.latitude,
        longitude: original.longitude,
        publishedAt: original.publishedAt.toISOString(),
        contact: {
          name: original.advertiser.name,
          phone: original.advertiser.phone,
          email: null,
          advertiserType: original.advertiser.type,
        },
      })
      // The dictionary has no word for exterior or interior dwellings.
      const published = original.features.filter(name => name !== 'exterior' && name !== 'interior')
      expect(listing.features.toSorted()).toEqual(published.toSorted())
      expect(listing.images).toHaveLength(original.photoCount)
      expect(changedAt).toBe(original.updatedAt.toISOString())
      expect(path).toBe(`/odata/Property('${listingId}')`)
      expect(portalG.listingPath.exec(new URL(listing.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('every value of a listing comes from the interface, except the currency, which is fixed', async () => {
    const { cards } = await fetchAll({ operation: 'sale', location: vigoPlace })
    const { url, currency, ...found } = cards[0]!.provenance
    expect({ url, currency }).toEqual({ url: 'url', currency: 'portal' })
    expect(new Set(Object.values(found))).toEqual(new Set(['api']))
  })

  test('the pages of a search hold every listing once, and each has the total', async () => {
    const originals = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'madrid' })
    const { ids, totals, withdrawnIds } = await fetchAll({ operation: 'sale', location: madridPlace })
    expect(originals.length).toBeGreaterThan(400)
    expect(ids.toSorted()).toEqual(originals.map(toListingKey).toSorted())
    expect(totals).toEqual(Array.from({ length: Math.ceil(originals.length / 200) }, () => originals.length))
    expect(withdrawnIds).toEqual([])
  })

  test('a listing withdrawn during the crawl does not shift others between pages', async () => {
    const filters: Filters = { operation: 'rent', location: madridPlace }
    const originals = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'madrid' })
    const first = await readPage(filters)
    simulator.withdraw(first.cards[0]!.listingId.slice(4))
    const ids = first.cards.map(({ listingId }) => listingId)
    for (let next = first.next; next[0]; ) {
      const result = await readPage(filters, fullRunContext, next[0])
      ids.push(...result.cards.map(({ listingId }) => listingId))
      next = result.next
    }
    expect(ids.toSorted()).toEqual(originals.map(toListingKey).toSorted())
  })

  test('a search without results is an empty page', async () => {
    for (const location of [vigoPlace, { id: '01001', label: 'Alegría' }])
      expect(await search({ operation: 'sale', location, minPrice: 900_000_000 })).toEqual({
        kind: 'page',
        total: 0,
        cards: [],
        withdrawnIds: [],
        next: [],
      })
  })
})

describe('an incremental run', () => {
  const filters: Filters = { operation: 'sale', propertyType: 'premises', location: madridPlace }

  test('returns what changed since the last run and what is gone; a full run omits what is gone', async () => {
    const since = new Date().toISOString()
    const unchanged = await fetchAll(filters, { ...fullRunContext, since })
    expect(unchanged).toEqual({ cards: [], withdrawnIds: [], totals: [null], ids: [] })

    const [changed, withdrawn, other] = (await fetchAll(filters)).ids
    simulator.change(changed!.slice(4), { price: 123_456 })
    simulator.withdraw(withdrawn!.slice(4))
    const run = await fetchAll(filters, { ...fullRunContext, since })
    expect(run.cards).toMatchObject([{ listingId: changed, listing: { price: 123_456 } }])
    expect(run.withdrawnIds).toEqual([withdrawn])
    expect(Date.parse(run.cards[0]!.changedAt!)).toBeGreaterThanOrEqual(Date.parse(since))

    const { ids, withdrawnIds } = await fetchAll(filters)
    expect(ids).toEqual(expect.arrayContaining([changed, other]))
    expect(ids).not.toContain(withdrawn)
    expect(withdrawnIds).toEqual([])
  })
})

describe('the filters', () => {
  const vigo: Search = { operation: 'sale', propertyType: 'homes', city: 'vigo' }
  const sharedFilters: Partial<Filters & Search>[] = [
    {},
    { propertyType: 'garages' },
    { propertyType: 'offices', operation: 'rent' },
    { minPrice: 150_000.5, maxPrice: 300_000.5 },
    { minRooms: 0 },
    { minRooms: 2, maxRooms: 3 },
    { maxRooms: 0 },
    { minBathrooms: 2 },
    { minSquareMeters: 60.2, maxSquareMeters: 90.7 },
    { condition: 'new' },
    { condition: 'good' },
    { condition: 'to_renovate' },
    { advertiserType: 'private' },
    { advertiserType: 'agency' },
    { publishedWithinDays: 1 },
    { publishedWithinDays: 30 },
    { features: ['lift', 'terrace'] },
  ]
  const features = [
    ...(['lift', 'terrace', 'balcony', 'parking', 'pool', 'garden'] as const),
    ...(['air_conditioning', 'storage_room', 'fitted_wardrobes', 'concierge', 'top_floor'] as const),
  ]
  test.each<[Partial<Filters>, Partial<Search>]>([
    ...[...sharedFilters, ...features.map(feature => ({ features: [feature] }))].map(
      (requested): [Partial<Filters>, Partial<Search>] => [requested, requested],
    ),
    [{ advertiserType: 'any' }, {}],
    [{ location: pontevedra }, { city: 'pontevedra-provincia' }],
  ])('%j finds the matching listings', async (filters, originals) => {
    const requested: Filters = { operation: 'sale', location: vigoPlace, ...filters }
    expect(Check(portalG.filters, requested)).toBe(true)
    const expected = simulator.findListings({ ...vigo, ...originals }).map(toListingKey)
    expect(expected.length).toBeGreaterThan(0)
    expect((await fetchAll(requested)).ids.toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    ['a feature for which the dictionary has no word', { features: ['exterior'] }],
    ['an unknown key', { furnished: true }],
    ['half a room', { minRooms: 1.5 }],
  ])('%s is refused', (_what, filters) => {
    expect(Check(portalG.filters, { operation: 'sale', location: vigoPlace, ...filters })).toBe(false)
  })

  test.each(Object.entries(portalG.filters.properties))(
    '%s has a title and a description, and its examples are valid',
    (key, property) => {
      const { title, description, examples } = property as unknown as Record<string, unknown>
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      for (const value of examples as unknown[])
        expect(Check(portalG.filters, { operation: 'sale', location: vigoPlace, [key]: value })).toBe(true)
    },
  )

  test('towns and provinces have their official codes as ids', () => {
    const toPortalId = (id: string, type: 'municipality' | 'province') =>
      portalG.locations.toPortalId({ id, type } as SearchPlace)
    expect(toPortalId('ES-36057', 'municipality')).toBe(vigoPlace.id)
    expect(toPortalId('ES-PO', 'province')).toBe(pontevedra.id)
  })
})

describe('what cannot be read', () => {
  const filters: Filters = { operation: 'sale', location: madridPlace }
  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
    ['empty', 'layout'],
  ] as const)('%s: the first page and the second are %s', async (kind, reason) => {
    const first = await readPage(filters)
    simulator.faults.add({ portal: 'portal_g', kind, match: '/odata/' })
    for (const request of [undefined, first.next[0]!])
      expect(await search(filters, fullRunContext, request)).toMatchObject({ kind: 'unreadable', reason })
  })

  test('repeated pages show the same listings and announce more', async () => {
    simulator.faults.add({ portal: 'portal_g', kind: 'loop' })
    const first = await readPage(filters)
    const second = await search(filters, fullRunContext, first.next[0])
    expect(second).toEqual(first)
    expect(first.next).toHaveLength(1)
  })
})

describe('any text', () => {
  const read = (document: PortalDocument) =>
    expect(['page', 'unreadable']).toContain(
      portalG.search.read(document, { operation: 'sale', location: vigoPlace }, fullRunContext).kind,
    )

  test('truncated, altered or random replies never make it throw', async () => {
    const filters: Filters = { operation: 'rent', propertyType: 'offices', location: vigoPlace }
    const { text, url } = await fetchDocument(portalG.search.start(filters, fullRunContext))
    const position = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(position, fc.json(), fc.boolean(), (share, json, isCut) => {
        const index = Math.floor(share * text.length)
        const end = isCut ? '' : json + text.slice(index + json.length)
        read({ text: text.slice(0, index) + end, url })
        // In place of a value, so that it stays JSON.
        const colon = text.indexOf('":', index)
        const rest = text.slice(colon + 2).replace(/^[^,{}[\]]*/, () => json)
        read({ text: text.slice(0, colon + 2) + rest, url })
        read({ text: json, url })
        read({ text: `{"value":[${json}]}`, url })
      }),
      { numRuns: 80 },
    )
  })
})
