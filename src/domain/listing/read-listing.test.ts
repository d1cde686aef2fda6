// Pages of single adverts: the shapes that JSON-LD takes, saved pages of portals, and pages that are broken.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJsonLdBlocks } from './json-ld.ts'
import { CONDITIONS, FEATURES, type Listing, OPERATIONS, PROPERTY_TYPES } from './listing.ts'
import { type FoundListing, readListing } from './read-listing.ts'

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const URL_OF_PAGE = 'https://portal.example/inmueble/1/'

function read(html: string, url = URL_OF_PAGE): FoundListing | null {
  return readListing({ html, url, country: 'ES', currency: 'EUR' })
}

function ld(...blocks: unknown[]): string {
  const scripts = blocks.map(block => (typeof block === 'string' ? block : JSON.stringify(block)))
  return `<head>${scripts.map(text => `<script type="application/ld+json">${text}</script>`).join('\n')}</head>`
}

const offer = { '@type': 'Offer', price: 374000, priceCurrency: 'EUR' }
const dwelling = {
  '@type': 'Apartment',
  address: { streetAddress: 'Carrer de Sants, 1', addressLocality: 'Barcelona', postalCode: '08014' },
  geo: { '@type': 'GeoCoordinates', latitude: 41.374146123456785, longitude: 2.139515 },
  floorSize: { value: 86, unitCode: 'MTK' },
  numberOfRooms: 3,
}
const listing = { '@type': 'RealEstateListing', name: 'Piso en Sants' }
const portal = {
  '@type': 'Organization',
  name: 'Portal',
  telephone: '900 123 456',
  address: { streetAddress: 'Gran Vía, 1' },
}
const other = {
  ...listing,
  url: 'https://portal.example/inmueble/2/',
  offers: { ...offer, price: 1 },
  about: { ...dwelling, numberOfRooms: 9 },
}

describe('the shapes of JSON-LD', () => {
  const same = ld({ ...listing, offers: offer, mainEntity: dwelling })
  const shapes: [what: string, html: string][] = [
    ['nested under mainEntity', same],
    ['nested under about, in a list', ld({ ...listing, offers: [offer], about: [dwelling] })],
    [
      'an offer with the item offered',
      ld({ ...offer, name: 'Piso en Sants', itemOffered: { ...dwelling, name: 'Piso en Sants' } }),
    ],
    [
      'a page with a main entity',
      ld({ '@type': ['WebPage', 'ItemPage'], mainEntity: { ...listing, offers: offer, about: dwelling } }),
    ],
    [
      'a graph',
      ld({
        '@context': 'https://schema.org',
        '@graph': [portal, { ...listing, offers: offer, about: dwelling }],
      }),
    ],
    [
      'a graph tied by @id',
      ld({
        '@graph': [
          { ...dwelling, '@id': '#home' },
          { ...listing, offers: offer, mainEntity: { '@id': '#home' } },
        ],
      }),
    ],
    [
      'an offer tied to its item by @id',
      ld([
        { ...dwelling, name: 'Piso en Sants', '@id': '#a' },
        { ...offer, itemOffered: { '@id': '#a' } },
      ]),
    ],
    ['one list', ld([portal, { ...listing, offers: offer }, dwelling])],
    ['a block each', ld(portal, { ...listing, offers: offer }, dwelling)],
    [
      'types with their full address',
      ld({ ...listing, '@type': 'https://schema.org/RealEstateListing', offers: offer, about: dwelling }),
    ],
    [
      'an offer that forgets its type',
      ld({
        ...listing,
        '@type': 'Product',
        offers: { price: 374000, priceCurrency: 'EUR' },
        about: dwelling,
      }),
    ],
    [
      'a price specification',
      ld({ ...listing, offers: { '@type': 'Offer', priceSpecification: offer }, about: dwelling }),
    ],
    [
      'numbers as strings',
      ld({
        ...listing,
        offers: { ...offer, price: '374000.00' },
        about: { ...dwelling, numberOfRooms: '3', floorSize: { value: '86', unitText: 'm²' } },
      }),
    ],
    [
      'numbers in local form',
      ld({
        ...listing,
        offers: { ...offer, price: '374.000 €' },
        about: { ...dwelling, floorSize: '86,0 m²' },
      }),
    ],
    [
      'coordinates as strings',
      ld({
        ...listing,
        offers: offer,
        about: { ...dwelling, geo: { latitude: '41.374146123456785', longitude: '2,139515' } },
      }),
    ],
    [
      'another advert on the page',
      ld(other, { ...listing, url: URL_OF_PAGE, offers: offer, about: dwelling }, other),
    ],
    [
      'related adverts inside',
      ld({
        ...listing,
        offers: offer,
        about: dwelling,
        isSimilarTo: [other],
        breadcrumb: { '@type': 'BreadcrumbList', itemListElement: [other] },
      }),
    ],
    [
      'a block that is broken beside one that is not',
      ld('{"@type":"Apartment", "price": ', { ...listing, offers: offer, about: dwelling }),
    ],
    ['raw line ends in strings', same.replace('en Sants', 'en\n Sants')],
    ['a comma too many', same.replace('}}', '},}')],
    ['in a comment', same.replace('json">', 'json"><!--').replace('</script', '--></script')],
    [
      'in a CDATA section',
      same.replace('json">', 'json">//<![CDATA[\n').replace('</script', '\n//]]></script'),
    ],
    [
      'with comments of JavaScript',
      same.replace('"name"', '\n// "old": 1\n"name"').replace('"offers":', '\n"x": 1, // why\n"offers":'),
    ],
    ['a semicolon at the end', same.replace('</script', ';</script')],
    [
      'escaped as HTML',
      ld(JSON.stringify({ ...listing, offers: offer, about: dwelling }).replaceAll('"', '&quot;')),
    ],
    ['the type written with a reference', same.replace('ld+json', 'ld&#x2B;json')],
    [
      'upper case and single quotes in the tag',
      same.replace('<script type="application/ld+json"', "<SCRIPT id=x type='application/ld+json' data-y"),
    ],
  ]
  test.each(shapes)('%s', (_what, html) => {
    expect(read(html)?.listing).toMatchObject({
      title: 'Piso en Sants',
      price: 374000,
      currency: 'EUR',
      propertyType: 'homes',
      squareMeters: 86,
      rooms: 3,
      address: 'Carrer de Sants, 1',
      municipality: 'Barcelona',
      postcode: '08014',
      latitude: 41.374146123456785,
      longitude: 2.139515,
      contact: { name: null, phone: null },
    })
  })
})

describe('values of JSON-LD', () => {
  const withListing = (values: object) => read(ld({ ...listing, offers: offer, ...values }))?.listing
  const withOffer = (values: object) => withListing({ offers: { ...offer, ...values } })
  const withDwelling = (values: object) => withListing({ about: { ...dwelling, ...values } })
  const rows: [what: string, found: () => Partial<Listing> | undefined, expected: Partial<Listing>][] = [
    [
      'references in text are undone',
      () => withListing({ name: 'Piso &amp; terraza' }),
      { title: 'Piso & terraza' },
    ],
    [
      'marks in text become line ends',
      () => withListing({ description: 'Uno<br/>dos <b>tres</b>' }),
      { description: 'Uno\ndos tres' },
    ],
    [
      'line ends in text stay',
      () => withListing({ description: 'Uno \n\n\n\n dos' }),
      { description: 'Uno\n\ndos' },
    ],
    ['an empty text is none', () => withListing({ description: ' ' }), { description: null }],
    ['a price of thousands with a point', () => withOffer({ price: '374.000' }), { price: 374000 }],
    ['cents', () => withOffer({ price: '1250.50' }), { price: 1250.5 }],
    ['a price that is not told', () => withOffer({ price: 0 }), { price: null, currency: null }],
    ['a price in words', () => withOffer({ price: 'A consultar' }), { price: null }],
    [
      'the lower end of an aggregate',
      () => withOffer({ '@type': 'AggregateOffer', price: undefined, lowPrice: 200000 }),
      { price: 200000 },
    ],
    [
      'the portal’s currency where none is told',
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
    ['a floor', () => withDwelling({ floorLevel: '3ª' }), { floor: '3' }],
    [
      'a garage',
      () => withListing({ about: { ...dwelling, '@type': 'ParkingFacility' } }),
      { propertyType: 'garages' },
    ],
    [
      'a type that the words tell',
      () => withListing({ name: 'Oficina', about: { ...dwelling, '@type': 'Accommodation' } }),
      { propertyType: 'offices' },
    ],
    [
      'a new building',
      () => withOffer({ itemCondition: 'https://schema.org/NewCondition' }),
      { condition: 'new' },
    ],
    [
      'a used one is neither good nor bad',
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
      'null island',
      () => withDwelling({ geo: { latitude: 0, longitude: 0 } }),
      { latitude: null, longitude: null },
    ],
    ['half a point', () => withDwelling({ geo: { latitude: 41.3 } }), { latitude: null, longitude: null }],
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
    ['no 31st of February', () => withListing({ datePosted: '2026-13-31' }), { publishedAt: null }],
    [
      'numbers past all measure',
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
    ['nobody knows who', { name: 'X' }, { name: 'X', advertiserType: null }],
    [
      'a contact point',
      { contactPoint: [{ telephone: 'tel:+34934123456' }] },
      { phoneRaw: '+34934123456', phone: '+34934123456' },
    ],
    ['a placeholder for a phone', { telephone: '-' }, { phone: null, phoneRaw: null }],
    ['a phone that is none', { telephone: '12345' }, { phone: null, phoneRaw: '12345' }],
    ['an e-mail that is none', { email: 'no@' }, { email: null }],
  ]
  test.each(sellers)('advertised by: %s', (_what, seller, contact) => {
    expect(withOffer({ seller })?.contact).toMatchObject(contact)
    expect(withListing({ offeredBy: [seller] })?.contact).toMatchObject(contact)
  })
})

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

  test('OpenGraph alone makes a listing', () => {
    const found = read(`<head>${head}</head>`)
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

  test('JSON-LD comes first, then markup, then OpenGraph; a point and a price are taken whole', () => {
    const point = { latitude: 1.5, longitude: 2 }
    const html = ld({
      ...listing,
      offers: { '@type': 'Offer', price: 900 },
      about: { ...dwelling, geo: point },
    }).replace('</head>', `${head}</head>`)
    const markup = { condition: 'good', squareMeters: 99, postcode: '1', 'contact.name': 'Pilar' } as const
    const found = readListing({ html, url: URL_OF_PAGE, country: 'ES', currency: 'EUR', markup })
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
    expect(read(`<title>Piso en venta</title>${ld({ ...dwelling })}`)?.listing).toMatchObject({
      title: 'Piso en venta',
      operation: 'sale',
    })
  })

  test('every value has a source, and no null has one', () => {
    const found = read(
      ld({ ...listing, offers: { ...offer, seller: { telephone: '612345678' } }, about: dwelling }),
    )!
    const { contact, ...property } = found.listing
    const values = {
      ...property,
      ...Object.fromEntries(Object.entries(contact).map(([name, value]) => [`contact.${name}`, value])),
    }
    const told = Object.entries(values).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== null,
    )
    expect(Object.keys(found.provenance).sort()).toEqual(told.map(([name]) => name).sort())
  })

  test.each([
    ['nothing', ''],
    ['an article', '<title>Cómo comprar un piso en venta</title><p>374.000 €</p>'],
    ['the portal itself', ld(portal)],
    ['a product of which nothing is told', ld({ '@type': 'Product', name: 'OnTheMarket.com' })],
    ['tickets', ld({ '@type': 'Event', name: 'Game', offers: { '@type': 'Offer', price: '35' } })],
    ['null', ld('null', '[]', '7', '"x"')],
  ])('no advert: %s', (_what, html) => {
    expect(read(html)).toBeNull()
  })
})

interface Expected {
  url: string
  country: string
  [field: string]: unknown
}

describe('saved pages of portals', () => {
  const names = readdirSync(new URL('listing-detail', FIXTURES)).filter(name => name.endsWith('.html'))
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
    const html = readFileSync(new URL(`listing-detail/${name}`, FIXTURES), 'utf8')
    const expected = readFileSync(
      new URL(`listing-detail/${name.replace('.html', '.expected.json')}`, FIXTURES),
      'utf8',
    )
    return { html, expected: JSON.parse(expected) as Expected }
  }

  test.each(names)('%s: nothing that is read is false', name => {
    const { html, expected } = load(name)
    const listing = readListing({
      html,
      url: expected.url,
      country: expected.country,
      currency: 'XXX',
    })?.listing
    for (const field of fields) {
      const value = listing?.[field] ?? null
      const wanted = expected[field] as { anyOf?: unknown[] } | null | undefined
      if (value !== null)
        expect([field, wanted?.anyOf ?? [wanted]]).toEqual([field, expect.arrayContaining([value])])
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
  ])('%s: what its embedded data says is read', (name, expected) => {
    const { html, expected: page } = load(name)
    expect(
      readListing({ html, url: page.url, country: page.country, currency: 'XXX' })?.listing,
    ).toMatchObject(expected)
  })

  test('JSON-LD with comments of JavaScript, and null beside a block, is parsed', () => {
    const html = (name: string) => readFileSync(new URL(`structured-data/${name}`, FIXTURES), 'utf8')
    expect(readJsonLdBlocks(html('extruct-custom.invalid-JSONLD_with_JS_comment.html'))).toMatchObject([
      { '@type': 'NewsArticle' },
    ])
    expect(readJsonLdBlocks(html('extruct-misc-null_ld_mock.html'))).toContainEqual(
      expect.objectContaining({ '@type': 'LocalBusiness' }),
    )
  })
})

describe('pages that are broken', () => {
  const PAGE = `<title>Piso</title>${ld({ ...listing, description: 'Piso con 3 habitaciones', datePosted: '2026-10-31', image: ['/1.jpg'], offers: { ...offer, seller: { '@type': 'Person', telephone: '612 345 678', email: 'a@b.es' } }, about: dwelling })}<meta property="og:title" content="Piso">`

  /** Whatever the page, what comes out fits the database. */
  function expectSound(found: FoundListing | null): void {
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
    expect([...OPERATIONS, null]).toContain(listing.operation)
    expect([...PROPERTY_TYPES, null]).toContain(listing.propertyType)
    expect([...CONDITIONS, null]).toContain(listing.condition)
    expect(FEATURES).toEqual(expect.arrayContaining(listing.features))
    for (const image of listing.images) expect(image).toMatch(/^https?:\/\//)
    expect(listing.publishedAt ?? '2026-01-01T00:00:00.000Z').toMatch(/^[+\-\d]+-\d\d-\d\dT[\d:.]+Z$/)
  }

  test('cut short anywhere', () => {
    for (let length = 0; length <= PAGE.length; length += 1) expectSound(read(PAGE.slice(0, length)))
  })

  test('with characters changed', () => {
    const change = fc.tuple(fc.nat(PAGE.length), fc.string({ unit: 'binary', maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), changes => {
        let html = PAGE
        for (const [at, text] of changes) html = html.slice(0, at) + text + html.slice(at + text.length)
        expectSound(read(html))
      }),
      { numRuns: 1000 },
    )
  })

  test('with any value in any place', () => {
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
      fc.string({ unit: 'binary', maxLength: 8 }),
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
        expectSound(read(ld({ ...values, '@type': 'RealEstateListing', offers: offer, about })))
      }),
      { numRuns: 1000 },
    )
  })

  test('any text at all', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => expectSound(read(text))))
  })

  test('nesting without end, ties in a circle, and one letter a thousand times do not stall it', () => {
    const started = performance.now()
    const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`
    expect(read(ld(`{"@type":"Apartment","numberOfRooms":${deep('[', ']')}}`))).toBeNull()
    expect(read(ld(`{"@type":"Apartment","name":${deep('{"name":', '}')}}`))).toBeNull()
    expect(read(ld(`{"@type":"Apartment","about":${deep('{"about":', '}')}}`))).toBeNull()
    expect(read(ld(deep('[', ']')))).toBeNull()
    const circle = Array.from({ length: 400 }, (_, i) => ({
      '@type': 'Apartment',
      '@id': `#${i}`,
      about: { '@id': `#${(i + 1) % 400}` },
    }))
    expect(read(ld({ '@graph': circle }))).toBeNull()
    for (const piece of [
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
      read(ld(piece.repeat(20_000)) + piece.repeat(20_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
