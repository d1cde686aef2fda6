/** The order of sources for each value, and the values of saved portal pages. */
import { describe, expect, test } from 'vitest'
import { listShared, readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { parseListing } from './parse-listing.ts'
import { dwelling, jsonLdScript, listing, offer, portal, readSamplePage, urlOfPage } from './sample-pages.ts'

describe('the order of sources', () => {
  const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`
  const head = [
    meta('og:title', 'Piso &amp; terraza en alquiler'),
    meta('og:image', '/1.jpg'),
    meta('og:image', '/2.jpg'),
    meta('product:price:amount', '1.250'),
    meta('product:price:currency', 'GBP'),
    meta('place:location:latitude', '41.5'),
    meta('place:location:longitude', '2.5'),
    meta('og:postal-code', '08014'),
  ].join('\n')

  test('OpenGraph alone is enough for a listing', () => {
    const found = readSamplePage(`<head>${head}</head>`)
    expect(found?.listing).toMatchObject({
      title: 'Piso & terraza en alquiler',
      operation: 'rent',
      price: 1250,
      currency: 'GBP',
      latitude: 41.5,
      images: ['https://portal.example/1.jpg', 'https://portal.example/2.jpg'],
    })
    expect(found?.provenance).toMatchObject({
      price: 'opengraph',
      operation: 'text',
      title: 'opengraph',
      url: 'url',
    })
  })

  test('the order is JSON-LD, markup, OpenGraph; coordinates and prices come from one source', () => {
    const point = { latitude: 1.5, longitude: 2 }
    const html = jsonLdScript({
      ...listing,
      offers: { '@type': 'Offer', price: 900 },
      about: { ...dwelling, geo: point },
    }).replace('</head>', `${head}</head>`)
    const markup = { condition: 'good', squareMeters: 99, postcode: '1', 'contact.name': 'Pilar' } as const
    const found = parseListing({ html, url: urlOfPage, country: 'ES', currency: 'EUR', markup })
    expect(found?.listing).toMatchObject({
      ...point,
      price: 900,
      currency: 'EUR',
      squareMeters: 86,
      condition: 'good',
    })
    expect(found?.provenance).toMatchObject({
      price: 'json-ld',
      currency: 'portal',
      latitude: 'json-ld',
      postcode: 'json-ld',
      condition: 'markup',
      'contact.name': 'markup',
      images: 'opengraph',
    })
  })

  test('the title tag is the last resort', () => {
    expect(
      readSamplePage(`<title>Piso en venta</title>${jsonLdScript({ ...dwelling })}`)?.listing,
    ).toMatchObject({
      title: 'Piso en venta',
      operation: 'sale',
    })
  })

  test('exactly the stated values have a source', () => {
    const found = readSamplePage(
      jsonLdScript({ ...listing, offers: { ...offer, seller: { telephone: '612345678' } }, about: dwelling }),
    )!
    const { contact, ...property } = found.listing
    const values = {
      ...property,
      ...Object.fromEntries(Object.entries(contact).map(([name, value]) => [`contact.${name}`, value])),
    }
    const statedValues = Object.entries(values).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== null,
    )
    expect(Object.keys(found.provenance).sort()).toEqual(statedValues.map(([name]) => name).sort())
  })

  test.each([
    ['an empty page', ''],
    ['an article', '<title>Cómo comprar un piso en venta</title><p>374.000 €</p>'],
    ['the portal itself', jsonLdScript(portal)],
    ['a product without details', jsonLdScript({ '@type': 'Product', name: 'OnTheMarket.com' })],
    ['tickets', jsonLdScript({ '@type': 'Event', name: 'Game', offers: { '@type': 'Offer', price: '35' } })],
    ['null', jsonLdScript('null', '[]', '7', '"x"')],
  ])('not a listing: %s', (_what, html) => {
    expect(readSamplePage(html)).toBeNull()
  })
})

interface Expected {
  url: string
  country: string
  [field: string]: unknown
}

describeShared('saved pages of portals', () => {
  const names = listShared('fixtures/listing-detail', '.html')
  const fields = [
    'price',
    'currency',
    'operation',
    'squareMeters',
    'bedrooms',
    'bathrooms',
    'latitude',
    'longitude',
  ] as const

  function load(name: string) {
    const html = readShared(`fixtures/listing-detail/${name}`)
    const expected = readShared(`fixtures/listing-detail/${name.replace('.html', '.expected.json')}`)
    return { html, expected: JSON.parse(expected) as Expected }
  }

  test.each(names)('%s: no parsed value is wrong', name => {
    const { html, expected } = load(name)
    const listing = parseListing({
      html,
      url: expected.url,
      country: expected.country,
      currency: 'XXX',
    })?.listing
    for (const field of fields) {
      const value = listing?.[field] ?? null
      const expectedValue = expected[field] as { anyOf?: unknown[] } | null | undefined
      if (value !== null)
        expect([field, expectedValue?.anyOf ?? [expectedValue]]).toEqual([
          field,
          expect.arrayContaining([value]),
        ])
    }
  })

  test.each([
    [
      'immobilien-de-2026-9739832.html',
      { price: 1070, squareMeters: 55, rooms: 3, postcode: '12524', latitude: 52.415365219116204 },
    ],
    ['sparkasse-de-2026.html', { price: 1618200, squareMeters: 149, rooms: 4, propertyType: 'homes' }],
    [
      'property24-za-2026-116951069.html',
      { price: 1395000, bedrooms: 4, bathrooms: 2, operation: 'sale', currency: 'ZAR' },
    ],
    [
      'zoopla-uk-2026-71365505.html',
      { price: 550000, bedrooms: 4, bathrooms: 2, publishedAt: '2025-09-20T13:46:10.000Z' },
    ],
    [
      'realtor-us-2026-2034151800.html',
      { price: 1495000, municipality: 'San Francisco', longitude: -122.431811 },
    ],
    ['fotocasa-es-2018-145228694.html', { price: 1330000, operation: 'sale', propertyType: 'homes' }],
    ['daft-ie-2026-6477069.html', { price: 795000, operation: 'sale' }],
    ['zoopla-uk-2018-43719239.html', { municipality: 'Birmingham', contact: { phone: '+441216598081' } }],
  ])('%s: the embedded data is parsed', (name, expected) => {
    const { html, expected: page } = load(name)
    expect(
      parseListing({ html, url: page.url, country: page.country, currency: 'XXX' })?.listing,
    ).toMatchObject(expected)
  })
})
