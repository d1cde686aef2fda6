/** Common schema builders, and validation that reports all errors at once. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Type, { type Static, type TObject, type TSchema, type TUnsafe } from 'typebox'
import { faultsMax, splitNames, toInputErrors, visible } from './input-errors.ts'
import type { InputError } from './problem.ts'
import { findContradictions, findRanges, type Range } from './ranges.ts'
import { compileTruncation } from './truncate-input.ts'

export { type Static, splitNames, type TObject, type TSchema, type TUnsafe, Type, visible }

/** A value or null. In replies, an absent value is null, and the field is never missing. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/**
 * One of these strings, as a plain JSON schema `enum`; TypeBox's `Enum` would produce `anyOf`. `refusals`: error
 * messages for invalid values that callers are likely to send, by value; they are not in the OpenAPI document.
 */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: { refusals?: Record<string, string>; [keyword: string]: unknown } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/**
 * Several of these names in one string, separated by commas. The error for an unknown name suggests the nearest one.
 * The allowed names are not in the OpenAPI document, so list them in the description.
 */
export function commaSeparated(names: readonly string[], options: Record<string, unknown>) {
  return Type.Unsafe<string>({ type: 'string', maxLength: 2000, commaSeparated: names, ...options })
}

/**
 * An object that rejects unknown fields, so that a typo never silently widens a search. In pairs such as `minPrice` and
 * `maxPrice`, the first may not exceed the second. `exactlyOneOf`: exactly one of these fields must be sent.
 */
export function strictObject<T extends Record<string, TSchema>>(
  properties: T,
  options: { exactlyOneOf?: (keyof T & string)[]; [keyword: string]: unknown } = {},
) {
  const ranges = findRanges(Object.keys(properties))
  return Type.Object(properties, {
    additionalProperties: false,
    ...(ranges.length > 0 ? { ranges } : {}),
    ...options,
  })
}

/** A record with names that the caller chooses. Their length is limited, because error messages repeat them. */
export function byName<T extends TSchema>(value: T, nameMaxLength: number, options: Record<string, unknown>) {
  const name = Type.String({ pattern: `^[^]{0,${nameMaxLength}}$` })
  return Type.Record(name, value, { additionalProperties: false, ...options })
}

export const id = (description: string) => Type.String({ format: 'uuid', description })
/** Long enough for a timestamp with any reasonable number of fractional digits. */
const timeLengthMax = 100
export const time = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` })

/** Optimized code takes twice as long to compile, and validates no faster. */
const code = { optimize: false } as const
const options = { strict: false, removeAdditional: false, useDefaults: true, code } as const
const allErrorsOptions = {
  ...options,
  allErrors: true,
  verbose: true,
  code: { ...code, process: stopEarly },
} as const
const firstErrorAjv = {
  body: withFormats(new Ajv2020(options)),
  text: withFormats(new Ajv2020({ ...options, coerceTypes: 'array' })),
}
const allErrorsAjv = {
  body: withFormats(new Ajv2020(allErrorsOptions)),
  text: withFormats(new Ajv2020({ ...allErrorsOptions, coerceTypes: 'array' })),
}

/**
 * Changes the code that Ajv generates, so that it stops after `faultsMax` errors. Ajv creates an object for each error,
 * and a body of one megabyte can hold a hundred thousand.
 */
function stopEarly(code: string): string {
  const name = /return function (\w+)\(/.exec(code)![1]!
  return code.replaceAll(
    /vErrors\.push\((\w+)\);/g,
    `if (vErrors.push($1) >= ${faultsMax}) { ${name}.errors = vErrors; return false; }`,
  )
}

/**
 * Adds the formats of ajv-formats, without values that PostgreSQL or `Date` cannot read: `urn:uuid:`, the year 0,
 * offsets of 15 hours or more, leap seconds.
 */
function withFormats(ajv: Ajv2020): Ajv2020 {
  const isTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean }
  return addFormats
    .default(ajv)
    .addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
    .addFormat(
      'date-time',
      text =>
        text.length <= timeLengthMax &&
        isTime.validate(text) &&
        /^(?!0000).*(z|[+-](0\d|1[0-4]):\d\d)$/i.test(text) &&
        !Number.isNaN(Date.parse(text)),
    )
    .addFormat('area', isArea)
    .addKeyword({
      keyword: 'commaSeparated',
      type: 'string',
      schemaType: 'array',
      errors: false,
      compile: compileNames,
    })
    .addKeyword({
      keyword: 'ranges',
      type: 'object',
      schemaType: 'array',
      errors: false,
      compile: (ranges: Range[]) => (value: object) => findContradictions(value, ranges).length === 0,
    })
    .addKeyword({
      keyword: 'exactlyOneOf',
      type: 'object',
      schemaType: 'array',
      errors: false,
      compile: (names: string[]) => (value: object) =>
        names.filter(name => Object.hasOwn(value, name)).length === 1,
    })
}

function compileNames(names: string[]): (text: string) => boolean {
  const known = new Set(names)
  return text => splitNames(text).every(name => known.has(name))
}

const areaPattern = '^-?\\d+(\\.\\d+)?(,-?\\d+(\\.\\d+)?){3}$'

/** A bounding box as `west,south,east,north`, in degrees. */
export const area = (description: string) =>
  Type.String({ pattern: areaPattern, format: 'area', description, examples: ['2.10,41.35,2.20,41.45'] })

/** Returns whether the bounds are in order. Malformed text passes, because the pattern reports it. */
function isArea(text: string): boolean {
  if (!new RegExp(areaPattern).test(text)) return true
  const [west, south, east, north] = text.split(',').map(Number) as [number, number, number, number]
  return west <= east && south <= north
}

/** Returns the errors of a value. Fills in defaults; with `text`, it also converts strings to numbers and lists. */
export type Validate = (value: unknown) => InputError[]

/** By kind and JSON: compiling takes milliseconds, and the program has a limited number of schemas. */
const validators = new Map<string, Validate>()

/**
 * Compiles a schema, once for equal ones. `text`: for query and path parameters, which arrive as strings. A first pass
 * stops at the first error. Only for invalid values, a second pass collects up to 1,000 errors, after cutting lists to
 * their limits.
 */
export function compile(schema: TSchema, kind: 'body' | 'text' = 'body'): Validate {
  const key = `${kind} ${JSON.stringify(schema)}`
  const known = validators.get(key)
  if (known) return known
  const validate = createValidator(schema, kind)
  validators.set(key, validate)
  return validate
}

function createValidator(schema: TSchema, kind: 'body' | 'text'): Validate {
  const isValid: ValidateFunction = firstErrorAjv[kind].compile(schema)
  // Compiled on demand: most schemas never see an invalid value.
  let collect: ValidateFunction | null = null
  const truncate = compileTruncation(schema)
  return value => {
    if (isValid(value)) return []
    collect ??= allErrorsAjv[kind].compile(schema)
    truncate(value)
    const faults = collect(value) ? isValid.errors : collect.errors
    const errors = toInputErrors(faults ?? [])
    collect.errors = null
    return errors
  }
}
