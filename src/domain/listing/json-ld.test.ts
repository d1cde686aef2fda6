/** The same listing in all forms of JSON-LD that occur on pages, valid and broken. */

import { describe, expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { testShared } from '../../../test/shared-tests.ts'
import { parseJsonLdBlocks } from './json-ld.ts'
import {
  dwelling,
  jsonLdScript,
  listing,
  offer,
  other,
  portal,
  readSamplePage,
  urlOfPage,
} from './sample-pages.ts'

describe('the shapes of JSON-LD', () => {
  const same = jsonLdScript({ ...listing, offers: offer, mainEntity: dwelling })
  const shapes: [what: string, html: string][] = [
    ['nested under mainEntity', same],
    ['nested under about, in a list', jsonLdScript({ ...listing, offers: [offer], about: [dwelling] })],
    [
      'an offer with the item offered',
      jsonLdScript({ ...offer, name: 'Piso en Sants', itemOffered: { ...dwelling, name: 'Piso en Sants' } }),
    ],
    [
      'a page with a main entity',
      jsonLdScript({
        '@type': ['WebPage', 'ItemPage'],
        mainEntity: { ...listing, offers: offer, about: dwelling },
      }),
    ],
    [
      'a graph',
      jsonLdScript({
        '@context': 'https://schema.org',
        '@graph': [portal, { ...listing, offers: offer, about: dwelling }],
      }),
    ],
    [
      'a graph linked by @id',
      jsonLdScript({
        '@graph': [
          { ...dwelling, '@id': '#home' },
          { ...listing, offers: offer, mainEntity: { '@id': '#home' } },
        ],
      }),
    ],
    [
      'an offer linked to its item by @id',
      jsonLdScript([
        { ...dwelling, name: 'Piso en Sants', '@id': '#a' },
        { ...offer, itemOffered: { '@id': '#a' } },
      ]),
    ],
    ['one list', jsonLdScript([portal, { ...listing, offers: offer }, dwelling])],
    ['one block for each node', jsonLdScript(portal, { ...listing, offers: offer }, dwelling)],
    [
      'types with a full URL',
      jsonLdScript({
        ...listing,
        '@type': 'https://schema.org/RealEstateListing',
        offers: offer,
        about: dwelling,
      }),
    ],
    [
      'an offer without a type',
      jsonLdScript({
        ...listing,
        '@type': 'Product',
        offers: { price: 374000, priceCurrency: 'EUR' },
        about: dwelling,
      }),
    ],
    [
      'a price specification',
      jsonLdScript({ ...listing, offers: { '@type': 'Offer', priceSpecification: offer }, about: dwelling }),
    ],
    [
      'numbers as strings',
      jsonLdScript({
        ...listing,
        offers: { ...offer, price: '374000.00' },
        about: { ...dwelling, numberOfRooms: '3', floorSize: { value: '86', unitText: 'm²' } },
      }),
    ],
    [
      'numbers in local form',
      jsonLdScript({
        ...listing,
        offers: { ...offer, price: '374.000 €' },
        about: { ...dwelling, floorSize: '86,0 m²' },
      }),
    ],
    [
      'coordinates as strings',
      jsonLdScript({
        ...listing,
        offers: offer,
        about: { ...dwelling, geo: { latitude: '41.37414612345678', longitude: '2,139515' } },
      }),
    ],
    [
      'another listing on the page',
      jsonLdScript(other, { ...listing, url: urlOfPage, offers: offer, about: dwelling }, other),
    ],
    [
      'related listings inside',
      jsonLdScript({
        ...listing,
        offers: offer,
        about: dwelling,
        isSimilarTo: [other],
        breadcrumb: { '@type': 'BreadcrumbList', itemListElement: [other] },
      }),
    ],
    [
      'a broken block beside a valid one',
      jsonLdScript('{"@type":"Apartment", "price": ', { ...listing, offers: offer, about: dwelling }),
    ],
    ['raw line breaks in strings', same.replace('en Sants', 'en\n Sants')],
    ['a trailing comma', same.replace('}}', '},}')],
    ['in a comment', same.replace('json">', 'json"><!--').replace('</script', '--></script')],
    [
      'in a CDATA section',
      same.replace('json">', 'json">//<![CDATA[\n').replace('</script', '\n//]]></script'),
    ],
    [
      'with JavaScript comments',
      same.replace('"name"', '\n// "old": 1\n"name"').replace('"offers":', '\n"x": 1, // why\n"offers":'),
    ],
    ['a semicolon at the end', same.replace('</script', ';</script')],
    [
      'escaped as HTML',
      jsonLdScript(JSON.stringify({ ...listing, offers: offer, about: dwelling }).replaceAll('"', '&quot;')),
    ],
    ['a type attribute with a character reference', same.replace('ld+json', 'ld&#x2B;json')],
    [
      'upper case and single quotes in the tag',
      same.replace('<script type="application/ld+json"', "<SCRIPT id=x type='application/ld+json' data-y"),
    ],
  ]
  test.each(shapes)('%s', (_what, html) => {
    expect(readSamplePage(html)?.listing).toMatchObject({
      title: 'Piso en Sants',
      price: 374000,
      currency: 'EUR',
      propertyType: 'homes',
      squareMeters: 86,
      rooms: 3,
      address: 'Carrer de Sants, 1',
      municipality: 'Barcelona',
      postcode: '08014',
      latitude: 41.37414612345678,
      longitude: 2.139515,
      contact: { name: null, phone: null },
    })
  })
})

test('JavaScript comments and null blocks are accepted', () => {
  const html = jsonLdScript(null, '{"@type":"Place",\n// where\n"name":"x"}', [null, { '@type': 'Thing' }])
  expect(parseJsonLdBlocks(html)).toEqual([
    null,
    { '@type': 'Place', name: 'x' },
    [null, { '@type': 'Thing' }],
  ])
})

testShared('blocks of real pages are parsed', () => {
  const html = (name: string) => readShared(`fixtures/structured-data/${name}`)
  expect(parseJsonLdBlocks(html('extruct-custom.invalid-JSONLD_with_JS_comment.html'))).toMatchObject([
    { '@type': 'NewsArticle' },
  ])
  expect(parseJsonLdBlocks(html('extruct-misc-null_ld_mock.html'))).toContainEqual(
    expect.objectContaining({ '@type': 'LocalBusiness' }),
  )
})
