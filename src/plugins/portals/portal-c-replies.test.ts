/** Parses replies of portal C from text: variants, replies that are unreadable, and a real one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import type { FactsCard, SearchContext } from '../portal.ts'
import { portalC } from './portal-c.ts'

const searchContext = { since: null } as SearchContext
const filters = { operation: 'sale', location: { id: '0-EU-ES-28-079', label: 'Madrid' } } as const

describe('what cannot be read', () => {
  const searchEnvelope = { total: 3, totalPages: 1, actualPage: 1 }
  const element = { propertyCode: '1', price: 100_000, size: 50 }
  test.each<[what: string, reply: unknown, reason: string, detail: RegExp]>([
    ['an expired token', { error: 'invalid_token', error_description: 'expired' }, 'login', /invalid_token/],
    ['an error', { error: 'server_error', error_description: 'try later' }, 'layout', /try later/],
    ['no elementList', { ...searchEnvelope, elements: [element] }, 'layout', /elementList/],
    ['an elementList that is no list', { ...searchEnvelope, elementList: {} }, 'layout', /elementList/],
    ['no paging', { elementList: [element], total: 1 }, 'layout', /totalPages/],
    ['a total and an empty list', { ...searchEnvelope, elementList: [] }, 'layout', /3 listings reported/],
    ['elements without a code', { ...searchEnvelope, elementList: [{ id: '1' }] }, 'layout', /none of 1/],
    [
      'elements without a price',
      { ...searchEnvelope, elementList: [{ ...element, price: undefined, cost: 1 }] },
      'layout',
      /price/,
    ],
    ['a list', [element], 'layout', /JSON/],
    ['no JSON', undefined, 'layout', /JSON/],
  ])('%s is not a page of results', (_what, reply, reason, detail) => {
    const text = JSON.stringify(reply) ?? 'Bad gateway'
    expect(
      portalC.search.read({ text, url: 'https://c.example/3.5/es/search' }, filters, searchContext),
    ).toMatchObject({
      kind: 'unreadable',
      reason,
      detail: expect.stringMatching(detail),
    })
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const document = { text, url: 'https://c.example/3.5/es/search' }
    expect(portalC.search.read(document, filters, searchContext)).toMatchObject({ reason: 'challenge' })
    expect(portalC.details!.read(document)).toMatchObject({ reason: 'challenge' })
  })

  test('a listing whose facts cannot be parsed is read from its detail page, not dropped', () => {
    const text = JSON.stringify({ ...searchEnvelope, elementList: [element, { propertyCode: '2' }] })
    expect(portalC.search.read({ text, url: 'https://c.example/' }, filters, searchContext)).toMatchObject({
      kind: 'page',
      cards: [
        { listingId: '1', listing: { price: 100_000 } },
        { listingId: '2', path: '/inmueble/2/' },
      ],
    })
  })
})

describe('any fields', () => {
  test('known fields with values of any kind never make it throw', () => {
    const names = [
      'address',
      'contactInfo',
      'features',
      'floor',
      'multimedia',
      'parkingSpace',
      'rooms',
      'status',
    ]
    const more = [
      'suggestedTexts',
      'translatedTexts',
      'url',
      'firstActivationDate',
      'latitude',
      'propertyType',
    ]
    const fields = fc.dictionary(fc.constantFrom(...names, ...more), fc.jsonValue())
    fc.assert(
      fc.property(fields, fields => {
        const property = { ...fields, propertyCode: '1', price: 1, state: 'active' }
        const document = { text: JSON.stringify(property), url: 'https://c.example/' }
        expect(portalC.details!.read(document)).toMatchObject({ kind: 'listing', listing: { price: 1 } })
      }),
    )
  })
})

describeShared('a real answer', () => {
  const elementList: unknown = JSON.parse(
    readShared('fixtures/partner-json/idealista-api-search-elements-a.json'),
  )
  const text = JSON.stringify({ elementList, total: 7, totalPages: 1, actualPage: 1, itemsPerPage: 20 })
  const result = portalC.search.read(
    { text, url: 'https://api.idealista.com/3.5/es/search' },
    { operation: 'sale', location: { id: '0-EU-ES-02-003', label: 'Albacete' } },
    searchContext,
  )
  const cards = result.kind === 'page' ? (result.cards as FactsCard[]) : []

  test('is read completely: seven homes for sale in Albacete', () => {
    expect(result).toMatchObject({ kind: 'page', total: 7, next: [] })
    expect(cards.map(({ listingId, listing }) => [listingId, listing.price, listing.squareMeters])).toEqual([
      ['40013150', 380_000, 257],
      ['35756521', 380_000, 220],
      ['86611855', 62_000, 125],
      ['88233836', 68_000, 70],
      ['83250764', 129_000, 115],
      ['81678146', 60_000, 85],
      ['90461030', 65_000, 86],
    ])
    for (const { listing } of cards)
      expect(listing).toMatchObject({
        operation: 'sale',
        propertyType: 'homes',
        municipality: 'Albacete',
        province: 'Albacete',
        currency: 'EUR',
        contact: { phone: null, advertiserType: null },
      })
  })

  test('has the facts of each element, and null for missing ones', () => {
    expect(cards[2]!.listing).toMatchObject({
      title: 'Piso en Calle Donantes de Sangre, San Pablo - Santa Teresa, Albacete',
      description: null,
      rooms: 4,
      bathrooms: 2,
      floor: 2,
      condition: 'good',
      features: ['exterior'],
      address: 'Calle Donantes de Sangre',
      latitude: 38.9890615,
      longitude: -1.8696366,
      images: ['https://img3.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/17/65/23/698059991.jpg'],
      url: 'https://www.idealista.com/inmueble/86611855/',
      publishedAt: null,
    })
    // A terraced house on the ground floor with parking. The street is hidden: the district replaces it.
    expect(cards[0]!.listing).toMatchObject({ floor: 0, features: ['parking'], address: null })
    expect(cards[4]!.listing.features.toSorted()).toEqual(['exterior', 'lift'])
    expect(cards[5]!.listing).toMatchObject({ condition: 'to_renovate', features: ['lift'] })
  })
})
