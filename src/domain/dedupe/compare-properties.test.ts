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
const distant = {
  phone: '+34932000000',
  description: otherText,
  images: ['https://b.example/1.jpg', 'https://b.example/2.jpg'],
  features: ['lift', 'balcony', 'exterior'],
}
const getVerdict = (facts: Partial<PropertyFacts>, other: Partial<PropertyFacts> = {}) =>
  compareProperties({ ...flat, ...other }, { ...flat, ...facts }).verdict

describe('a listing of the flat', () => {
  test.each<[what: string, Partial<PropertyFacts>, Comparison['verdict']]>([
    ['in the same words', {}, 'same'],
    ['at a price 4 % lower', { price: 288_000 }, 'same'],
    ['at a price 9 % lower, a year later', { price: 273_000 }, 'same'],
    ['with its pin 240 m off and a size rounded', { ...north(240), squareMeters: 82 }, 'same'],
    ['in other words', { description: otherText, images: [] }, 'same'],
    ['without an address', noAddress, 'same'],
    ['without a pin, its address abbreviated', { ...noPin, address: 'C/ Mallorca 214' }, 'same'],
    ['without floor, rooms and bathrooms', { floor: null, bedrooms: null, bathrooms: null }, 'same'],
    ['on a mezzanine, which portals count differently', { floor: 0.5 }, 'same'],
    ['of another agency, at the same price', distant, 'same'],
    ['of another agency, 2 % cheaper', { ...distant, price: 294_000 }, 'same'],
    [
      'of another agency with the same photos and no address',
      { ...distant, ...noAddress, images: flat.images! },
      'same',
    ],

    ['of another agency, 5 % cheaper', { ...distant, price: 285_000 }, 'maybe'],
    ['of another agency without a house number', { ...distant, address: 'Carrer de Mallorca' }, 'maybe'],
    ['of another agency without a floor', { ...distant, floor: null }, 'maybe'],
    ['of another agency without an address, otherwise identical', { ...distant, ...noAddress }, 'maybe'],
    ['without a price', { price: null }, 'maybe'],
    ['without a size', { squareMeters: null }, 'maybe'],
    ['with neither pin nor address', { ...noPin, ...noAddress }, 'maybe'],
    ['at the house across the street', { address: 'Carrer de Mallorca, 217' }, 'maybe'],

    ['for rent', { operation: 'rent' }, 'different'],
    ['as an office', { propertyType: 'offices' }, 'different'],
    ['with a bedroom less', { bedrooms: 2 }, 'different'],
    ['with a bathroom less', { bathrooms: 1 }, 'different'],
    ['one floor higher', { floor: 4 }, 'different'],
    ['4 % larger', { squareMeters: 84 }, 'different'],
    ['16 % cheaper', { price: 250_000 }, 'different'],
    ['260 m away', north(260), 'different'],
    [
      'of another agency, nearby, with several small differences',
      { ...distant, ...noAddress, ...north(200), squareMeters: 82, price: 280_000 },
      'different',
    ],
  ])('%s: %3$s', (_what, facts, verdict) => {
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
      { ...distant, address: 'C/ Mallorca, 214, 3-1', price: 285_000 },
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
      { ...distant, phone: '+34600111222', advertiserType: 'private' },
      'maybe',
    ],
    [
      'one owner, twice, in other words',
      { phone: '+34612345678', advertiserType: 'private', ...noAddress },
      {
        ...distant,
        phone: '+34612345678',
        advertiserType: 'private',
        floor: null,
        price: 285_000,
        ...north(200),
      },
      'same',
    ],
    [
      'the same land-registry reference',
      { description: `${text} Ref. catastral: 9872023VH5797S0001WX` },
      { ...distant, ...noAddress, description: 'Catastro 9872023 VH5797S 0001 WX', price: 280_000 },
      'same',
    ],
    [
      'another land-registry reference',
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
      { ...distant, condition: 'new', price: 285_000 },
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
    { ...distant, address: 'Carrer de Mallorca', squareMeters: 81 },
    'other phone, same street, 0 m apart, 1.2 % apart in size and 0 % in price, same floor; but neither phone nor address, photos or wording are the same',
  ],
  [
    { ...noPin, ...noAddress, price: null },
    'same phone, 0 % apart in size, same floor, same features, same photos, same wording; but a price is not stated',
  ],
  [{ floor: 4 }, 'different floors'],
  [{ bedrooms: 2, floor: 4 }, 'different numbers of bedrooms'],
  [{ ...distant, ...noAddress, ...noPin, floor: null }, 'too little in common'],
])('the reason of %j', (facts, reason) => {
  expect(compareProperties(flat, { ...flat, ...facts }).reason).toBe(reason)
})

const statedFacts = <T>(...values: T[]) => fc.constantFrom<(T | null)[]>(null, ...values)
const anyFacts: fc.Arbitrary<PropertyFacts> = fc.record({
  phone: statedFacts('+34934123456', '+34612345678'),
  advertiserType: statedFacts('private' as const, 'agency' as const),
  operation: statedFacts('sale'),
  propertyType: statedFacts('homes', 'offices'),
  squareMeters: statedFacts(79, 80, 81.5),
  price: statedFacts(300_000, 297_000, 285_000),
  bedrooms: statedFacts(3),
  bathrooms: statedFacts(2),
  floor: statedFacts(3, 4, 0.5),
  latitude: statedFacts(41.3917, 41.392),
  longitude: statedFacts(2.1611, 2.1612),
  address: statedFacts(flat.address, 'C/ Mallorca 214, 3º 1ª', 'Mallorca 216', 'Balmes, 3', '-'),
  municipality: statedFacts('Barcelona', 'Badalona'),
  postcode: statedFacts('08008', '08009'),
  condition: statedFacts('new', 'good'),
  features: fc.subarray(['lift', 'balcony', 'exterior', 'interior', 'pool', 'garden']),
  title: statedFacts('Piso'),
  description: statedFacts(text, otherText, `${text} Ref. 1234`, `${otherText} Ref. 1235`),
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
