// The definition of portal F against the simulator's portal, over HTTP: what is read equals what was advertised.
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import type { Advert } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Card, KnownPlace, PortalDocument, PortalRequest, SearchContext } from '../portal.ts'
import { portalF } from './portal-f.ts'

type Filters = Parameters<typeof portalF.search.start>[0]

const ROMA = { id: 'roma-rm', label: 'Roma' }
const KINDS = portalF.operations.flatMap(operation =>
  portalF.propertyTypes.map(propertyType => ({ operation, propertyType })),
)
const province: KnownPlace = {
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
const place: KnownPlace = { ...province, id: 'IT-058091', type: 'municipality', province }
const context: SearchContext = { place, since: null }
const details = portalF.details!

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ adverts: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** As the engine does, a gzip file is known by its first bytes. */
async function ask({ path }: PortalRequest): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_f') + path)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
  return { text, url: reply.url }
}

async function index(filters: Filters) {
  return portalF.search.read(await ask(portalF.search.start(filters, context)), filters, context)
}

async function searchAll(filters: Filters) {
  const cards: Card[] = []
  const asked: string[] = []
  const queue = [portalF.search.start(filters, context)]
  for (let request = queue.shift(); request; request = queue.shift()) {
    asked.push(request.path)
    const reading = portalF.search.read(await ask(request), filters, context)
    if (reading.kind !== 'page') throw new Error(`${request.path}: ${reading.detail}`)
    expect(reading.total).toBeNull()
    cards.push(...reading.cards)
    queue.push(...reading.next)
  }
  return { cards, asked }
}

const listingIdOf = (advert: Advert) => String(Number(advert.id) - 40_000_000)
const worldIdOf = (listingId: string) => String(Number(listingId) + 40_000_000)
const dayOf = (date: string | Date | null) =>
  Temporal.Instant.from(new Date(date!).toISOString())
    .toZonedDateTimeISO('Europe/Rome')
    .toPlainDate()
    .toString()

async function detail(card: { path: string }) {
  return details.read(await ask(card))
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchAll({ ...kind, location: ROMA })
    expect(cards.length).toBeGreaterThan(8)
    for (const card of cards.slice(0, 20)) {
      const advert = simulator.advert(worldIdOf(card.listingId))!
      expect(card.changedAt).toBe(advert.updatedAt.toISOString())
      const reading = await detail(card)
      if (reading.kind !== 'listing') throw new Error(`${card.listingId} is ${reading.kind}`)
      expect(reading.listing).toMatchObject({
        ...kind,
        title: advert.title,
        description: advert.description,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        rooms: advert.bedrooms === null ? null : advert.bedrooms + 1,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        floor: advert.floor,
        condition: advert.condition,
        address: advert.address,
        municipality: advert.city,
        province: advert.province,
        postcode: advert.postcode,
        latitude: advert.latitude,
        longitude: advert.longitude,
        url: simulator.portalUrl('portal_f') + card.path,
        contact: {
          name: advert.advertiser.name,
          phone: advert.advertiser.phone,
          email: null,
          advertiserType: advert.advertiser.type,
        },
      })
      expect(reading.listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(reading.listing.images).toHaveLength(advert.photoCount)
      expect(dayOf(reading.listing.publishedAt)).toBe(dayOf(advert.publishedAt))
      expect(portalF.listingPath.exec(card.path)?.groups).toEqual({ listingId: card.listingId })
    }
  })

  test('each value says where it was found', async () => {
    const { cards } = await searchAll({ operation: 'sale', location: ROMA })
    expect(await detail(cards[0]!)).toMatchObject({
      provenance: {
        price: 'microdata',
        latitude: 'microdata',
        squareMeters: 'markup',
        'contact.phone': 'microdata',
      },
    })
  })

  test('the sitemaps of a search hold every advert once, packed or not, and no others are asked for', async () => {
    for (const kind of KINDS) {
      const { cards, asked } = await searchAll({ ...kind, location: ROMA })
      const truth = simulator.advertsOf({ ...kind, city: 'roma' })
      expect(cards.map(card => card.listingId)).toEqual(truth.map(listingIdOf))
      expect(asked.length).toBe(1 + Math.ceil(truth.length / 200))
    }
    const { asked } = await searchAll({ operation: 'sale', location: ROMA })
    expect(asked).toEqual([
      '/sitemap.xml',
      '/sitemaps/annunci-vendita-case-roma-rm-1.xml.gz',
      '/sitemaps/annunci-vendita-case-roma-rm-2.xml.gz',
    ])
  })

  test.each([
    [{ id: 'milano-mi', label: 'Milano' }, 'milano'],
    [{ id: 'provincia-na', label: 'Napoli' }, 'napoli-provincia'],
  ])('the place is honoured: %o', async (location, city) => {
    const { cards } = await searchAll({ operation: 'rent', propertyType: 'homes', location })
    const truth = simulator.advertsOf({ operation: 'rent', propertyType: 'homes', city })
    expect(truth.length).toBeGreaterThan(10)
    expect(cards.map(card => card.listingId).toSorted()).toEqual(truth.map(listingIdOf).toSorted())
  })

  test('a place without adverts has none', async () => {
    expect(await index({ operation: 'sale', location: { id: 'roma-mi', label: '' } })).toEqual({
      kind: 'page',
      total: null,
      cards: [],
      next: [],
    })
  })

  test('an advert with another price says that it changed', async () => {
    const { cards } = await searchAll({ operation: 'rent', location: ROMA })
    simulator.change(worldIdOf(cards[3]!.listingId), { price: 1234 })
    const again = await searchAll({ operation: 'rent', location: ROMA })
    const changed = again.cards.filter((card, at) => card.changedAt !== cards[at]!.changedAt)
    expect(changed.map(card => card.listingId)).toEqual([cards[3]!.listingId])
    expect(changed[0]!.changedAt! > cards[3]!.changedAt!).toBe(true)
  })

  test('an advert that was withdrawn is gone', async () => {
    const { cards } = await searchAll({ operation: 'sale', propertyType: 'offices', location: ROMA })
    simulator.withdraw(worldIdOf(cards[0]!.listingId))
    expect(await detail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('filters and places', () => {
  test('what the sitemap is not parted by is no filter of its', () => {
    const minimal = { operation: 'sale', location: ROMA }
    expect(Check(portalF.filters, minimal)).toBe(true)
    for (const key of ['minPrice', 'maxRooms', 'features', 'advertiserType', 'publishedWithinDays'])
      expect(Check(portalF.filters, { ...minimal, [key]: 1 })).toBe(false)
  })

  test('places have the sign of their province', () => {
    expect(portalF.locations.idOf(place)).toBe('roma-rm')
    expect(portalF.locations.idOf(province)).toBe('provincia-rm')
    expect(portalF.locations.idOf({ ...place, province: null })).toBeNull()
  })
})

describe('what cannot be read', () => {
  const filters = { operation: 'rent', location: ROMA } as const

  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
  ] as const)('%s: index, part and advert are %s', async (kind, reason) => {
    const { cards, asked } = await searchAll(filters)
    simulator.faults.set({ portal: 'portal_f', kind, match: /sitemap|annunci/ })
    expect(await index(filters)).toMatchObject({ kind: 'unreadable', reason })
    const part = await ask({ path: asked[1]! })
    expect(portalF.search.read(part, filters, context)).toMatchObject({ kind: 'unreadable', reason })
    expect(await detail(cards[0]!)).toMatchObject({ kind: 'unreadable', reason })
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const url = 'https://portal.example/'
    const expected = { kind: 'unreadable', reason: 'challenge' }
    expect(portalF.search.read({ text, url }, { operation: 'sale', location: ROMA }, context)).toMatchObject(
      expected,
    )
    expect(details.read({ text, url })).toMatchObject(expected)
  })

  test('an emptied part is unreadable, for it is listed because it has adverts', async () => {
    const { asked } = await searchAll(filters)
    simulator.faults.set({ portal: 'portal_f', kind: 'empty' })
    const part = await ask({ path: asked[1]! })
    expect(portalF.search.read(part, filters, context)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
  })

  test('a portal in a loop lists one part more than it has, which shows the first again', async () => {
    const { cards, asked } = await searchAll(filters)
    simulator.faults.set({ portal: 'portal_f', kind: 'loop' })
    const looped = await searchAll(filters)
    expect(looped.asked).toHaveLength(asked.length + 1)
    expect(new Set(looped.cards.map(card => card.listingId))).toEqual(
      new Set(cards.slice(0, 200).map(card => card.listingId)),
    )
  })

  test('a sitemap that was cut short, or of another origin, is no search', async () => {
    const { asked } = await searchAll(filters)
    const part = await ask({ path: asked[1]! })
    const read = (document: PortalDocument) => portalF.search.read(document, filters, context)
    expect(read({ ...part, text: part.text.slice(0, -20) })).toMatchObject({ reason: 'layout' })
    expect(read({ ...part, text: part.text.replaceAll('127.0.0.1', '127.0.0.2') })).toMatchObject({
      reason: 'layout',
    })
  })

  test('documents cut short or with characters changed never make it fail', async () => {
    const { cards, asked } = await searchAll(filters)
    const documents = await Promise.all([asked[0]!, asked[1]!, cards[0]!.path].map(path => ask({ path })))
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: 'binary', maxLength: 2 })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, piece] of changes) {
          const at = Math.floor(share * text.length)
          broken = isCut ? broken.slice(0, at) : broken.slice(0, at) + piece + broken.slice(at + piece.length)
        }
        expect(['page', 'unreadable']).toContain(
          portalF.search.read({ text: broken, url }, filters, context).kind,
        )
        expect(['listing', 'gone', 'unreadable']).toContain(details.read({ text: broken, url }).kind)
      }),
      { numRuns: 200 },
    )
  })
})
