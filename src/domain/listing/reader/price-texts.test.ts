/** Prices with multipliers, and amounts that are no price of a home. */
import { describe, expect, it } from 'vitest'
import { readListing } from './read-listing.ts'

const read = (body: string, country = 'US') =>
  readListing({
    html: `<!doctype html><html lang="en"><body>${body}
      <ul><li>3 bedrooms</li><li>2 bathrooms</li><li>90 m²</li></ul></body></html>`,
    url: 'https://homes.example/listing/1234567',
    country,
    currency: null,
  })!.values

describe('a multiplier', () => {
  it.each<[string, string, string, number, string]>([
    [
      'in an element that is named so',
      'US',
      '<h1>Sunny home</h1><p class="price">$1.25M</p>',
      1_250_000,
      'USD',
    ],
    ['with a rare sign', 'NG', '<h1>Sunny home</h1><p class="price">₦45 million</p>', 45_000_000, 'NGN'],
    ['in a heading', 'GB', '<h1>Sunny home with garden, £1.5m</h1>', 1_500_000, 'GBP'],
    [
      'after a label',
      'DE',
      '<h1>Sunny home</h1><dl><dt>Kaufpreis</dt><dd>1,2 Mio. €</dd></dl>',
      1_200_000,
      'EUR',
    ],
    [
      'in data',
      'US',
      '<h1>Sunny home</h1><p>$1.25M</p><script type="application/json">{"id":1234567,"price":"$1.25M","bedrooms":3}</script>',
      1_250_000,
      'USD',
    ],
  ])('is read %s', (_, country, html, price, currency) => {
    expect(read(html, country)).toMatchObject({ price, currency })
  })

  it('after the second amount makes no range of the first', () => {
    expect(read('<h1>Sunny home</h1><p class="price">€450 - 500k</p>', 'IE')).toMatchObject({
      price: null,
      priceMin: null,
    })
  })
})

it('drops a price that is too low for a sale, and keeps the area', () => {
  const html = `<h1>Sunny home for sale</h1><p class="price">€120</p>
    <dl><dt>Transaction type</dt><dd>For sale</dd></dl>`
  expect(read(html, 'IE')).toMatchObject({ operation: 'sale', price: null, currency: null, squareMeters: 90 })
  expect(read(html.replaceAll(/for sale/gi, 'to rent'), 'IE')).toMatchObject({
    operation: 'rent',
    price: 120,
  })
})

describe('Italian agencies', () => {
  const readLines = (lines: string) =>
    readListing({
      html: `<!doctype html><html lang="it"><body><h1>Appartamento in vendita</h1><p>€ 250.000</p>${lines}</body></html>`,
      url: 'https://case.example/annuncio/1234567',
      country: 'IT',
      currency: null,
    })!.values

  it.each([
    '<ul><li>mq 97 ca.</li><li>2 letto</li></ul>',
    '<p>mq. 97, 2 letto, 1 bagno</p>',
    '<dl><dt>Superficie</dt><dd>mq 97</dd></dl><p>2 camere letto</p>',
  ])('state the unit before the amount: %s', html => {
    expect(readLines(html)).toMatchObject({ squareMeters: 97, bedrooms: 2 })
  })

  it.each(['<li>mq 97 terrazzo</li>', '<p>€/mq 1.200</p>', '<p>prezzo al mq 1.200</p>'])(
    'state no area of the home in %s',
    html => {
      expect(readLines(html).squareMeters).toBeNull()
    },
  )
})
