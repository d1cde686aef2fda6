// Microdata: the items of pages as extractors agree on them, and the adverts that portals mark with them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { isNode, listOf } from './json-ld.ts'
import { readMicrodata, readMicrodataFacts } from './microdata.ts'
import { readListing } from './read-listing.ts'

const load = (name: string) => readShared(`fixtures/${name}`)
const URL_OF_PAGE = 'https://portal.example/annunci/1/'

describe('items', () => {
  describeShared('of pages', () => {
    /** Of a property that is repeated the extractor of the fixtures gives a list, and of one item a list or none. */
    function plain(value: unknown): unknown {
      if (Array.isArray(value)) return value.length === 1 ? plain(value[0]) : value.map(plain)
      if (!isNode(value)) return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value
      const { '@type': type, type: sameType, properties, ...rest } = value
      const inside = isNode(properties) ? properties : rest
      const entries = Object.entries(inside).map(([name, inner]) => [name, plain(inner)])
      return { type: listOf(type ?? sameType), ...Object.fromEntries(entries) }
    }

    test.each([
      'w3c-microdata.5.2',
      'schema.org-product',
      'schema.org-LocalBusiness.002',
      'schema.org-Event.002',
    ])('%s: as extracted by others', name => {
      const items = readMicrodata(load(`structured-data/extruct-${name}.html`))
      expect(plain(items)).toEqual(plain(JSON.parse(load(`structured-data/extruct-${name}.json`))))
    })
  })

  test('a property belongs to the nearest item around it', () => {
    const html = `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">A &amp; B</h1>
<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="1"></div>
<b itemprop="name">C</b></div><i itemprop="name">no item</i>`
    expect(readMicrodata(html)).toEqual([
      {
        '@type': 'http://schema.org/Product',
        name: ['A & B', 'C'],
        offers: { '@type': 'http://schema.org/Offer', price: '1' },
      },
    ])
  })

  test('no marks, no items', () => {
    expect(readMicrodata('<p>itemscope and itemprop are words</p>')).toEqual([])
  })
})

describe('adverts', () => {
  const advert = (place: string) => `<div itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">Trilocale in vendita</h1><img itemprop="image" src="/1.jpg"><p itemprop="description">Uno<br>due</p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="250000">€ 250.000</span>
<meta itemprop="priceCurrency" content="EUR"><div itemprop="seller" itemscope itemtype="https://schema.org/Person">
<span itemprop="name">Anna</span><span itemprop="telephone">333 123 4567</span></div>${place}</div></div>`
  const place = (
    street: string,
  ) => `<div itemprop="availableAtOrFrom" itemscope itemtype="https://schema.org/Place">
<div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${street}</span>
<span itemprop="addressLocality">Roma</span></div><div itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates">
<meta itemprop="latitude" content="41.9"><meta itemprop="longitude" content="12.5"></div></div>`

  test('a product with an offer, a seller and a place is one', () => {
    expect(readMicrodataFacts(advert(place('Via Roma, 1')), URL_OF_PAGE)).toEqual({
      title: 'Trilocale in vendita',
      description: 'Uno\ndue',
      price: 250_000,
      currency: 'EUR',
      images: ['https://portal.example/1.jpg'],
      address: 'Via Roma, 1',
      municipality: 'Roma',
      latitude: 41.9,
      longitude: 12.5,
      'contact.name': 'Anna',
      'contact.phoneRaw': '333 123 4567',
      'contact.advertiserType': 'private',
    })
  })

  test('of several places none is taken for the advert’s', () => {
    const facts = readMicrodataFacts(advert(place('Via Roma, 1') + place('Via Milano, 2')), URL_OF_PAGE)
    expect(facts).toMatchObject({ price: 250_000 })
    expect(facts).not.toHaveProperty('address')
  })

  test('JSON-LD comes before microdata, microdata before markup and OpenGraph', () => {
    const html = `<meta property="product:price:amount" content="3"></head>
<script type="application/ld+json">{"@type":"RealEstateListing","name":"Altro"}</script>${advert('')}`
    const markup = { price: 2, squareMeters: 80 }
    const found = readListing({ html, url: URL_OF_PAGE, country: 'IT', currency: 'EUR', markup })
    expect(found).toMatchObject({
      listing: { title: 'Altro', price: 250_000, squareMeters: 80, contact: { phone: '+393331234567' } },
      provenance: { title: 'json-ld', price: 'microdata', squareMeters: 'markup' },
    })
  })

  test('a logo and breadcrumbs are no advert', () => {
    const html = `<div itemscope itemtype="https://schema.org/Organization"><img itemprop="logo" src="/l.png"><b itemprop="name">Portal</b></div>
<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem">
<a itemprop="item" href="/roma"><span itemprop="name">Roma</span></a></li></ol>`
    expect(readMicrodataFacts(html, URL_OF_PAGE)).toEqual({})
  })

  describeShared('of saved pages', () => {
    test.each([
      [
        'zoopla-uk-2018-43719239',
        { municipality: 'Birmingham', latitude: 52.485527, longitude: -1.906859 },
        6,
      ],
      ['kleinanzeigen-de-2026-3323958001', { price: 1600 }, null],
    ])('%s: what it marks is what the page is about', (name, facts, imageCount) => {
      const page = JSON.parse(load(`listing-detail/${name}.expected.json`))
      const read = readMicrodataFacts(load(`listing-detail/${name}.html`), page.url)
      expect(read).toMatchObject(facts)
      if (imageCount !== null) expect(read.images?.length).toBeGreaterThanOrEqual(imageCount)
    })

    test.each([
      'fotocasa-es-2018-145228694',
      'immoweb-be-2026-21317238',
      'realestateindia-in-2026-1131690-served',
    ])('%s: breadcrumbs and logos are no advert', name => {
      expect(readMicrodataFacts(load(`listing-detail/${name}.html`), URL_OF_PAGE)).toEqual({})
    })
  })

  test('cut short, changed or hostile text never makes it fail or stall', () => {
    const html = advert(place('Via Roma, 1'))
    for (let length = 0; length < html.length; length += 1)
      readMicrodataFacts(html.slice(0, length), URL_OF_PAGE)
    const piece = fc.constantFrom(
      '<div itemscope>',
      '</div>',
      ' itemprop="__proto__"',
      '<i itemprop="price">',
      '<',
      '>',
      '1',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        expect(Array.isArray(readMicrodata(pieces.join('')))).toBe(true)
      }),
    )
    const started = performance.now()
    for (const part of [
      '<div itemscope>',
      '<div itemscope itemprop="a">',
      'itemprop',
      '<i itemprop="a">',
      '<p itemprop="a">',
    ])
      readMicrodataFacts(part.repeat(5000), URL_OF_PAGE)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
