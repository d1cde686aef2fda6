// The definition of portal D against the simulator's portal, over HTTP: what is read equals what was advertised.
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Advert } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Search as WorldSearch } from '../../simulator/search.ts'
import type { FactsCard, KnownPlace, PortalDocument, PortalRequest, SearchContext } from '../portal.ts'
import { portalD } from './portal-d.ts'

type Filters = Parameters<typeof portalD.search.start>[0]

const LISBOA = { id: 'lisboa-1106', label: 'Lisboa' }
const PORTO = { id: 'porto-1312', label: 'Porto' }
const KINDS = portalD.operations.flatMap(operation =>
  portalD.propertyTypes.map(propertyType => ({ operation, propertyType })),
)
const place: KnownPlace = {
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
  simulator = await startSimulator({ adverts: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** As the engine decodes: by the header, else by what the page says of itself. */
async function ask({ path, form }: PortalRequest): Promise<PortalDocument & { status: number }> {
  const url = simulator.portalUrl('portal_d') + path
  const reply = await fetch(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {})
  const bytes = await reply.arrayBuffer()
  const declared = /charset=([\w-]+)/
  const charset =
    declared.exec(reply.headers.get('content-type') ?? '') ??
    declared.exec(Buffer.from(bytes).toString('latin1', 0, 1024))
  return { text: new TextDecoder(charset?.[1]).decode(bytes), url: reply.url, status: reply.status }
}

async function search(filters: Filters) {
  return portalD.search.read(await ask(portalD.search.start(filters, context)), filters, context)
}

/** The pages of a search to its end, for tests in which anything unreadable is a failure. */
async function searchAll(filters: Filters) {
  const cards: FactsCard[] = []
  let total: number | null = null
  let next = [portalD.search.start(filters, context)]
  for (let page = 0; next.length > 0; page += 1) {
    const reading = portalD.search.read(await ask(next[0]!), filters, context)
    if (reading.kind !== 'page') throw new Error(`page ${page}: ${reading.detail}`)
    if (page === 0) total = reading.total
    cards.push(...(reading.cards as FactsCard[]))
    next = reading.next
  }
  return { total, cards }
}

const listingIdOf = (advert: Advert) => Number(advert.id).toString(36).toUpperCase()
const worldIdOf = (listingId: string) => String(Number.parseInt(listingId, 36))
const truthOf = (listingId: string) => simulator.advert(worldIdOf(listingId))!
/** The day in Lisbon, for dates that the portal tells without a time. */
const dayOf = (date: string | Date | null) =>
  Temporal.Instant.from(new Date(date!).toISOString())
    .toZonedDateTimeISO('Europe/Lisbon')
    .toPlainDate()
    .toString()

async function detail(card: { path: string }) {
  return details.read(await ask({ path: card.path }))
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchAll({ ...kind, location: LISBOA })
    expect(cards.length).toBeGreaterThan(8)
    for (const { listingId, path, listing: card } of cards.slice(0, 20)) {
      const advert = truthOf(listingId)
      const shown = {
        ...kind,
        title: advert.title,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        bedrooms: advert.bedrooms,
        floor: advert.floor,
        municipality: advert.city,
      }
      expect(card).toMatchObject({ ...shown, contact: { advertiserType: advert.advertiser.type } })
      expect(card.url).toBe(simulator.portalUrl('portal_d') + path)
      expect(dayOf(card.publishedAt)).toBe(dayOf(advert.publishedAt))

      const reading = await detail({ path })
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      expect(reading.listing).toMatchObject({
        ...shown,
        description: advert.description,
        bathrooms: advert.bathrooms,
        condition: advert.condition,
        address: advert.address,
        province: advert.province,
        postcode: advert.postcode,
        latitude: advert.latitude,
        longitude: advert.longitude,
        contact: { name: advert.advertiser.name, phone: null, advertiserType: advert.advertiser.type },
      })
      expect(reading.listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(reading.listing.images).toHaveLength(advert.photoCount)
      expect(dayOf(reading.listing.publishedAt)).toBe(dayOf(advert.publishedAt))
      expect(portalD.listingPath.exec(new URL(card.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('the portal writes windows-1252 and says so in the page alone', async () => {
    const reply = await fetch(
      simulator.portalUrl('portal_d') +
        portalD.search.start({ operation: 'rent', location: LISBOA }, context).path,
    )
    expect(reply.headers.get('content-type')).toBe('text/html')
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.includes(Buffer.from('\x80/m\xeas', 'latin1'))).toBe(true)
  })

  test('a date of today has its time, the day being that of the page', async () => {
    const { cards } = await searchAll({ operation: 'sale', location: LISBOA, publishedWithinDays: 1 })
    const today = cards.filter(card => dayOf(truthOf(card.listingId).publishedAt) >= '2026-10-31')
    expect(today.length).toBeGreaterThan(0)
    for (const { listingId, listing } of today)
      expect(listing.publishedAt).toBe(truthOf(listingId).publishedAt.toISOString())
  })

  test('each value says where it was found', async () => {
    const { cards } = await searchAll({ operation: 'sale', location: PORTO })
    expect(cards[0]?.provenance).toMatchObject({ price: 'markup', operation: 'url', propertyType: 'url' })
  })

  test('the pages of a search hold every advert once, in its order, and tell how many there are', async () => {
    const truth = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'lisboa' })
    const { total, cards } = await searchAll({ operation: 'sale', location: LISBOA })
    expect(total).toBe(truth.length)
    expect(cards.map(card => card.listingId)).toEqual(truth.map(listingIdOf))
    expect(truth.length).toBeGreaterThan(60)
  })

  test('a search without results is a page with none, and so is a page behind the last', async () => {
    const none = { operation: 'sale', location: PORTO, minPrice: 900_000_000 } as const
    expect(await search(none)).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
    const document = await ask({
      path: `${portalD.search.start({ ...none, minPrice: 1 }, context).path}&pag=999`,
    })
    expect(portalD.search.read(document, none, context)).toEqual({
      kind: 'page',
      total: null,
      cards: [],
      next: [],
    })
  })

  test('an advert that was withdrawn is gone', async () => {
    const { cards } = await searchAll({ operation: 'rent', location: PORTO })
    simulator.withdraw(worldIdOf(cards[0]!.listingId))
    expect(await detail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('the telephone', () => {
  async function advertPage() {
    const { cards } = await searchAll({ operation: 'rent', propertyType: 'homes', location: PORTO })
    const document = await ask({ path: cards[1]!.path })
    const reading = details.read(document)
    if (reading.kind !== 'listing') throw new Error(reading.kind)
    return { document, found: reading, advert: truthOf(cards[1]!.listingId) }
  }

  test('is given on a second request with the token of the page', async () => {
    const { document, found, advert } = await advertPage()
    expect(document.text).not.toContain(advert.advertiser.phone.slice(-6))
    const request = details.followUp!.request(document, found)!
    const { listing, provenance } = details.followUp!.read(await ask(request), found)
    expect(listing).toMatchObject({ ...found.listing, contact: { phone: advert.advertiser.phone } })
    expect(listing.contact.phoneRaw).toMatch(/^\d{3} \d{3} \d{3}$/)
    expect(provenance).toMatchObject({ 'contact.phone': 'contact', price: 'markup' })
  })

  test('with a wrong token it is refused, and the listing stays as it was', async () => {
    const { document, found } = await advertPage()
    const request = details.followUp!.request(document, found)!
    const refused = await ask({ ...request, form: { ...request.form, token: 'x' } })
    expect(refused.status).toBe(403)
    expect(details.followUp!.read(refused, found)).toBe(found)
  })

  test.each([
    '',
    '<html>Erro</html>',
    '<span class="telefone">brevemente</span>',
    '<span class="telefone">12</span>',
  ])('the answer "%s" loses nothing', async text => {
    const { document, found } = await advertPage()
    expect(details.followUp!.read({ text, url: document.url }, found)).toBe(found)
  })

  test('is not asked for where the page has no such form, or one that leads elsewhere', async () => {
    const { document, found } = await advertPage()
    const other = (text: string) => details.followUp!.request({ ...document, text }, found)
    expect(other(document.text.replace('name="ftel"', 'name="x"'))).toBeNull()
    expect(other(document.text.replace('/ajax/telefone', 'https://elsewhere.example/'))).toBeNull()
    expect(other(document.text.replace('name="token"', 'name="t"'))).toBeNull()
  })
})

describe('filters', () => {
  const base = { operation: 'sale', propertyType: 'homes', city: 'lisboa' } as const
  test.each<[name: string, filters: Partial<Filters>, truth: Partial<WorldSearch>]>([
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
    ['another town', { location: PORTO }, { city: 'porto' }],
    ['a district', { location: { id: 'lisboa-11', label: 'Lisboa' } }, { city: 'lisboa-provincia' }],
    ['a place without adverts', { location: { id: 'beja-0205', label: 'Beja' } }, { city: 'beja' }],
  ])('%s are honoured', async (name, filters, truth) => {
    const { cards, total } = await searchAll({ operation: 'sale', location: LISBOA, ...filters })
    const expected = simulator.advertsOf({ ...base, ...truth })
    expect(cards.map(card => card.listingId)).toEqual(expected.map(listingIdOf))
    expect(total).toBe(expected.length)
    if (name !== 'a place without adverts') expect(expected.length).toBeGreaterThan(0)
  })

  test('what the portal cannot honour is no filter of its', () => {
    const minimal = { operation: 'sale', location: LISBOA }
    expect(Check(portalD.filters, minimal)).toBe(true)
    for (const key of ['features', 'condition', 'minBathrooms'])
      expect(Check(portalD.filters, { ...minimal, [key]: 1 })).toBe(false)
  })

  test('places have the name and the official number', () => {
    expect(portalD.locations.idOf(place)).toBe('lisboa-1106')
    expect(portalD.locations.idOf({ ...place, id: 'PT-15', name: 'Setúbal', type: 'province' })).toBe(
      'setubal-15',
    )
  })
})
