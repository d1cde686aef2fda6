/** Pages where a wrong item, place or price could be taken for that of the property. */
import { describe, expect, test } from 'vitest'
import { parseListing } from './parse-listing.ts'
import { dwelling, jsonLdScript, listing, offer, readSamplePage } from './sample-pages.ts'

describe('a product', () => {
  const entity = (name: string) => ({ '@type': 'Product', name, offers: offer })
  test.each<[string, string]>([
    ['a book', jsonLdScript({ ...entity('House of Leaves'), '@type': ['Product', 'Book'] })],
    ['an anvil', jsonLdScript({ ...entity('Executive Anvil'), sku: '0446310786', brand: { name: 'ACME' } })],
    [
      'an anvil in microdata',
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Anvil</b><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="119.99"></div></div>',
    ],
    ['a ticket', jsonLdScript({ '@type': 'Offer', name: 'Concierto', price: 30, priceCurrency: 'EUR' })],
    ['a page about an anvil', jsonLdScript({ '@type': 'ItemPage', mainEntity: entity('Anvil') })],
    [
      'OpenGraph tags of a product',
      '<meta property="og:title" content="Anvil"><meta property="product:price:amount" content="119.99">',
    ],
  ])('is not a property: %s', (_what, html) => {
    expect(readSamplePage(html)).toBeNull()
  })

  test.each<[string, string]>([
    [
      'by its size',
      jsonLdScript({ '@type': 'Product', name: 'Ref. 7', floorSize: { value: 86 }, offers: offer }),
    ],
    ['by its type', jsonLdScript({ '@type': 'RealEstateListing', name: 'Ref. 7', offers: offer })],
    ['by its title', jsonLdScript(entity('Piso en venta en Gràcia'))],
    [
      'by a word of its title, and its place',
      jsonLdScript({ ...entity('Ático en Gràcia'), address: 'Gran Vía, 1' }),
    ],
    [
      'by a property of its own',
      jsonLdScript({ ...entity('Ref. 7'), additionalProperty: { name: 'Slaapkamers', value: 2 } }),
    ],
  ])('is a property %s', (_what, html) => {
    expect(readSamplePage(html)?.listing.price).toBe(374000)
  })

  test.each([
    [[{ name: 'Wohnfläche', value: '86 m²' }], 86],
    [[{ name: 'Superficie', value: 86, unitCode: 'MTK' }], 86],
    [[{ name: 'Superficie', value: 900, unitCode: 'FTK' }], null],
    [
      [
        { name: 'Grundstück', value: '500 m²' },
        { name: 'Superficie', value: '86', unitText: 'm2' },
      ],
      86,
    ],
    [[{ name: 'Peso', value: '86 kg' }], null],
  ])('the area in %j is %s', (additionalProperty, squareMeters) => {
    const found = readSamplePage(jsonLdScript({ ...entity('Piso en venta en Gràcia'), additionalProperty }))
    expect(found?.listing.squareMeters).toBe(squareMeters)
  })

  test('beside a property is not taken for it', () => {
    const found = readSamplePage(
      jsonLdScript({ '@graph': [entity('Sofá'), { ...dwelling, offers: { ...offer, price: 200_000 } }] }),
    )
    expect(found?.listing).toMatchObject({ price: 200_000, rooms: 3 })
  })
})

describe('a place', () => {
  const placeNode = (streetAddress: string, more: object = {}) => ({
    streetAddress,
    addressLocality: 'Barcelona',
    ...more,
  })
  const dwellingPage = (address: unknown, geo: unknown = []) =>
    jsonLdScript({ ...dwelling, address, geo, offers: offer })

  test.each<[string, string, string | null, string | null]>([
    ['of several', dwellingPage([placeNode('Gran Vía, 1'), placeNode('Carrer Nou, 2')]), null, null],
    ['of several texts', dwellingPage(['Gran Vía, 1', 'Carrer Nou, 2']), null, null],
    [
      'of several towns',
      dwellingPage([{ addressLocality: 'Barcelona' }, { addressLocality: 'Girona' }]),
      null,
      null,
    ],
    [
      'stated twice',
      dwellingPage([placeNode('Gran Vía, 1'), placeNode('GRAN VIA 1')]),
      'Gran Vía, 1',
      'Barcelona',
    ],
    [
      'with more and with less detail',
      dwellingPage([placeNode('Gran Vía, 1'), 'Gran Vía, 1, Barcelona']),
      'Gran Vía, 1',
      'Barcelona',
    ],
    [
      'in parts',
      dwellingPage([{ streetAddress: 'Gran Vía, 1' }, { addressLocality: 'Barcelona' }]),
      'Gran Vía, 1',
      'Barcelona',
    ],
    [
      'of several dwellings',
      jsonLdScript({
        ...listing,
        about: [
          { ...dwelling, address: placeNode('Gran Vía, 1') },
          { ...dwelling, address: placeNode('Carrer Nou, 2') },
        ],
      }),
      null,
      null,
    ],
    [
      'of the dwelling, beside that of its agency',
      jsonLdScript({
        ...listing,
        address: placeNode('Carrer Nou, 2'),
        about: { ...dwelling, address: 'Gran Vía, 1' },
      }),
      'Gran Vía, 1',
      null,
    ],
    [
      'of the dwelling, with more detail elsewhere',
      jsonLdScript({
        ...listing,
        address: placeNode('GRAN VIA 1'),
        about: { ...dwelling, address: 'Gran Vía, 1' },
      }),
      'Gran Vía, 1',
      'Barcelona',
    ],
    [
      'of several in microdata',
      '<div itemscope itemtype="https://schema.org/Apartment"><b itemprop="numberOfRooms">3</b><b itemprop="address">Gran Vía, 1</b><b itemprop="address">Carrer Nou, 2</b></div>',
      null,
      null,
    ],
    [
      'of several in OpenGraph',
      '<title>Piso en venta</title><meta property="og:price:amount" content="9000"><meta property="og:locality" content="Barcelona"><meta property="og:locality" content="Girona">',
      null,
      null,
    ],
  ])('%s', (_what, html, address, municipality) => {
    expect(readSamplePage(html)?.listing).toMatchObject({ address, municipality })
  })

  test.each<[string, unknown, number | null]>([
    [
      'of several points',
      [
        { latitude: 41.3741, longitude: 2.1395 },
        { latitude: 41.3779, longitude: 2.1412 },
      ],
      null,
    ],
    [
      'of one with more and fewer digits',
      [
        { latitude: 41.3741, longitude: 2.1395 },
        { latitude: 41.37, longitude: 2.14 },
      ],
      41.3741,
    ],
    [
      'stated twice',
      [
        { latitude: '41,3741', longitude: '2,1395' },
        { latitude: 41.3741, longitude: 2.1395 },
      ],
      41.3741,
    ],
  ])('%s', (_what, geo, latitude) => {
    expect(readSamplePage(dwellingPage('Gran Vía, 1', geo))?.listing.latitude).toBe(latitude)
  })

  test('several dwellings at several points have no coordinates', () => {
    const about = [41.3741, 41.3779].map(latitude => ({ ...dwelling, geo: { latitude, longitude: 2.14 } }))
    expect(readSamplePage(jsonLdScript({ ...listing, about }))?.listing).toMatchObject({
      latitude: null,
      longitude: null,
    })
  })
})

describe('a currency sign that several currencies share', () => {
  const parseOfferPage = (price: string, currency: string, priceCurrency?: string) =>
    parseListing({
      url: 'https://portal.example/1',
      country: 'ES',
      currency,
      html: jsonLdScript({ ...listing, offers: { price, priceCurrency } }),
    })

  test.each<[price: string, portal: string, currency: string | null]>([
    ['$495,000', 'EUR', null],
    ['$495,000', 'USD', 'USD'],
    ['$495,000', 'AUD', 'AUD'],
    ['495 000 kr', 'EUR', null],
    ['495 000 kr', 'SEK', 'SEK'],
    ['£495,000', 'EUR', 'GBP'],
    ['495.000', 'EUR', 'EUR'],
  ])('%s on a portal in %s', (price, portal, currency) => {
    const found = parseOfferPage(price, portal)
    expect(found?.listing).toMatchObject({ price: 495_000, currency })
    expect('currency' in found!.provenance).toBe(currency !== null)
  })

  test('is not a currency in a separate field either', () => {
    expect(parseOfferPage('495000', 'EUR', '$')?.listing.currency).toBeNull()
    expect(parseOfferPage('495000', 'USD', '$')?.listing.currency).toBe('USD')
  })
})
