/** Parses microdata like other extractors, and finds the listings in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { isNode, toList } from './json-ld.ts'
import { parseJsonLdFacts } from './json-ld-facts.ts'
import { parseMicrodata, parseMicrodataNodes } from './microdata.ts'
import { parseListing } from './parse-listing.ts'

/** The facts of the page's listing; {} if there is none. */
function parseMicrodataFacts(html: string, url: string) {
  const nodes = parseMicrodataNodes(html, url)
  return nodes === null ? {} : parseJsonLdFacts(nodes, url)
}

const load = (name: string) => readShared(`fixtures/${name}`)
const urlOfPage = 'https://portal.example/annunci/1/'

describe('items', () => {
  describeShared('of pages', () => {
    /**
     * Normalizes lists: the extractor of the fixtures uses lists for repeated properties, and sometimes for single
     * items.
     */
    function plainItem(value: unknown): unknown {
      if (Array.isArray(value)) return value.length === 1 ? plainItem(value[0]) : value.map(plainItem)
      if (!isNode(value)) return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value
      const { '@type': type, type: sameType, properties, ...rest } = value
      const itemProperties = isNode(properties) ? properties : rest
      const entries = Object.entries(itemProperties).map(([name, inner]) => [name, plainItem(inner)])
      return { type: toList(type ?? sameType), ...Object.fromEntries(entries) }
    }

    test.each([
      'w3c-microdata.5.2',
      'schema.org-product',
      'schema.org-LocalBusiness.002',
      'schema.org-Event.002',
    ])('%s: as other extractors parse it', name => {
      const items = parseMicrodata(load(`structured-data/extruct-${name}.html`))
      expect(plainItem(items)).toEqual(plainItem(JSON.parse(load(`structured-data/extruct-${name}.json`))))
    })
  })

  test('a property belongs to the nearest enclosing item', () => {
    const html = `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">A &amp; B</h1>
<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="1"></div>
<b itemprop="name">C</b></div><i itemprop="name">no item</i>`
    expect(parseMicrodata(html)).toEqual([
      {
        '@type': 'http://schema.org/Product',
        name: ['A & B', 'C'],
        offers: { '@type': 'http://schema.org/Offer', price: '1' },
      },
    ])
  })

  test('a page without microdata has no items', () => {
    expect(parseMicrodata('<p>itemscope and itemprop are words</p>')).toEqual([])
  })
})

describe('listings in microdata', () => {
  const listingItem = (place: string) => `<div itemscope itemtype="https://schema.org/Product">
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

  test('a product with an offer, a seller and a place is a listing', () => {
    expect(parseMicrodataFacts(listingItem(place('Via Roma, 1')), urlOfPage)).toEqual({
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

  test('with several places, none is used', () => {
    const facts = parseMicrodataFacts(listingItem(place('Via Roma, 1') + place('Via Milano, 2')), urlOfPage)
    expect(facts).toMatchObject({ price: 250_000 })
    expect(facts).not.toHaveProperty('address')
  })

  test('the order of sources is JSON-LD, microdata, markup, OpenGraph', () => {
    const html = `<meta property="product:price:amount" content="3"></head>
<script type="application/ld+json">{"@type":"RealEstateListing","name":"Altro"}</script>${listingItem('')}`
    const markup = { price: 2, squareMeters: 80 }
    const found = parseListing({ html, url: urlOfPage, country: 'IT', currency: 'EUR', markup })
    expect(found).toMatchObject({
      listing: { title: 'Altro', price: 250_000, squareMeters: 80, contact: { phone: '+393331234567' } },
      provenance: { title: 'json-ld', price: 'microdata', squareMeters: 'markup' },
    })
  })

  test('a logo and breadcrumbs are not a listing', () => {
    const html = `<div itemscope itemtype="https://schema.org/Organization"><img itemprop="logo" src="/l.png"><b itemprop="name">Portal</b></div>
<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem">
<a itemprop="item" href="/roma"><span itemprop="name">Roma</span></a></li></ol>`
    expect(parseMicrodataFacts(html, urlOfPage)).toEqual({})
  })

  describeShared('of saved pages', () => {
    test.each([
      [
        'zoopla-uk-2018-43719239',
        { municipality: 'Birmingham', latitude: 52.485527, longitude: -1.906859 },
        6,
      ],
      ['kleinanzeigen-de-2026-3323958001', { price: 1600 }, null],
    ])('%s: the microdata is parsed', (name, facts, imageCount) => {
      const page = JSON.parse(load(`listing-detail/${name}.expected.json`))
      const read = parseMicrodataFacts(load(`listing-detail/${name}.html`), page.url)
      expect(read).toMatchObject(facts)
      if (imageCount !== null) expect(read.images?.length).toBeGreaterThanOrEqual(imageCount)
    })

    test.each([
      'fotocasa-es-2018-145228694',
      'immoweb-be-2026-21317238',
      'realestateindia-in-2026-1131690-served',
    ])('%s: breadcrumbs and logos are not a listing', name => {
      expect(parseMicrodataFacts(load(`listing-detail/${name}.html`), urlOfPage)).toEqual({})
    })
  })

  test('truncated, modified or hostile text never makes parsing fail or stall', () => {
    const html = listingItem(place('Via Roma, 1'))
    for (let length = 0; length < html.length; length += 1)
      parseMicrodataFacts(html.slice(0, length), urlOfPage)
    const chunk = fc.constantFrom(
      '<div itemscope>',
      '</div>',
      ' itemprop="__proto__"',
      '<i itemprop="price">',
      '<',
      '>',
      '1',
    )
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), chunks => {
        expect(Array.isArray(parseMicrodata(chunks.join('')))).toBe(true)
      }),
    )
    const before = process.threadCpuUsage()
    for (const part of [
      '<div itemscope>',
      '<div itemscope itemprop="a">',
      'itemprop',
      '<i itemprop="a">',
      '<p itemprop="a">',
    ])
      parseMicrodataFacts(part.repeat(5000), urlOfPage)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(5000)
  })
})
