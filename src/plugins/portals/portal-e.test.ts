// The definition of portal E against the simulator's feed, over HTTP: what is read equals what was advertised, every filter is exact.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { localDateTime } from '../../domain/feed/local-time.ts'
import type { Place } from '../../domain/location/place.ts'
import { type Advert, FEATURES } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Search as TrueSearch } from '../../simulator/search.ts'
import type { FactsCard, FeedItem, Unreadable } from '../portal.ts'
import { portalE } from './portal-e.ts'

type Filters = Parameters<typeof portalE.search.matches>[1]

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const PIECE_LENGTH = 65_536
const URL_OF_FEED = 'https://portal-e.example/feeds/kyero-v3.xml.gz'
const VIGO = placeOf('municipality', 'Vigo', 42.2328, -8.7226)

const SMALL_WORLD = 4000
let simulator: Simulator
let cards: FactsCard[]
beforeAll(async () => {
  simulator = await startSimulator({ adverts: SMALL_WORLD })
  const { items, end } = await readFeed()
  expect(end).toBeNull()
  cards = items.map(item => item.card!)
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

function placeOf(
  type: Place['type'],
  name: string,
  latitude: number,
  longitude: number,
  ...more: string[]
): Place {
  return {
    id: 'ES-1',
    name,
    names: [name, ...more],
    type,
    parentId: null,
    country: 'ES',
    latitude,
    longitude,
    population: null,
  }
}

/** The whole feed, as it is asked for, read in pieces. */
async function readFeed(): Promise<{ items: FeedItem[]; end: Unreadable | null }> {
  const { path } = portalE.search.request(filtersOf({}), { place: VIGO, since: null })
  const reply = await fetch(simulator.portalUrl('portal_e') + path)
  const body = Buffer.from(await reply.arrayBuffer())
  return readText((body[0] === 0x1f ? gunzipSync(body) : body).toString(), reply.url)
}

function readText(text: string, url = URL_OF_FEED) {
  const reader = portalE.search.open(url)
  const items: FeedItem[] = []
  for (let at = 0; at < text.length; at += PIECE_LENGTH)
    items.push(...reader.push(text.slice(at, at + PIECE_LENGTH)))
  return { items, end: reader.end() }
}

function filtersOf(more: Partial<Filters>): Filters {
  return { operation: 'sale', location: { id: 'spain_pontevedra_vigo', label: 'Vigo' }, ...more }
}

function idsOf(filters: Filters, place = VIGO): string[] {
  return cards
    .filter(card => portalE.search.matches(card, filters, { place, since: null }))
    .map(card => card.listingId)
    .sort()
}

function trueIds(search: Partial<TrueSearch>): string[] {
  const adverts = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo', ...search })
  return adverts.map(advert => `E${advert.id}`).sort()
}

describe('what is read', () => {
  test('is every published advert of the country, once', () => {
    const ids = cards.map(card => card.listingId)
    expect(ids).toHaveLength(SMALL_WORLD)
    expect(new Set(ids).size).toBe(ids.length)
  })

  const kinds = portalE.operations.flatMap(operation =>
    portalE.propertyTypes.map(propertyType => ({ operation, propertyType })),
  )
  test.each(kinds)('equals what was advertised: $operation of $propertyType', kind => {
    const found = cards.filter(
      ({ listing }) => listing.operation === kind.operation && listing.propertyType === kind.propertyType,
    )
    expect(found.length).toBeGreaterThan(50)
    for (const { listingId, path, changedAt, listing, provenance } of found) {
      const advert: Advert = simulator.advert(listingId.slice(1))!
      expect(listing).toEqual({
        ...kind,
        title: advert.title,
        description: advert.description,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        rooms: null,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        floor: advert.floor === null ? null : String(advert.floor),
        condition: advert.condition,
        features: expect.any(Array),
        address: advert.address,
        municipality: advert.city,
        province: advert.province,
        postcode: null,
        latitude: advert.latitude,
        longitude: advert.longitude,
        images: expect.any(Array),
        url: simulator.portalUrl('portal_e') + path,
        publishedAt: null,
        contact: {
          name: advert.advertiser.name,
          phone: advert.advertiser.phone,
          phoneRaw: expect.any(String),
          email: null,
          advertiserType: advert.advertiser.type,
        },
      })
      expect(listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(listing.images).toHaveLength(advert.photoCount)
      // As the clocks of Madrid show it: in autumn an hour comes twice.
      expect(localDateTime(Date.parse(changedAt!), portalE.timezone)).toBe(
        localDateTime(advert.updatedAt.getTime(), portalE.timezone),
      )
      expect(provenance.price).toBe('feed')
      expect(portalE.listingPath.exec(path)?.groups).toEqual({ listingId })
    }
  })

  test("an advert's address leads to its page", async () => {
    const { listing } = cards[0]!
    const page = await fetch(listing.url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(listing.title!.slice(0, 20))
    expect((await fetch(listing.images[0]!)).status).toBe(200)
  })
})

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<TrueSearch>]>([
    ['operation', { operation: 'rent' }, { operation: 'rent' }],
    ['propertyType', { propertyType: 'offices' }, { propertyType: 'offices' }],
    ['minPrice', { minPrice: 200_000.5 }, { minPrice: 200_001 }],
    ['maxPrice', { maxPrice: 150_000.5 }, { maxPrice: 150_000 }],
    ['minRooms', { minRooms: 3 }, { minRooms: 3 }],
    ['no rooms at least', { minRooms: 0, maxRooms: 0 }, { minRooms: 0, maxRooms: 0 }],
    ['maxRooms', { maxRooms: 2 }, { maxRooms: 2 }],
    ['minBathrooms', { minBathrooms: 2 }, { minBathrooms: 2 }],
    ['minSquareMeters', { minSquareMeters: 90 }, { minSquareMeters: 90 }],
    ['maxSquareMeters', { maxSquareMeters: 70 }, { maxSquareMeters: 70 }],
    ['condition new', { condition: 'new' }, { condition: 'new' }],
    ['condition good', { condition: 'good' }, { condition: 'good' }],
    ['condition to_renovate', { condition: 'to_renovate' }, { condition: 'to_renovate' }],
    ['features', { features: ['lift', 'wardrobes'] }, { features: ['lift', 'wardrobes'] }],
    ['advertiserType private', { advertiserType: 'private' }, { advertiserType: 'private' }],
    ['advertiserType agency', { advertiserType: 'agency' }, { advertiserType: 'agency' }],
    ['advertiserType any', { advertiserType: 'any' }, {}],
    [
      'several at once',
      { operation: 'rent', minPrice: 500, maxPrice: 1200, minRooms: 2, features: ['exterior'] },
      { operation: 'rent', minPrice: 500, maxPrice: 1200, minRooms: 2, features: ['exterior'] },
    ],
  ])('%s finds what it should, and nothing else', (_name, filters, search) => {
    const expected = trueIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(idsOf(filtersOf(filters))).toEqual(expected)
  })

  test('each feature finds what states it', () => {
    const country = placeOf('country', 'España', 40, -4)
    const features = FEATURES.filter(feature => Check(portalE.filters, filtersOf({ features: [feature] })))
    expect(features).toEqual(FEATURES)
    for (const feature of features) {
      const expected = cards.filter(({ listingId }) => {
        const advert = simulator.advert(listingId.slice(1))!
        return (
          advert.operation === 'sale' && advert.propertyType === 'homes' && advert.features.includes(feature)
        )
      })
      expect(expected.length).toBeGreaterThan(0)
      expect(idsOf(filtersOf({ features: [feature] }), country), feature).toEqual(
        expected.map(card => card.listingId).sort(),
      )
    }
  })

  test('when an advert was published is not known, so that it is no filter', () => {
    expect(Check(portalE.filters, filtersOf({}))).toBe(true)
    expect(Check(portalE.filters, { ...filtersOf({}), publishedWithinDays: 7 })).toBe(false)
  })

  test('a bound leaves out what does not state the figure, and prices in another currency', () => {
    const [card] = cards as [FactsCard]
    const base = { operation: card.listing.operation!, propertyType: card.listing.propertyType! }
    const country = placeOf('country', 'España', 40, -4)
    const found = (change: Partial<FactsCard['listing']>, more: Partial<Filters>) =>
      portalE.search.matches(
        { ...card, listing: { ...card.listing, ...change } },
        filtersOf({ ...base, ...more }),
        {
          place: country,
          since: null,
        },
      )
    expect(found({}, { minPrice: 0 })).toBe(true)
    expect(found({ price: null }, {})).toBe(true)
    expect(found({ price: null }, { minPrice: 0 })).toBe(false)
    expect(found({ currency: 'GBP' }, { minPrice: 0 })).toBe(false)
    expect(found({ bedrooms: null }, { minRooms: 0 })).toBe(false)
    expect(
      found({ contact: { ...card.listing.contact, advertiserType: null } }, { advertiserType: 'agency' }),
    ).toBe(false)
  })
})

describe('places', () => {
  test('a province holds its towns, the country everything', () => {
    const province = placeOf('province', 'Pontevedra', 42.4, -8.6)
    expect(idsOf(filtersOf({}), province)).toEqual(trueIds({ city: 'pontevedra-provincia' }))
    const all = cards.filter(
      ({ listing }) => listing.operation === 'sale' && listing.propertyType === 'homes',
    )
    expect(idsOf(filtersOf({}), placeOf('country', 'España', 40, -4))).toHaveLength(all.length)
  })

  test.each<[string, Place, string]>([
    [
      'by another of its names',
      placeOf('municipality', 'València', 39.4697, -0.3774, 'Valencia'),
      'valencia',
    ],
    [
      'by one half of a double name',
      placeOf('municipality', 'Alacant/Alicante', 38.3452, -0.481),
      'alicante',
    ],
    ['without its accent', placeOf('municipality', 'CORDOBA', 37.8882, -4.7794), 'cordoba'],
    [
      'by the co-official name of its province',
      placeOf('province', 'Vizcaya', 43.2, -2.9, 'Bizkaia'),
      'bilbao',
    ],
  ])('a place is known %s', (_how, place, city) => {
    const expected = trueIds({ city })
    expect(expected.length).toBeGreaterThan(0)
    expect(idsOf(filtersOf({}), place)).toEqual(expected)
  })

  test('a namesake far away is another town', () => {
    expect(idsOf(filtersOf({}), placeOf('municipality', 'Vigo', 37, -4))).toEqual([])
  })

  test('a name is the same with its article behind it, and another without', () => {
    const listing = { ...cards[0]!.listing, operation: 'sale', propertyType: 'homes' } as const
    const found = (municipality: string | null, name: string) =>
      portalE.search.matches(
        { ...cards[0]!, listing: { ...listing, municipality, latitude: null, longitude: null } },
        filtersOf({}),
        { place: placeOf('municipality', name, 43, -8), since: null },
      )
    expect(found('Coruña, A', 'A Coruña')).toBe(true)
    expect(found("L'Hospitalet de Llobregat", 'Hospitalet de Llobregat, L’')).toBe(true)
    expect(found('Rinconada', 'La Rinconada')).toBe(false)
    expect(found(null, 'A Coruña')).toBe(false)
  })
})

describe('the transfer', () => {
  const path = '/feeds/kyero-v3.xml'

  test('the file, the encoded and the plain form hold the same', async () => {
    const origin = simulator.portalUrl('portal_e')
    const file = await fetch(`${origin}${path}.gz`)
    expect(file.headers.get('content-type')).toBe('application/gzip')
    expect(file.headers.get('content-encoding')).toBeNull()
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    const encoded = await fetch(origin + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(encoded.headers.get('content-encoding')).toBe('gzip')
    expect(await encoded.text()).toBe(text)
    const plain = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(text)
  })

  test('what has not changed is not sent again; a change of price and a withdrawal are seen', async () => {
    const address = `${simulator.portalUrl('portal_e')}${path}.gz`
    const first = await fetch(address)
    const known = {
      'if-none-match': first.headers.get('etag')!,
      'if-modified-since': first.headers.get('last-modified')!,
    }
    expect((await fetch(address, { headers: known })).status).toBe(304)
    const [changed, withdrawn] = simulator.advertsOf({
      operation: 'rent',
      propertyType: 'garages',
      city: 'madrid',
    })
    simulator.change(changed!.id, { price: 77 })
    simulator.withdraw(withdrawn!.id)
    expect((await fetch(address, { headers: known })).status).toBe(200)
    const { items } = await readFeed()
    const cardOf = (id: string) => items.find(item => item.listingId === `E${id}`)?.card
    expect(cardOf(changed!.id)).toMatchObject({
      changedAt: '2026-11-01T00:00:01.000Z',
      listing: { price: 77 },
    })
    expect(cardOf(withdrawn!.id)).toBeUndefined()
    expect((await fetch(`${simulator.portalUrl('portal_e')}/propiedad/E${withdrawn!.id}.htm`)).status).toBe(
      410,
    )
  })
})

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
    ['empty', 'layout'],
  ] as const)('%s is %s', async (kind, reason) => {
    simulator.faults.set({ portal: 'portal_e', kind, match: '/feeds/' })
    expect(await readFeed()).toMatchObject({ items: [], end: { kind: 'unreadable', reason } })
  })

  test.each(['idealista-datadome.html', 'zoopla-cloudflare.html'])('%s is a challenge', name => {
    const text = readFileSync(new URL(`blocked-pages/${name}`, FIXTURES), 'utf8')
    expect(readText(text)).toMatchObject({ items: [], end: { reason: 'challenge' } })
  })

  test.each(['trovit.xml', 'daft_ie.xml', 'casa_it.xml', 'openimmo.xml'])('%s is another layout', name => {
    expect(readText(readFileSync(new URL(`feeds/${name}`, FIXTURES), 'utf8'))).toMatchObject({
      items: [],
      end: { reason: 'layout' },
    })
  })

  const SAMPLE = readFileSync(new URL('feeds/kyero-v3-a.xml', FIXTURES), 'utf8')

  test("the format's sample is read, and an advert whose page is elsewhere has the portal's own", () => {
    const { items, end } = readText(SAMPLE)
    expect(end).toBeNull()
    expect(items).toMatchObject([
      {
        listingId: '12367',
        card: {
          path: '/propiedad/12367.htm',
          changedAt: '2013-09-27T10:00:10.000Z',
          listing: {
            url: 'https://portal-e.example/propiedad/12367.htm',
            price: 250_000,
            features: ['pool'],
          },
        },
      },
    ])
  })

  test('a feed is whole only with its end, wherever it is cut', () => {
    for (let length = 0; length < SAMPLE.trimEnd().length; length += 1)
      expect(readText(SAMPLE.slice(0, length)).end).toMatchObject({ reason: 'layout' })
  })

  test('a property that is not understood is one, and does not hide the others', () => {
    const property = SAMPLE.slice(SAMPLE.indexOf('<property>'), SAMPLE.indexOf('</root>'))
    const changed = [property.replace('12367', ''), property.replace('12367', 'a/b'), property]
    const { items, end } = readText(SAMPLE.replace(property, changed.join('')))
    expect(items.map(item => [item.listingId, item.card === null])).toEqual([
      ['property-1', true],
      ['a/b', true],
      ['12367', false],
    ])
    expect(end).toBeNull()
  })

  test('properties of which none has a price are a new layout', () => {
    expect(readText(SAMPLE.replaceAll('price>', 'amount>')).end).toMatchObject({ reason: 'layout' })
  })

  test('the agency of a feed is that of each property', () => {
    const agent = '<agent><name>Costa &amp; Sol</name><tel>952 12 34 56</tel></agent>'
    const { items } = readText(SAMPLE.replace('</kyero>', `</kyero>${agent}`))
    expect(items[0]?.card?.listing.contact).toEqual({
      name: 'Costa & Sol',
      phone: '+34952123456',
      phoneRaw: '952 12 34 56',
      email: null,
      advertiserType: 'agency',
    })
  })

  test('pieces of any size give the same, and changed signs never make it fail', () => {
    const doubled = SAMPLE.replace('</root>', `${SAMPLE.slice(SAMPLE.indexOf('<property>'))}`)
    const changes = fc.array(fc.tuple(fc.nat(doubled.length), fc.string({ unit: 'binary', maxLength: 2 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 3000 }), (changes, size) => {
        let text = doubled
        for (const [at, sign] of changes) text = text.slice(0, at) + sign + text.slice(at + sign.length)
        const reader = portalE.search.open(URL_OF_FEED)
        const items: FeedItem[] = []
        for (let at = 0; at < text.length; at += size) items.push(...reader.push(text.slice(at, at + size)))
        expect({ items, end: reader.end() }).toEqual(readText(text))
      }),
      { numRuns: 200 },
    )
  })
})

test('the id of a place is that of no other', () => {
  const known = (type: Place['type'], name: string, province: Place | null) =>
    portalE.locations.idOf({ ...placeOf(type, name, 0, 0), province, isNamesake: false })
  const granada = placeOf('province', 'Granada', 37, -3)
  const ids = [
    known('country', 'España', null),
    known('province', 'Granada', granada),
    known('municipality', 'Granada', granada),
    known('municipality', 'Almuñécar', granada),
    known('municipality', 'Ceuta', null),
  ]
  expect(ids).toEqual([
    'spain',
    'spain_granada',
    'spain_granada_granada',
    'spain_granada_almunecar',
    'spain_ceuta',
  ])
})
