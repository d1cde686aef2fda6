/**
 * One exchange with its whole body, straight from the parser: without a stream and composed signals for each it takes half
 * the time, and pages of portals come by the thousand.
 */
import type { Agent, Dispatcher } from 'undici'
import { decodeBody } from './content-encoding.ts'
import { timeoutFailure, toHttpFailure, tooLargeFailure } from './http-failure.ts'

export interface HttpReply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface HttpRequest {
  method?: 'GET' | 'POST'
  /** What is to come compressed is asked for here; gzip, br and deflate are undone by the reply's Content-Encoding. */
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange, the body included. */
  timeoutMs: number
  /** Of the body as it is sent, and of the plain one. */
  bodyMaxBytes: number
  /**
   * Of `fetch`: a body that comes to `bodyMaxBytes` is cut there and the connection closed, instead of failing as too
   * large. Of an encoded one there is what its beginning decodes to, perhaps nothing; it never fails.
   */
  truncateBody?: true
  signal?: AbortSignal
  /** Of a client that may reach anything: not this time, as somebody else named the address. */
  reach?: 'public'
}

/** Throws HttpFailure, or the signal's reason. */
export async function exchange(agent: Agent, url: string, options: HttpRequest): Promise<HttpReply> {
  const { status, headers, body } = await receive(agent, new URL(url), options)
  const encoding = headers['content-encoding']
  return { status, headers, body: encoding ? await decode(body, encoding, status, options) : body }
}

/** The body comes encoded as it was sent. */
function receive(
  agent: Agent,
  { origin, pathname, search }: URL,
  {
    method = 'GET',
    headers: streamPieces = {},
    body,
    timeoutMs,
    bodyMaxBytes,
    truncateBody,
    signal,
  }: HttpRequest,
): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>()
  const chunks: Buffer[] = []
  let status = 0
  let headers: Record<string, string> = {}
  let size = 0
  let connection: Dispatcher.DispatchController | null = null
  let abortReason: Error | null = null

  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  const finish = () => {
    end()
    resolve({ status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
  }
  // One below 200 only announces the reply.
  const startedStatus = () => (status < 200 ? null : status)
  // One that waits for its connection is stopped when it gets it; whoever asked need not wait for that.
  const stop = (reason: Error) => {
    end()
    abortReason ??= reason
    // First: what the connection says of its end is not the reason.
    reject(abortReason)
    connection?.abort(abortReason)
  }
  const abort = () => stop(signal!.reason)
  const timer = setTimeout(() => stop(timeoutFailure(timeoutMs, startedStatus())), timeoutMs)
  if (signal?.aborted) {
    abort()
    return promise
  }
  signal?.addEventListener('abort', abort)
  agent.dispatch(
    {
      origin,
      path: pathname + search,
      method,
      headers: streamPieces,
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart(controller) {
        connection = controller
        if (abortReason) controller.abort(abortReason)
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = toPlainHeaders(received)
      },
      onResponseData(controller, chunk) {
        const missing = bodyMaxBytes - size
        size += chunk.length
        if (truncateBody && size >= bodyMaxBytes) {
          chunks.push(chunk.subarray(0, missing))
          finish()
          controller.abort(new Error('enough of the body has come'))
        } else if (size > bodyMaxBytes) stop(tooLargeFailure(bodyMaxBytes, status))
        else chunks.push(chunk)
      },
      onResponseEnd: finish,
      onResponseError(_controller, error) {
        end()
        reject(toHttpFailure(error, startedStatus()))
      },
    },
  )
  return promise
}

async function decode(
  body: Buffer,
  encoding: string,
  status: number,
  { bodyMaxBytes, truncateBody }: HttpRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decodeBody(toIterable(body), encoding)) {
      chunks.push(chunk)
      size += chunk.length
      if (size <= bodyMaxBytes) continue
      if (truncateBody) break
      throw tooLargeFailure(bodyMaxBytes, status)
    }
  } catch (error) {
    if (!truncateBody) throw toHttpFailure(error, status)
  }
  return Buffer.concat(chunks).subarray(0, bodyMaxBytes)
}

async function* toIterable(body: Buffer): AsyncGenerator<Buffer> {
  if (body.length > 0) yield body
}

/** Names in lower case; a header that came more than once has its values joined by commas. */
export function toPlainHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) plain[name.toLowerCase()] = String(value)
  }
  return plain
}
