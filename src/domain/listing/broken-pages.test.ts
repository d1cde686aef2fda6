/** Parsing truncated, modified or hostile pages never fails or stalls, and its result is always valid. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { propertyFeatures } from './features.ts'
import { listingOperations, listingPropertyTypes, propertyConditions } from './listing.ts'
import type { ParsedListing } from './parse-listing.ts'
import { dwelling, jsonLdScript, listing, offer, readSamplePage } from './sample-pages.ts'

describe('parsing a broken page', () => {
  const page = `<title>Piso</title>${jsonLdScript({ ...listing, description: 'Piso con 3 habitaciones', datePosted: '2026-10-31', image: ['/1.jpg'], offers: { ...offer, seller: { '@type': 'Person', telephone: '612 345 678', email: 'a@b.es' } }, about: dwelling })}<meta property="og:title" content="Piso">`

  /** Checks that the listing fits the database. */
  function expectValidListing(found: ParsedListing | null): void {
    if (found === null) return
    const { listing } = found
    const text = JSON.stringify(listing)
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i)
    for (const number of [
      listing.price,
      listing.squareMeters,
      listing.rooms,
      listing.bedrooms,
      listing.bathrooms,
      listing.latitude,
    ])
      expect(number === null || (Number.isFinite(number) && Math.abs(number) < 1e10)).toBe(true)
    expect([...listingOperations, null]).toContain(listing.operation)
    expect([...listingPropertyTypes, null]).toContain(listing.propertyType)
    expect([...propertyConditions, null]).toContain(listing.condition)
    expect(propertyFeatures).toEqual(expect.arrayContaining(listing.features))
    for (const image of listing.images) expect(image).toMatch(/^https?:\/\//)
    expect(listing.publishedAt ?? '2026-01-01T00:00:00.000Z').toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }

  test('truncated anywhere', () => {
    for (let length = 0; length <= page.length; length += 1)
      expectValidListing(readSamplePage(page.slice(0, length)))
  })

  test('with characters changed', () => {
    const change = fc.tuple(fc.nat(page.length), fc.string({ unit: anyCharacter, maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), changes => {
        let html = page
        for (const [index, text] of changes)
          html = html.slice(0, index) + text + html.slice(index + text.length)
        expectValidListing(readSamplePage(html))
      }),
      { numRuns: 1000 },
    )
  })

  test('with any value in any field', () => {
    const keys = [
      '@type',
      '@id',
      '@graph',
      'name',
      'offers',
      'price',
      'priceCurrency',
      'about',
      'mainEntity',
      'address',
      'geo',
      'latitude',
      'longitude',
      'floorSize',
      'value',
      'unitCode',
      'image',
      'url',
      'seller',
      'telephone',
      'email',
      'amenityFeature',
      'additionalProperty',
      'datePosted',
      'businessFunction',
      'toString',
      '__proto__',
      'numberOfRooms',
      'floorLevel',
    ]
    const leaf = fc.oneof(
      fc.constantFrom(
        'RealEstateListing',
        'Apartment',
        'Offer',
        'Person',
        '#a',
        '374.000 €',
        '86',
        'MTK',
        null,
        true,
        0,
        -1,
        1e308,
        '',
      ),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    )
    const { node } = fc.letrec(tie => ({
      node: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 8 }),
      ),
    }))
    fc.assert(
      fc.property(node, fc.dictionary(fc.constantFrom(...keys), node, { maxKeys: 10 }), (about, values) => {
        expectValidListing(
          readSamplePage(jsonLdScript({ ...values, '@type': 'RealEstateListing', offers: offer, about })),
        )
      }),
      { numRuns: 1000 },
    )
  })

  test('with arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), text =>
        expectValidListing(readSamplePage(text)),
      ),
    )
  })

  test('deep nesting, circular references and long repetitions do not stall', () => {
    const started = performance.now()
    const nest = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`
    expect(readSamplePage(jsonLdScript(`{"@type":"Apartment","numberOfRooms":${nest('[', ']')}}`))).toBeNull()
    expect(readSamplePage(jsonLdScript(`{"@type":"Apartment","name":${nest('{"name":', '}')}}`))).toBeNull()
    expect(readSamplePage(jsonLdScript(`{"@type":"Apartment","about":${nest('{"about":', '}')}}`))).toBeNull()
    expect(readSamplePage(jsonLdScript(nest('[', ']')))).toBeNull()
    for (const part of [' ', '/', '1 ', '1.', '&', '<br '])
      readSamplePage(
        jsonLdScript({
          ...listing,
          name: part.repeat(50_000),
          url: part.repeat(50_000),
          floorSize: part.repeat(50_000),
          offers: { ...offer, price: part.repeat(50_000) },
        }),
      )
    const circle = Array.from({ length: 400 }, (_, i) => ({
      '@type': 'Apartment',
      '@id': `#${i}`,
      about: { '@id': `#${(i + 1) % 400}` },
    }))
    expect(readSamplePage(jsonLdScript({ '@graph': circle }))).toBeNull()
    for (const part of [
      '<script type="application/ld+json">',
      '<meta property="og:',
      '<title>',
      '{',
      ' ',
      '\n',
      '//',
      '<input ',
      ',  ',
    ])
      readSamplePage(jsonLdScript(part.repeat(20_000)) + part.repeat(20_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
