/** Filter rules beyond the JSON Schema, over HTTP: contradictions, unknown locations, implausible labels and prices. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { FilterValidation } from './schemas.ts'

const barcelona = { id: 'barcelona', label: 'Barcelona' }
const sale = { operation: 'sale', location: barcelona }

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function validate(filters: object, platform = 'portal_a'): Promise<FilterValidation> {
  const reply = await tenant.call<FilterValidation>('POST', `/platforms/${platform}/validate`, {
    body: filters,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

async function fetchErrors(filters: object) {
  const { valid, errors, normalizedFilters, expectedResults } = await validate(filters)
  expect({ valid, normalizedFilters, expectedResults }).toEqual({
    valid: false,
    normalizedFilters: null,
    expectedResults: null,
  })
  return errors
}

const formatErrors = (errors: { path: string; code: string }[]) =>
  errors.map(({ path, code }) => `${path} ${code}`)

describe('filters that contradict themselves', () => {
  test.each([
    ['minPrice', 'maxPrice'],
    ['minRooms', 'maxRooms'],
    ['minSquareMeters', 'maxSquareMeters'],
  ])('%s above %s is an error at the upper bound; equal bounds are valid', async (low, high) => {
    const errors = await fetchErrors({ ...sale, [low]: 3, [high]: 2 })
    expect(formatErrors(errors)).toEqual([`/${high} CONTRADICTION`])
    expect(errors[0]!.message).toContain(low)
    // A rent, because a sale price of 2 would raise a warning.
    expect(await validate({ ...sale, operation: 'rent', [low]: 2, [high]: 2 })).toMatchObject({
      valid: true,
      warnings: [],
    })
  })

  test('are reported together with errors of the schema', async () => {
    const errors = await fetchErrors({
      ...sale,
      operation: 'buy',
      minPrice: 3,
      maxPrice: 2,
      minRooms: '9',
      maxRooms: 1,
    })
    expect(formatErrors(errors).toSorted()).toEqual([
      '/maxPrice CONTRADICTION',
      '/minRooms WRONG_TYPE',
      '/operation NOT_ALLOWED',
    ])
  })
})

test('features are read in other languages, and refused by name', async () => {
  const errors = await fetchErrors({ ...sale, features: ['Ascensor', 'terasa', 'jacuzzi', 'sea view'] })
  expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
    '/features/1 "terasa" is not a known feature; the nearest is terrace',
    expect.stringMatching(
      /^\/features\/2 portal_a cannot filter by the feature "jacuzzi": it must be one of lift, /,
    ),
    expect.stringMatching(
      /^\/features\/3 portal_a cannot filter by the feature "sea view": it must be one of lift, /,
    ),
  ])
  expect((await validate({ ...sale, features: ['Ascensor', 'Schwimmbad'] })).normalizedFilters).toMatchObject(
    {
      features: ['lift', 'pool'],
    },
  )
  const twice = await validate({ ...sale, features: ['piscina', 'lift', 'pool', 'ascensor'] })
  expect([twice.errors, twice.normalizedFilters!.features]).toEqual([[], ['pool', 'lift']])
})

describe('the location', () => {
  test.each([
    ['its label', { id: 'bcn', label: 'Barcelona' }, 'barcelona (Barcelona, Barcelona)'],
    ['its label, mistyped', { id: 'bcn', label: 'Barcelnoa' }, 'barcelona (Barcelona, Barcelona)'],
    ['words in its id', { id: 'palma-de-malorca', label: '' }, 'palma (Palma, Illes Balears)'],
    ['its id', { id: 'barcelnoa', label: 'Our street' }, 'barcelona (Barcelona, Barcelona)'],
    ['its id, another case', { id: 'Barcelona-Provincia', label: '' }, 'barcelona-provincia ('],
    [
      'the label, with the most similar id first',
      { id: 'toledo-provinca', label: 'Toledo' },
      'perhaps toledo-provincia (',
    ],
  ])(
    'that the portal does not have is an error that suggests others, found by %s',
    async (_what, location, suggestion) => {
      const errors = await fetchErrors({ ...sale, location })
      expect(formatErrors(errors)).toEqual(['/location/id UNKNOWN_LOCATION'])
      expect(errors[0]!.message).toContain('/platforms/portal_a/locations')
      expect(errors[0]!.message).toContain(suggestion)
      expect(errors[0]!.message.match(/\(/g)!.length).toBeLessThanOrEqual(3)
    },
  )

  test.each([
    ['portal_b', '724_M_28O79', 'perhaps 724_M_28079 (Madrid, Madrid)'],
    ['portal_d', 'lisboa-1160', 'lisboa-1106 (Lisboa, Lisboa)'],
  ])('of %s with a misspelt code is found by its spelling', async (platform, id, suggestion) => {
    const { errors } = await validate({ ...sale, location: { id, label: '' } }, platform)
    expect(errors.find(({ code }) => code === 'UNKNOWN_LOCATION')!.message).toContain(suggestion)
  })

  test('that resembles none is an error without suggestions', async () => {
    const [error] = await fetchErrors({ ...sale, location: { id: 'xqzzt', label: 'xqzzt' } })
    expect(error!.message).toMatch(/locations$/)
  })

  test.each([
    ['another town', barcelona.id, 'Madrid'],
    ['another country', barcelona.id, 'Lisboa'],
    ['the province of the same name', barcelona.id, 'Barcelona provincia'],
    ['the region around it', barcelona.id, 'Cataluña'],
  ])('whose label is the name of %s is a warning, and valid', async (_what, id, label) => {
    const checked = await validate({ ...sale, location: { id, label } })
    expect(checked.valid).toBe(true)
    expect(checked.warnings).toMatchObject([{ path: '/location/label', code: 'LABEL_DIFFERS' }])
    expect(checked.warnings[0]!.message).toContain('Barcelona, Barcelona')
  })

  test.each([
    [barcelona.id, 'barcelona'],
    [barcelona.id, 'Barcelona, Barcelona'],
    [barcelona.id, 'Barcelona, España'],
    [barcelona.id, 'Barcelon'],
    [barcelona.id, 'Eixample'],
    [barcelona.id, 'Our street'],
    [barcelona.id, ''],
    ['barcelona-provincia', 'Barcelona'],
  ])('%s may have the label %j', async (id, label) => {
    expect((await validate({ ...sale, location: { id, label } })).warnings).toEqual([])
  })
})

describe('prices that fit the other operation', () => {
  test.each([
    ['rent', { minPrice: 50_001 }, '/minPrice'],
    ['sale', { maxPrice: 999 }, '/maxPrice'],
  ])('are a warning: %s %j', async (operation, price, path) => {
    const checked = await validate({ ...sale, operation, ...price })
    expect(checked.valid).toBe(true)
    expect(checked.warnings).toMatchObject([
      { path, code: 'IMPLAUSIBLE_PRICE', message: expect.stringContaining('month') },
    ])
  })

  test.each([
    ['rent', { minPrice: 50_000 }],
    ['sale', { minPrice: 50_001, maxPrice: 90_000 }],
    ['rent', { maxPrice: 999 }],
  ])('raise no warning within the limits: %s %j', async (operation, price) => {
    expect((await validate({ ...sale, operation, ...price })).warnings).toEqual([])
  })
})
