/** Amounts that are not the price, letters of scales, points of maps, rooms of shared flats. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

// Without a fact of property, the page would be no listing.
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
const read = (body: string, state: object | null = null, url = 'https://homes.example/listing/1234567') =>
  readListing({
    html: `<!doctype html><html lang="en"><body>${body}${fact}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url,
    country: 'ES',
    currency: null,
  })!.values

describe('amounts that are not the price', () => {
  it.each([
    ['a price per area', '<div class="price">2.500 €/m²</div>'],
    ['a price per area in two elements', '<div><div class="price">2.500 €</div><span>/m²</span></div>'],
    ['an instalment', '<div class="price">Mortgage from 650 €</div>'],
    ['a calculator', '<div class="loan-calculator-box"><span class="price">250.000 €</span></div>'],
    ['the amount beside a price on request', '<p class="price">Price on request</p><p>3.000 €</p>'],
  ])('%s', (_, html) => {
    expect(read(`<h1>Sunny home in the hills</h1>${html}`)).toMatchObject({ price: null, currency: null })
  })

  it('are not read from data', () => {
    const state = { id: 1234567, bedrooms: 3, price: '2.500 €/m²', instalments: { price: 650, bedrooms: 3 } }
    expect(read('<h1>Sunny home</h1>', state).price).toBeNull()
  })

  it('beside the price leave the price', () => {
    const values = read(`<h1>Sunny home</h1><div class="price">250.000 € <small>(2.500 €/m²)</small></div>
      <div class="mortgage-calculator"><span class="price">900 €</span></div>`)
    expect(values).toMatchObject({ price: 250000, currency: 'EUR' })
  })
})

it('takes the currency that the page prints, not that of a switcher', () => {
  const state = {
    currencies: [{ currency: 'GBP' }],
    user: { currency: 'GBP', price: 1, bedrooms: 1, area: 1 },
  }
  expect(read('<h1>Sunny home</h1><div class="price">250.000 €</div>', state).currency).toBe('EUR')
})

it('takes the letters of a scale for no rating', () => {
  const scale = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(letter => `<span>${letter}</span>`).join('')
  expect(read(`<h1>Sunny home</h1><p>Energy rating</p><div>${scale}</div>`).energyRating).toBeNull()
  expect(read(`<h1>Sunny home</h1><dl><dt>Energy rating</dt><dd>D</dd></dl>`).energyRating).toBe('D')
})

describe('points of maps', () => {
  const listing = { id: 1234567, price: 250000, bedrooms: 3 }
  const point = { latitude: 41.374146, longitude: 2.139515 }
  it.each<[string, object]>([
    ['the middle of a region', { ...point, zoom: 9 }],
    ['a place that is hidden', { ...point, hideExactLocation: true }],
    ['a place that is not exact', { ...point, isExact: false }],
    ['two decimals', { latitude: 41.37, longitude: 2.13 }],
  ])('%s', (_, location) => {
    expect(read('', { ...listing, location }).latitude).toBeNull()
    expect(read('', { ...listing, location: { ...point, zoom: 16 } }).latitude).toBe(41.374146)
  })
})

it('leaves the rooms and the area of the flat out of a room in it', () => {
  const values = read(`<h1>Private room in an apartment with 4 bedrooms for rent</h1>
    <dl><dt>Bedrooms</dt><dd>4</dd><dt>Area</dt><dd>120 m²</dd><dt>Rent</dt><dd>450 €/month</dd></dl>`)
  expect(values).toMatchObject({
    subtype: 'room',
    bedrooms: null,
    rooms: null,
    squareMeters: null,
    price: 450,
  })
})

describe('weak words for the operation', () => {
  it('are a choice of the page if they name both', () => {
    const url = 'https://homes.example/1234567'
    const values = read(
      '<div><span>Buy</span><span>Rent</span></div><h1>Sunny home in the hills</h1>',
      null,
      url,
    )
    expect(values.operation).toBeNull()
  })

  it('do not stand against the heading', () => {
    const state = { category: 'sale', transaction: 'sale', price: 900, bedrooms: 2 }
    const url = 'https://homes.example/sale/1234567'
    expect(read('<h1>Flat to rent in Getafe</h1><span>For sale</span>', state, url).operation).toBe('rent')
  })

  it('do not stand against the price', () => {
    const values = read('<h1>Sunny home in the hills</h1><span>Rent</span><div class="price">450.000 €</div>')
    expect(values.operation).not.toBe('rent')
  })
})

it('takes the name of the place for no advertiser', () => {
  const values = read(`<h1>Sunny home</h1><dl><dt>City</dt><dd>Getafe</dd><dt>Agent</dt><dd>Getafe</dd></dl>`)
  expect(values).toMatchObject({ municipality: 'Getafe', advertiserName: null })
})
