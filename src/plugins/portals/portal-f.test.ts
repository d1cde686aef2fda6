/**
 * The definition of portal F reads the simulator's portal over HTTP: it must return exactly what the simulator
 * advertises.
 */
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { anyCharacter } from '../../../test/characters.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Card, PortalDocument, PortalRequest, SearchContext, SearchPlace } from '../portal.ts'
import { portalF } from './portal-f.ts'

type Filters = Parameters<typeof portalF.search.start>[0]

const roma = { id: 'roma-rm', label: 'Roma' }
const kindPairs = portalF.operations.flatMap(operation =>
  portalF.propertyTypes.map(propertyType => ({ operation, propertyType })),
)
const province: SearchPlace = {
  id: 'IT-RM',
  name: 'Roma',
  names: [],
  type: 'province',
  parentId: 'IT-62',
  country: 'IT',
  latitude: 41.9,
  longitude: 12.5,
  population: 4_200_000,
  province: null,
  isNamesake: false,
}
const place: SearchPlace = { ...province, id: 'IT-058091', type: 'municipality', province }
const context: SearchContext = { place, since: null }
const details = portalF.details!

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ listings: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** Like the crawler, it detects gzip by the first bytes. */
async function fetchDocument({ path }: PortalRequest): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_f') + path)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
  return { text, url: reply.url }
}

async function readIndex(filters: Filters) {
  return portalF.search.read(await fetchDocument(portalF.search.start(filters, context)), filters, context)
}

async function fetchAllCards(filters: Filters) {
  const cards: Card[] = []
  const requestedPaths: string[] = []
  const queue = [portalF.search.start(filters, context)]
  for (let request = queue.shift(); request; request = queue.shift()) {
    requestedPaths.push(request.path)
    const result = portalF.search.read(await fetchDocument(request), filters, context)
    if (result.kind !== 'page') throw new Error(`${request.path}: ${result.detail}`)
    expect(result.total).toBeNull()
    cards.push(...result.cards)
    queue.push(...result.next)
  }
  return { cards, requestedPaths }
}

const toListingId = (original: SimulatedListing) => String(Number(original.id) - 40_000_000)
const toWorldId = (listingId: string) => String(Number(listingId) + 40_000_000)
const toDay = (date: string | Date | null) =>
  Temporal.Instant.from(new Date(date!).toISOString())
    .toZonedDateTimeISO('Europe/Rome')
    .toPlainDate()
    .toString()

async function readDetail(card: { path: string }) {
  return details.read(await fetchDocument(card))
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await fetchAllCards({ ...kind, location: roma })
    expect(cards.length).toBeGreaterThan(8)
    for (const card of cards.slice(0, 20)) {
      const original = simulator.findListing(toWorldId(card.listingId))!
      expect(card.changedAt).toBe(original.updatedAt.toISOString())
      const result = await readDetail(card)
      if (result.kind !== 'listing') throw new Error(`${card.listingId} is ${result.kind}`)
      expect(result.listing).toMatchObject({
        ...kind,
        title: original.title,
        description: original.description,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        rooms: original.bedrooms === null ? null : original.bedrooms + 1,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        floor: original.floor,
        condition: original.condition,
        address: original.address,
        municipality: original.city,
        province: original.province,
        postcode: original.postcode,
        latitude: original.latitude,
        longitude: original.longitude,
        url: simulator.portalUrl('portal_f') + card.path,
        contact: {
          name: original.advertiser.name,
          phone: original.advertiser.phone,
          email: null,
          advertiserType: original.advertiser.type,
        },
      })
      expect(result.listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(result.listing.images).toHaveLength(original.photoCount)
      expect(toDay(result.listing.publishedAt)).toBe(toDay(original.publishedAt))
      expect(portalF.listingPath.exec(card.path)?.groups).toEqual({ listingId: card.listingId })
    }
  })

  test('each value has its provenance', async () => {
    const { cards } = await fetchAllCards({ operation: 'sale', location: roma })
    expect(await readDetail(cards[0]!)).toMatchObject({
      provenance: {
        price: 'microdata',
        latitude: 'microdata',
        squareMeters: 'markup',
        'contact.phone': 'microdata',
      },
    })
  })

  test('the sitemaps of a search, compressed or not, hold every listing once; no others are requested', async () => {
    for (const kind of kindPairs) {
      const { cards, requestedPaths } = await fetchAllCards({ ...kind, location: roma })
      const originals = simulator.findListings({ ...kind, city: 'roma' })
      expect(cards.map(card => card.listingId)).toEqual(originals.map(toListingId))
      expect(requestedPaths.length).toBe(1 + Math.ceil(originals.length / 200))
    }
    const { requestedPaths } = await fetchAllCards({ operation: 'sale', location: roma })
    expect(requestedPaths).toEqual([
      '/sitemap.xml',
      '/sitemaps/annunci-vendita-case-roma-rm-1.xml.gz',
      '/sitemaps/annunci-vendita-case-roma-rm-2.xml.gz',
    ])
  })

  test.each([
    [{ id: 'milano-mi', label: 'Milano' }, 'milano'],
    [{ id: 'provincia-na', label: 'Napoli' }, 'napoli-provincia'],
  ])('the place is applied: %o', async (location, city) => {
    const { cards } = await fetchAllCards({ operation: 'rent', propertyType: 'homes', location })
    const originals = simulator.findListings({ operation: 'rent', propertyType: 'homes', city })
    expect(originals.length).toBeGreaterThan(10)
    expect(cards.map(card => card.listingId).toSorted()).toEqual(originals.map(toListingId).toSorted())
  })

  test('a place without listings is an empty page', async () => {
    expect(await readIndex({ operation: 'sale', location: { id: 'roma-mi', label: '' } })).toEqual({
      kind: 'page',
      total: null,
      cards: [],
      next: [],
    })
  })

  test('a listing with another price has a newer change date', async () => {
    const { cards } = await fetchAllCards({ operation: 'rent', location: roma })
    simulator.change(toWorldId(cards[3]!.listingId), { price: 1234 })
    const again = await fetchAllCards({ operation: 'rent', location: roma })
    const changed = again.cards.filter((card, position) => card.changedAt !== cards[position]!.changedAt)
    expect(changed.map(card => card.listingId)).toEqual([cards[3]!.listingId])
    expect(changed[0]!.changedAt! > cards[3]!.changedAt!).toBe(true)
  })

  test('a withdrawn listing is reported as gone', async () => {
    const { cards } = await fetchAllCards({ operation: 'sale', propertyType: 'offices', location: roma })
    simulator.withdraw(toWorldId(cards[0]!.listingId))
    expect(await readDetail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('filters and places', () => {
  test('the filters are only those by which the sitemap is divided', () => {
    const minimal = { operation: 'sale', location: roma }
    expect(Check(portalF.filters, minimal)).toBe(true)
    for (const key of ['minPrice', 'maxRooms', 'features', 'advertiserType', 'publishedWithinDays'])
      expect(Check(portalF.filters, { ...minimal, [key]: 1 })).toBe(false)
  })

  test('ids of places have the code of their province', () => {
    expect(portalF.locations.toPortalId(place)).toBe('roma-rm')
    expect(portalF.locations.toPortalId(province)).toBe('provincia-rm')
    expect(portalF.locations.toPortalId({ ...place, province: null })).toBeNull()
  })
})

describe('what cannot be read', () => {
  const filters = { operation: 'rent', location: roma } as const

  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
  ] as const)('%s: index, part and listing are %s', async (kind, reason) => {
    const { cards, requestedPaths } = await fetchAllCards(filters)
    simulator.faults.add({ portal: 'portal_f', kind, match: /sitemap|annunci/ })
    expect(await readIndex(filters)).toMatchObject({ kind: 'unreadable', reason })
    const part = await fetchDocument({ path: requestedPaths[1]! })
    expect(portalF.search.read(part, filters, context)).toMatchObject({ kind: 'unreadable', reason })
    expect(await readDetail(cards[0]!)).toMatchObject({ kind: 'unreadable', reason })
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const url = 'https://portal.example/'
    const expected = { kind: 'unreadable', reason: 'challenge' }
    expect(portalF.search.read({ text, url }, { operation: 'sale', location: roma }, context)).toMatchObject(
      expected,
    )
    expect(details.read({ text, url })).toMatchObject(expected)
  })

  test('an empty part is unreadable: the index only lists parts with listings', async () => {
    const { requestedPaths } = await fetchAllCards(filters)
    simulator.faults.add({ portal: 'portal_f', kind: 'empty' })
    const part = await fetchDocument({ path: requestedPaths[1]! })
    expect(portalF.search.read(part, filters, context)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
  })

  test('a looping portal lists one extra part, which repeats the first', async () => {
    const { cards, requestedPaths } = await fetchAllCards(filters)
    simulator.faults.add({ portal: 'portal_f', kind: 'loop' })
    const looped = await fetchAllCards(filters)
    expect(looped.requestedPaths).toHaveLength(requestedPaths.length + 1)
    expect(new Set(looped.cards.map(card => card.listingId))).toEqual(
      new Set(cards.slice(0, 200).map(card => card.listingId)),
    )
  })

  test('a truncated sitemap, or one of another origin, is unreadable', async () => {
    const { requestedPaths } = await fetchAllCards(filters)
    const part = await fetchDocument({ path: requestedPaths[1]! })
    const read = (document: PortalDocument) => portalF.search.read(document, filters, context)
    expect(read({ ...part, text: part.text.slice(0, -20) })).toMatchObject({ reason: 'layout' })
    expect(read({ ...part, text: part.text.replaceAll('127.0.0.1', '127.0.0.2') })).toMatchObject({
      reason: 'layout',
    })
  })

  test('truncated or altered documents never make it throw', async () => {
    const { cards, requestedPaths } = await fetchAllCards(filters)
    const documents = await Promise.all(
      [requestedPaths[0]!, requestedPaths[1]!, cards[0]!.path].map(path => fetchDocument({ path })),
    )
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: anyCharacter, maxLength: 2 })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, part] of changes) {
          const position = Math.floor(share * text.length)
          broken = isCut
            ? broken.slice(0, position)
            : broken.slice(0, position) + part + broken.slice(position + part.length)
        }
        expect(['page', 'unreadable']).toContain(
          portalF.search.read({ text: broken, url }, filters, context).kind,
        )
        expect(['listing', 'gone', 'unreadable']).toContain(details.read({ text: broken, url }).kind)
      }),
      { numRuns: 80 },
    )
  })
})
