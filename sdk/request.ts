/** One call over HTTP: with its key, bounded in time, and tried again where that can do no harm. */
import { AldabaError, toError } from './error.ts'

export interface Connection {
  /** Such as `https://aldaba.example` or, below a base path, `https://example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** For each try. */
  timeoutMs?: number
  /** Tries after the first. */
  retriesMax: number
}

export interface CallOptions {
  /** For each try, in place of the client's. */
  timeoutMs?: number
  /** Ends the call with the signal's own reason. */
  signal?: AbortSignal
  /** Sees the headers of each reply that is no refusal: its `etag`, say. */
  onHeaders?: (headers: Headers) => void
}

export interface OutgoingRequest extends CallOptions {
  method: string
  /** Below the base address, with its query. */
  path: string
  body?: unknown
  /** Of a POST: the same in every try, so that it takes effect once. */
  idempotencyKey?: string
  /** The ETag that what is changed must still have. */
  ifMatch?: string
  /** What kind of reply is wanted; JSON if left out. */
  accept?: string
  headers?: Record<string, string>
}

export const replyTimeoutMs = 30_000
/** A file takes as long as the line is slow. */
const uploadTimeoutMs = 600_000
const firstBackoffMs = 500
/** Who is asked to wait longer hears of it, and decides. */
const retryAfterMaxMs = 60_000

/** Sends a request until it is answered or the tries are used up. Returns the JSON of the reply; throws AldabaError. */
export function send(connection: Connection, outgoing: OutgoingRequest): Promise<unknown> {
  return retry(connection, outgoing, () => attempt(connection, outgoing, readReply))
}

/**
 * The same, for the bytes of a file or a stream, as they come: `timeoutMs` is for their beginning. The body of such a reply is
 * never null.
 */
export function open(
  connection: Connection,
  outgoing: OutgoingRequest & { accept: string },
): Promise<ReadableStream<Uint8Array>> {
  return retry(connection, outgoing, () => attempt(connection, outgoing, async response => response.body!))
}

async function retry<T>(
  connection: Connection,
  outgoing: OutgoingRequest,
  run: () => Promise<T>,
): Promise<T> {
  let mayHaveApplied = false
  for (let attempts = 1; ; attempts++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof AldabaError)) throw error
      // An earlier try has deleted it, and its answer was lost.
      if (outgoing.method === 'DELETE' && error.status === 404 && mayHaveApplied) return undefined as T
      if (attempts > connection.retriesMax || !shouldRetry(error, outgoing)) throw error
      mayHaveApplied ||= !isClientError(error)
      await sleep(Math.max(error.retryAfterMs ?? 0, backoffMs(attempts)), outgoing.signal)
    }
  }
}

/** How long to wait after so many tries: up to 0.5, 1, 2, … seconds, with full jitter. */
export function backoffMs(attempts: number): number {
  return firstBackoffMs * 2 ** (attempts - 1) * Math.random()
}

/** Waits; ends early with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const rejectAborted = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', rejectAborted)
      resolve()
    }, ms)
    signal?.addEventListener('abort', rejectAborted, { once: true })
  })
}

async function attempt<T>(
  connection: Connection,
  outgoing: OutgoingRequest,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { method, body, idempotencyKey, ifMatch, signal } = outgoing
  const isFile = body instanceof Blob
  const timeoutMs = outgoing.timeoutMs ?? connection.timeoutMs ?? (isFile ? uploadTimeoutMs : replyTimeoutMs)
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const headers = new Headers({
    ...outgoing.headers,
    accept: outgoing.accept ?? 'application/json',
    'x-api-key': connection.apiKey,
  })
  if (body !== undefined) headers.set('content-type', isFile ? body.type : 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  const init = {
    method,
    headers,
    // A redirect would carry the key to wherever it points.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  } satisfies RequestInit
  try {
    const response = await fetch(connection.baseUrl + outgoing.path, init)
    if (!response.ok) throw toError(response, parse(await response.text()))
    const reply = await read(response)
    outgoing.onHeaders?.(response.headers)
    return reply
  } catch (cause) {
    if (cause instanceof AldabaError) throw cause
    signal?.throwIfAborted()
    throw timeout.signal.aborted
      ? new AldabaError('TIMEOUT', `No reply within ${timeoutMs} ms.`, { cause })
      : new AldabaError('CONNECTION_FAILED', `${connection.baseUrl} can't be reached.`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function readReply(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const body = parse(text)
  if (body !== undefined) return body
  const { status } = response
  throw new AldabaError('UNEXPECTED_REPLY', 'The reply is not JSON: is the baseUrl right?', { status })
}

/** Undefined: it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whatever is sent again takes effect once: by its nature, by its idempotency key, or as the first try had no effect. */
function shouldRetry(error: AldabaError, outgoing: OutgoingRequest): boolean {
  const { code, status, retryAfterMs } = error
  if (code === 'QUOTA_EXCEEDED' || (retryAfterMs ?? 0) > retryAfterMaxMs) return false
  if (isClientError(error)) return code === 'IDEMPOTENCY_IN_FLIGHT' || isTransient(status)
  return (status === null || status >= 500) && (isRepeatable(outgoing) || wasNeverSent(error))
}

/** After a change that took effect, its `ifMatch` is outdated: the repeat would be refused with 412. */
function isRepeatable({ method, ifMatch }: OutgoingRequest): boolean {
  return method === 'POST' || (method !== 'PATCH' && ifMatch === undefined)
}

/** The API had no part in it, or no time: nothing was done. */
function isClientError({ status }: AldabaError): boolean {
  return status !== null && (status < 500 || status === 503)
}

const isTransient = (status: number | null) => status === 408 || status === 429 || status === 503

const neverSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** No connection came about. Runtimes other than Node do not tell, and then it may have been sent. */
function wasNeverSent({ cause }: AldabaError): boolean {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } }
  return neverSentCodes.has(reason?.code ?? '')
}
