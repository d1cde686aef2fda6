/**
 * The definition of portal B reads saved pages of the real portal that it is modelled on, and recognises pages that
 * block the crawler.
 */
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared, testShared } from '../../../test/shared-tests.ts'
import type { Card, SearchContext } from '../portal.ts'
import { portalB } from './portal-b.ts'

const origin = 'https://www.fotocasa.es'
const searchUrl = `${origin}/es/comprar/viviendas/girona-provincia/girones/l?sortType=publicationDate`
const filters = { operation: 'sale', location: { id: '724_GI_0', label: 'Girona' } } as const
const searchContext: SearchContext = {
  place: {
    id: 'ES-GI',
    name: 'Girona',
    names: ['Girona'],
    type: 'province',
    parentId: 'ES-CT',
    country: 'ES',
    latitude: 42,
    longitude: 2.7,
    population: 780_000,
  },
  since: null,
}

const read = (path: string) => readShared(`fixtures/${path}`)
const search = (text: string, url = searchUrl) => portalB.search.read({ text, url }, filters, searchContext)
const detail = (text: string, url: string) => portalB.details!.read({ text, url })

describeShared('a page of results', () => {
  const name = 'listing-search/fotocasa-es-2026-girones-sale-p1'
  const html = read(`${name}.html`)
  const expected: {
    nextPageUrl: string
    totalResults: number
    items: {
      id: string
      url: string
      price: number
      squareMeters: number
      bedrooms: number
      bathrooms: number
      municipality: string
      latitude: number
      longitude: number
      advertiserName: string
    }[]
  } = JSON.parse(read(`${name}.expected.json`))
  const result = search(html)
  const cards: Card[] = result.kind === 'page' ? result.cards : []

  test('has each listing of the state, the total and the next page', () => {
    expect(result).toMatchObject({
      kind: 'page',
      total: expected.totalResults,
      next: [{ path: expected.nextPageUrl.slice(origin.length) }],
    })
    expect(cards.map(({ listingId }) => listingId)).toEqual(expected.items.map(({ id }) => id))
  })

  test.each(expected.items.map((item, index) => ({ ...item, index })))('$id in $municipality', item => {
    const { index, id, url, advertiserName, ...facts } = item
    const { path, listing } = cards[index]!
    expect(path).toBe(url)
    expect(portalB.listingPath.exec(path)?.groups).toEqual({ listingId: id })
    expect(listing).toMatchObject({
      ...facts,
      operation: 'sale',
      propertyType: 'homes',
      currency: 'EUR',
      province: 'Girona',
      contact: {
        name: advertiserName.trim(),
        phone: expect.stringMatching(/^\+34\d{9}$/),
        advertiserType: 'agency',
      },
    })
    expect(listing?.postcode).toMatch(/^17\d{3}$/)
    expect(listing?.images.length).toBeGreaterThan(0)
    expect(listing?.publishedAt).toMatch(/^2026-02-2\dT/)
  })

  test('codes and keys have the meaning that the descriptions state in words', () => {
    const findListing = (id: string) => cards.find(card => card.listingId === id)?.listing
    // "Piso de 96m2 … BUEN ESTADO", "tercera planta", "PARA REFORMAR", "5ta PLANTA CON ASCENSOR", "entreplanta".
    expect(findListing('188947584')).toMatchObject({
      condition: 'good',
      address: 'Avinguda de Lluís Pericot',
    })
    expect(findListing('188940749')).toMatchObject({ floor: 3, condition: null })
    expect(findListing('188938824')).toMatchObject({
      condition: 'to_renovate',
      features: ['lift', 'balcony'],
    })
    expect(findListing('188927563')).toMatchObject({ floor: 5, address: 'Calle GRECO' })
    expect(findListing('188927824')).toMatchObject({ floor: 0.5, floorText: 'entresuelo' })
    expect(findListing('188947422')).toMatchObject({
      address: null,
      features: expect.arrayContaining(['terrace', 'storage_room']),
    })
  })

  test('without its listings or its state is unreadable: its layout changed', () => {
    const layout = { kind: 'unreadable', reason: 'layout' }
    expect(search(html.replaceAll('__INITIAL_PROPS__', '__STATE__'))).toMatchObject(layout)
    expect(search(html.replaceAll('realEstates\\":[', 'adverts\\":['))).toMatchObject(layout)
    expect(search(html.slice(0, 600_000))).toMatchObject(layout)
  })
})

describeShared('the page of a listing', () => {
  const loadExpected = (name: string) => {
    const expected = JSON.parse(read(`listing-detail/${name}.expected.json`))
    const result = detail(read(`listing-detail/${name}.html`), expected.url)
    if (result.kind !== 'listing') throw new Error(JSON.stringify(result))
    return { expected, ...result }
  }
  const toAlternatives = (value: unknown) =>
    typeof value === 'object' && value !== null && 'anyOf' in value ? value.anyOf : [value]

  test.each(['fotocasa-es-2018-145228694', 'fotocasa-es-2026-190280914-reduced'])('%s', name => {
    const { expected, listing } = loadExpected(name)
    const { price, currency, operation, squareMeters, bedrooms, bathrooms, municipality, latitude } = expected
    expect(listing).toMatchObject({
      price,
      currency,
      operation,
      squareMeters,
      bedrooms,
      bathrooms,
      municipality,
      latitude,
      longitude: expected.longitude,
      province: expected.region,
      postcode: expected.postalCode,
      url: expected.url,
    })
    expect(toAlternatives(expected.title)).toContain(listing.title)
    expect(toAlternatives(expected.address)).toContain(listing.address)
    expect(listing.images).toHaveLength(expected.imageCount)
    expect(listing.images[0]?.slice(0, 50)).toBe(expected.imageUrl.slice(0, 50))
    expect(listing.contact).toMatchObject({
      name: expected.advertiserName,
      phoneRaw: expected.advertiserPhone,
      advertiserType: expected.advertiserType,
    })
  })

  test('on the current site: land has no built area and an unknown property type', () => {
    const { listing, provenance } = loadExpected('fotocasa-es-2026-190280914-reduced')
    expect(listing).toMatchObject({ propertyType: null, rooms: null, features: [], condition: null })
    expect(listing.publishedAt).toBe('2026-07-20T20:16:01.267Z')
    expect(provenance).toMatchObject({ price: 'state', latitude: 'state' })
  })

  test('on the former site: state, hidden fields and JSON-LD together', () => {
    const { listing, provenance } = loadExpected('fotocasa-es-2018-145228694')
    expect(listing).toMatchObject({
      propertyType: 'homes',
      publishedAt: '2017-12-21T18:00:00.000Z',
      features: ['air_conditioning', 'fitted_wardrobes', 'parking', 'terrace', 'lift', 'pool', 'security'],
    })
    expect(provenance).toMatchObject({
      price: 'state',
      latitude: 'state',
      images: 'markup',
      'contact.phone': 'markup',
      description: 'json-ld',
    })
  })
})

describe('pages that block the crawler', () => {
  test.each(blockedPages)('%s is a challenge', (_name, html) => {
    const challenge = { kind: 'unreadable', reason: 'challenge' }
    expect(search(html)).toMatchObject(challenge)
    expect(detail(html, `${origin}/es/comprar/vivienda/salt/ascensor/188938824/d`)).toMatchObject(challenge)
  })

  testShared('pages of other portals are unreadable', () => {
    for (const name of ['daft-ie-2026-6477069', 'realtor-us-2026-2034151800', 'idealista-es-2017-1678322'])
      expect(detail(read(`listing-detail/${name}.html`), `${origin}/x`)).toMatchObject({ reason: 'layout' })
  })
})
