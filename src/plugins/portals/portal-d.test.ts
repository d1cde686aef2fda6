/**
 * The definition of portal D reads the simulator's portal over HTTP: it must return exactly what the simulator
 * advertises.
 */
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Search as SimulatorSearch } from '../../simulator/search.ts'
import type { FactsCard, PortalDocument, PortalRequest, SearchContext, SearchPlace } from '../portal.ts'
import { portalD } from './portal-d.ts'

type Filters = Parameters<typeof portalD.search.start>[0]

const lisboa = { id: 'lisboa-1106', label: 'Lisboa' }
const porto = { id: 'porto-1312', label: 'Porto' }
const kindPairs = portalD.operations.flatMap(operation =>
  portalD.propertyTypes.map(propertyType => ({ operation, propertyType })),
)
const place: SearchPlace = {
  id: 'PT-1106',
  name: 'Lisboa',
  names: [],
  type: 'municipality',
  parentId: 'PT-11',
  country: 'PT',
  latitude: 38.72,
  longitude: -9.14,
  population: 545_000,
  province: null,
  isNamesake: false,
}
const context: SearchContext = { place, since: null }
const details = portalD.details!

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ listings: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** Decodes like the crawler: by the header, else by the declaration of the page. */
async function fetchDocument({ path, form }: PortalRequest): Promise<PortalDocument & { status: number }> {
  const url = simulator.portalUrl('portal_d') + path
  const reply = await fetch(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {})
  const bytes = await reply.arrayBuffer()
  const declaredCharset = /charset=([\w-]+)/
  const charset =
    declaredCharset.exec(reply.headers.get('content-type') ?? '') ??
    declaredCharset.exec(Buffer.from(bytes).toString('latin1', 0, 1024))
  return { text: new TextDecoder(charset?.[1]).decode(bytes), url: reply.url, status: reply.status }
}

async function search(filters: Filters) {
  return portalD.search.read(await fetchDocument(portalD.search.start(filters, context)), filters, context)
}

/** Reads all pages of a search; throws if one is unreadable. */
async function fetchAllCards(filters: Filters) {
  const cards: FactsCard[] = []
  let total: number | null = null
  let next = [portalD.search.start(filters, context)]
  for (let page = 0; next.length > 0; page += 1) {
    const result = portalD.search.read(await fetchDocument(next[0]!), filters, context)
    if (result.kind !== 'page') throw new Error(`page ${page}: ${result.detail}`)
    if (page === 0) total = result.total
    cards.push(...(result.cards as FactsCard[]))
    next = result.next
  }
  return { total, cards }
}

const toListingId = (original: SimulatedListing) => Number(original.id).toString(36).toUpperCase()
const toWorldId = (listingId: string) => String(Number.parseInt(listingId, 36))
const getOriginal = (listingId: string) => simulator.findListing(toWorldId(listingId))!
/** The day in Lisbon, for dates without a time. */
const toDay = (date: string | Date | null) =>
  Temporal.Instant.from(new Date(date!).toISOString())
    .toZonedDateTimeISO('Europe/Lisbon')
    .toPlainDate()
    .toString()

async function readDetail(card: { path: string }) {
  return details.read(await fetchDocument({ path: card.path }))
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await fetchAllCards({ ...kind, location: lisboa })
    expect(cards.length).toBeGreaterThan(8)
    for (const { listingId, path, listing: card } of cards.slice(0, 20)) {
      const original = getOriginal(listingId)
      const shown = {
        ...kind,
        title: original.title,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        bedrooms: original.bedrooms,
        floor: original.floor,
        municipality: original.city,
      }
      expect(card).toMatchObject({ ...shown, contact: { advertiserType: original.advertiser.type } })
      expect(card.url).toBe(simulator.portalUrl('portal_d') + path)
      expect(toDay(card.publishedAt)).toBe(toDay(original.publishedAt))

      const result = await readDetail({ path })
      if (result.kind !== 'listing') throw new Error(`${listingId} is ${result.kind}`)
      expect(result.listing).toMatchObject({
        ...shown,
        description: original.description,
        bathrooms: original.bathrooms,
        condition: original.condition,
        address: original.address,
        province: original.province,
        postcode: original.postcode,
        latitude: original.latitude,
        longitude: original.longitude,
        contact: { name: original.advertiser.name, phone: null, advertiserType: original.advertiser.type },
      })
      expect(result.listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(result.listing.images).toHaveLength(original.photoCount)
      expect(toDay(result.listing.publishedAt)).toBe(toDay(original.publishedAt))
      expect(portalD.listingPath.exec(new URL(card.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('the portal declares windows-1252 in the page only', async () => {
    const reply = await fetch(
      simulator.portalUrl('portal_d') +
        portalD.search.start({ operation: 'rent', location: lisboa }, context).path,
    )
    expect(reply.headers.get('content-type')).toBe('text/html')
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.includes(Buffer.from('\x80/m\xeas', 'latin1'))).toBe(true)
  })

  test('a date of today has a time, and the day of the page', async () => {
    const { cards } = await fetchAllCards({ operation: 'sale', location: lisboa, publishedWithinDays: 1 })
    const today = cards.filter(card => toDay(getOriginal(card.listingId).publishedAt) >= '2026-10-31')
    expect(today.length).toBeGreaterThan(0)
    for (const { listingId, listing } of today)
      expect(listing.publishedAt).toBe(getOriginal(listingId).publishedAt.toISOString())
  })

  test('each value has its provenance', async () => {
    const { cards } = await fetchAllCards({ operation: 'sale', location: porto })
    expect(cards[0]?.provenance).toMatchObject({ price: 'markup', operation: 'url', propertyType: 'url' })
  })

  test('the pages of a search hold every listing once, in order, and have the total', async () => {
    const originals = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'lisboa' })
    const { total, cards } = await fetchAllCards({ operation: 'sale', location: lisboa })
    expect(total).toBe(originals.length)
    expect(cards.map(card => card.listingId)).toEqual(originals.map(toListingId))
    expect(originals.length).toBeGreaterThan(60)
  })

  test('a search without results is an empty page, and so is a page after the last', async () => {
    const noMatch = { operation: 'sale', location: porto, minPrice: 900_000_000 } as const
    expect(await search(noMatch)).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
    const document = await fetchDocument({
      path: `${portalD.search.start({ ...noMatch, minPrice: 1 }, context).path}&pag=999`,
    })
    expect(portalD.search.read(document, noMatch, context)).toEqual({
      kind: 'page',
      total: null,
      cards: [],
      next: [],
    })
  })

  test('a withdrawn listing is reported as gone', async () => {
    const { cards } = await fetchAllCards({ operation: 'rent', location: porto })
    simulator.withdraw(toWorldId(cards[0]!.listingId))
    expect(await readDetail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('the phone', () => {
  async function fetchListingPage() {
    const { cards } = await fetchAllCards({ operation: 'rent', propertyType: 'homes', location: porto })
    const document = await fetchDocument({ path: cards[1]!.path })
    const result = details.read(document)
    if (result.kind !== 'listing') throw new Error(result.kind)
    return { document, found: result, original: getOriginal(cards[1]!.listingId) }
  }

  test('comes from a second request with the token of the page', async () => {
    const { document, found, original } = await fetchListingPage()
    expect(document.text).not.toContain(original.advertiser.phone.slice(-6))
    const request = details.followUp!.request(document, found)!
    const { listing, provenance } = details.followUp!.read(await fetchDocument(request), found)
    expect(listing).toMatchObject({ ...found.listing, contact: { phone: original.advertiser.phone } })
    expect(listing.contact.phoneRaw).toMatch(/^\d{3} \d{3} \d{3}$/)
    expect(provenance).toMatchObject({ 'contact.phone': 'contact', price: 'markup' })
  })

  test('is refused with a wrong token, and the listing stays unchanged', async () => {
    const { document, found } = await fetchListingPage()
    const request = details.followUp!.request(document, found)!
    const refused = await fetchDocument({ ...request, form: { ...request.form, token: 'x' } })
    expect(refused.status).toBe(403)
    expect(details.followUp!.read(refused, found)).toBe(found)
  })

  test.each([
    '',
    '<html>Erro</html>',
    '<span class="telefone">brevemente</span>',
    '<span class="telefone">12</span>',
  ])('the answer "%s" changes nothing', async text => {
    const { document, found } = await fetchListingPage()
    expect(details.followUp!.read({ text, url: document.url }, found)).toBe(found)
  })

  test('is not requested if the page has no form for it, or one to another address', async () => {
    const { document, found } = await fetchListingPage()
    const toRequest = (text: string) => details.followUp!.request({ ...document, text }, found)
    expect(toRequest(document.text.replace('name="ftel"', 'name="x"'))).toBeNull()
    expect(toRequest(document.text.replace('/ajax/telefone', 'https://elsewhere.example/'))).toBeNull()
    expect(toRequest(document.text.replace('name="token"', 'name="t"'))).toBeNull()
  })
})

describe('filters', () => {
  const base = { operation: 'sale', propertyType: 'homes', city: 'lisboa' } as const
  test.each<[name: string, filters: Partial<Filters>, originals: Partial<SimulatorSearch>]>([
    ['prices', { minPrice: 250_000.5, maxPrice: 500_000.9 }, { minPrice: 250_001, maxPrice: 500_000 }],
    ['rooms', { minRooms: 2, maxRooms: 3 }, { minRooms: 2, maxRooms: 3 }],
    ['studios', { minRooms: 0, maxRooms: 0 }, { minRooms: 0, maxRooms: 0 }],
    ['area', { minSquareMeters: 60, maxSquareMeters: 90.2 }, { minSquareMeters: 60, maxSquareMeters: 90 }],
    ['private people', { advertiserType: 'private' }, { advertiserType: 'private' }],
    ['agencies', { advertiserType: 'agency' }, { advertiserType: 'agency' }],
    ['everybody', { advertiserType: 'any' }, {}],
    ['days', { publishedWithinDays: 30 }, { publishedWithinDays: 30 }],
    ['offices', { propertyType: 'offices' }, { propertyType: 'offices' }],
    ['rents', { operation: 'rent', maxPrice: 1500 }, { operation: 'rent', maxPrice: 1500 }],
    ['another town', { location: porto }, { city: 'porto' }],
    ['a district', { location: { id: 'lisboa-11', label: 'Lisboa' } }, { city: 'lisboa-provincia' }],
    ['a place without listings', { location: { id: 'beja-0205', label: 'Beja' } }, { city: 'beja' }],
  ])('%s are applied', async (name, filters, originals) => {
    const { cards, total } = await fetchAllCards({ operation: 'sale', location: lisboa, ...filters })
    const expected = simulator.findListings({ ...base, ...originals })
    expect(cards.map(card => card.listingId)).toEqual(expected.map(toListingId))
    expect(total).toBe(expected.length)
    if (name !== 'a place without listings') expect(expected.length).toBeGreaterThan(0)
  })

  test('the filters are only those that the portal can apply', () => {
    const minimal = { operation: 'sale', location: lisboa }
    expect(Check(portalD.filters, minimal)).toBe(true)
    for (const key of ['features', 'condition', 'minBathrooms'])
      expect(Check(portalD.filters, { ...minimal, [key]: 1 })).toBe(false)
  })

  test('ids of places are made of name and official number', () => {
    expect(portalD.locations.toPortalId(place)).toBe('lisboa-1106')
    expect(portalD.locations.toPortalId({ ...place, id: 'PT-15', name: 'Setúbal', type: 'province' })).toBe(
      'setubal-15',
    )
  })
})
