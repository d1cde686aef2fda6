/**
 * The client of the Aldaba API. Thin: every operation of openapi.json is `call`ed by its name and typed by it; lists are
 * async iterators, and so are event streams. It needs fetch and WebCrypto: Node 22.12 and later, Deno, Bun or a browser's bundler.
 */
import { type WaitOptions, waitForExtraction } from './extraction.ts'
import { createPagedList, type Page, type PagedList } from './paged-list.ts'
import {
  type CallOptions,
  type Connection,
  type OutgoingRequest,
  open,
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
  /** Such as `https://aldaba.example` or, below a base path, `https://example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** For each try of a call; 30,000 if left out, and 600,000 for one that uploads a file. */
  timeoutMs?: number
  /** Tries after the first, where another one can do no harm; 3 if left out. */
  retriesMax?: number
}

export type OperationId = keyof Operations
export type Reply<O extends OperationId> = Operations[O] extends { reply: infer R } ? R : never

/** What an operation is called with: its own `params`, `query` and `body`, and how the call is to be made. */
export type Input<O extends OperationId> = Omit<Operations[O], 'reply' | 'event'> &
  CallOptions &
  ((typeof operations)[O]['method'] extends 'POST'
    ? {
        /** Made up if left out. Give your own if you may have to repeat the call after a crash of yours. */
        idempotencyKey?: string
      }
    : unknown) &
  ((typeof operations)[O] extends { matchesETag: true }
    ? {
        /** The `etag` of what you have read, by `onHeaders`: fails with PRECONDITION_FAILED if it has changed since. */
        ifMatch?: string
      }
    : unknown)

/** Operations that answer with a page of a list. */
export type ListOperation = {
  [O in OperationId]: Reply<O> extends Page<unknown> ? O : never
}[OperationId]
/** Operations that answer with a file. */
export type FileOperation = {
  [O in OperationId]: Reply<O> extends ReadableStream ? O : never
}[OperationId]
/** Operations that answer with a stream of events. */
export type StreamOperation = {
  [O in OperationId]: Operations[O] extends { event: unknown } ? O : never
}[OperationId]
/** An event of a stream. */
export type StreamEventData<O extends StreamOperation> = Operations[O] extends { event: infer E } ? E : never
export type Item<O extends ListOperation> = Reply<O> extends Page<infer T> ? T : never

type Arguments<O extends OperationId> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export interface Client {
  /** `call('startExtraction', { body: { platform, filters } })`. Throws AldabaError. */
  call<O extends Exclude<OperationId, FileOperation | StreamOperation>>(
    operation: O,
    ...input: Arguments<O>
  ): Promise<Reply<O>>
  /**
   * `download('exportLeads', { query: { format: 'ndjson' } })`: the bytes as they come. The stream fails if it breaks off
   * before its end; `timeoutMs` is for its beginning.
   */
  download<O extends FileOperation>(operation: O, ...input: Arguments<O>): Promise<Reply<O>>
  /**
   * `for await (const { event, data } of stream('watchExtraction', { params: { id } }))`: until its event `end`. A stream that
   * breaks off is opened again.
   */
  stream<O extends StreamOperation>(
    operation: O,
    ...input: Arguments<O>
  ): AsyncGenerator<StreamEventData<O>, void>
  /** `for await (const webhook of list('listSubscriptions'))` */
  list<O extends ListOperation>(operation: O, ...input: Arguments<O>): PagedList<Item<O>>
  /** `for await (const lead of leads({ hasPhone: true }))` */
  leads(query?: Operations['listLeads']['query'], options?: CallOptions): PagedList<Lead>
  /**
   * `for await (const { data, nextAfter } of events({ after }))`: pages of the feed, until there is nothing new for now. Store
   * `nextAfter` once the page is handled. CURSOR_EXPIRED after 30 days: copy everything anew, from `after: 'latest'`.
   */
  events(
    query?: Operations['listEvents']['query'],
    options?: CallOptions,
  ): AsyncGenerator<Reply<'listEvents'>, void>
  /** Resolves at COMPLETED, FAILED or CANCELLED: look at its `status`. */
  waitForExtraction(extractionId: string, options?: WaitOptions): Promise<Extraction>
}

/** Makes a client. Throws TypeError if the `baseUrl` is no address. */
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
    (await open(connection, {
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

/** A part of a path that is empty or dots would make it the path of something else. */
function toSegment(name: string, value: unknown): string {
  const text = encodeURIComponent(String(value ?? ''))
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`The parameter ${name} is missing.`)
  return text
}
