/** Examples of the errors of each route, for the API documentation. */
import { invalidKey } from './auth.ts'
import { unsupportedFile } from './http/upload.ts'
import { cursorErrorExample, inputErrorExample } from './input-example.ts'
import { invalidInputs, type ProblemCode, type ProblemType, toCodeAndStatus } from './problem.ts'
import { defaultBodyMaxBytes, explainBodyTooLarge, type Route } from './route.ts'

const exampleId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'

/** Default messages, for routes without one in `errorExamples`. */
const messages: Partial<Record<ProblemCode, string>> = {
  MALFORMED_JSON: 'The body is not valid JSON.',
  UNAUTHENTICATED: invalidKey().message,
  ORIGIN_NOT_ALLOWED: 'Only the dashboard itself may send this.',
  REQUEST_TIMEOUT: 'The file arrived too slowly. Send it again over a faster connection.',
  IDEMPOTENCY_IN_FLIGHT: 'A request with this Idempotency-Key is still running. Try again in a moment.',
  IDEMPOTENCY_MISMATCH:
    'This Idempotency-Key was used with another payload. Use a new key for a new request.',
  RATE_LIMITED: 'This key may send 600 requests a minute. Try again in 12 s.',
  TOO_MANY_CONCURRENT_REQUESTS:
    'This key already has 20 requests in progress. Wait until some have ended, then try again.',
  INTERNAL: 'Something went wrong on our side. It has been recorded under the request id.',
  UNAVAILABLE: 'The service is busy or restarting. Try again in a moment.',
}

/**
 * Returns an example body of this error for this route.
 * Throws if there is no message for the error; then add one to the route's `errorExamples`.
 */
export function problemExample(route: Route, problem: ProblemCode | ProblemType): Record<string, unknown> {
  const { code, status } = toCodeAndStatus(problem)
  const { message, errors } =
    typeof problem === 'string'
      ? createExample(route, problem)
      : { message: route.errorExamples?.[code] ?? problem.example, errors: undefined }
  return {
    statusCode: status,
    code,
    message,
    requestId: exampleId,
    ...(typeof problem === 'string' ? {} : problem.exampleDetails),
    ...(errors ? { errors } : {}),
  }
}

function createExample(route: Route, code: ProblemCode): { message: string; errors?: unknown } {
  if (code === 'INVALID_INPUT') return invalidInputs([inputErrorExample(route)])
  if (code === 'INVALID_CURSOR') {
    const error = cursorErrorExample(route)
    return {
      message: `This ${error.path.slice(1)} ${error.message}. Start again without it.`,
      errors: [error],
    }
  }
  const message = route.errorExamples?.[code] ?? toRouteMessage(route, code) ?? messages[code]
  if (!message) throw new Error(`${route.method} ${route.path} has no example of ${code}.`)
  return { message }
}

/** Returns a message that names the route's scope, resource or limit; null if the error has no such message. */
function toRouteMessage(route: Route, code: ProblemCode): string | null {
  if (code === 'INSUFFICIENT_SCOPE') return `This key lacks the scope ${route.scope}.`
  if (code === 'NOT_FOUND') return `There is no ${getNoun(route)} with this ${getIdName(route)}.`
  if (code === 'PRECONDITION_FAILED')
    return route.matchesETag
      ? `The ${getNoun(route)} has changed since you read it. Read it again, and send its new ETag.`
      : 'This route supports no ETag. Send the request without If-Match.'
  if (code === 'PAYLOAD_TOO_LARGE')
    return route.upload
      ? `The file is larger than ${route.upload.maxBytes / 1024 / 1024} MiB.`
      : explainBodyTooLarge(('bodyMaxBytes' in route && route.bodyMaxBytes) || defaultBodyMaxBytes)
  if (code === 'UNSUPPORTED_MEDIA_TYPE')
    return route.upload
      ? unsupportedFile(route.upload).message
      : 'Send JSON with the header Content-Type: application/json.'
  return null
}

const getLastParameter = ({ path }: Route) =>
  path
    .match(/{(\w+)}/g)
    ?.at(-1)
    ?.slice(1, -1) ?? ''

const getIdName = (route: Route) => (getLastParameter(route) === 'externalId' ? 'external id' : 'id')

/** Returns the noun that the last path parameter identifies, from its description: `lead` from "The lead." */
function getNoun(route: Route): string {
  const name = getLastParameter(route)
  if (name === 'externalId') return 'lead'
  if (name === 'platform') return 'platform'
  const { description } = (route.params?.properties[name] ?? {}) as { description?: string }
  return /^The (\w+)/.exec(description ?? '')?.[1] ?? 'object'
}
