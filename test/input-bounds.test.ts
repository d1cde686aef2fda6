/** Any input is refused in time proportional to its size, with a bounded number of errors. */
import { describe, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { faultsMax } from '../src/kit/input-errors.ts'
import { compile, type TSchema } from '../src/kit/schema.ts'
import { builtInPortals } from '../src/plugins/portals/index.ts'
import { listHostileValues, listParts } from './hostile-inputs.ts'

const inputs = describeFeatures().flatMap(({ routes }) =>
  routes.flatMap(({ operation, body, query, params }): [string, TSchema, 'body' | 'text'][] => [
    ...(body ? [[operation, body, 'body'] as [string, TSchema, 'body']] : []),
    ...(query ? [[`${operation}?`, query, 'text'] as [string, TSchema, 'text']] : []),
    ...(params ? [[`${operation} params`, params, 'text'] as [string, TSchema, 'text']] : []),
  ]),
)
const filters = builtInPortals.map(({ id, filters }): [string, TSchema, 'body'] => [id, filters, 'body'])

describe.each([...inputs, ...filters])('%s', (_name, schema, kind) => {
  it('bounds its lists, and the names of its records', () => {
    const unbounded = [...listParts(schema)].filter(
      ({ keywords: { type, maxItems, patternProperties = {}, additionalProperties } }) =>
        (type === 'array' && maxItems === undefined) ||
        Object.entries(patternProperties).some(([pattern, { type, anyOf }]) => {
          const isChecked = type !== undefined || anyOf !== undefined
          return isChecked && (additionalProperties !== false || new RegExp(pattern).test('a'.repeat(2000)))
        }),
    )
    expect(unbounded.map(({ path }) => path)).toEqual([])
  })

  // Quadratic work at this size would exceed the time limit of a test.
  it('answers any 64 KiB of input', () => {
    const validate = compile(schema, kind)
    for (const [name, value] of listHostileValues(schema, 65_536)) {
      const errors = validate(value)
      expect(errors.length, name).toBeLessThanOrEqual(faultsMax)
      expect(Math.max(0, ...errors.map(({ path }) => path.length)), name).toBeLessThanOrEqual(300)
    }
  })
})
