/**
 * The definition of portal A reads saved pages of the real portal that it is modelled on, and recognises pages that
 * block the crawler.
 */
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import type { Card, SearchContext } from '../portal.ts'
import { portalA } from './portal-a.ts'

const portalOrigin = 'https://www.idealista.com'
const searchFilters = { operation: 'rent', location: { id: 'madrid', label: 'Madrid' } } as const
const searchContext: SearchContext = {
  place: {
    id: 'ES-28079',
    name: 'Madrid',
    names: ['Madrid'],
    type: 'municipality',
    parentId: 'ES-M',
    country: 'ES',
    latitude: 40.4,
    longitude: -3.7,
    population: 3_300_000,
  },
  since: null,
}

const read = (path: string) => readShared(`fixtures/${path}`)
const search = (text: string, url: string) => portalA.search.read({ text, url }, searchFilters, searchContext)
const detail = (text: string, url: string) => portalA.details!.read({ text, url })

describeShared('a page of results', () => {
  const name = 'listing-search/idealista-es-2016-zona-rent'
  const expected: {
    nextPageUrl: string
    totalResults: number | null
    items: { id: string; title: string; url: string; price: number; details: string[] }[]
  } = JSON.parse(read(`${name}.expected.json`))
  const result = search(read(`${name}.html`), portalOrigin + expected.nextPageUrl.replace('pagina-2', ''))
  const cards: Card[] = result.kind === 'page' ? result.cards : []

  test('has a card for every listing, and a next page', () => {
    expect(result).toMatchObject({
      kind: 'page',
      total: expected.totalResults,
      next: [{ path: expected.nextPageUrl }],
    })
    expect(cards.map(({ listingId }) => listingId)).toEqual(expected.items.map(({ id }) => id))
  })

  test.each(expected.items.map((item, index) => ({ ...item, index })))('$id: $title', item => {
    const { index, title, url, price, details } = item
    const parseDetailNumber = (pattern: RegExp) => {
      const match = details.map(line => pattern.exec(line)).find(Boolean)
      return match ? Number(match[1]) : null
    }
    const { path, listing, provenance } = cards[index]!
    const floor = parseDetailNumber(/^(\d+)ª planta/)
    expect(path).toBe(url)
    expect(listing).toMatchObject({
      operation: 'rent',
      propertyType: 'homes',
      title,
      price,
      currency: 'EUR',
      squareMeters: parseDetailNumber(/^(\d+) m²/),
      rooms: parseDetailNumber(/^(\d+) hab\./),
      floor: floor,
      url: portalOrigin + url,
      publishedAt: null,
    })
    expect(listing?.features.includes('lift')).toBe(details.some(line => line.includes('con ascensor')))
    expect(listing?.images[0] ?? '').not.toContain('px.png')
    expect(provenance).toMatchObject({ price: 'markup', squareMeters: 'markup' })
  })
})

describeShared('the page of a listing without JSON-LD', () => {
  test.each(['idealista-es-2017-1678322', 'idealista-es-2026-106387165'])('%s', name => {
    const expected = JSON.parse(read(`listing-detail/${name}.expected.json`))
    const result = detail(read(`listing-detail/${name}.html`), expected.url)
    if (result.kind !== 'listing') throw new Error(JSON.stringify(result))
    const { listing } = result
    const { price, currency, operation, squareMeters, bathrooms, latitude, longitude } = expected
    expect(listing).toMatchObject({
      price,
      currency,
      operation,
      squareMeters,
      bathrooms,
      latitude,
      longitude,
    })
    expect(listing.bedrooms ?? listing.rooms).toBe(expected.bedrooms)
    expect(listing).toMatchObject({
      title: expected.title,
      propertyType: 'homes',
      condition: 'good',
      address: expected.address,
      municipality: expected.municipality,
      province: expected.region,
      postcode: null,
    })
    expect(listing.images).toHaveLength(expected.imageCount)
    expect(listing.images[0]).toBe(expected.imageUrl)
    expect(expected.advertiserName.anyOf).toContain(listing.contact.name)
    expect(listing.contact.phoneRaw).toBe(expected.advertiserPhone)
    expect(listing.contact.advertiserType).toBe(expected.advertiserType ?? 'agency')
  })

  test('states features that are present, and none for what is missing', () => {
    const [older, newer] = ['idealista-es-2017-1678322', 'idealista-es-2026-106387165'].map(name =>
      detail(read(`listing-detail/${name}.html`), `${portalOrigin}/inmueble/1/`),
    )
    expect(older).toMatchObject({
      listing: { floor: 1, features: ['parking', 'fitted_wardrobes', 'exterior'] },
    })
    expect(newer).toMatchObject({
      listing: {
        floor: 5,
        features: expect.arrayContaining([
          'terrace',
          'balcony',
          'fitted_wardrobes',
          'lift',
          'air_conditioning',
        ]),
      },
    })
  })
})

describe('pages that block the crawler', () => {
  test.each(blockedPages)('%s is a challenge', (_name, html) => {
    const challenge = { kind: 'unreadable', reason: 'challenge' }
    expect(search(html, `${portalOrigin}/alquiler/viviendas/madrid/?page=2`)).toMatchObject(challenge)
    expect(detail(html, `${portalOrigin}/inmueble/1/`)).toMatchObject(challenge)
  })
})
