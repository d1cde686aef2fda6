/** Finds all errors in the input of a request, so that one reply lists them. */

import type { FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth.ts'
import { getTenantNow } from '../clock/clock.ts'
import type { Database } from '../db/index.ts'
import { pathLengthMax } from '../input-errors.ts'
import { parsePointer } from '../json-pointer.ts'
import { type InputError, invalidInputs, listedErrorsMax, Problem } from '../problem.ts'
import type { CheckInput, JsonRoute, Route } from '../route.ts'
import { compile, type TObject, type TSchema, type Validate } from '../schema.ts'
import { checkHeaders } from './request-headers.ts'

type Values = Omit<CheckInput<TObject, TObject, TSchema>, 'now'>
type InputPart = 'params' | 'query' | 'body'
interface InputContext {
  database: Database
  authenticator: Authenticator
}

/** Throws 400 INVALID_INPUT with every error of the input. Fills in the defaults of valid input. */
export type CheckRequest = (request: FastifyRequest, context: InputContext) => Promise<void>

/** One object, so that it is compiled once. */
const noParameters: TSchema = { type: 'object', additionalProperties: false }

/** Compiles the checks of a route: its schemas, the headers, and the route's own check. */
export function createInputCheck(route: Route): CheckRequest {
  const validators: [InputPart, Validate][] = []
  if (route.params) validators.push(['params', compile(route.params, 'text')])
  validators.push(['query', compile(route.query ?? noParameters, 'text')])
  if (route.body) validators.push(['body', compile(route.body)])
  return async (request, context) => {
    const found: Record<InputPart, InputError[]> = { params: [], query: [], body: [] }
    for (const [part, validate] of validators) found[part] = validate(request[part])
    const errors = [...found.params, ...found.query, ...found.body, ...checkHeaders(route, request)]
    const isComplete = errors.length <= listedErrorsMax
    if ('check' in route && route.check && isComplete && isCheckable(route, request.body))
      errors.push(
        ...excludeKnownErrors(
          errors,
          route.check({ ...toValidValues(request, found), now: getCallerNow(request, context) }),
        ),
      )
    if (errors.length > 0) throw await createRefusal(route as JsonRoute, errors, request, context)
  }
}

const getCallerNow = (request: FastifyRequest, { database }: InputContext): Date =>
  getTenantNow(database, request.caller!.tenantId)

/** The problem for an input with these errors. It also lists the errors that the route finds in the database. */
async function createRefusal(
  route: JsonRoute,
  errors: InputError[],
  request: FastifyRequest,
  context: InputContext,
): Promise<Problem> {
  if (!route.findErrors || errors.length > listedErrorsMax || !isCheckable(route, request.body))
    return invalidInputs(errors)
  const caller = request.caller!
  await context.authenticator.confirm(caller)
  const foundInDatabase = await route.findErrors({
    // A path does not say whether its value is in the params, the query or the body, so it is removed from all of them.
    // If that removes a valid value, only errors of that value are missed.
    ...toValidValues(request, { params: errors, query: errors, body: errors }),
    now: getCallerNow(request, context),
    caller,
    read: work => context.database.readTenant(caller, work),
  })
  return invalidInputs([...errors, ...excludeKnownErrors(errors, foundInDatabase)])
}

/** Adds the errors that the route finds in the database, if `error` is an INVALID_INPUT problem with errors. */
export async function addFoundErrors(
  error: unknown,
  route: JsonRoute,
  request: FastifyRequest,
  context: InputContext,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'INVALID_INPUT' || !error.errors || !route.findErrors)
    return error
  return createRefusal(route, error.errors, request, context)
}

/** A body that is not an object has no fields to check. */
function isCheckable({ body: schema }: Route, body: unknown): boolean {
  return !schema || isObject(body)
}

/** Omits a found error if an error is already known at its path or below it. */
function excludeKnownErrors(existing: InputError[], found: InputError[]): InputError[] {
  const invalidPaths = new Set(existing.flatMap(({ path }) => listPathAndParents(path)))
  return found.filter(({ path }) => !invalidPaths.has(path))
}

/** For `/a/b`: an empty path, `/a` and `/a/b`. */
function listPathAndParents(path: string): string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

const isWithin = (path: string, whole: string) => path === whole || path.startsWith(`${whole}/`)

/**
 * The values of a request without those at the paths of these errors. Callers skip this if there are more errors than a
 * reply lists, because some may not have been collected then.
 */
function toValidValues(request: Record<InputPart, unknown>, found: Record<InputPart, InputError[]>): Values {
  const all = [...found.params, ...found.query, ...found.body]
  const validValues = (part: InputPart) => omitInvalid(request[part], found[part]) as Record<string, unknown>
  return {
    params: validValues('params'),
    query: validValues('query'),
    body: validValues('body'),
    hasErrorsAt: path => all.some(error => isWithin(error.path, path)),
  }
}

function omitInvalid(values: unknown, errors: InputError[]): unknown {
  if (!isObject(values)) return {}
  if (errors.length === 0) return values
  const validValues = structuredClone(values)
  for (const { path } of errors) {
    const names = parsePointer(path)
    // A path of the maximum length may have been cut, so its whole field is removed.
    remove(validValues, path.length < pathLengthMax ? names : names.slice(0, 1))
  }
  return validValues
}

/**
 * Removes a value. A list with an invalid plain value is removed as a whole, because removing one item would shift the
 * others. For an invalid object in a list, only the object's field is removed.
 */
function remove(whole: object, [name, ...rest]: string[]): void {
  if (name === undefined || !Object.hasOwn(whole, name)) return
  const value = (whole as Record<string, unknown>)[name]
  const isNested =
    isObject(value) || (Array.isArray(value) && isObject(value[Number(rest[0])]) && rest.length > 1)
  if (rest.length > 0 && isNested) remove(value, rest)
  else delete (whole as Record<string, unknown>)[name]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
