/** The one guarded HTTP client for addresses that people outside the operation can influence. */
import { lookup } from 'node:dns'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import { decoded } from './content-encoding.ts'

export interface HttpReply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface HttpStream {
  status: number
  headers: Record<string, string>
  /**
   * To be read once. Leaving the loop closes the connection; a body that nobody begins to read holds it until the
   * timeout or the signal. Throws HttpFailure.
   */
  body: AsyncIterable<Buffer>
}

export interface HttpRequest {
  method?: 'GET' | 'POST'
  /** What is to come compressed is asked for here; gzip, br and deflate are undone by the reply's Content-Encoding. */
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange, the body included. */
  timeoutMs: number
  /** Of the plain body. */
  bodyMaxBytes: number
  signal?: AbortSignal
  /** Of a client that may reach anything: not this time, as somebody else named the address. */
  reach?: 'public'
}

export interface HttpStreamRequest extends HttpRequest {
  /** Until the headers have come, and then from any byte to the next while somebody reads. */
  idleTimeoutMs: number
}

/** Redirects are not followed: a 3xx is a reply like another. */
export interface HttpClient {
  /** Why an address would be refused without asking anybody, or null: a wrong form, or a literal private address. */
  refusal(url: string): string | null
  fetch(url: string, options: HttpRequest): Promise<HttpReply>
  /**
   * A reply whose body is read as it comes. A body that is a gzip file by itself, and not by Content-Encoding, stays one;
   * as servers label such files either way, its first bytes tell.
   */
  stream(url: string, options: HttpStreamRequest): Promise<HttpStream>
  close(): Promise<void>
}

export type HttpFailureKind = 'address-refused' | 'timeout' | 'unreachable' | 'too-large'

/** Why no whole reply came. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind
  /** Of a reply whose body was too large. */
  readonly status: number | null
  constructor(
    kind: HttpFailureKind,
    message: string,
    { cause, status = null }: { cause?: unknown; status?: number | null } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.status = status
  }
}

const retryAfterMaxMs = 24 * 3_600_000

/**
 * What `Retry-After` asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds, a day at most; 0 if it asks
 * for nothing.
 */
export function retryAfterMs({ headers }: Pick<HttpReply, 'headers'>): number {
  const text = headers['retry-after'] ?? ''
  const asked = Number(text) * 1000 || Date.parse(text) - Date.now() || 0
  return Math.min(retryAfterMaxMs, Math.max(0, asked))
}

export interface HttpClientOptions {
  /** `public` refuses every address inside the deployment's network; `any` is for addresses the operator configured. */
  reach: 'public' | 'any'
  /** CIDR blocks that `public` allows all the same. */
  allowedPrivateRanges?: string[]
}

/** Makes a client. The resolved address is checked and is the one connected to, so a second DNS answer can't differ. */
export function createHttpClient({ reach, allowedPrivateRanges = [] }: HttpClientOptions): HttpClient {
  const ranges = allowedPrivateRanges.map(range => ipaddr.parseCIDR(range))
  const refuses = (address: string) => !isPublic(address) && !isInside(address, ranges)
  const agentOf = (connect: object) =>
    new Agent({ connect: { timeout: 10_000, ...connect }, keepAliveTimeout: 10_000, connections: 32 })
  const agents = { any: agentOf({}), public: agentOf({ lookup: guardedLookup(refuses) }) }

  const refusal = (url: string, within = reach): string | null => {
    const address = URL.parse(url)
    if (!address || !/^https?:$/.test(address.protocol)) return 'it is not an http or https address'
    if (address.username || address.password) return 'it holds credentials'
    const host = address.hostname.replace(/^\[|\]$/g, '')
    return within === 'public' && ipaddr.isValid(host) && refuses(host) ? refused(host).message : null
  }

  const send = async (url: string, options: Sending): Promise<Received> => {
    const within = options.reach ?? reach
    const reason = refusal(url, within)
    if (reason) throw new HttpFailure('address-refused', reason)
    const { idleTimeoutMs, signal: given } = options
    const deadline = AbortSignal.timeout(options.timeoutMs)
    const silence = idleTimeoutMs ? startSilence(idleTimeoutMs) : null
    const signals = [deadline, silence?.signal, given].filter(signal => signal !== undefined)
    const fail = (error: unknown) =>
      given?.aborted ? error : explain(error, options, { deadline, silence: silence?.signal })
    try {
      const { statusCode, headers, body } = await request(url, {
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        body: options.body ?? null,
        dispatcher: agents[within],
        signal: signals.length > 1 ? AbortSignal.any(signals) : deadline,
        bodyTimeout: idleTimeoutMs ?? 0,
        headersTimeout: 0,
      })
      // Aborted before anybody reads: whoever begins to read is told.
      body.on('error', () => {})
      return { status: statusCode, headers: plainHeaders(headers), raw: body, fail }
    } catch (error) {
      throw fail(error)
    } finally {
      silence?.end()
    }
  }

  return {
    refusal: url => refusal(url),
    async fetch(url, options) {
      const reply = await send(url, options)
      return { status: reply.status, headers: reply.headers, body: await readWhole(reply, options) }
    },
    async stream(url, options) {
      const reply = await send(url, options)
      return { status: reply.status, headers: reply.headers, body: readBounded(reply, options) }
    },
    async close() {
      await Promise.all([agents.any.destroy(), agents.public.destroy()])
    },
  }
}

type Sending = HttpRequest & Partial<HttpStreamRequest>

/** A reply whose body is still to be read, and what its failing means. */
interface Received {
  status: number
  headers: Record<string, string>
  raw: Readable
  fail(error: unknown): unknown
}

function startSilence(ms: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

async function* readBounded(reply: Received, { bodyMaxBytes }: HttpRequest): AsyncGenerator<Buffer> {
  const { status, headers, raw, fail } = reply
  let size = 0
  try {
    for await (const chunk of decoded(raw, headers['content-encoding'])) {
      size += chunk.length
      if (size > bodyMaxBytes) throw tooLarge(bodyMaxBytes, status)
      yield chunk
    }
  } catch (error) {
    throw fail(error)
  } finally {
    // A decoder in between would close the connection only after the next bytes.
    raw.destroy()
  }
}

/** The pages of a portal come this way, by the thousand: without a generator between each chunk and the next. */
async function readWhole(reply: Received, options: HttpRequest): Promise<Buffer> {
  const { status, headers, raw, fail } = reply
  if (headers['content-encoding']) return Buffer.concat(await Array.fromAsync(readBounded(reply, options)))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of raw) {
      size += chunk.length
      if (size > options.bodyMaxBytes) throw tooLarge(options.bodyMaxBytes, status)
      chunks.push(chunk)
    }
  } catch (error) {
    throw fail(error)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number, status: number): HttpFailure {
  return new HttpFailure('too-large', `the reply is larger than ${maxBytes} bytes`, { status })
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function explain(
  error: unknown,
  { timeoutMs, idleTimeoutMs }: Sending,
  { deadline, silence }: { deadline: AbortSignal; silence: AbortSignal | undefined },
): HttpFailure {
  if (error instanceof HttpFailure) return error
  const { cause, code } = error as { cause?: unknown; code?: string }
  if (cause instanceof HttpFailure) return cause
  const timeout = (message: string) => new HttpFailure('timeout', message, { cause: error })
  if (deadline.aborted) return timeout(`no whole reply within ${timeoutMs} ms`)
  if (silence?.aborted || code === 'UND_ERR_BODY_TIMEOUT')
    return timeout(`not a byte within ${idleTimeoutMs} ms`)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeout('no connection in time')
  return new HttpFailure('unreachable', (error as Error).message || code || 'the connection failed', {
    cause: error,
  })
}

function refused(address: string): HttpFailure {
  return new HttpFailure(
    'address-refused',
    `${address} is inside a private network; the operator may allow it with ALLOWED_PRIVATE_RANGES`,
  )
}

function guardedLookup(refuses: (address: string) => boolean): typeof lookup {
  const guarded = (
    hostname: string,
    options: { all?: boolean },
    callback: (error: Error | null, ...rest: unknown[]) => void,
  ) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error)
      // One bad address among good ones is how a guard is walked around: all must be allowed.
      const bad = addresses.find(({ address }) => refuses(address))
      if (bad) return callback(refused(bad.address))
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first?.address, first?.family)
    })
  }
  return guarded as unknown as typeof lookup
}

const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` reads an IPv4 address that was dressed as IPv6.
  const parsed = ipaddr.process(address)
  // What nobody has been given yet, and IPv4 in its oldest dress (`::127.0.0.1`), count as unicast too.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6))
}

function isInside(address: string, ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits] as never),
  )
}
