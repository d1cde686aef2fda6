/** Finds all errors of a request's input, so that one reply lists them. */

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
interface Serve {
  database: Database
  authenticator: Authenticator
}

/** Throws 400 with every error of the input. If there are none, its defaults are filled in. */
export type CheckRequest = (request: FastifyRequest, serve: Serve) => Promise<void>

/** Compiles the checks of a route: its schemas, the headers, and what the route itself checks. */
export function createInputCheck(route: Route): CheckRequest {
  const validators: [InputPart, Validate][] = []
  if (route.params) validators.push(['params', compile(route.params, 'text')])
  validators.push(['query', compile(route.query ?? { type: 'object', additionalProperties: false }, 'text')])
  if (route.body) validators.push(['body', compile(route.body)])
  return async (request, serve) => {
    const found: Record<InputPart, InputError[]> = { params: [], query: [], body: [] }
    for (const [part, validate] of validators) found[part] = validate(request[part])
    const errors = [...found.params, ...found.query, ...found.body, ...checkHeaders(route, request)]
    const isComplete = errors.length <= listedErrorsMax
    if ('check' in route && route.check && isComplete && isCheckable(route, request.body))
      errors.push(
        ...newErrors(
          errors,
          route.check({ ...toValidValues(request, found), now: getCallerNow(request, serve) }),
        ),
      )
    if (errors.length > 0) throw await refusal(route as JsonRoute, errors, request, serve)
  }
}

const getCallerNow = (request: FastifyRequest, { database }: Serve): Date =>
  getTenantNow(database, request.caller!.tenantId)

/** The refusal of an input with these errors, which lists those that the route finds elsewhere as well. */
async function refusal(
  route: JsonRoute,
  errors: InputError[],
  request: FastifyRequest,
  serve: Serve,
): Promise<Problem> {
  if (!route.findErrors || errors.length > listedErrorsMax || !isCheckable(route, request.body))
    return invalidInputs(errors)
  const caller = request.caller!
  await serve.authenticator.confirm(caller)
  const further = await route.findErrors({
    // The path of an error does not say where its value is. Leaving out a value too many hides no more than its own errors.
    ...toValidValues(request, { params: errors, query: errors, body: errors }),
    now: getCallerNow(request, serve),
    caller,
    read: handleRequest => serve.database.readTenant(caller, handleRequest),
  })
  return invalidInputs([...errors, ...newErrors(errors, further)])
}

/** With the errors that the route finds elsewhere, if it is a refusal of the input. */
export async function addFoundErrors(
  error: unknown,
  route: JsonRoute,
  request: FastifyRequest,
  serve: Serve,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'INVALID_INPUT' || !error.errors || !route.findErrors)
    return error
  return refusal(route, error.errors, request, serve)
}

/** A body that is no object shows nothing else. */
function isCheckable({ body: schema }: Route, body: unknown): boolean {
  return !schema || isObject(body)
}

/** Those that are not known, nor about a value within which errors are known. */
function newErrors(existing: InputError[], found: InputError[]): InputError[] {
  const invalidPaths = new Set(existing.flatMap(({ path }) => withParents(path)))
  return found.filter(({ path }) => !invalidPaths.has(path))
}

/** `/a/b` and `/a`. */
function withParents(path: string): string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

const isWithin = (path: string, whole: string) => path === whole || path.startsWith(`${whole}/`)

/**
 * The values of a request without those at the paths of these errors. If there are more errors than a reply lists, some may not have
 * been collected: nothing is checked then.
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
    // A longer path was cut.
    remove(validValues, path.length < pathLengthMax ? names : names.slice(0, 1))
  }
  return validValues
}

/** A list with a faulty value is left out as a whole, as its places count; of one with a faulty object its field alone. */
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
