/** A route is plain data: from the list of routes come validation, OpenAPI, the scope table, the SDK and the generated tests. */
import type { Caller } from './auth.ts'
import type { Database, Tx } from './db/index.ts'
import type { IfMatch } from './etag.ts'
import type { Upload, UploadRule } from './http/upload.ts'
import type { JsonText } from './json-text.ts'
import type { InputError, ProblemCode, ProblemType } from './problem.ts'
import type { Static, TObject, TSchema, TUnsafe } from './schema.ts'
import type { Scope } from './scope.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What every kind of route says of itself. */
interface Description<P extends TObject, Q extends TObject> {
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
  /** The header If-Match is honoured: `ifMatch` of the input is what it asks for. A write without this refuses one with 412. */
  matchesETag?: true
  /** Refusals besides those that every route of its kind has. */
  errors?: (ProblemCode | ProblemType)[]
  /** What the replies with these errors may say, for the documentation. */
  errorExamples?: Record<string, string>
}

/** What work outside a transaction is given. */
interface UnscopedInput<P extends TObject, Q extends TObject> {
  params: Static<P>
  query: Static<Q>
  caller: Caller
  /**
   * Reads and writes of the work are for the caller, `readTenant(caller, …)`: that asks again whether its key holds,
   * which matters most where the work lasts.
   */
  database: Database
  /** Aborted when the client goes away or the server stops. */
  signal: AbortSignal
}

export interface PrepareInput<P extends TObject, Q extends TObject, B extends TSchema>
  extends UnscopedInput<P, Q> {
  body: Static<B>
}

export interface Input<P extends TObject, Q extends TObject, B extends TSchema, T = undefined> {
  params: Static<P>
  query: Static<Q>
  body: Static<B>
  caller: Caller
  /** The request's one transaction; for GET, reads alone. Nothing on the network may happen before it ends. */
  tx: Tx
  /** What `prepare` brought. */
  prepared: T
  /** The header If-Match (RFC 9110, section 13.1.1); null if it was not sent. */
  ifMatch: IfMatch | null
}

/** The values of a request that fit their schemas: without those that do not, nested ones as well. */
export interface CheckInput<P extends TObject, Q extends TObject, B extends TSchema> {
  params: Partial<Static<P>>
  query: Partial<Static<Q>>
  /** Any field may be missing, also of what is in its lists. A list of plain values with one that does not fit is missing as a whole. */
  body: Partial<Static<B>>
  /** Whether the value at this path was sent and does not fit. */
  hasErrorsAt(path: string): boolean
  /** The environment's time. */
  now: Date
}

export interface FindErrorsInput<P extends TObject, Q extends TObject, B extends TSchema>
  extends CheckInput<P, Q, B> {
  caller: Caller
  /** Reads what is the caller's, in a transaction. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Of a body that is no file. */
export const defaultBodyMaxBytes = 1024 * 1024

/** The sentence for whoever sent more. */
export function bodyTooLarge(maxBytes: number): string {
  const [unit, of] = maxBytes < defaultBodyMaxBytes ? [1024, 'KiB'] : [1024 * 1024, 'MiB']
  return `The body is larger than ${maxBytes / unit} ${of}.`
}

export interface RouteDefinition<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  T = undefined,
> extends Description<P, Q> {
  method: Method
  body?: B
  /** `defaultBodyMaxBytes` unless given. */
  bodyMaxBytes?: number
  /** Example of a body, for the documentation. */
  example?: Static<B>
  /** Returns the errors that no schema can state and the values themselves show. They are reported with those of the schemas. */
  check?(input: CheckInput<P, Q, B>): InputError[]
  /**
   * Finds the errors that the database or the network shows. Called if the input is refused already, so that the reply lists these
   * as well; of any other input `prepare` and `handle` find them, and throw all of them at once.
   */
  findErrors?(input: FindErrorsInput<P, Q, B>): Promise<InputError[]>
  /** In place of `body`: the body is a file. */
  upload?: UploadRule
  status: 200 | 201 | 202 | 204
  /** Of a write that creates what is not there: the status of a reply that has, which `JsonText` tells. */
  createdStatus?: 201
  reply: R
  replyExample?: Static<R>
  /**
   * Calls on the network and waiting: after every check of the input, with the key confirmed, before any transaction.
   * A repetition under an Idempotency-Key that has its reply already does not come here.
   */
  prepare?(input: PrepareInput<P, Q, B>): Promise<T>
  /** `prepare` waits for other servers. */
  isOutgoing?: true
  handle(input: Input<P, Q, B, T>): Promise<Static<R> | JsonText>
}

/** A route that answers with JSON, its types having served their purpose. */
export type JsonRoute = RouteDefinition<TObject, TObject, TSchema, TSchema, unknown>

type UploadRouteDefinition<P extends TObject, Q extends TObject, R extends TSchema, T> = Omit<
  RouteDefinition<P, Q, TUnsafe<Upload>, R, T>,
  'method' | 'body' | 'example'
> & { upload: UploadRule }

/** An event of a stream, by its name in `events`; `id` comes back as `lastEventId` when the client reconnects. */
export type StreamedEvent<E extends Record<string, TSchema>> = {
  [N in keyof E & string]: { event: N; data: Static<E[N]>; id?: string }
}[keyof E & string]

export interface EventStreamDefinition<
  P extends TObject,
  Q extends TObject,
  E extends Record<string, TSchema>,
> extends Description<P, Q> {
  /** What the stream may tell, besides `error`, which carries a problem and ends it. */
  events: { [N in keyof E]: { description: string; data: E[N]; example: Static<E[N]> } }
  /**
   * The head of the reply waits for the first event, so begin with the present state; what is thrown until then (such as
   * notFound) is an ordinary reply, later an `error` event. The stream ends with the iterable.
   */
  open(
    input: UnscopedInput<P, Q> & {
      /** The id of the last event that a reconnecting client has seen. */
      lastEventId: string | null
    },
  ): AsyncIterable<StreamedEvent<E>>
}

/** A route that answers with server-sent events. */
export interface EventStreamRoute extends EventStreamDefinition<TObject, TObject, Record<string, TSchema>> {
  method: 'GET'
  status: 200
  body?: undefined
  example?: undefined
  upload?: undefined
  reply?: undefined
}

/** A file that is sent while it is made. */
export interface Download {
  /** One of the route's `types`. */
  type: string
  /** Under which it is saved: ASCII, without quotation marks. */
  fileName: string
  /** Shown by a browser, not saved. */
  inline?: true
  /** Of the reply, besides those that every file has. */
  headers?: Record<string, string>
  /** In pieces of some hundred kilobytes; the next is asked for once the client has taken in the last but one. */
  pieces: AsyncIterable<string | Uint8Array>
}

export interface DownloadDefinition<P extends TObject, Q extends TObject> extends Description<P, Q> {
  /**
   * The media types that it may be of: text in UTF-8, of which there is an example, or bytes. `item`: what each line holds,
   * where lines are JSON.
   */
  types: Record<string, FileType>
  /**
   * The head of the reply waits for the first piece: what is thrown until then (such as notFound) is an ordinary refusal.
   * What is thrown later breaks the connection off, so that nobody takes a part for the whole. Ends with the iterable.
   */
  download(input: UnscopedInput<P, Q>): Download | Promise<Download>
}

export type FileType =
  | { description: string; example: string; item?: TSchema }
  | { description: string; isBinary: true }

/** A route that answers with a file. */
export interface DownloadRoute extends DownloadDefinition<TObject, TObject> {
  method: 'GET'
  status: 200
  body?: undefined
  example?: undefined
  upload?: undefined
  reply?: undefined
}

export type Route = JsonRoute | EventStreamRoute | DownloadRoute

/** Declares a route. `scope` is required by the type, so an unprotected one does not compile. */
export function route<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  T = undefined,
>(definition: RouteDefinition<P, Q, B, R, T>): JsonRoute {
  return definition as unknown as JsonRoute
}

/** Declares a POST whose body is a file: `body` of its handler's input is an Upload. */
export function uploadRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  R extends TSchema = TSchema,
  T = undefined,
>(definition: UploadRouteDefinition<P, Q, R, T>): JsonRoute {
  return { ...(definition as unknown as JsonRoute), method: 'POST' }
}

/** Declares a route that answers a GET with server-sent events (WHATWG), behind the same checks as any other. */
export function eventStreamRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  E extends Record<string, TSchema> = Record<string, TSchema>,
>(definition: EventStreamDefinition<P, Q, E>): EventStreamRoute {
  return { ...(definition as unknown as EventStreamRoute), method: 'GET', status: 200 }
}

/** Declares a route that answers a GET with a file of any length, behind the same checks as any other. */
export function downloadRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
>(definition: DownloadDefinition<P, Q>): DownloadRoute {
  return { ...(definition as unknown as DownloadRoute), method: 'GET', status: 200 }
}

/** Every refusal that a reply of this route may be, in the order of the checks. */
export function listProblems(route: Route): (ProblemCode | ProblemType)[] {
  const codes: (ProblemCode | ProblemType)[] = ['UNAUTHENTICATED']
  if (route.scope !== 'any') codes.push('INSUFFICIENT_SCOPE')
  codes.push('RATE_LIMITED', 'TOO_MANY_CONCURRENT_REQUESTS', 'INVALID_INPUT')
  if (route.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  if (route.method !== 'GET') codes.push(route.upload ? 'REQUEST_TIMEOUT' : 'MALFORMED_JSON')
  if (route.params) codes.push('NOT_FOUND')
  if (route.matchesETag || route.method !== 'GET') codes.push('PRECONDITION_FAILED')
  if (route.method === 'POST') codes.push('IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_MISMATCH')
  codes.push(...(route.errors ?? []), 'INTERNAL', 'UNAVAILABLE')
  return [...new Set(codes)]
}
