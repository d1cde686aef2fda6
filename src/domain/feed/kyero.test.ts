/** Properties of Kyero v3: the sample of the format, and deviations that occur in feeds. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { kyeroSample } from '../../../test/kyero-sample.ts'
import { readShared } from '../../../test/shared.ts'
import { testShared } from '../../../test/shared-tests.ts'
import { type KyeroFeed, parseKyeroAgent, parseKyeroProperty } from './kyero.ts'
import { splitXmlItems } from './xml-items.ts'

const feedHeader: KyeroFeed = {
  url: 'https://feeds.example/kyero.xml',
  language: 'es',
  timezone: 'Europe/Madrid',
  agent: {},
}

const buildItem = (xml: string, element: string) => splitXmlItems(element).push(xml)[0]!
const sample = buildItem(kyeroSample, 'property')

/** A property with these elements after its id. */
const property = (xml: string, feed = feedHeader) =>
  parseKyeroProperty(`<property><id>1</id>${xml}</property>`, feed)!
const facts = (xml: string) => property(xml).facts

test('a property is parsed completely', () => {
  expect(parseKyeroProperty(sample, feedHeader)).toEqual({
    id: '40512',
    page: 'https://feeds.example/es/40512',
    changedAt: '2025-06-14T07:30:05.000Z',
    facts: {
      operation: 'sale',
      propertyType: 'homes',
      price: 312_000,
      currency: 'EUR',
      squareMeters: 180,
      bedrooms: 4,
      bathrooms: 3,
      features: ['pool'],
      latitude: 36.753912,
      longitude: -3.874105,
      municipality: 'nerja',
      province: 'malaga',
      address: 'Urb Los Almendros',
      description: 'Casa con jardín',
      images: ['https://feeds.example/40512/1.jpg', 'https://feeds.example/40512/2.jpg'],
    },
  })
})

testShared("the format's sample is parsed completely", () => {
  const sample = buildItem(readShared('fixtures/feeds/kyero-v3-a.xml'), 'property')
  expect(JSON.stringify(parseKyeroProperty(sample, feedHeader))).not.toContain('Private property notes')
  expect(parseKyeroProperty(sample, feedHeader)).toEqual({
    id: '12367',
    page: 'http://spanish.website.com/property/123456.htm',
    changedAt: '2013-09-27T10:00:10.000Z',
    facts: {
      operation: 'sale',
      propertyType: 'homes',
      price: 250_000,
      currency: 'EUR',
      squareMeters: 150,
      bedrooms: 3,
      bathrooms: 2,
      features: ['pool'],
      latitude: 36.728807,
      longitude: -3.693466,
      municipality: 'almunecar',
      province: 'granada',
      address: 'Urb Tropicana',
      description: 'Spanish property description',
      images: [12811577, 12811578, 12811579, 12811581, 12811582].map(
        number => `http://images.kyero.com/${number}_large.jpg`,
      ),
    },
  })
})

describe('the price', () => {
  const price = (value: string, frequency: string, more = '') =>
    facts(`<price>${value}</price><currency>EUR</currency><price_freq>${frequency}</price_freq>${more}`)

  test('is that of a sale or of a month', () => {
    expect(price('250000', 'sale')).toEqual({ operation: 'sale', price: 250_000, currency: 'EUR' })
    expect(price('950', 'month')).toEqual({ operation: 'rent', price: 950, currency: 'EUR' })
    expect(price('1200.50', 'month')).toMatchObject({ price: 1200 })
  })

  test('per week, on application, of zero or of a share is omitted', () => {
    expect(price('700', 'week')).toEqual({ operation: 'rent' })
    expect(price('x', 'sale')).toEqual({ operation: 'sale' })
    expect(price('0', 'sale')).toEqual({ operation: 'sale' })
    expect(price('90000', 'sale', '<part_ownership>1</part_ownership>')).toEqual({ operation: 'sale' })
  })
})

test.each([
  ['villa', 'homes'],
  ['Apartment', 'homes'],
  ['Town House', 'homes'],
  ['Country House', 'homes'],
  ['<![CDATA[ Penthouse ]]>', 'homes'],
  ['Ático', 'homes'],
  ['Apartment with garage', 'homes'],
  ['Office', 'offices'],
  ['Commercial', 'premises'],
  ['Local comercial', 'premises'],
  ['Garage', 'garages'],
  ['Parking space', 'garages'],
  ['Land', undefined],
  ['Plot', undefined],
  ['Storage room', undefined],
  ['Yacht', undefined],
])('the type %s is %s', (type, propertyType) => {
  expect(facts(`<type>${type}</type>`).propertyType).toBe(propertyType)
})

test('zero bedrooms are a studio for homes, and unknown for other types', () => {
  expect(facts('<type>Studio</type><beds>0</beds><baths>0</baths>')).toEqual({
    propertyType: 'homes',
    bedrooms: 0,
  })
  expect(facts('<type>Garage</type><beds>0</beds>')).toEqual({ propertyType: 'garages' })
  expect(
    facts('<beds/><baths></baths><surface_area><built>0</built><plot>500</plot></surface_area>'),
  ).toEqual({})
})

test('features are parsed in both languages, and the condition among them', () => {
  const list = (...labels: string[]) =>
    `<features>${labels.map(label => `<feature>${label}</feature>`).join('')}</features>`
  expect(
    facts(list('Ascensor', 'Air conditioning', 'Sin terraza', '<![CDATA[Garage & garden]]>', 'Buen estado')),
  ).toEqual({
    features: ['lift', 'air_conditioning', 'parking', 'garden'],
    condition: 'good',
  })
  expect(facts(`<new_build>1</new_build>${list('Buen estado')}`).condition).toBe('new')
  expect(facts(`<pool>1</pool>${list('Piscina comunitaria')}`).features).toEqual(['pool'])
  expect(facts('<pool>0</pool><new_build>0</new_build>')).toEqual({})
})

describe('texts', () => {
  test('are in the language of the portal, otherwise in English, otherwise in any language', () => {
    expect(facts('<desc><de>D</de><en>E</en><es>S</es></desc>').description).toBe('S')
    expect(facts('<desc><de>D</de><en>E</en><es> </es></desc>').description).toBe('E')
    expect(facts('<desc><en/><de>D</de></desc>').description).toBe('D')
    expect(facts('<desc>Alone</desc><title><![CDATA[Casa & jardín]]></title>')).toEqual({
      description: 'Alone',
      title: 'Casa & jardín',
    })
  })

  test('are converted to plain text, however the markup is embedded', () => {
    const expected = 'Uno & dos\nTres'
    expect(facts('<desc><es><![CDATA[<p>Uno &amp; dos<br>Tres</p>]]></es></desc>').description).toBe(expected)
    expect(facts('<desc><es>Uno &amp; dos&lt;br/&gt;Tres</es></desc>').description).toBe(expected)
    expect(facts('<desc><es>Uno & dos<br>Tres</es></desc>').description).toBe(expected)
  })

  test("the advertiser's private notes are not read", () => {
    expect(JSON.stringify(parseKyeroProperty(sample, feedHeader))).not.toContain('Only for the office')
  })
})

describe('the advertiser', () => {
  const agent =
    '<agent><id>7</id><name>Costa &amp; Sol</name><email>a@b.es</email><tel>952 12 34 56</tel></agent>'
  const agency = {
    'contact.advertiserType': 'agency',
    'contact.name': 'Costa & Sol',
    'contact.email': 'a@b.es',
    'contact.phoneRaw': '952 12 34 56',
  }

  test('is the agency of the property, otherwise that of the feed', () => {
    expect(facts(agent)).toEqual(agency)
    const feedAgent = parseKyeroAgent(`<root><kyero><feed_version>3</feed_version></kyero>${agent}`)
    expect(feedAgent).toEqual(agency)
    expect(property('', { ...feedHeader, agent: feedAgent }).facts).toEqual(agency)
    expect(parseKyeroAgent('<root><kyero/>')).toEqual({})
  })

  test('may be a private person', () => {
    expect(
      facts(
        '<by_owner>1</by_owner><contact_name>Ana</contact_name><contact_number>612 345 678</contact_number>',
      ),
    ).toEqual({
      'contact.advertiserType': 'private',
      'contact.name': 'Ana',
      'contact.phoneRaw': '612 345 678',
    })
  })

  test('is unknown if nothing is stated', () => {
    expect(facts('<email>a@b.es</email>')).toEqual({ 'contact.email': 'a@b.es' })
  })
})

test('a property without an id or of another format gives null', () => {
  expect(parseKyeroProperty('<property><price>1</price></property>', feedHeader)).toBeNull()
  const otherProperty =
    '<realestate><codice>1</codice><prezzo>250000</prezzo><comune>Roma</comune></realestate>'
  expect(parseKyeroProperty(otherProperty, feedHeader)).toBeNull()
  expect(parseKyeroProperty('', feedHeader)).toBeNull()
})

testShared('a property of Casa.it gives null', () => {
  const property = buildItem(readShared('fixtures/feeds/casa_it.xml'), 'realestate')
  expect(parseKyeroProperty(property, feedHeader)).toBeNull()
})

test('a truncated or modified sample never fails, and numbers stay finite', () => {
  const change = fc.tuple(fc.nat(sample.length), fc.string({ unit: anyCharacter, maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), fc.boolean(), (changes, isTruncated) => {
      let xml = sample
      for (const [index, text] of changes)
        xml = isTruncated ? xml.slice(0, index) : xml.slice(0, index) + text + xml.slice(index + text.length)
      for (const value of Object.values(parseKyeroProperty(xml, feedHeader)?.facts ?? {}))
        expect(typeof value === 'number' && !Number.isFinite(value)).toBe(false)
    }),
    { numRuns: 500 },
  )
})
