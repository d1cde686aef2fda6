/** What a validator finds, as errors that people can act on: each where it is, and none that says nothing. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { didYouMean, findNearest } from './did-you-mean.ts'
import { toPointerPart } from './json-pointer.ts'
import { type InputError, listedErrorsMax } from './problem.ts'
import { findContradictions } from './ranges.ts'

/** Faults beyond these are not looked at: a thousand are enough to see what went wrong. */
export const faultsMax = 1000

/** A path repeats names that the caller chose. */
export const pathLengthMax = 300

/** An error whose message is written only if somebody will read it: looking for the nearest known name takes time. */
interface FoundError extends Omit<InputError, 'message'> {
  message: string | (() => string)
}

/** What an error says that has nothing of its own to say, or is counted and not listed. */
const genericMessage = 'is not valid'

/** The errors behind the first thousand faults, each place and code once. Those beyond the listed ones say nothing more. */
export function toInputErrors(found: readonly ErrorObject[]): InputError[] {
  const faults = found.slice(0, faultsMax)
  const errors = distinct([...withoutNoise(faults).flatMap(toFoundError), ...choiceErrors(faults)])
  return errors.map(({ path, code, message }, index) => {
    if (index >= listedErrorsMax) return { path, code, message: genericMessage }
    return { path, code, message: typeof message === 'string' ? message : message() }
  })
}

/** A choice among titled constants fails once per constant: reported as one error that names them all. */
function choiceErrors(faults: ErrorObject[]): FoundError[] {
  const constants = faults.filter(fault => fault.keyword === 'const')
  return [...Map.groupBy(constants, fault => fault.instancePath)].map(([path, same]) => {
    const allowed = same.map(fault => String(fault.params.allowedValue))
    return {
      path: truncatePath(path),
      code: 'NOT_ALLOWED',
      message: () => notAllowed(allowed, same[0]!.data),
    }
  })
}

export function notAllowed(allowed: readonly unknown[], value: unknown): string {
  const words = allowed.filter(one => typeof one === 'string')
  return `must be one of ${allowed.map(String).join(', ')}${didYouMean(value, words)}`
}

/** "must be null" and "must match a schema in anyOf" say nothing to whoever sent a wrong value for a nullable field. */
function withoutNoise(faults: ErrorObject[]): ErrorObject[] {
  const all = countByPath(faults)
  const specific = countByPath(faults.filter(fault => fault.keyword !== 'anyOf'))
  return faults.filter(({ keyword, instancePath, params }) => {
    if (keyword === 'const') return false
    if (keyword === 'anyOf') return all.get(instancePath)! === 1
    return !(keyword === 'type' && params.type === 'null' && specific.get(instancePath)! > 1)
  })
}

/** How many faults there are at each place or below it. */
function countByPath(faults: ErrorObject[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { instancePath } of faults)
    for (
      let end = instancePath.length;
      end >= 0;
      end = end === 0 ? -1 : instancePath.lastIndexOf('/', end - 1)
    ) {
      const prefix = instancePath.slice(0, end)
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
    }
  return counts
}

const codes: Record<string, string> = {
  required: 'REQUIRED',
  additionalProperties: 'UNKNOWN_FIELD',
  type: 'WRONG_TYPE',
  enum: 'NOT_ALLOWED',
  commaSeparated: 'NOT_ALLOWED',
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

function toFoundError(fault: ErrorObject): FoundError | FoundError[] {
  const { keyword, instancePath, params, message } = fault
  const code = codes[keyword] ?? 'INVALID'
  const path = truncatePath(instancePath)
  const pathTo = (name: string) => truncatePath(`${path}/${toPointerPart(name.slice(0, pathLengthMax))}`)
  if (keyword === 'ranges')
    return findContradictions(fault.data as object, fault.schema as [string, string][]).map(error => ({
      ...error,
      path: truncatePath(path + error.path),
    }))
  if (keyword === 'exactlyOneOf') return choiceError(fault, pathTo)
  if (keyword === 'type') return { path, code, message: () => wrongType(params.type) }
  if (keyword === 'required') return { path: pathTo(params.missingProperty), code, message: 'is required' }
  if (keyword === 'additionalProperties') {
    const name: string = params.additionalProperty
    return { path: pathTo(name), code, message: () => unknownField(name, fault) }
  }
  if (keyword === 'enum')
    return {
      path,
      code,
      message: () => findRefusalMessage(fault) ?? notAllowed(params.allowedValues, fault.data),
    }
  if (keyword === 'commaSeparated') return { path, code, message: () => unknownNames(fault) }
  if (keyword === 'format' && params.format === 'area') {
    const message = 'must be west,south,east,north: west not beyond east, and south not beyond north'
    return { path, code: 'NOT_ALLOWED', message }
  }
  return { path, code, message: message ?? genericMessage }
}

const typeNames: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
}

/** `types`: one name of JSON Schema, or several in a list. */
export function wrongType(types: string | string[]): string {
  const names = [types].flat().map(type => typeNames[type] ?? type)
  return `must be ${names.join(' or ')}`
}

/** None of several fields was sent, of which one must be, or more than one. */
function choiceError({ data, schema }: ErrorObject, pathTo: (name: string) => string): InputError {
  const names = schema as string[]
  const [first, second] = names.filter(name => Object.hasOwn(data as object, name))
  if (first !== undefined)
    return { path: pathTo(first), code: 'CONTRADICTION', message: `can not be sent together with ${second}` }
  const others = names.slice(1).join(' or ')
  return { path: pathTo(names[0]!), code: 'REQUIRED', message: `is required, or ${others} in its place` }
}

function unknownField(name: string, { parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  return `is not a known field${didYouMean(name, known) || '; check its spelling'}`
}

/** The names in a list of them, separated by commas. */
export function splitNames(text: string): string[] {
  return text.split(',').map(name => name.trim())
}

/** So many unknown names of a list are named, the beginning of each. */
const unknownNamesMax = 5
const unknownNameLengthMax = 100

function unknownNames({ parentSchema, data }: ErrorObject): string {
  const known: string[] = parentSchema?.commaSeparated ?? []
  const unknown = [...new Set(splitNames(String(data)))].filter(name => !known.includes(name))
  const named = unknown.slice(0, unknownNamesMax).map(name => {
    // A field below one that is known only as a whole.
    const parentField = known.find(other => name.startsWith(`${other}.`))
    const suggestion = findNearest(name, known) ?? parentField
    return { name: `"${name.slice(0, unknownNameLengthMax)}"`, suggestion }
  })
  const [first, ...others] = named as [(typeof named)[0], ...typeof named]
  const hint = first.suggestion ? `did you mean ${first.suggestion}?` : 'check its spelling'
  if (others.length === 0) return `${first.name} is not a known name; ${hint}`
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} others` : ''
  const all = named.map(({ name, suggestion }) =>
    suggestion ? `${name} (did you mean ${suggestion}?)` : name,
  )
  return `${all.join(', ')}${more} are not known names`
}

/** Why exactly this value is refused, if its schema says so. */
function findRefusalMessage({ parentSchema, data }: ErrorObject): string | undefined {
  const refusals: Record<string, string> = parentSchema?.refusals ?? {}
  return typeof data === 'string' && Object.hasOwn(refusals, data) ? refusals[data] : undefined
}

function truncatePath(path: string): string {
  return path.length <= pathLengthMax ? path : `${path.slice(0, pathLengthMax - 1)}…`
}

function distinct(errors: FoundError[]): FoundError[] {
  return [...new Map(errors.map(error => [`${error.path} ${error.code}`, error])).values()]
}
