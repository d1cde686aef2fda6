/** A route is plain data: from the list of routes come validation, OpenAPI, the scope table, the SDK and the generated tests. */
import type { Caller } from './auth.ts'
import type { Tx } from './db/index.ts'
import type { EventDefinition } from './event.ts'
import type { JobDefinition } from './job.ts'
import type { JsonText } from './json-text.ts'
import type { ProblemCode } from './problem.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import type { Scope } from './scope.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Input<P extends TObject, Q extends TObject, B extends TSchema> {
  params: Static<P>
  query: Static<Q>
  body: Static<B>
  caller: Caller
  /** The request's one transaction; for GET, reads alone. Nothing on the network may happen before it ends. */
  tx: Tx
}

export interface RouteDefinition<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema> {
  method: Method
  /** Below `/public/v1`, parameters in braces: `/leads/{id}`. */
  path: string
  /** Name of the operation in OpenAPI and in the SDK: verb and noun, such as `listLeads`. */
  operation: string
  /** The group of the reference that it belongs to. */
  tag: string
  summary: string
  description?: string
  /** What the key must be allowed; `any` asks for a valid key alone. There is no route without one. */
  scope: Scope | 'any'
  params?: P
  query?: Q
  body?: B
  /** Example of a body, for the documentation. */
  example?: Static<B>
  status: 200 | 201 | 202 | 204
  reply: R
  replyExample?: Static<R>
  /** Refusals besides those that every route of its kind has. */
  errors?: ProblemCode[]
  handle(input: Input<P, Q, B>): Promise<Static<R> | JsonText>
}

/** A route whose types have served their purpose. */
export type Route = RouteDefinition<TObject, TObject, TSchema, TSchema>

/** Declares a route. `scope` is required by the type, so an unprotected one does not compile. */
export function route<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
>(definition: RouteDefinition<P, Q, B, R>): Route {
  return definition as unknown as Route
}

/** Every refusal that a reply of this route may be, in the order of the checks. */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = ['UNAUTHENTICATED']
  if (route.scope !== 'any') codes.push('INSUFFICIENT_SCOPE')
  codes.push('RATE_LIMITED', 'INVALID_INPUT')
  if (route.method !== 'GET') codes.push('MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  if (route.params) codes.push('NOT_FOUND')
  if (route.method === 'POST') codes.push('IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_MISMATCH')
  codes.push(...(route.errors ?? []), 'INTERNAL', 'UNAVAILABLE')
  return [...new Set(codes)]
}

/** A part of the product: what app.ts lists. */
export interface Feature {
  name: string
  routes: Route[]
  jobs: JobDefinition<never>[]
  events: EventDefinition[]
}
