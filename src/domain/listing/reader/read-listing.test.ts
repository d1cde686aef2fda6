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

describe('what follows from other values', () => {
  const page = (state: object, html = '') =>
    `<html lang="es">${html}<script type="application/json">${JSON.stringify({ ...listing, ...state })}</script>`
  const readFrom = (address: string, html: string) =>
    readListing({ html, url: address, country: null, currency: null })

  test('the country from the host, and the currency from the country', () => {
    const html = page({ price: 374000, location: {} })
    expect(readFrom('https://portal.es/12345678', html)?.values).toMatchObject({
      country: 'ES',
      currency: 'EUR',
    })
    expect(readFrom('https://portal.com/12345678', html)?.values).toMatchObject({
      country: null,
      currency: null,
    })
  })

  test('the country from the coordinates, if the language leaves one', () => {
    const html = page({ price: 374000 })
    const found = readFrom('https://portal.com/12345678', html)!
    expect(found.values).toMatchObject({ country: 'ES', currency: 'EUR' })
    expect(found.evidence.country).toMatchObject({ source: 'derived', where: 'coordinates' })
  })

  test('coordinates outside the country are dropped', () => {
    const html = page({ location: { latitude: 48.85, longitude: 2.35 } })
    expect(readFrom('https://portal.es/12345678', html)?.values.latitude).toBeNull()
  })

  test('more bedrooms than rooms: one of them is dropped', () => {
    const values = readFrom('https://portal.es/12345678', page({ rooms: 2, bedrooms: 3 }))!.values
    expect([values.rooms, values.bedrooms].filter(count => count !== null)).toHaveLength(1)
  })

  test('the area of a plot without building is the plot', () => {
    const html = page({ propertyType: 'land', bedrooms: null })
    expect(readFrom('https://portal.es/12345678', html)?.values).toMatchObject({
      squareMeters: null,
      plotSquareMeters: 86,
    })
  })

  test('a Spanish rent is monthly, and an agency is known by its name', () => {
    const html = page({ operation: 'rent', price: 1200, agency: { name: 'Inmobiliaria Sol' } })
    expect(readFrom('https://portal.es/12345678', html)?.values).toMatchObject({
      operation: 'rent',
      pricePeriod: 'month',
      advertiserType: 'agency',
    })
  })
})

describe('the address of the page', () => {
  test('states operation, type and number of the listing', () => {
    const html = '<h1>Algo bonito</h1><p>3 dormitorios</p>'
    const found = readListing({
      html,
      url: 'https://portal.es/alquiler/piso/madrid/987654321/',
      country: null,
      currency: null,
    })
    expect(found?.values).toMatchObject({ operation: 'rent', subtype: 'apartment', reference: '987654321' })
  })
})

describe('schema.org', () => {
  test('sizes in square feet, plots, amenities and the country are read', () => {
    const node = {
      '@context': 'https://schema.org',
      '@type': 'SingleFamilyResidence',
      floorSize: { value: 2207, unitCode: 'FTK' },
      lotSize: { value: 0.25, unitText: 'acres' },
      yearBuilt: 1964,
      address: { addressCountry: 'US', addressLocality: 'Sandy Springs' },
      amenityFeature: [
        { name: 'Swimming pool', value: true },
        { name: 'Lift', value: false },
      ],
    }
    const html = `<script type="application/ld+json">${JSON.stringify(node)}</script>`
    expect(read(html, null)?.values).toMatchObject({
      squareMeters: 205.04,
      plotSquareMeters: 1011.71,
      yearBuilt: 1964,
      country: 'US',
      features: ['pool'],
    })
  })

  test('JSON-LD inside of the state is read', () => {
    const node = { '@type': 'Apartment', numberOfRooms: 3, address: { addressLocality: 'Lyon' } }
    const html = `<script type="application/json">${JSON.stringify({ seoData: { graph: node } })}</script>`
    expect(read(html, 'FR')?.values).toMatchObject({ rooms: 3, municipality: 'Lyon' })
  })
})

describe('pages that are no listing', () => {
  const card = (id: number) =>
    `<article><a href="/inmueble/${id}/"><h2>Piso en calle ${id}</h2></a><span>${id % 997}.000 €</span><span>${60 + (id % 40)} m²</span></article>`
  test.each<[string, string]>([
    ['a book', '<h1>House of Leaves</h1><p>Price: £12.99</p>'],
    ['an article', '<h1>How to sell a house</h1><p>Words.</p>'],
    [
      'a search page',
      `<h1>Pisos en venta en Madrid</h1>${Array.from({ length: 20 }, (_, index) => card(1000200 + index * 7)).join('')}`,
    ],
  ])('%s is null', (_, html) => {
    expect(read(`<html><body>${html}</body></html>`)).toBeNull()
  })
})

test('flattened payloads are restored', () => {
  const payload = [['ShallowReactive', 1], { ad: 2 }, { id: 3, price: 4, beds: 5 }, 12345678, 374000, 3]
  const html = `<script type="application/json" id="__NUXT_DATA__">${JSON.stringify(payload)}</script>`
  expect(read(html)?.values).toMatchObject({ price: 374000, bedrooms: 3 })
})
