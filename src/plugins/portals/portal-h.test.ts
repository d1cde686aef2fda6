// The definition of portal H against the simulator's alerts, over HTTP: the newest adverts as they were advertised, and no claim to more.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Place } from '../../domain/location/place.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Search as TrueSearch } from '../../simulator/search.ts'
import type { Card, FactsCard, PortalRequest, SearchContext } from '../portal.ts'
import { portalH } from './portal-h.ts'

type Filters = Parameters<typeof portalH.search.start>[0]

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const PLACE: Place = {
  id: 'ES-36057',
  name: 'Vigo',
  names: ['Vigo'],
  type: 'municipality',
  parentId: 'ES-PO',
  country: 'ES',
  latitude: 42.2,
  longitude: -8.7,
  population: 290_000,
}
const CONTEXT: SearchContext = { place: PLACE, since: null }
const VIGO: Filters = { operation: 'sale', location: { id: 'mun-36057', label: 'Vigo' } }
const MADRID: Filters = { operation: 'sale', location: { id: 'mun-28079', label: 'Madrid' } }

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function get({ path, accept }: PortalRequest) {
  const address = new URL(path, simulator.portalUrl('portal_h')).href
  const reply = await fetch(address, { headers: { accept: accept ?? 'text/html' } })
  return { text: await reply.text(), url: reply.url, status: reply.status }
}

async function read(filters: Filters, request = portalH.search.start(filters, CONTEXT)) {
  return portalH.search.read(await get(request), filters, CONTEXT)
}

/** A page of results, for tests in which anything else is a failure. */
async function page(filters: Filters, request?: PortalRequest) {
  const reading = await read(filters, request)
  if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
  return reading
}

/** All pages of an alert. */
async function allPages(filters: Filters) {
  const pages = [await page(filters)]
  while (pages.at(-1)!.next[0]) pages.push(await page(filters, pages.at(-1)!.next[0]))
  return { total: pages[0]!.total, cards: pages.flatMap(({ cards }) => cards), pages: pages.length }
}

function trueIds(search: Partial<TrueSearch>): string[] {
  const adverts = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo', ...search })
  return adverts.map(advert => `AL${advert.id}`)
}

const detail = async (card: Pick<Card, 'path'>) => portalH.details!.read(await get({ path: card.path }))

describe('what is read', () => {
  const kinds = portalH.operations.flatMap(operation =>
    portalH.propertyTypes.map(propertyType => ({ operation, propertyType })),
  )
  test.each(kinds)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await page({ ...MADRID, ...kind })
    expect(cards).toHaveLength(50)
    for (const { listingId, path, changedAt, listing: card } of cards as FactsCard[]) {
      const advert = simulator.advert(listingId.slice(2))!
      const { type, name } = advert.advertiser
      const shown = {
        ...kind,
        title: advert.title,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        municipality: advert.city,
        latitude: advert.latitude,
        longitude: advert.longitude,
        url: simulator.portalUrl('portal_h') + path,
      }
      expect(card).toMatchObject({
        ...shown,
        publishedAt: advert.publishedAt.toISOString(),
        contact: { name: type === 'private' ? null : name, advertiserType: type, phone: null },
      })
      expect(card.images).toHaveLength(1)
      expect(changedAt).toBe(advert.updatedAt.toISOString())
      const words = advert.description.replaceAll('\n\n', ' ')
      expect(words.startsWith(card.description!.replace(/…$/, ''))).toBe(true)
      expect(portalH.listingPath.exec(path)?.groups).toEqual({ listingId })

      const reading = await detail({ path })
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      expect(reading.listing).toMatchObject({
        ...shown,
        description: advert.description,
        floor: advert.floor === null ? null : String(advert.floor),
        condition: advert.condition,
        address: advert.address,
        province: advert.province,
        postcode: advert.postcode,
        contact: { name, phone: advert.advertiser.phone, advertiserType: type },
      })
      expect(reading.listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(reading.listing.images).toHaveLength(advert.photoCount)
    }
  })

  test('each value says where it was found', async () => {
    const { cards } = await page(MADRID)
    expect(cards[0]).toMatchObject({ provenance: { price: 'feed', publishedAt: 'feed', latitude: 'feed' } })
    expect(await detail(cards[0]!)).toMatchObject({
      provenance: { price: 'markup', latitude: 'opengraph', 'contact.phone': 'markup' },
    })
  })

  test('an advert that was withdrawn is gone', async () => {
    const { cards } = await page({ ...MADRID, propertyType: 'garages' })
    simulator.withdraw(cards[0]!.listingId.slice(2))
    expect((await get({ path: cards[0]!.path })).status).toBe(410)
    expect(await detail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('paging', () => {
  test('shows every advert of a small search once, newest first, and ends', async () => {
    const filters: Filters = { ...VIGO, operation: 'rent' }
    const { total, cards, pages } = await allPages(filters)
    const expected = trueIds({ operation: 'rent' })
    expect(pages).toBeGreaterThan(1)
    expect(cards.map(card => card.listingId)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('stops at the newest 200 of a large one, and says how many there are', async () => {
    const { total, cards, pages } = await allPages(MADRID)
    const expected = trueIds({ city: 'madrid' })
    expect(pages).toBe(4)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
    expect(total).toBe(expected.length)
    expect(total).toBeGreaterThan(200)
    expect(portalH.search.covers).toBe('latest')
  })

  test('an alert without adverts is a page with none', async () => {
    expect(await read({ ...VIGO, minPrice: 900_000_000 })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
    const nowhere = { id: 'mun-99999', label: 'x' }
    expect(await read({ ...VIGO, location: nowhere })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
  })

  test('a portal that goes in circles shows the same page again and again', async () => {
    simulator.faults.set({ portal: 'portal_h', kind: 'loop' })
    const first = await page(VIGO)
    const second = await page(VIGO, first.next[0])
    expect(second.cards).toEqual(first.cards)
    expect(second.next).not.toEqual([])
  })

  test('an alert that has not changed is not sent again', async () => {
    const address = new URL(portalH.search.start(VIGO, CONTEXT).path, simulator.portalUrl('portal_h'))
    const etag = (await fetch(address)).headers.get('etag')!
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    simulator.change(simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo' })[0]!.id, {
      price: 123_456,
    })
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(200)
    const [card] = (await page(VIGO)).cards
    expect(card).toMatchObject({ changedAt: '2026-11-01T00:00:02.000Z', listing: { price: 123_456 } })
  })
})

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<TrueSearch>]>([
    ['operation', { operation: 'rent' }, { operation: 'rent' }],
    ['location', { location: { id: 'mun-18087', label: 'Granada' } }, { city: 'granada' }],
    ['a province', { location: { id: 'prov-PO', label: 'Pontevedra' } }, { city: 'pontevedra-provincia' }],
    ['propertyType', { propertyType: 'premises' }, { propertyType: 'premises' }],
    ['minPrice', { minPrice: 399_999.5 }, { minPrice: 400_000 }],
    ['maxPrice', { maxPrice: 120_000.5 }, { maxPrice: 120_000 }],
    ['minRooms', { minRooms: 4 }, { minRooms: 4 }],
    ['minSquareMeters', { minSquareMeters: 109.5 }, { minSquareMeters: 110 }],
    ['advertiserType private', { advertiserType: 'private' }, { advertiserType: 'private' }],
    ['advertiserType agency', { advertiserType: 'agency' }, { advertiserType: 'agency' }],
    ['advertiserType any', { advertiserType: 'any' }, {}],
  ])('%s finds what it should, and nothing else', async (_name, filters, search) => {
    const { cards, total } = await allPages({ ...VIGO, ...filters })
    const expected = trueIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(total).toBe(expected.length)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
  })

  test.each(['maxRooms', 'minBathrooms', 'maxSquareMeters', 'condition', 'features', 'publishedWithinDays'])(
    '%s is unknown to the portal and refused',
    key => {
      expect(Check(portalH.filters, VIGO)).toBe(true)
      expect(Check(portalH.filters, { ...VIGO, [key]: key === 'features' ? [] : 1 })).toBe(false)
    },
  )

  test('the id of a place is told by its code', () => {
    const known = { ...PLACE, province: null, isNamesake: false }
    expect(portalH.locations.idOf(known)).toBe('mun-36057')
    expect(portalH.locations.idOf({ ...known, id: 'ES-PO', type: 'province' })).toBe('prov-PO')
  })
})

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const)('%s: an alert is %s, an advert %s', async (kind, ofAlert, ofAdvert) => {
    const { cards } = await page(VIGO)
    simulator.faults.set({ portal: 'portal_h', kind, match: '/alertas.atom' })
    simulator.faults.set({ portal: 'portal_h', kind, match: '/anuncio/' })
    expect(await read(VIGO)).toMatchObject({ kind: 'unreadable', reason: ofAlert })
    expect(await detail(cards[0]!)).toMatchObject(
      ofAdvert ? { kind: 'unreadable', reason: ofAdvert } : { kind: 'listing' },
    )
  })

  test.each(['idealista-datadome.html', 'zoopla-cloudflare.html'])('%s is a challenge', name => {
    const text = readFileSync(new URL(`blocked-pages/${name}`, FIXTURES), 'utf8')
    const document = { text, url: 'https://portal-h.example/alertas.atom' }
    expect(portalH.search.read(document, VIGO, CONTEXT)).toMatchObject({ reason: 'challenge' })
    expect(portalH.details!.read(document)).toMatchObject({ reason: 'challenge' })
  })

  test('a page of another kind is no alert and no advert', async () => {
    const missing = await get({ path: '/anuncio/AL1/' })
    expect(missing.status).toBe(404)
    expect(portalH.search.read(missing, VIGO, CONTEXT)).toMatchObject({ reason: 'layout' })
    expect(portalH.details!.read(missing)).toMatchObject({ reason: 'layout' })
  })

  test('an empty feed that does not say that nothing was found is not believed', async () => {
    const document = await get(portalH.search.start({ ...VIGO, minPrice: 900_000_000 }, CONTEXT))
    const silent = { ...document, text: document.text.replace(/<opensearch:totalResults>.*\n/, '') }
    expect(portalH.search.read(silent, VIGO, CONTEXT)).toMatchObject({ reason: 'layout' })
  })

  test('entries of another site, or without a price, are a new layout', async () => {
    const document = await get(portalH.search.start(VIGO, CONTEXT))
    const elsewhere = {
      ...document,
      text: document.text.replaceAll(simulator.portalUrl('portal_h'), 'https://x.example'),
    }
    expect(portalH.search.read(elsewhere, VIGO, CONTEXT)).toMatchObject({ reason: 'layout' })
    const unpriced = { ...document, text: document.text.replace(/[\d.]+&amp;nbsp;€/g, 'A consultar') }
    expect(portalH.search.read(unpriced, VIGO, CONTEXT)).toMatchObject({ reason: 'layout' })
  })

  test('pages cut short or with characters changed never make it fail, and a cut alert is never a page', async () => {
    const { cards } = await page(VIGO)
    const alert = await get(portalH.search.start({ ...VIGO, maxPrice: 90_000 }, CONTEXT))
    const documents = [alert, await get({ path: cards[0]!.path })]
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: 'binary', maxLength: 2 })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, sign] of changes) {
          const at = Math.floor(share * text.length)
          broken = isCut ? broken.slice(0, at) : broken.slice(0, at) + sign + broken.slice(at + sign.length)
        }
        const reading = portalH.search.read({ text: broken, url }, VIGO, CONTEXT)
        // The line break behind its end is no part of a feed.
        const isWhole = broken.trimEnd() === alert.text.trimEnd()
        expect(reading.kind).toBe(
          reading.kind === 'page' && !isCut ? 'page' : isWhole ? 'page' : 'unreadable',
        )
        expect(['listing', 'gone', 'unreadable']).toContain(portalH.details!.read({ text: broken, url }).kind)
      }),
      { numRuns: 150 },
    )
  })
})
