// The definition of portal G against the simulator's RESO Web API, over HTTP: what is read equals what was advertised.
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Advert } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Search } from '../../simulator/search.ts'
import type { FactsCard, KnownPlace, PortalDocument, PortalRequest, SearchContext } from '../portal.ts'
import { portalG } from './portal-g.ts'

type Filters = Parameters<typeof portalG.search.start>[0]

const MADRID = { id: '28079', label: 'Madrid' }
const VIGO = { id: '36057', label: 'Vigo' }
const PONTEVEDRA = { id: 'PO', label: 'Pontevedra' }
const WHOLE = { since: null } as SearchContext
const KINDS = portalG.operations.flatMap(operation =>
  portalG.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let simulator: Simulator
let token: string
beforeAll(async () => {
  // Incremental runs go by the clock of this machine, so the adverts are older than any of its days.
  simulator = await startSimulator({ asOf: '2025-01-01T00:00:00Z' })
  token = new URL(simulator.portalAddress('portal_g')).password
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function ask({ path, accept }: PortalRequest): Promise<PortalDocument> {
  const reply = await fetch(new URL(path, simulator.portalUrl('portal_g')), {
    headers: { authorization: `Bearer ${token}`, accept: accept ?? 'text/html' },
  })
  return { text: await reply.text(), url: reply.url }
}

async function search(filters: Filters, context = WHOLE, request = portalG.search.start(filters, context)) {
  return portalG.search.read(await ask(request), filters, context)
}

/** All pages of a search, for tests in which anything else is a failure. */
async function searchAll(filters: Filters, context = WHOLE) {
  const cards: FactsCard[] = []
  const goneIds: string[] = []
  const totals: (number | null)[] = []
  let next: PortalRequest[] = [portalG.search.start(filters, context)]
  while (next[0]) {
    const reading = await search(filters, context, next[0])
    if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
    cards.push(...(reading.cards as FactsCard[]))
    goneIds.push(...(reading.goneIds ?? []))
    totals.push(reading.total)
    next = reading.next
  }
  return { cards, goneIds, totals, ids: cards.map(({ listingId }) => listingId) }
}

const keyOf = ({ id }: Advert) => `ESG-${id}`

function truthOf(listingId: string): Advert {
  const advert = simulator.advert(listingId.slice('ESG-'.length))
  if (!advert) throw new Error(`no advert ${listingId}`)
  return advert
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchAll({ ...kind, location: VIGO })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, changedAt, listing } of cards) {
      const advert = truthOf(listingId)
      expect(listing).toMatchObject({
        ...kind,
        title: null,
        description: advert.description,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        condition: advert.condition,
        floor: advert.floor,
        address: advert.address,
        municipality: advert.city,
        province: advert.province,
        postcode: advert.postcode,
        latitude: advert.latitude,
        longitude: advert.longitude,
        publishedAt: advert.publishedAt.toISOString(),
        contact: {
          name: advert.advertiser.name,
          phone: advert.advertiser.phone,
          email: null,
          advertiserType: advert.advertiser.type,
        },
      })
      // The dictionary has no word for the side to which a dwelling faces.
      const told = advert.features.filter(feature => feature !== 'exterior' && feature !== 'interior')
      expect(listing.features.toSorted()).toEqual(told.toSorted())
      expect(listing.images).toHaveLength(advert.photoCount)
      expect(changedAt).toBe(advert.updatedAt.toISOString())
      expect(path).toBe(`/odata/Property('${listingId}')`)
      expect(portalG.listingPath.exec(new URL(listing.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('every value of an advert was found in the interface, but the currency, which is that of all', async () => {
    const { cards } = await searchAll({ operation: 'sale', location: VIGO })
    const { url, currency, ...found } = cards[0]!.provenance
    expect({ url, currency }).toEqual({ url: 'url', currency: 'portal' })
    expect(new Set(Object.values(found))).toEqual(new Set(['api']))
  })

  test('the pages of a search hold every advert once, and each tells the total', async () => {
    const truth = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'madrid' })
    const { ids, totals, goneIds } = await searchAll({ operation: 'sale', location: MADRID })
    expect(truth.length).toBeGreaterThan(400)
    expect(ids.toSorted()).toEqual(truth.map(keyOf).toSorted())
    expect(totals).toEqual(Array.from({ length: Math.ceil(truth.length / 200) }, () => truth.length))
    expect(goneIds).toEqual([])
  })

  test('an advert withdrawn while it is read moves no other from one page to the next', async () => {
    const filters: Filters = { operation: 'rent', location: MADRID }
    const truth = simulator.advertsOf({ operation: 'rent', propertyType: 'homes', city: 'madrid' })
    const first = await search(filters)
    if (first.kind !== 'page') throw new Error('unreadable')
    simulator.withdraw(first.cards[0]!.listingId.slice(4))
    const ids = first.cards.map(({ listingId }) => listingId)
    for (let next = first.next; next[0]; ) {
      const reading = await search(filters, WHOLE, next[0])
      if (reading.kind !== 'page') throw new Error('unreadable')
      ids.push(...reading.cards.map(({ listingId }) => listingId))
      next = reading.next
    }
    expect(ids.toSorted()).toEqual(truth.map(keyOf).toSorted())
  })

  test('a search without results is a page with none', async () => {
    for (const location of [VIGO, { id: '01001', label: 'Alegría' }])
      expect(await search({ operation: 'sale', location, minPrice: 900_000_000 })).toEqual({
        kind: 'page',
        total: 0,
        cards: [],
        goneIds: [],
        next: [],
      })
  })
})

describe('an incremental run', () => {
  const filters: Filters = { operation: 'sale', propertyType: 'premises', location: MADRID }

  test('is shown what changed since the last, and what is gone; another full run is not shown what is gone', async () => {
    const since = new Date().toISOString()
    const unchanged = await searchAll(filters, { ...WHOLE, since })
    expect(unchanged).toEqual({ cards: [], goneIds: [], totals: [null], ids: [] })

    const [changed, withdrawn, other] = (await searchAll(filters)).ids
    simulator.change(changed!.slice(4), { price: 123_456 })
    simulator.withdraw(withdrawn!.slice(4))
    const run = await searchAll(filters, { ...WHOLE, since })
    expect(run.cards).toMatchObject([{ listingId: changed, listing: { price: 123_456 } }])
    expect(run.goneIds).toEqual([withdrawn])
    expect(Date.parse(run.cards[0]!.changedAt!)).toBeGreaterThanOrEqual(Date.parse(since))

    const { ids, goneIds } = await searchAll(filters)
    expect(ids).toEqual(expect.arrayContaining([changed, other]))
    expect(ids).not.toContain(withdrawn)
    expect(goneIds).toEqual([])
  })
})

describe('the filters', () => {
  const vigo: Search = { operation: 'sale', propertyType: 'homes', city: 'vigo' }
  const alike: Partial<Filters & Search>[] = [
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
    ...alike.map((asked): [Partial<Filters>, Partial<Search>] => [asked, asked]),
    ...features.map((feature): [Partial<Filters>, Partial<Search>] => [
      { features: [feature] },
      { features: [feature] },
    ]),
    [{ advertiserType: 'any' }, {}],
    [{ location: PONTEVEDRA }, { city: 'pontevedra-provincia' }],
  ])('%j finds what it asks for', async (filters, truth) => {
    const asked: Filters = { operation: 'sale', location: VIGO, ...filters }
    expect(Check(portalG.filters, asked)).toBe(true)
    const expected = simulator.advertsOf({ ...vigo, ...truth }).map(keyOf)
    expect(expected.length).toBeGreaterThan(0)
    expect((await searchAll(asked)).ids.toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    ['a feature for which the dictionary has no word', { features: ['exterior'] }],
    ['an unknown key', { furnished: true }],
    ['half a room', { minRooms: 1.5 }],
  ])('%s is refused', (_what, filters) => {
    expect(Check(portalG.filters, { operation: 'sale', location: VIGO, ...filters })).toBe(false)
  })

  test.each(Object.entries(portalG.filters.properties))(
    '%s is explained, and its examples are valid',
    (key, property) => {
      const { title, description, examples } = property as unknown as Record<string, unknown>
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      for (const value of examples as unknown[])
        expect(Check(portalG.filters, { operation: 'sale', location: VIGO, [key]: value })).toBe(true)
    },
  )

  test('towns and provinces are called by their official codes', () => {
    const idOf = (id: string, type: 'municipality' | 'province') =>
      portalG.locations.idOf({ id, type } as KnownPlace)
    expect(idOf('ES-36057', 'municipality')).toBe(VIGO.id)
    expect(idOf('ES-PO', 'province')).toBe(PONTEVEDRA.id)
  })
})

describe('what cannot be read', () => {
  const filters: Filters = { operation: 'sale', location: MADRID }
  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
    ['empty', 'layout'],
  ] as const)('%s: the first page and the second are %s', async (kind, reason) => {
    const first = await search(filters)
    if (first.kind !== 'page') throw new Error('unreadable')
    simulator.faults.set({ portal: 'portal_g', kind, match: '/odata/' })
    for (const request of [undefined, first.next[0]!])
      expect(await search(filters, WHOLE, request)).toMatchObject({ kind: 'unreadable', reason })
  })

  test('pages that go in circles show the same adverts and promise more', async () => {
    simulator.faults.set({ portal: 'portal_g', kind: 'loop' })
    const first = await search(filters)
    if (first.kind !== 'page') throw new Error('unreadable')
    const second = await search(filters, WHOLE, first.next[0])
    expect(second).toEqual(first)
    expect(first.next).toHaveLength(1)
  })
})

describe('any text', () => {
  const read = (document: PortalDocument) =>
    expect(['page', 'unreadable']).toContain(
      portalG.search.read(document, { operation: 'sale', location: VIGO }, WHOLE).kind,
    )

  test('replies cut short, with characters or values changed, or made up never make it fail', async () => {
    const { text, url } = await ask(
      portalG.search.start({ operation: 'rent', propertyType: 'offices', location: VIGO }, WHOLE),
    )
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(place, fc.json(), fc.boolean(), (share, json, isCut) => {
        const at = Math.floor(share * text.length)
        read({
          text: isCut ? text.slice(0, at) : text.slice(0, at) + json + text.slice(at + json.length),
          url,
        })
        // In place of a value, so that it stays JSON.
        const colon = text.indexOf('":', at)
        read({
          text: text.slice(0, colon + 2) + text.slice(colon + 2).replace(/^[^,{}[\]]*/, () => json),
          url,
        })
        read({ text: json, url })
        read({ text: `{"value":[${json}]}`, url })
      }),
      { numRuns: 200 },
    )
  })
})
