/** One property on two portals, and two similar properties. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareProperties } from './compare-properties.ts'
import type { PropertyFacts } from './property-facts.ts'

const isSame = (one: PropertyFacts, other: PropertyFacts) => compareProperties(one, other).verdict === 'same'

const flat: PropertyFacts = {
  phone: '+34612345678',
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
}
/** Moves the pin; a degree of latitude is 111,200 m. */
const north = (meters: number) => ({ latitude: 41.3917 + meters / 111_200 })
const east = (meters: number) => ({
  longitude: 2.1611 + meters / (111_200 * Math.cos((41.3917 * Math.PI) / 180)),
})
const noPin = { latitude: null, longitude: null }

describe('a listing of the flat', () => {
  test.each<[string, Partial<PropertyFacts>]>([
    ['in the same words', {}],
    ['with a rounded price', { price: 305_000 }],
    ['with a price 8 % lower', { price: 276_000 }],
    ['with a rounded size', { squareMeters: 82 }],
    ['with its pin across the street', north(60)],
    ['with its pin blurred to 240 m', east(240)],
    [
      'without rooms, floor, type and operation',
      { bedrooms: null, bathrooms: null, floor: null, operation: null, propertyType: null },
    ],
    ['with another address at the same pin', { address: 'Mallorca 214, 3º 1ª' }],
    ['without a pin, at the same address and postcode', { ...noPin, municipality: null }],
    ['without a pin, at the same address and town', { ...noPin, postcode: null }],
    ['without a pin, its address in another form', { ...noPin, address: 'CARRER DE MALLORCA 214' }],
    ['with half a pin, at the same address', { latitude: null }],
  ])('%s is the same property', (_how, facts) => {
    expect(isSame(flat, { ...flat, ...facts })).toBe(true)
  })

  test.each<[string, Partial<PropertyFacts>]>([
    ['the flat above (twins in one building)', { floor: 4 }],
    ['the flat beside it with a room less', { bedrooms: 2 }],
    ['the flat beside it with a bathroom less', { bathrooms: 1 }],
    ['the same flat for rent', { operation: 'rent' }],
    ['an office', { propertyType: 'offices' }],
    ['another owner, at another price', { phone: '+34612345679', price: 290_000 }],
    ['no phone and no floor', { phone: null, floor: null }],
    ['a price more than 15 % lower', { price: 254_000 }],
    ['no price', { price: null }],
    ['a price of zero', { price: 0 }],
    ['a size more than 3 % and 2 m² larger', { squareMeters: 83 }],
    ['no size', { squareMeters: null }],
    ['a pin 260 m away', north(260)],
    ['a pin 260 m away at the same address', { ...east(260) }],
    ['no pin, and another house', { ...noPin, address: 'Carrer de Mallorca, 216' }],
    [
      'no pin, and the same street of another town',
      { ...noPin, municipality: 'Badalona', postcode: '08911' },
    ],
    ['no pin and no address', { ...noPin, address: null }],
    ['no pin and an address without words', { ...noPin, address: '-' }],
  ])('%s is not certainly the same', (_what, facts) => {
    expect(isSame(flat, { ...flat, ...facts })).toBe(false)
  })

  test('does not match by an address without words on both sides', () => {
    const placeless = { ...flat, ...noPin, address: '*' }
    expect(isSame(placeless, { ...placeless, address: '-' })).toBe(false)
  })

  test('of a small property may differ by 2 m²', () => {
    const garage = { ...flat, propertyType: 'garages', squareMeters: 12 }
    expect(isSame(garage, { ...garage, squareMeters: 14 })).toBe(true)
    expect(isSame(garage, { ...garage, squareMeters: 14.5 })).toBe(false)
  })
})

describe('two merged listings', () => {
  test('have a reason', () => {
    expect(compareProperties(flat, { ...flat, price: 297_000, ...north(40) }).reason).toBe(
      'same phone, same address, 40 m apart, 0 % apart in size and 1 % in price, same floor',
    )
    expect(compareProperties(flat, { ...flat, ...noPin }).reason).toContain('same address')
  })
})

test('hundreds of listings with one agency phone are not the same', () => {
  const agencyListings = Array.from({ length: 300 }, (_, index) => ({
    ...flat,
    squareMeters: 40 + (index % 60) * 4,
    price: 100_000 + index * 9_000,
    ...north((index % 7) * 300),
  }))
  for (const [index, listing] of agencyListings.entries()) {
    expect(agencyListings.filter(other => isSame(listing, other))).toEqual([agencyListings[index]])
  }
})

test('the comparison is symmetric', () => {
  const near = fc.record({
    squareMeters: fc.constantFrom(null, 78, 80, 82, 83),
    price: fc.constantFrom(null, 290_000, 300_000, 305_000),
    bedrooms: fc.constantFrom(null, 2, 3),
    floor: fc.constantFrom(null, 3, 4),
    latitude: fc.constantFrom(null, 41.3917, 41.392, 41.396),
    address: fc.constantFrom(null, flat.address, 'Carrer de Mallorca, 216'),
    postcode: fc.constantFrom(null, '08008', '08009'),
  })
  fc.assert(
    fc.property(near, near, (one, other) => {
      const [a, b] = [
        { ...flat, ...one },
        { ...flat, ...other },
      ]
      expect(isSame(a, b)).toBe(isSame(b, a))
    }),
    { numRuns: 500 },
  )
})
