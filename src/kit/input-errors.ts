/** Converts Ajv errors to input errors with paths and helpful messages, and drops uninformative ones. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { didYouMean, findNearest } from './did-you-mean.ts'
import { toPointerPart } from './json-pointer.ts'
import { type InputError, listedErrorsMax } from './problem.ts'
import { findContradictions } from './ranges.ts'

/** The largest number of Ajv errors that are evaluated. */
export const faultsMax = 1000

/** Longer paths are truncated, because they repeat names that the caller chose. */
export const pathLengthMax = 300

/** An error whose message is only computed if the reply lists it, because finding similar names takes time. */
interface FoundError extends Omit<InputError, 'message'> {
  message: string | (() => string)
}

/** The message of errors without a specific one, and of errors that are only counted. */
const genericMessage = 'is not valid'

/**
 * Converts the first `faultsMax` Ajv errors, without duplicates of path and code. Only listed errors have full
 * messages.
 */
export function toInputErrors(found: readonly ErrorObject[]): InputError[] {
  const faults = found.slice(0, faultsMax)
  const kept = mergeTypes(removeNoise(faults))
  const errors = distinct([...kept.flatMap(toFoundError), ...mergeConstantErrors(faults)])
  return errors.map(({ path, code, message }, index) => {
    if (index >= listedErrorsMax) return { path, code, message: genericMessage }
    return { path, code, message: typeof message === 'string' ? message : message() }
  })
}

/** Names all types of a union in the error of each. A value of one of its types has the error of that one alone. */
function mergeTypes(faults: ErrorObject[]): ErrorObject[] {
  const isType = ({ keyword }: ErrorObject) => keyword === 'type'
  const byPath = Map.groupBy(faults.filter(isType), fault => fault.instancePath)
  const specific = new Set(faults.flatMap(fault => (isType(fault) ? [] : fault.instancePath)))
  return faults.flatMap(fault => {
    if (!isType(fault)) return fault
    if (specific.has(fault.instancePath)) return []
    const type = byPath.get(fault.instancePath)!.flatMap(({ params }) => params.type as string | string[])
    return { ...fault, params: { type } }
  })
}

/** Merges the errors of a union of constants: Ajv reports one per constant, this returns one that lists them all. */
function mergeConstantErrors(faults: ErrorObject[]): FoundError[] {
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

/** Removes "must be null" and "must match a schema in anyOf", which do not help with an invalid nullable field. */
function removeNoise(faults: ErrorObject[]): ErrorObject[] {
  const all = countByPath(faults)
  const specific = countByPath(faults.filter(fault => fault.keyword !== 'anyOf'))
  return faults.filter(({ keyword, instancePath, params }) => {
    if (keyword === 'const') return false
    if (keyword === 'anyOf') return all.get(instancePath)! === 1
    return !(keyword === 'type' && params.type === 'null' && specific.get(instancePath)! > 1)
  })
}

/** Counts the errors at each path, including those below it. */
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
  if (keyword === 'exactlyOneOf') return exactlyOneOfError(fault, pathTo)
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
  if (keyword === 'pattern') return { path, code, message: () => wrongPattern(fault) }
  if (keyword === 'minLength' && params.limit === 1) return { path, code, message: 'must not be empty' }
  if (keyword === 'uniqueItems') return { path, code, message: 'must not have the same item twice' }
  if (keyword === 'commaSeparated') return { path, code, message: () => unknownNames(fault) }
  if (keyword === 'format' && params.format === 'area') {
    const message = 'must be west,south,east,north: west at most east, and south at most north'
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

/** Returns the message for a wrong type. `types`: one JSON schema type, or several. */
export function wrongType(types: string | string[]): string {
  const names = [types].flat().map(type => typeNames[type] ?? type)
  return `must be ${names.join(' or ')}`
}

/** The error of `exactlyOneOf`: none of the fields was sent, or more than one. */
function exactlyOneOfError({ data, schema }: ErrorObject, pathTo: (name: string) => string): InputError {
  const names = schema as string[]
  const [first, second] = names.filter(name => Object.hasOwn(data as object, name))
  if (first !== undefined)
    return { path: pathTo(first), code: 'CONTRADICTION', message: `cannot be sent together with ${second}` }
  const others = names.slice(1).join(' or ')
  return { path: pathTo(names[0]!), code: 'REQUIRED', message: `is required, or ${others} instead` }
}

/** The pattern of a text with a character that people see: not only spaces, control characters and joiners. */
export const visible = '[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}]'

/** People understand an example better than a pattern. */
function wrongPattern({ params, parentSchema }: ErrorObject): string {
  const examples = (parentSchema?.examples as string[] | undefined) ?? []
  if (params.pattern === visible) return 'must not be blank'
  if (examples.length === 0) return `must match pattern "${params.pattern}"`
  return `must have the form of ${examples.join(' or ')}`
}

function unknownField(name: string, { parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  return `is not a known field${didYouMean(name, known) || '; check its spelling'}`
}

/** Splits a comma-separated list of names. */
export function splitNames(text: string): string[] {
  return text.split(',').map(name => name.trim())
}

/** The largest number of unknown names in a message, and the largest length of each. */
const unknownNamesMax = 5
const unknownNameLengthMax = 100
/** The names of a longer list are in the reference. */
const listedNamesMax = 12

function unknownNames({ parentSchema, data }: ErrorObject): string {
  const known: string[] = parentSchema?.commaSeparated ?? []
  const unknown = [...new Set(splitNames(String(data)))].filter(name => !known.includes(name))
  const named = unknown.slice(0, unknownNamesMax).map(name => {
    // Suggest the parent of a nested field that cannot be selected by itself.
    const parentField = known.find(other => name.startsWith(`${other}.`))
    const suggestion = findNearest(name, known) ?? parentField
    return { name: `"${name.slice(0, unknownNameLengthMax)}"`, suggestion }
  })
  const [first, ...others] = named as [(typeof named)[0], ...typeof named]
  const hint = first.suggestion ? `did you mean ${first.suggestion}?` : toHint(known)
  if (others.length === 0) return `${first.name} is not a known name; ${hint}`
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} others` : ''
  const all = named.map(({ name, suggestion }) =>
    suggestion ? `${name} (did you mean ${suggestion}?)` : name,
  )
  return `${all.join(', ')}${more} are not known names`
}

const toHint = (known: string[]): string =>
  known.length <= listedNamesMax
    ? `use ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(known)}`
    : 'check its spelling'

/** Returns the schema's own message for this invalid value, see `refusals` of `oneOf`. */
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
