/** Sends a call over HTTP with the key, with a timeout, and with retries if they are safe. */
import { AldabaError, toError } from './error.ts'

export interface Connection {
  /** The base URL, such as `https://aldaba.example` or `https://example.com/v1`, with the API prefix. */
  baseUrl: string
  apiKey: string
  /** Timeout of each attempt, in milliseconds. */
  timeoutMs?: number
  /** Maximum number of attempts after the first. */
  retriesMax: number
}

export interface CallOptions {
  /** Timeout of each attempt in milliseconds, instead of the client's. */
  timeoutMs?: number
  /** Aborts the call with the signal's reason. */
  signal?: AbortSignal
  /** Called with the headers of each successful reply, for example for its `etag`. */
  onHeaders?: (headers: Headers) => void
}

export interface OutgoingRequest extends CallOptions {
  method: string
  /** Path relative to the base URL, with its query. */
  path: string
  body?: unknown
  /** For a POST: the same in every attempt, so that it takes effect once. */
  idempotencyKey?: string
  /** The ETag that the resource must still have. */
  ifMatch?: string
  /** Accepted type of reply; JSON by default. */
  accept?: string
  headers?: Record<string, string>
}

export const replyTimeoutMs = 30_000
/** Uploads may take longer on a slow connection. */
const uploadTimeoutMs = 600_000
const firstBackoffMs = 500
/** With a longer Retry-After, the error is thrown, so that the caller decides. */
const retryAfterMaxMs = 60_000

/**
 * Sends a request, with retries. Returns the parsed JSON of the reply, or undefined if it is empty. Throws AldabaError.
 */
export function send(connection: Connection, outgoing: OutgoingRequest): Promise<unknown> {
  return retry(connection, outgoing, () => attempt(connection, outgoing, readReply))
}

/**
 * Opens a download or an event stream. `timeoutMs` applies to its beginning. The body of such a reply is never null.
 * Throws AldabaError.
 */
export function openBody(
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
      // An earlier attempt deleted it, but its reply was lost.
      if (outgoing.method === 'DELETE' && error.status === 404 && mayHaveApplied) return undefined as T
      if (attempts > connection.retriesMax || !shouldRetry(error, outgoing)) throw error
      mayHaveApplied ||= !hadNoEffect(error)
      await sleep(Math.max(error.retryAfterMs ?? 0, backoffMs(attempts)), outgoing.signal)
    }
  }
}

/** The wait after `attempts` attempts, in milliseconds: up to 0.5, 1, 2, … seconds, with full jitter. */
export function backoffMs(attempts: number): number {
  return firstBackoffMs * 2 ** (attempts - 1) * Math.random()
}

/** Waits for `ms` milliseconds; rejects with the signal's reason if it is aborted. */
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
    // Following a redirect would send the key to another address.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  } satisfies RequestInit
  try {
    const response = await fetch(connection.baseUrl + outgoing.path, init)
    if (!response.ok) throw toError(response, parseJson(await response.text()))
    const reply = await read(response)
    outgoing.onHeaders?.(response.headers)
    return reply
  } catch (cause) {
    if (cause instanceof AldabaError) throw cause
    signal?.throwIfAborted()
    throw timeout.signal.aborted
      ? new AldabaError('TIMEOUT', `No reply within ${timeoutMs} ms.`, { cause })
      : new AldabaError(
          'CONNECTION_FAILED',
          `Cannot reach ${connection.baseUrl}. Check the baseUrl and the network.`,
          { cause },
        )
  } finally {
    clearTimeout(timer)
  }
}

async function readReply(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const body = parseJson(text)
  if (body !== undefined) return body
  const { status } = response
  throw new AldabaError('UNEXPECTED_REPLY', 'The reply is not JSON. Check the baseUrl.', { status })
}

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Retries only what takes effect once: repeatable requests, POST with an idempotency key, and failures without an
 * effect.
 */
function shouldRetry(error: AldabaError, outgoing: OutgoingRequest): boolean {
  const { code, status, retryAfterMs } = error
  if (code === 'QUOTA_EXCEEDED' || (retryAfterMs ?? 0) > retryAfterMaxMs) return false
  if (hadNoEffect(error)) return code === 'IDEMPOTENCY_IN_FLIGHT' || isTransient(status)
  return (status === null || status >= 500) && (isRepeatable(outgoing) || wasNeverSent(error))
}

/** After a lost success, `ifMatch` is outdated, and the retry would be refused with 412. */
function isRepeatable({ method, ifMatch }: OutgoingRequest): boolean {
  return method === 'POST' || (method !== 'PATCH' && ifMatch === undefined)
}

/** The API did not process the request: client errors, and 503 for overload. */
function hadNoEffect({ status }: AldabaError): boolean {
  return status !== null && (status < 500 || status === 503)
}

const isTransient = (status: number | null) => status === 408 || status === 429 || status === 503

const neverSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** No connection was established. Only Node reports this; with other runtimes the request may have been sent. */
function wasNeverSent({ cause }: AldabaError): boolean {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } }
  return neverSentCodes.has(reason?.code ?? '')
}
