/**
 * The client of the Aldaba API. `call` takes the name of any operation in openapi.json and is typed by it; lists and
 * event streams are async iterators. It needs fetch and WebCrypto: Node 22.12 and later, Deno, Bun or a bundler for
 * browsers.
 */
import { type WaitOptions, waitForExtraction } from './extraction.ts'
import { createPagedList, type Page, type PagedList } from './paged-list.ts'
import {
  type CallOptions,
  type Connection,
  type OutgoingRequest,
  openBody,
  replyTimeoutMs,
  send,
} from './request.ts'
import { streamEvents } from './stream.ts'
import { apiPrefix, type Extraction, type Lead, type Operations, operations } from './types.generated.ts'

export { AldabaError } from './error.ts'
export type { WaitOptions } from './extraction.ts'
export type { Page, PagedList } from './paged-list.ts'
export type { CallOptions } from './request.ts'
export type * from './types.generated.ts'
export { type ReceivedWebhook, verifyWebhook, WebhookError, type WebhookErrorCode } from './webhook.ts'

export interface ClientOptions {
  /** The base URL, such as `https://aldaba.example` or, below a base path, `https://example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** Timeout of each attempt in milliseconds; by default 30,000, and 600,000 for an upload of a file. */
  timeoutMs?: number
  /** Maximum number of retries, which are only made if they are safe; 3 by default. */
  retriesMax?: number
}

export type OperationId = keyof Operations
export type Reply<O extends OperationId> = Operations[O] extends { reply: infer R } ? R : never

/** The input of an operation: its `params`, `query` and `body`, and options of the call. */
export type Input<O extends OperationId> = Omit<Operations[O], 'reply' | 'event'> &
  CallOptions &
  ((typeof operations)[O]['method'] extends 'POST'
    ? {
        /** Generated if omitted. Pass your own if you may have to repeat the call after a crash of your program. */
        idempotencyKey?: string
      }
    : unknown) &
  ((typeof operations)[O] extends { matchesETag: true }
    ? {
        /**
         * The `etag` of the version you have read (see `onHeaders`). Fails with PRECONDITION_FAILED if it has changed
         * since.
         */
        ifMatch?: string
      }
    : unknown)

/** Operations that return a page of a list. */
export type ListOperation = {
  [O in OperationId]: Reply<O> extends Page<unknown> ? O : never
}[OperationId]
/** Operations that return a file. */
export type FileOperation = {
  [O in OperationId]: Reply<O> extends ReadableStream ? O : never
}[OperationId]
/** Operations that return a stream of events. */
export type StreamOperation = {
  [O in OperationId]: Operations[O] extends { event: unknown } ? O : never
}[OperationId]
/** An event of a stream. */
export type StreamEventData<O extends StreamOperation> = Operations[O] extends { event: infer E } ? E : never
export type Item<O extends ListOperation> = Reply<O> extends Page<infer T> ? T : never

type Arguments<O extends OperationId> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export interface Client {
  /** Calls an operation: `call('startExtraction', { body: { platform, filters } })`. Throws AldabaError. */
  call<O extends Exclude<OperationId, FileOperation | StreamOperation>>(
    operation: O,
    ...input: Arguments<O>
  ): Promise<Reply<O>>
  /**
   * Downloads a file as a stream of bytes: `download('exportLeads', { query: { format: 'ndjson' } })`. The stream fails
   * if it is truncated. `timeoutMs` applies to its beginning.
   */
  download<O extends FileOperation>(operation: O, ...input: Arguments<O>): Promise<Reply<O>>
  /**
   * Streams events up to and including `end`:
   * `for await (const { event, data } of stream('watchExtraction', { params: { id } }))`. It reconnects if the stream
   * breaks off.
   */
  stream<O extends StreamOperation>(
    operation: O,
    ...input: Arguments<O>
  ): AsyncGenerator<StreamEventData<O>, void>
  /** Lists items of any operation with pages: `for await (const item of list('listSubscriptions'))`. */
  list<O extends ListOperation>(operation: O, ...input: Arguments<O>): PagedList<Item<O>>
  /** Lists leads: `for await (const lead of leads({ hasPhone: true }))`. */
  leads(query?: Operations['listLeads']['query'], options?: CallOptions): PagedList<Lead>
  /**
   * Reads pages of the event feed until there are no new events:
   * `for await (const { data, nextAfter } of events({ after }))`. Store `nextAfter` when the page is processed. After
   * CURSOR_EXPIRED (30 days), copy everything again and start with `after: 'latest'`.
   */
  events(
    query?: Operations['listEvents']['query'],
    options?: CallOptions,
  ): AsyncGenerator<Reply<'listEvents'>, void>
  /** Waits until the extraction is COMPLETED, FAILED or CANCELLED: check its `status`. */
  waitForExtraction(extractionId: string, options?: WaitOptions): Promise<Extraction>
}

/** Creates a client. Throws TypeError if `baseUrl` is not a URL. */
export function createClient(options: ClientOptions): Client {
  const connection: Connection = {
    baseUrl: new URL(options.baseUrl).href.replace(/\/+$/, '') + apiPrefix,
    apiKey: options.apiKey,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    retriesMax: options.retriesMax ?? 3,
  }
  const call: Client['call'] = async (operation, ...[input]) =>
    (await send(connection, toOutgoing(operation, input ?? {}))) as never
  const download: Client['download'] = async (operation, ...[input]) =>
    (await openBody(connection, {
      ...toOutgoing(operation, (input ?? {}) as LooseInput),
      accept: '*/*',
    })) as never
  const stream: Client['stream'] = (operation, ...[input]) =>
    streamEvents(connection, toOutgoing(operation, (input ?? {}) as LooseInput)) as never
  const list: Client['list'] = (operation, ...[input]) =>
    createPagedList(async cursor => {
      const query = { ...(input as LooseInput | undefined)?.query, ...(cursor === null ? {} : { cursor }) }
      return (await send(connection, toOutgoing(operation, { ...input, query }))) as never
    })
  return {
    call,
    download,
    stream,
    list,
    leads: (query = {}, options = {}) => list('listLeads', { ...options, query }),
    async *events(query = {}, options = {}) {
      let page: Reply<'listEvents'> | null = null
      do {
        const after = page ? { after: page.nextAfter } : {}
        page = (await call('listEvents', {
          ...options,
          query: { ...query, ...after },
        })) as Reply<'listEvents'>
        yield page
      } while (page.hasMore)
    },
    waitForExtraction: (id, options = {}) =>
      waitForExtraction(
        (waitSeconds, signal) =>
          call('getExtraction', {
            params: { id },
            ...(waitSeconds > 0 ? { query: { waitSeconds } } : {}),
            timeoutMs: (connection.timeoutMs ?? replyTimeoutMs) + waitSeconds * 1000,
            ...(signal ? { signal } : {}),
          }),
        options,
      ),
  }
}

interface LooseInput extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
}

function toOutgoing(
  operation: OperationId,
  { params = {}, query = {}, ...input }: LooseInput,
): OutgoingRequest {
  const { method, path } = operations[operation]
  const filledPath = path.replace(/\{(\w+)\}/g, (_all, name) => toSegment(name, params[name]))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map(each => [name, String(each)]),
    ),
  )
  return {
    ...input,
    method,
    path: search.size > 0 ? `${filledPath}?${search}` : filledPath,
    ...(method === 'POST' ? { idempotencyKey: input.idempotencyKey ?? crypto.randomUUID() } : {}),
  }
}

/** Encodes a path parameter. An empty or dotted segment would change the path, so it throws TypeError. */
function toSegment(name: string, value: unknown): string {
  const text = encodeURIComponent(String(value ?? ''))
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`The parameter ${name} is missing.`)
  return text
}
