/** Single values of schema.org, in the forms in which portals write them. */
import { describe, expect, test } from 'vitest'
import type { Listing } from './listing.ts'
import { dwelling, jsonLdScript, listing, offer, portal, readSamplePage } from './sample-pages.ts'

describe('values of JSON-LD', () => {
  const withListing = (values: object) =>
    readSamplePage(jsonLdScript({ ...listing, offers: offer, ...values }))?.listing
  const withOffer = (values: object) => withListing({ offers: { ...offer, ...values }, about: dwelling })
  const withDwelling = (values: object) => withListing({ about: { ...dwelling, ...values } })
  const rows: [what: string, found: () => Partial<Listing> | undefined, expected: Partial<Listing>][] = [
    [
      'character references in text are decoded',
      () => withListing({ name: 'Piso &amp; terraza' }),
      { title: 'Piso & terraza' },
    ],
    [
      'tags in text become line breaks',
      () => withListing({ description: 'Uno<br/>dos <b>tres</b>' }),
      { description: 'Uno\ndos tres' },
    ],
    [
      'line breaks in text are kept',
      () => withListing({ description: 'Uno \n\n\n\n dos' }),
      { description: 'Uno\n\ndos' },
    ],
    ['an empty text is null', () => withListing({ description: ' ' }), { description: null }],
    ['a price with a point as thousands separator', () => withOffer({ price: '374.000' }), { price: 374000 }],
    ['cents', () => withOffer({ price: '1250.50' }), { price: 1250.5 }],
    ['a price of zero is null', () => withOffer({ price: 0 }), { price: null, currency: null }],
    ['a price in words', () => withOffer({ price: 'A consultar' }), { price: null }],
    [
      'the lower end of an aggregate',
      () => withOffer({ '@type': 'AggregateOffer', price: undefined, lowPrice: 200000 }),
      { price: 200000 },
    ],
    [
      'the portal’s currency if none is stated',
      () => withOffer({ priceCurrency: undefined }),
      { currency: 'EUR' },
    ],
    ['another currency', () => withOffer({ priceCurrency: 'gbp' }), { currency: 'GBP' }],
    [
      'leased out',
      () => withOffer({ businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut' }),
      { operation: 'rent' },
    ],
    ['sold', () => withOffer({ businessFunction: 'gr:Sell' }), { operation: 'sale' }],
    [
      'paid by the month',
      () => withOffer({ priceSpecification: { price: 900, unitCode: 'MON' } }),
      { operation: 'rent' },
    ],
    [
      'square feet',
      () => withDwelling({ floorSize: { value: 1800, unitCode: 'FTK' } }),
      { squareMeters: null },
    ],
    ['no unit', () => withDwelling({ floorSize: { value: 86 } }), { squareMeters: 86 }],
    [
      'an empty area',
      () => withDwelling({ floorSize: { value: '', unitCode: 'MTK' } }),
      { squareMeters: null },
    ],
    [
      'bedrooms and bathrooms',
      () => withDwelling({ numberOfBedrooms: 0, numberOfBathroomsTotal: 2 }),
      { bedrooms: 0, bathrooms: 2 },
    ],
    [
      'bedrooms as properties',
      () =>
        withDwelling({
          additionalProperty: [
            { name: 'Bedrooms', value: '4' },
            { name: 'Bathrooms', value: '2' },
          ],
        }),
      { bedrooms: 4, bathrooms: 2 },
    ],
    ['a floor', () => withDwelling({ floorLevel: '3ª' }), { floorText: '3ª' }],
    [
      'a garage',
      () => withListing({ about: { ...dwelling, '@type': 'ParkingFacility' } }),
      { propertyType: 'garages' },
    ],
    [
      'a type derived from the title',
      () => withListing({ name: 'Oficina', about: { ...dwelling, '@type': 'Accommodation' } }),
      { propertyType: 'offices' },
    ],
    [
      'a new building',
      () => withOffer({ itemCondition: 'https://schema.org/NewCondition' }),
      { condition: 'new' },
    ],
    [
      'used is neither good nor bad',
      () => withOffer({ itemCondition: 'https://schema.org/UsedCondition' }),
      { condition: null },
    ],
    [
      'features',
      () =>
        withDwelling({
          amenityFeature: [{ name: 'Ascensor', value: true }, { name: 'Piscina', value: false }, 'Terraza'],
        }),
      { features: ['lift', 'terrace'] },
    ],
    [
      'coordinates 0/0',
      () => withDwelling({ geo: { latitude: 0, longitude: 0 } }),
      { latitude: null, longitude: null },
    ],
    [
      'a latitude without longitude',
      () => withDwelling({ geo: { latitude: 41.3 } }),
      { latitude: null, longitude: null },
    ],
    ['off the globe', () => withDwelling({ geo: { latitude: 141.3, longitude: 2 } }), { latitude: null }],
    [
      'an address in one line',
      () => withDwelling({ address: 'Gran Vía, 1, Madrid' }),
      { address: 'Gran Vía, 1, Madrid', municipality: null },
    ],
    [
      'images of every kind',
      () =>
        withListing({
          image: [
            '/1.jpg',
            { url: 'https://x.example/2.jpg' },
            { contentUrl: '//x.example/3.jpg' },
            '/1.jpg',
            7,
            'data:x',
          ],
        }),
      { images: ['https://portal.example/1.jpg', 'https://x.example/2.jpg', 'https://x.example/3.jpg'] },
    ],
    ['a day', () => withListing({ datePosted: '2026-10-31' }), { publishedAt: '2026-10-31T00:00:00.000Z' }],
    [
      'an instant with a zone',
      () => withListing({ datePosted: '2026-10-31T10:00:00+0200' }),
      { publishedAt: '2026-10-31T08:00:00.000Z' },
    ],
    ['a date in words', () => withListing({ datePosted: 'hace 3 días' }), { publishedAt: null }],
    ['an invalid month', () => withListing({ datePosted: '2026-13-31' }), { publishedAt: null }],
    ['an implausible year', () => withListing({ datePosted: '0001-01-01T00:00:00' }), { publishedAt: null }],
    [
      'implausibly large numbers',
      () => withListing({ offers: { ...offer, price: 1e300 }, about: { ...dwelling, floorSize: 1e12 } }),
      { price: null, squareMeters: null },
    ],
    [
      'control characters',
      () => withListing({ name: 'Piso\u0000 en\u0007 Sants \uD800' }),
      { title: 'Piso en Sants \uFFFD' },
    ],
  ]
  test.each(rows)('%s', (_what, found, expected) => {
    expect(found()).toMatchObject(expected)
  })

  const sellers: [what: string, seller: object, contact: Partial<Listing['contact']>][] = [
    [
      'a person',
      { '@type': 'Person', name: 'Pilar', telephone: '612 345 678', email: 'mailto:pilar@example.org' },
      {
        name: 'Pilar',
        phone: '+34612345678',
        phoneRaw: '612 345 678',
        email: 'pilar@example.org',
        advertiserType: 'private',
      },
    ],
    [
      'an agency',
      { '@type': 'RealEstateAgent', name: 'Fincas' },
      { name: 'Fincas', advertiserType: 'agency' },
    ],
    [
      'a person of an agency',
      { '@type': 'Person', name: 'Gavin', worksFor: portal },
      { name: 'Gavin', advertiserType: 'agency' },
    ],
    ['a company', { '@type': ['Organization'], name: 'COMPASS' }, { advertiserType: 'agency' }],
    ['a seller without type', { name: 'X' }, { name: 'X', advertiserType: null }],
    [
      'a contact point',
      { contactPoint: [{ telephone: 'tel:+34934123456' }] },
      { phoneRaw: '+34934123456', phone: '+34934123456' },
    ],
    ['a placeholder for a phone', { telephone: '-' }, { phone: null, phoneRaw: null }],
    ['an invalid phone', { telephone: '12345' }, { phone: null, phoneRaw: '12345' }],
    ['an invalid e-mail', { email: 'no@' }, { email: null }],
    ['an e-mail in capitals', { email: 'Marta@X.es' }, { email: 'marta@x.es' }],
  ]
  test.each(sellers)('advertised by: %s', (_what, seller, contact) => {
    expect(withOffer({ seller })?.contact).toMatchObject(contact)
    expect(withListing({ offeredBy: [seller] })?.contact).toMatchObject(contact)
  })
})
