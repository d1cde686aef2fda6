/** One call over HTTP: with its key, bounded in time, and tried again where that can do no harm. */
import { AldabaError, errorOf } from './error.ts'

export interface Connection {
  /** Such as `https://aldaba.example` or, below a base path, `https://example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** For each try. */
  timeoutMs: number
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

export interface Outgoing extends CallOptions {
  method: string
  /** Below the base address, with its query. */
  path: string
  body?: unknown
  /** Of a POST: the same in every try, so that it takes effect once. */
  idempotencyKey?: string
  /** The ETag that what is changed must still have. */
  ifMatch?: string
  /** The reply is a file. */
  isFile?: boolean
}

const firstBackoffMs = 500
/** Who is asked to wait longer hears of it, and decides. */
const retryAfterMaxMs = 60_000

/**
 * Sends a request until it is answered or the tries are used up. Returns the JSON of the reply, or the bytes of a file as they
 * come; throws AldabaError.
 */
export async function send(connection: Connection, outgoing: Outgoing): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(connection, outgoing)
    } catch (error) {
      if (!(error instanceof AldabaError) || tries > connection.retriesMax) throw error
      if (!isWorthAnotherTry(error, outgoing.method)) throw error
      const jitteredMs = firstBackoffMs * 2 ** (tries - 1) * Math.random()
      await sleep(Math.max(error.retryAfterMs ?? 0, jitteredMs), outgoing.signal)
    }
  }
}

/** Waits; ends early with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function attempt(connection: Connection, outgoing: Outgoing): Promise<unknown> {
  const { method, body, idempotencyKey, ifMatch, signal } = outgoing
  const timeoutMs = outgoing.timeoutMs ?? connection.timeoutMs
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const headers = new Headers({
    accept: outgoing.isFile ? '*/*' : 'application/json',
    'x-api-key': connection.apiKey,
  })
  const isFile = body instanceof Blob
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
  let response: Response
  let text: string | null
  try {
    response = await fetch(connection.baseUrl + outgoing.path, init)
    // A file takes as long as it takes; that it begins is what is waited for.
    text = outgoing.isFile && response.ok ? null : await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    throw timeout.signal.aborted
      ? new AldabaError('TIMEOUT', `No reply within ${timeoutMs} ms.`, { cause })
      : new AldabaError('CONNECTION_FAILED', `${connection.baseUrl} can't be reached.`, { cause })
  } finally {
    clearTimeout(timer)
  }
  const reply = text === null ? response.body : readReply(response, text)
  outgoing.onHeaders?.(response.headers)
  return reply
}

function readReply(response: Response, text: string): unknown {
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    if (response.ok) {
      throw new AldabaError('UNEXPECTED_REPLY', 'The reply is not JSON: is the baseUrl right?', {
        status: response.status,
      })
    }
  }
  if (response.ok) return body
  throw errorOf(response, body)
}

/** Whatever is sent again takes effect once: by its nature, by its idempotency key, or as the first try had none. */
function isWorthAnotherTry({ code, status, retryAfterMs }: AldabaError, method: string): boolean {
  if (code === 'QUOTA_EXCEEDED' || (retryAfterMs ?? 0) > retryAfterMaxMs) return false
  if (code === 'IDEMPOTENCY_IN_FLIGHT') return true
  if (status === 408 || status === 429 || status === 503) return true
  return (status === null || status >= 500) && method !== 'PATCH'
}
