/** Schemas: the few shapes that every feature uses, and validation that tells all errors at once. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Type, { type Static, type TObject, type TSchema, type TUnsafe } from 'typebox'
import type { InputError } from './problem.ts'

export { type Static, type TObject, type TSchema, type TUnsafe, Type }

/** A value or null. Absent values are null, never missing. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/**
 * One of these strings. `Enum` of the library would list them as `anyOf`; this is the plain `enum` that people read.
 * `refusals` says of values that people may well try why exactly these are refused; it is in no document.
 */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: { refusals?: Record<string, string>; [keyword: string]: unknown } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** An object without unknown fields, so that a typo never silently widens a search. */
export function closed<T extends Record<string, TSchema>>(
  properties: T,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const id = (description: string) => Type.String({ format: 'uuid', description })
export const time = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` })

const options = {
  allErrors: true,
  strict: false,
  removeAdditional: false,
  useDefaults: true,
  verbose: true,
} as const
const bodyAjv = withFormats(new Ajv2020(options))
const textAjv = withFormats(new Ajv2020({ ...options, coerceTypes: 'array' }))

/**
 * The usual formats, without what they allow and neither PostgreSQL nor `Date` can read: `urn:uuid:`, the year 0, offsets of a
 * day, the 61st second of a minute.
 */
function withFormats(ajv: Ajv2020): Ajv2020 {
  const isTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean }
  return addFormats
    .default(ajv)
    .addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
    .addFormat(
      'date-time',
      text =>
        isTime.validate(text) &&
        /^(?!0000).*(z|[+-](0\d|1[0-4]):\d\d)$/i.test(text) &&
        !Number.isNaN(Date.parse(text)),
    )
    .addFormat('area', isArea)
}

const areaPattern = '^-?\\d+(\\.\\d+)?(,-?\\d+(\\.\\d+)?){3}$'

/** A part of the globe as `west,south,east,north`, in degrees. */
export const area = (description: string) =>
  Type.String({ pattern: areaPattern, format: 'area', description, examples: ['2.10,41.35,2.20,41.45'] })

/** What is no area at all is the pattern's to tell. */
function isArea(text: string): boolean {
  if (!new RegExp(areaPattern).test(text)) return true
  const [west, south, east, north] = text.split(',').map(Number) as [number, number, number, number]
  return west <= east && south <= north
}

/** Returns the errors, none if the value fits. Fills in defaults, and for `text` turns strings into numbers and lists. */
export type Validate = (value: unknown) => InputError[]

/** Compiles a schema. `text` is for query and path parameters, which arrive as strings. */
export function compile(schema: TSchema, kind: 'body' | 'text' = 'body'): Validate {
  const validate: ValidateFunction = (kind === 'text' ? textAjv : bodyAjv).compile(schema)
  return value => {
    if (validate(value)) return []
    const errors = validate.errors ?? []
    return distinct([
      ...errors.filter(error => !isNoise(error, errors)).map(toInputError),
      ...choiceErrors(errors),
    ])
  }
}

/** A choice among titled constants fails once per constant: told as one error that names them all. */
function choiceErrors(errors: ErrorObject[]): InputError[] {
  const constants = errors.filter(error => error.keyword === 'const')
  return [...Map.groupBy(constants, error => error.instancePath)].map(([path, same]) => {
    const allowed = same.map(error => error.params.allowedValue)
    return { path, code: 'NOT_ALLOWED', message: `must be one of ${allowed.join(', ')}` }
  })
}

/** "must be null" and "must match a schema in anyOf" say nothing to whoever sent a wrong value for a nullable field. */
function isNoise(error: ErrorObject, all: ErrorObject[]): boolean {
  const others = all.filter(
    other => other !== error && `${other.instancePath}/`.startsWith(`${error.instancePath}/`),
  )
  if (error.keyword === 'const') return true
  if (error.keyword === 'anyOf') return others.length > 0
  return (
    error.keyword === 'type' &&
    error.params.type === 'null' &&
    others.some(other => other.keyword !== 'anyOf')
  )
}

const codes: Record<string, string> = {
  required: 'REQUIRED',
  additionalProperties: 'UNKNOWN_FIELD',
  type: 'WRONG_TYPE',
  enum: 'NOT_ALLOWED',
  format: 'WRONG_FORMAT',
  pattern: 'WRONG_FORMAT',
  minimum: 'TOO_SMALL',
  exclusiveMinimum: 'TOO_SMALL',
  maximum: 'TOO_LARGE',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  minItems: 'TOO_FEW',
  maxItems: 'TOO_MANY',
  minProperties: 'TOO_FEW',
  maxProperties: 'TOO_MANY',
}

function toInputError(error: ErrorObject): InputError {
  const { keyword, instancePath, params, message } = error
  const code = codes[keyword] ?? 'INVALID'
  const at = (name: string) => `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (keyword === 'required') return { path: at(params.missingProperty), code, message: 'is required' }
  if (keyword === 'additionalProperties') {
    return { path: at(params.additionalProperty), code, message: 'is not a known field; check its spelling' }
  }
  if (keyword === 'enum') {
    const generic = `must be one of ${params.allowedValues.join(', ')}`
    return { path: instancePath, code, message: refusalOf(error) ?? generic }
  }
  if (keyword === 'format' && params.format === 'area') {
    const message = 'must be west,south,east,north: west not beyond east, and south not beyond north'
    return { path: instancePath, code: 'NOT_ALLOWED', message }
  }
  return { path: instancePath, code, message: message ?? 'is not valid' }
}

/** Why exactly this value is refused, if its schema says so. */
function refusalOf({ parentSchema, data }: ErrorObject): string | undefined {
  const refusals: Record<string, string> = parentSchema?.refusals ?? {}
  return typeof data === 'string' && Object.hasOwn(refusals, data) ? refusals[data] : undefined
}

function distinct(errors: InputError[]): InputError[] {
  return [...new Map(errors.map(error => [`${error.path} ${error.code}`, error])).values()]
}
