/** What the general reader finds on a page, by the place where the page keeps it. */
import { describe, expect, test } from 'vitest'
import { readListing } from './read-listing.ts'

const url = 'https://portal.example/inmueble/flat-in-sants-12345678/'
const read = (html: string, country: string | null = 'ES') =>
  readListing({ html, url, country, currency: country === null ? null : 'EUR' })

const listing = {
  id: 12345678,
  price: { amount: 374000, currency: 'EUR' },
  livingArea: { value: 86, unit: 'm²' },
  bedrooms: 3,
  location: {
    city: 'Barcelona',
    postalCode: '08014',
    coordinates: { latitude: 41.374146, longitude: 2.139515 },
  },
}
const expectedValues = {
  price: 374000,
  currency: 'EUR',
  squareMeters: 86,
  bedrooms: 3,
  municipality: 'Barcelona',
  postcode: '08014',
  latitude: 41.374146,
  longitude: 2.139515,
}

describe('embedded state', () => {
  const json = JSON.stringify(listing)
  test.each<[string, string]>([
    ['a JSON script', `<script id="__NEXT_DATA__" type="application/json">{"props":{"ad":${json}}}</script>`],
    ['a variable', `<script>window.state = ${json}; start()</script>`],
    ['a JavaScript literal', `<script>var ad = ${json.replaceAll('"', "'")};</script>`],
    ['JSON.parse', `<script>window["x"] = JSON.parse(${JSON.stringify(json)})</script>`],
    ['an argument', `<script>push("page", ${json})</script>`],
    [
      'JSON in a string of JSON',
      `<script type="application/json">{"cache":${JSON.stringify(json)}}</script>`,
    ],
    ['flight rows', `<script>self.__next_f.push([1,${JSON.stringify(`1:${json}\n`)}])</script>`],
    ['an attribute', `<div data-listing="${json.replaceAll('"', '&quot;')}"></div>`],
  ])('is read from %s', (_, html) => {
    expect(read(`<body>${html}</body>`)?.values).toMatchObject(expectedValues)
  })

  test('the listing with the id of the URL wins against others', () => {
    const other = { ...listing, id: 999, price: { amount: 1, currency: 'EUR' }, bedrooms: 9 }
    const html = `<script type="application/json">${JSON.stringify({ hits: [other, listing, other] })}</script>`
    const found = read(html)!
    expect(found.values).toMatchObject(expectedValues)
    expect(found.evidence.price).toMatchObject({ source: 'state', where: expect.stringContaining('hits[1]') })
  })

  test('the coordinates of the agency, of schools and of similar listings are left out', () => {
    const point = { latitude: 40.1, longitude: 3.1 }
    const state = {
      ...listing,
      location: { city: 'Barcelona' },
      agency: { name: 'Fincas', phone: '931234567', location: point },
      schools: [point],
      similar: [{ location: point }],
    }
    const { values } = read(`<script type="application/json">${JSON.stringify(state)}</script>`)!
    expect(values).toMatchObject({ latitude: null, advertiserName: 'Fincas', advertiserPhone: '931234567' })
  })

  test('GeoJSON has the longitude first', () => {
    const state = { ...listing, location: { type: 'Point', coordinates: [2.139515, 41.374146] } }
    const { values } = read(`<script type="application/json">${JSON.stringify(state)}</script>`)!
    expect(values).toMatchObject({ latitude: 41.374146, longitude: 2.139515 })
  })

  test('a range of prices is no price', () => {
    const state = { ...listing, price: '$470,000 - $500,000' }
    const { values } = read(`<script type="application/json">${JSON.stringify(state)}</script>`)!
    expect(values).toMatchObject({ price: null, priceMin: 470_000, priceMax: 500_000 })
  })

  test('square feet are converted, and an area without unit needs a metric country', () => {
    const html = (area: object) =>
      `<script type="application/json">${JSON.stringify({ ...listing, livingArea: null, ...area })}</script>`
    expect(read(html({ livingArea: 1206, livingAreaUnits: 'Square Feet' }))?.values.squareMeters).toBe(112.04)
    expect(read(html({ sqft: 1206 }))?.values.squareMeters).toBe(112.04)
    expect(read(html({ livingArea: 86 }))?.values.squareMeters).toBe(86)
    expect(read(html({ livingArea: 86 }), 'US')?.values.squareMeters).toBeNull()
  })
})

test.each(['', '<p>Hello</p>', '<script>{"a":'])('never throws: %j', html => {
  expect(() => read(html)).not.toThrow()
})
