/** One property listed twice, similar neighbours, and units that cannot be distinguished. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Comparison, compareProperties } from './compare-properties.ts'
import type { PropertyFacts } from './property-facts.ts'

const text = `Magnífico piso situado en una de las mejores zonas de la Dreta de l'Eixample. Cuenta con 80 metros cuadrados,
3 dormitorios y 2 baños. Finca de 1930 con ascensor, balcón a la calle y suelos hidráulicos recuperados.`
const otherText = `Oportunidad: vivienda luminosa muy cerca de Passeig de Gràcia, perfecta para familias que quieran vivir en el
centro sin renunciar a la tranquilidad. Llámenos y se la enseñamos sin compromiso cualquier día de la semana.`
const flat: PropertyFacts = {
  phone: '+34934123456',
  advertiserType: 'agency',
  operation: 'sale',
  propertyType: 'homes',
  squareMeters: 80,
  price: 300_000,
  bedrooms: 3,
  bathrooms: 2,
  floor: 3,
  latitude: 41.3917,
  longitude: 2.1611,
  address: 'Carrer de Mallorca, 214',
  municipality: 'Barcelona',
  postcode: '08008',
  condition: 'good',
  features: ['lift', 'balcony', 'exterior', 'fitted_wardrobes'],
  title: 'Piso en Carrer de Mallorca',
  description: text,
  images: ['https://a.example/fotos/x/1207345-1.jpg', 'https://a.example/fotos/x/1207345-2.jpg'],
}
const north = (meters: number) => ({ latitude: 41.3917 + meters / 111_200 })
const noPin = { latitude: null, longitude: null }
const noAddress = { address: null, postcode: null }
/** The same flat as another agency would list it. */
const byOtherAgency = {
  phone: '+34932000000',
  description: otherText,
  images: ['https://b.example/1.jpg', 'https://b.example/2.jpg'],
  features: ['lift', 'balcony', 'exterior'],
}
const getVerdict = (facts: Partial<PropertyFacts>, other: Partial<PropertyFacts> = {}) =>
  compareProperties({ ...flat, ...other }, { ...flat, ...facts }).verdict

describe('a listing of the flat', () => {
  test.each<[what: string, Comparison['verdict'], Partial<PropertyFacts>]>([
    ['in the same words', 'same', {}],
    ['at a price 4 % lower', 'same', { price: 288_000 }],
    ['at a price 9 % lower, a year later', 'same', { price: 273_000 }],
    ['with its pin 240 m off and a size rounded', 'same', { ...north(240), squareMeters: 82 }],
    ['in other words', 'same', { description: otherText, images: [] }],
    ['without an address', 'same', noAddress],
    ['without a pin, its address abbreviated', 'same', { ...noPin, address: 'C/ Mallorca 214' }],
    ['without floor, rooms and bathrooms', 'same', { floor: null, bedrooms: null, bathrooms: null }],
    ['on a mezzanine, which portals count differently', 'same', { floor: 0.5 }],
    ['of another agency, at the same price', 'same', byOtherAgency],
    ['of another agency, 2 % cheaper', 'same', { ...byOtherAgency, price: 294_000 }],
    [
      'of another agency with the same photos and no address',
      'same',
      { ...byOtherAgency, ...noAddress, images: flat.images! },
    ],

    ['of another agency, 5 % cheaper', 'maybe', { ...byOtherAgency, price: 285_000 }],
    ['of another agency, no house number', 'maybe', { ...byOtherAgency, address: 'Carrer de Mallorca' }],
    ['of another agency without a floor', 'maybe', { ...byOtherAgency, floor: null }],
    ['of another agency, identical but for the address', 'maybe', { ...byOtherAgency, ...noAddress }],
    ['without a price', 'maybe', { price: null }],
    ['without a size', 'maybe', { squareMeters: null }],
    ['with neither pin nor address', 'maybe', { ...noPin, ...noAddress }],
    ['at the house across the street', 'maybe', { address: 'Carrer de Mallorca, 217' }],

    ['for rent', 'different', { operation: 'rent' }],
    ['as an office', 'different', { propertyType: 'offices' }],
    ['with a bedroom less', 'different', { bedrooms: 2 }],
    ['with a bathroom less', 'different', { bathrooms: 1 }],
    ['one floor higher', 'different', { floor: 4 }],
    ['4 % larger', 'different', { squareMeters: 84 }],
    ['16 % cheaper', 'different', { price: 250_000 }],
    ['260 m away', 'different', north(260)],
    [
      'of another agency, nearby, with several small differences',
      'different',
      { ...byOtherAgency, ...noAddress, ...north(200), squareMeters: 82, price: 280_000 },
    ],
  ])('%s: %s', (_what, verdict, facts) => {
    expect(getVerdict(facts)).toBe(verdict)
  })

  test.each<
    [what: string, one: Partial<PropertyFacts>, other: Partial<PropertyFacts>, Comparison['verdict']]
  >([
    [
      'another door of its floor',
      { address: 'Mallorca 214, 3º 1ª' },
      { address: 'Mallorca 214, 3º 2ª' },
      'different',
    ],
    [
      'its own door, from another agency',
      { address: 'Mallorca 214, 3º 1ª' },
      { ...byOtherAgency, address: 'C/ Mallorca, 214, 3-1', price: 285_000 },
      'same',
    ],
    [
      'the same address in another town',
      { ...noPin, phone: null },
      { ...noPin, phone: null, municipality: 'Badalona', postcode: '08911' },
      'different',
    ],
    [
      'two private phones, of a couple or of neighbours',
      { phone: '+34612345678', advertiserType: 'private' },
      { ...byOtherAgency, phone: '+34600111222', advertiserType: 'private' },
      'maybe',
    ],
    [
      'one owner, twice, in other words',
      { phone: '+34612345678', advertiserType: 'private', ...noAddress },
      {
        ...byOtherAgency,
        phone: '+34612345678',
        advertiserType: 'private',
        floor: null,
        price: 285_000,
        ...north(200),
      },
      'same',
    ],
    [
      'the same cadastral number',
      { description: `${text} Ref. catastral: 9872023VH5797S0001WX` },
      { ...byOtherAgency, ...noAddress, description: 'Catastro 9872023 VH5797S 0001 WX', price: 280_000 },
      'same',
    ],
    [
      'another cadastral number',
      { description: `${text} 9872023VH5797S0001WX` },
      { description: `${text} 9872023VH5797S0002EM` },
      'different',
    ],
    [
      "another of the agency's references",
      { ...noAddress, description: `${text} Ref. 934-22341` },
      { ...noAddress, floor: null, price: 303_000, images: [], description: `${otherText} Ref. 934-22342` },
      'maybe',
    ],
    [
      'renovated in between',
      { condition: 'to_renovate' },
      { ...byOtherAgency, condition: 'new', price: 285_000 },
      'different',
    ],
  ])('%s', (_what, one, other, verdict) => {
    expect(getVerdict(other, one)).toBe(verdict)
  })
})

describe('two units of a new building with the same phone, size, price, text and photos', () => {
  const unit = { ...flat, condition: 'new' }
  const compare = (facts: Partial<PropertyFacts>, base: PropertyFacts = unit) =>
    compareProperties(base, { ...base, ...facts })

  test('are different on different floors', () => {
    expect(compare({ floor: 4 }).verdict).toBe('different')
  })

  // A listing of a twin unit and a second listing of the same unit are identical.
  test.each<[string, Partial<PropertyFacts>]>([
    ['nothing differs', {}],
    ['one does not state the floor', { floor: null }],
    ['one does not state that it is new', { condition: null }],
    ["the agency's reference is that of the building", { description: `${text} Ref. 934-22341` }],
  ])('need review if %s', (_what, facts) => {
    expect(compare(facts)).toMatchObject({
      verdict: 'maybe',
      reason: expect.stringContaining('; but units of a new building are alike'),
    })
  })

  test('are the same if they have the same door', () => {
    const door = { ...unit, address: 'Carrer de Mallorca, 214, 3º 1ª' }
    expect(compare({ ...north(20), price: 303_000 }, door).verdict).toBe('same')
    expect(compare({ address: 'Carrer de Mallorca, 214, 3º 2ª' }, door).verdict).toBe('different')
  })

  test('are the same if they have the same private owner', () => {
    const ownFacts: PropertyFacts = { ...unit, phone: '+34612345678', advertiserType: 'private' }
    expect(compare({}, ownFacts).verdict).toBe('same')
  })
})

test.each<[Partial<PropertyFacts>, reason: string]>([
  [
    { ...north(12), price: 294_300, description: otherText, images: [], features: [] },
    'same phone, same address, 12 m apart, 0 % apart in size and 1.9 % in price, same floor',
  ],
  [
    { ...byOtherAgency, address: 'Carrer de Mallorca', squareMeters: 81 },
    'other phone, same street, 0 m apart, 1.2 % apart in size and 0 % in price, same floor; but neither phone nor address, photos or wording are the same',
  ],
  [
    { ...noPin, ...noAddress, price: null },
    'same phone, 0 % apart in size, same floor, same features, same photos, same wording; but a price is not stated',
  ],
  [{ floor: 4 }, 'different floors'],
  [{ bedrooms: 2, floor: 4 }, 'different numbers of bedrooms'],
  [{ ...byOtherAgency, ...noAddress, ...noPin, floor: null }, 'too little in common'],
])('the reason of %j', (facts, reason) => {
  expect(compareProperties(flat, { ...flat, ...facts }).reason).toBe(reason)
})

const oneOrNull = <T>(...values: T[]) => fc.constantFrom<(T | null)[]>(null, ...values)
const anyFacts: fc.Arbitrary<PropertyFacts> = fc.record({
  phone: oneOrNull('+34934123456', '+34612345678'),
  advertiserType: oneOrNull('private' as const, 'agency' as const),
  operation: oneOrNull('sale'),
  propertyType: oneOrNull('homes', 'offices'),
  squareMeters: oneOrNull(79, 80, 81.5),
  price: oneOrNull(300_000, 297_000, 285_000),
  bedrooms: oneOrNull(3),
  bathrooms: oneOrNull(2),
  floor: oneOrNull(3, 4, 0.5),
  latitude: oneOrNull(41.3917, 41.392),
  longitude: oneOrNull(2.1611, 2.1612),
  address: oneOrNull(flat.address, 'C/ Mallorca 214, 3º 1ª', 'Mallorca 216', 'Balmes, 3', '-'),
  municipality: oneOrNull('Barcelona', 'Badalona'),
  postcode: oneOrNull('08008', '08009'),
  condition: oneOrNull('new', 'good'),
  features: fc.subarray(['lift', 'balcony', 'exterior', 'interior', 'pool', 'garden']),
  title: oneOrNull('Piso'),
  description: oneOrNull(text, otherText, `${text} Ref. 1234`, `${otherText} Ref. 1235`),
  images: fc.subarray([...flat.images!, 'https://b.example/1.jpg']),
})

test('the comparison is symmetric', () => {
  fc.assert(
    fc.property(anyFacts, anyFacts, (one, other) => {
      expect(compareProperties(one, other)).toEqual(compareProperties(other, one))
    }),
    { numRuns: 2000 },
  )
})

test('the order of fields, features and photos does not matter', () => {
  const reverseOrder = (facts: PropertyFacts): PropertyFacts => ({
    ...(Object.fromEntries(Object.entries(facts).toReversed()) as unknown as PropertyFacts),
    features: facts.features!.toReversed(),
    images: facts.images!.toReversed(),
  })
  fc.assert(
    fc.property(anyFacts, anyFacts, (one, other) => {
      expect(compareProperties(reverseOrder(one), reverseOrder(other))).toEqual(compareProperties(one, other))
    }),
  )
})

test('a complete listing is the same as itself, except for a unit of a new building', () => {
  fc.assert(
    fc.property(anyFacts, facts => {
      const described = {
        ...facts,
        phone: '+34934123456',
        squareMeters: 80,
        price: 300_000,
        latitude: 41,
        longitude: 2,
      }
      const isUnclear =
        described.condition === 'new' &&
        described.advertiserType !== 'private' &&
        !described.address?.includes('º')
      expect(compareProperties(described, { ...described }).verdict).toBe(isUnclear ? 'maybe' : 'same')
    }),
  )
})

test.each<[name: keyof PropertyFacts, one: unknown, other: unknown]>([
  ['operation', 'sale', 'rent'],
  ['propertyType', 'homes', 'premises'],
  ['bedrooms', 2, 3],
  ['bathrooms', 1, 2],
  ['floor', 3, 4],
  ['squareMeters', 80, 90],
  ['price', 300_000, 400_000],
  ['latitude', 41.3917, 41.3957],
])('properties with different %s are different, whatever else they share', (name, one, other) => {
  fc.assert(
    fc.property(anyFacts, facts => {
      const described = { ...facts, longitude: 2.1611 }
      const { verdict, score } = compareProperties(
        { ...described, [name]: one },
        { ...described, [name]: other },
      )
      expect([verdict, score]).toEqual(['different', Number.NEGATIVE_INFINITY])
    }),
    { numRuns: 50 },
  )
})
