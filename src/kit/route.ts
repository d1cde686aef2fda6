/** A route is plain data: validation, OpenAPI, the scope table, the SDK and generated tests are derived from the list. */
import type { Caller } from './auth.ts'
import type { ByteRange } from './byte-range.ts'
import type { Database, Tx } from './db/index.ts'
import type { IfMatch } from './etag.ts'
import type { Upload, UploadRule } from './http/upload.ts'
import type { JsonText } from './json-text.ts'
import type { InputError, ProblemCode, ProblemType } from './problem.ts'
import type { Static, TObject, TSchema, TUnsafe } from './schema.ts'
import type { Scope } from './scope.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The fields that all kinds of routes share. */
interface Description<P extends TObject, Q extends TObject> {
  /** The path below `/public/v1`, with parameters in braces: `/leads/{id}`. */
  path: string
  /** The name of the operation in OpenAPI and in the SDK: verb and noun, such as `listLeads`. */
  operation: string
  /** The group in the API reference. */
  tag: string
  /** Verb and object: `Retrieve a lead`. */
  summary: string
  description?: string
  /** The scope that the key needs; `any`: any valid key. */
  scope: Scope | 'any'
  /** The scope that the key needs besides, because the route reads or writes what another group of routes protects. */
  alsoScope?: Scope
  params?: P
  query?: Q
  /** The route handles If-Match, see `ifMatch` of the input. A write without this replies 412 to the header. */
  matchesETag?: true
  /** Errors besides those that every route of this kind has, see `listProblems`. */
  errors?: (ProblemCode | ProblemType)[]
  /** Example messages by error code, for the documentation. */
  errorExamples?: Record<string, string>
}

/** The input of work that runs outside a transaction. */
interface UnscopedInput<P extends TObject, Q extends TObject> {
  params: Static<P>
  query: Static<Q>
  caller: Caller
  /**
   * Read and write as the caller, with `readTenant(caller, …)`: this checks again that the key is still valid, which
   * matters for long work.
   */
  database: Database
  /** Aborted when the client disconnects or the server stops. */
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
  /** The single transaction of the request; read-only for GET. Do no network I/O before it ends. */
  tx: Tx
  /** The result of `prepare`. */
  prepared: T
  /** The header If-Match (RFC 9110, section 13.1.1); null if it was not sent. */
  ifMatch: IfMatch | null
}

export interface FinishInput<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema>
  extends PrepareInput<P, Q, B> {
  /** The reply of `handle`. */
  reply: Static<R>
}

/** The values of a request that fit their schemas. Invalid values, nested ones too, are left out. */
export interface CheckInput<P extends TObject, Q extends TObject, B extends TSchema> {
  params: Partial<Static<P>>
  query: Partial<Static<Q>>
  /** Any field may be missing, also in list items. A list of plain values with an invalid one is missing as a whole. */
  body: Partial<Static<B>>
  /** Returns whether a value at this path was sent and is invalid. */
  hasErrorsAt(path: string): boolean
  /** The current time of the environment's clock. */
  now: Date
}

export interface FindErrorsInput<P extends TObject, Q extends TObject, B extends TSchema>
  extends CheckInput<P, Q, B> {
  caller: Caller
  /** Runs `work` in a read-only transaction of the caller's tenant. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The default limit of a JSON body. */
export const defaultBodyMaxBytes = 1024 * 1024

/** Returns the error message for a body above the limit. */
export function explainBodyTooLarge(maxBytes: number): string {
  const [unit, unitName] = maxBytes < defaultBodyMaxBytes ? [1024, 'KiB'] : [1024 * 1024, 'MiB']
  return `The body is larger than ${maxBytes / unit} ${unitName}.`
}

/** The definition of a route with a JSON reply. See `route` and `uploadRoute`. */
export interface RouteDefinition<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  T = undefined,
> extends Description<P, Q> {
  method: Method
  body?: B
  /** Default: `defaultBodyMaxBytes`. */
  bodyMaxBytes?: number
  /** An example body, for the documentation. */
  example?: Static<B>
  /** Returns errors that no schema can express, from the values alone. The reply lists them with the schema errors. */
  check?(input: CheckInput<P, Q, B>): InputError[]
  /**
   * Finds errors that need the database or the network. Called only if the input is already invalid, so that the reply
   * lists all errors together. For valid input, `prepare` and `handle` find them, and throw all of them at once.
   */
  findErrors?(input: FindErrorsInput<P, Q, B>): Promise<InputError[]>
  /** Set instead of `body` if the body is a file. */
  upload?: UploadRule
  status: 200 | 201 | 202 | 204
  /** For an upsert: the status of the reply if it created the object, see `JsonText`. */
  createdStatus?: 201
  reply: R
  replyExample?: Static<R>
  /**
   * Does network calls and waiting, after all checks and before the transaction; not if a reply is stored for the Idempotency-Key.
   */
  prepare?(input: PrepareInput<P, Q, B>): Promise<T>
  /** `prepare` calls other servers. */
  isOutgoing?: true
  /**
   * The statements of this GET see what was committed at one moment. For replies that would contradict themselves otherwise, such as
   * a sum and its parts.
   */
  readsSnapshot?: true
  /** Many clients may send this at the same moment: more requests may wait than of other routes. */
  comesInBursts?: true
  handle(input: Input<P, Q, B, T>): Promise<Static<R> | JsonText>
  /**
   * Runs after the transaction of `handle` has committed, also for a replayed reply: waits for work that `handle` has
   * started, and returns its later state. A reply that is stored for an Idempotency-Key stays as `handle` returned it.
   */
  finish?(input: FinishInput<P, Q, B, R>): Promise<Static<R> | JsonText>
}

/** A route with a JSON reply, with its type parameters erased. */
export type JsonRoute = RouteDefinition<TObject, TObject, TSchema, TSchema, unknown>

type UploadRouteDefinition<P extends TObject, Q extends TObject, R extends TSchema, T> = Omit<
  RouteDefinition<P, Q, TUnsafe<Upload>, R, T>,
  'method' | 'body' | 'example'
> & { upload: UploadRule }

/** An event of a stream. `event`: its name in `events`. A reconnecting client sends the last `id` as `lastEventId`. */
export type StreamedEvent<E extends Record<string, TSchema>> = {
  [N in keyof E & string]: { event: N; data: Static<E[N]>; id?: string }
}[keyof E & string]

export interface EventStreamDefinition<
  P extends TObject,
  Q extends TObject,
  E extends Record<string, TSchema>,
> extends Description<P, Q> {
  /** The events of the stream, besides `error`, which carries a problem and ends the stream. */
  events: { [N in keyof E]: { description: string; data: E[N]; example: Static<E[N]> } }
  /**
   * Yields the events; the stream ends with the iterable. The response headers wait for the first event, so start with
   * the current state. An error thrown before it (such as notFound) is an ordinary reply, later an `error` event.
   */
  open(
    input: UnscopedInput<P, Q> & {
      /** The id of the last event that a reconnecting client has seen. */
      lastEventId: string | null
    },
  ): AsyncIterable<StreamedEvent<E>>
}

/** A route that replies with server-sent events. */
export interface EventStreamRoute extends EventStreamDefinition<TObject, TObject, Record<string, TSchema>> {
  method: 'GET'
  status: 200
  body?: undefined
  example?: undefined
  upload?: undefined
  reply?: undefined
}

/** A file that is sent while it is generated. */
export interface Download {
  /** One of the route's `types`. */
  type: string
  /** The file name for saving. */
  fileName: string
  /** A browser displays the file instead of saving it. */
  inline?: true
  /** Headers of the reply, besides those of every file. */
  headers?: Record<string, string>
  /** The size of the whole file, if it is known. */
  bytes?: number | undefined
  /** `pieces` has only these bytes, because the client requested them, see `parseRange`. Requires `bytes`. */
  range?: ByteRange | undefined
  /** The content, in pieces of some hundred kilobytes. Backpressure: at most one piece waits for the client. */
  pieces: AsyncIterable<string | Uint8Array>
}

export interface DownloadDefinition<P extends TObject, Q extends TObject> extends Description<P, Q> {
  /**
   * The possible files, by media type: UTF-8 text with an example, or binary. `item`: the schema of each line of
   * JSON Lines.
   */
  types: Record<string, FileType>
  /** The route sends parts of the file on request (RFC 9110, section 14). */
  acceptsRange?: true
  /**
   * Returns the file; it ends with the iterable. The response headers wait for the first piece. An error thrown before
   * it (such as notFound) is an ordinary reply; a later one breaks the connection, so that no client takes a partial
   * file for the whole.
   */
  download(
    input: UnscopedInput<P, Q> & {
      /** The header Range; null: the client wants the whole file. */
      rangeHeader: string | null
    },
  ): Download | Promise<Download>
}

export type FileType =
  | { description: string; example: string; item?: TSchema }
  | { description: string; isBinary: true }

/** A route that replies with a file. */
export interface DownloadRoute extends DownloadDefinition<TObject, TObject> {
  method: 'GET'
  status: 200
  body?: undefined
  example?: undefined
  upload?: undefined
  reply?: undefined
}

export type Route = JsonRoute | EventStreamRoute | DownloadRoute

/** Declares a route with a JSON reply. The type requires `scope`, so an unprotected route does not compile. */
export function route<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  T = undefined,
>(definition: RouteDefinition<P, Q, B, R, T>): JsonRoute {
  return definition as unknown as JsonRoute
}

/** Declares a POST whose body is a file. `body` of its handler's input is an `Upload`. */
export function uploadRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  R extends TSchema = TSchema,
  T = undefined,
>(definition: UploadRouteDefinition<P, Q, R, T>): JsonRoute {
  return { ...(definition as unknown as JsonRoute), method: 'POST' }
}

/** Declares a GET that replies with server-sent events (WHATWG HTML), behind the same checks as any other route. */
export function eventStreamRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  E extends Record<string, TSchema> = Record<string, TSchema>,
>(definition: EventStreamDefinition<P, Q, E>): EventStreamRoute {
  return { ...(definition as unknown as EventStreamRoute), method: 'GET', status: 200 }
}

/** Declares a GET that replies with a file of any length, behind the same checks as any other route. */
export function downloadRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
>(definition: DownloadDefinition<P, Q>): DownloadRoute {
  return { ...(definition as unknown as DownloadRoute), method: 'GET', status: 200 }
}

/** The `pieces` of a download that is short enough to be sent at once. */
export async function* inOnePiece<T extends string | Uint8Array>(piece: T): AsyncGenerator<T> {
  yield piece
}
