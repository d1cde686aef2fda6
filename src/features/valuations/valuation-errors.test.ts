/** Refused valuations: the errors name the cause and the remedy. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { NewValuation } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
}
const unknown = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string; message: string }[]
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
  await fillMarket(app.database, 'test', makeListingsAround(place))
})
afterAll(() => app.stop())

async function refuse(body: Partial<Record<keyof NewValuation, unknown>>) {
  const { status, body: refusal } = await tenant.call<Refusal>('POST', '/valuations', {
    body: { ...flat, ...body },
  })
  return { status, ...refusal }
}

const corners = (...places: [number, number][]) =>
  places.map(([latitude, longitude]) => ({ latitude, longitude }))
const thisYear = new Date().getUTCFullYear()

test('one reply has the errors of the schema and of all further checks', async () => {
  const polygon = corners([41.39, 2.16], [41.4, 2.17], [50, 9])
  const { status, errors } = await refuse({
    squareMeters: 0,
    bedrooms: null,
    yearBuilt: thisYear + 7,
    polygon,
    amenities: ['lift', 'dragon'],
    reportConfig: { language: 'xx' },
  })
  expect(status).toBe(400)
  expect(errors.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
    '/amenities/1 NOT_ALLOWED',
    '/bedrooms REQUIRED',
    '/polygon TOO_FAR',
    '/reportConfig/language NOT_ALLOWED',
    '/squareMeters TOO_SMALL',
    '/yearBuilt TOO_LARGE',
  ])
})

test.each<[string, Partial<Record<keyof NewValuation, unknown>>, string, string]>([
  ['a latitude above 90', { latitude: 91 }, '/latitude', 'TOO_LARGE'],
  ['a longitude below -180', { longitude: -180.5 }, '/longitude', 'TOO_SMALL'],
  ['0 m²', { squareMeters: 0 }, '/squareMeters', 'TOO_SMALL'],
  ['a floor area that is too large', { squareMeters: 1e6 }, '/squareMeters', 'TOO_LARGE'],
  ['900 bedrooms', { bedrooms: 900 }, '/bedrooms', 'TOO_LARGE'],
  ['half a bedroom', { bedrooms: 2.5 }, '/bedrooms', 'WRONG_TYPE'],
  ['no bedrooms', { bedrooms: undefined }, '/bedrooms', 'REQUIRED'],
  ['unknown bathrooms', { bathrooms: null }, '/bathrooms', 'REQUIRED'],
  ['51 bathrooms', { bathrooms: 51 }, '/bathrooms', 'TOO_LARGE'],
  ['no type', { propertyType: undefined }, '/propertyType', 'REQUIRED'],
  ['an unknown type', { propertyType: 'castles' }, '/propertyType', 'NOT_ALLOWED'],
  ['the 201st floor', { floor: 201 }, '/floor', 'TOO_LARGE'],
  ['built long ago', { yearBuilt: 999 }, '/yearBuilt', 'TOO_SMALL'],
  ['built in the far future', { yearBuilt: thisYear + 7 }, '/yearBuilt', 'TOO_LARGE'],
  ['a negative plot', { plotSquareMeters: -1 }, '/plotSquareMeters', 'TOO_SMALL'],
  ['a radius of zero', { radiusKm: 0 }, '/radiusKm', 'TOO_SMALL'],
  ['51 km', { radiusKm: 51 }, '/radiusKm', 'TOO_LARGE'],
  ['two corners', { polygon: corners([41, 2], [42, 2]) }, '/polygon', 'TOO_FEW'],
  ['the same corner thrice', { polygon: corners([41, 2], [41, 2], [41, 2]) }, '/polygon', 'TOO_FEW'],
  ['501 corners', { polygon: Array(501).fill(place) }, '/polygon', 'TOO_MANY'],
  ['a line', { polygon: corners([41, 2], [41.1, 2.1], [41.2, 2.2]) }, '/polygon', 'NO_AREA'],
  [
    'a polygon that crosses itself',
    { polygon: corners([41, 2], [41.3, 2.3], [41.3, 2], [41, 2.1]) },
    '/polygon',
    'SELF_CROSSING',
  ],
  ['a far polygon', { polygon: corners([40, 2], [40, 2.1], [40.1, 2]) }, '/polygon', 'TOO_FAR'],
  [
    'a corner with a latitude above 90',
    { polygon: corners([41, 2], [95, 2], [41, 3]) },
    '/polygon/1/latitude',
    'TOO_LARGE',
  ],
  ['a lift both present and absent', { amenities: ['lift'], hasLift: false }, '/hasLift', 'CONTRADICTION'],
  ['an amenity that is too long', { amenities: ['x'.repeat(101)] }, '/amenities/0', 'TOO_LONG'],
  ['an amenity that is misspelt', { amenities: ['lift', 'piscna'] }, '/amenities/1', 'NOT_ALLOWED'],
  [
    'a pool in Spanish that is also absent',
    { amenities: ['piscina'], hasPool: false },
    '/hasPool',
    'CONTRADICTION',
  ],
  ['a third of a floor', { floor: 0.3 }, '/floor', 'INVALID'],
  [
    'a place in the sea',
    { latitude: 41.37, longitude: 2.22, includedComparableIds: [unknown] },
    '/longitude',
    'IN_THE_SEA',
  ],
  ['an unknown id', { includedComparableIds: [unknown] }, '/includedComparableIds/0', 'UNKNOWN'],
  ['another unknown id', { excludedComparableIds: [unknown] }, '/excludedComparableIds/0', 'UNKNOWN'],
  ['an invalid id', { includedComparableIds: ['1'] }, '/includedComparableIds/0', 'WRONG_FORMAT'],
  [
    'a comparable both included and excluded',
    { includedComparableIds: [unknown], excludedComparableIds: [unknown.toUpperCase()] },
    '/excludedComparableIds/0',
    'CONTRADICTION',
  ],
  ['a currency', { currency: 'EUR' } as object, '/currency', 'UNKNOWN_FIELD'],
  ['an unknown section', { reportConfig: { sections: ['x'] } }, '/reportConfig/sections/0', 'NOT_ALLOWED'],
])('%s is refused with 400', async (_what, body, path, code) => {
  const refusal = await refuse(body)
  expect(refusal).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  expect(refusal.errors.map(error => [error.path, error.code])).toContainEqual([path, code])
})

test('one reply lists all errors', async () => {
  const { errors } = await refuse({
    bedrooms: null,
    bathrooms: null,
    yearBuilt: 3000,
    hasPool: false,
    amenities: ['pool'],
  })
  expect(errors.map(({ path }) => path)).toEqual(['/bedrooms', '/bathrooms', '/yearBuilt', '/hasPool'])
})

test('bedrooms are not required for other property types', async () => {
  const garages = makeListingsAround(place, {
    propertyType: 'garages',
    bedrooms: null,
    bathrooms: null,
    squareMeters: 15,
  })
  await fillMarket(
    app.database,
    'test',
    garages.map(listing => ({ ...listing, source: 'garages', price: 20_000 })),
  )
  const { latitude, longitude } = place
  const body = { latitude, longitude, squareMeters: 14, propertyType: 'garages', operation: 'sale' }
  expect((await tenant.call('POST', '/valuations', { body })).status).toBe(201)
})

describe('a place', () => {
  let used: number
  beforeAll(async () => {
    used = await tenant.readQuotaUsage('maxValuationsPerMonth')
  })

  test.each<[string, Partial<NewValuation>]>([
    ['far out', { latitude: 40, longitude: 5.5 }],
    ['off a town with comparables', { latitude: 41.37, longitude: 2.22 }],
    [
      'off a town, with a polygon on land',
      { latitude: 41.37, longitude: 2.22, polygon: corners([41.38, 2.15], [41.38, 2.17], [41.4, 2.16]) },
    ],
  ])('in the sea is refused: %s', async (_where, body) => {
    const refusal = await refuse(body)
    expect(refusal).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      errors: [
        { path: '/latitude', code: 'IN_THE_SEA' },
        { path: '/longitude', code: 'IN_THE_SEA' },
      ],
    })
    expect(refusal.message).toMatch(/^This place is in the sea, more than 1 km off any coast/)
    expect(await tenant.readQuotaUsage('maxValuationsPerMonth')).toBe(used)
  })

  test('in the sea on the map is accepted if a property is known there', async () => {
    const island = { latitude: 39.9, longitude: 0.6837 }
    expect(await refuse(island)).toMatchObject({ errors: [{ code: 'IN_THE_SEA' }, {}] })
    const lighthouse = { ...island, propertyType: 'premises' as const, source: 'island', bedrooms: null }
    await fillMarket(app.database, 'test', makeListingsAround(island, lighthouse, 1))
    expect(await refuse(island)).toMatchObject({ status: 422 })
  })

  test('on land without known properties needs comparables', async () => {
    const refusal = await refuse({ latitude: 40.4168, longitude: -3.7038 })
    expect(refusal).toMatchObject({ status: 422, code: 'NOT_ENOUGH_COMPARABLES' })
    expect(refusal.message).toContain('No homes for sale are known within 50 km.')
    expect(refusal.message).toContain('an extraction of the area, or `npx aldaba market import`')
    expect(await tenant.readQuotaUsage('maxValuationsPerMonth')).toBe(used)
  })

  test('with latitude and longitude swapped is recognized', async () => {
    const { status, message, errors } = await refuse({
      latitude: place.longitude,
      longitude: place.latitude,
    })
    expect([status, errors.map(({ code }) => code)]).toEqual([400, ['SWAPPED', 'SWAPPED']])
    expect(message).toContain('if latitude and longitude are swapped: check their order')
  })

  test('with other properties nearby is not an input error', async () => {
    expect(await refuse({ latitude: 41.7, operation: 'rent' })).toMatchObject({
      status: 422,
      code: 'NOT_ENOUGH_COMPARABLES',
    })
  })
})

describe('too few comparables', () => {
  test('are counted, with the number in a larger area and how to get more', async () => {
    const there = { latitude: 41.3917 + 0.11, longitude: 2.1611 }
    const { status, code, message } = await refuse({ ...there, radiusKm: 5 })
    expect([status, code]).toEqual([422, 'NOT_ENOUGH_COMPARABLES'])
    expect(message).toMatch(/^No comparables are known within 5 km; at least 5 are needed\./)
    expect(message).toMatch(
      /Comparables of 40 to 160 m² and about 3 bedrooms: 40 within 20 km: widen the area\./,
    )
    expect(message).toContain('market import')
  })

  test('are counted up to the first radius that has enough', async () => {
    const { message } = await refuse({ latitude: place.latitude + 0.027, radiusKm: 0.1 })
    expect(message).toMatch(/ bedrooms: 40 within 5 km: widen the area\. /)
  })

  test('are counted in larger areas even if none has enough', async () => {
    const village = { latitude: 43.1, longitude: -7.5 }
    await fillMarket(app.database, 'test', makeListingsAround(village, { source: 'village' }, 4))
    const { message } = await refuse({ ...village, radiusKm: 0.001 })
    expect(message).toMatch(/ bedrooms: (\d within [\d.]+ km(, | and ))*4 within [12] km\./)
    expect(message).not.toContain('widen')
    const wide = await refuse({ ...village, radiusKm: 50 })
    expect(wide.message).toMatch(
      /^4 comparables are known within 50 km; at least 5 are needed\. To add listings or sales, use /,
    )
  })

  test('are explained by an unusual number of bedrooms', async () => {
    const { status, message } = await refuse({ bedrooms: 9 })
    expect(status).toBe(422)
    expect(message).toContain(
      'With any number of bedrooms there are 40 in the area: 9 bedrooms are unusual here.',
    )
    expect(message).not.toContain('floor area')
  })

  test('are explained by an unusual floor area', async () => {
    const { status, message } = await refuse({ squareMeters: 2000 })
    expect(status).toBe(422)
    expect(message).toContain('There are none of 1000 to 4000 m² and about 3 bedrooms within 50 km.')
    expect(message).toContain('Its floor area is unusual here.')
  })

  test('are explained by a property type and operation that nobody offers here', async () => {
    const { status, message } = await refuse({ operation: 'rent' })
    expect(status).toBe(422)
    expect(message).toContain('No homes for rent are known within 50 km.')
  })
})
