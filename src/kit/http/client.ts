/** The one guarded HTTP client for addresses that people outside the operation can influence. */
import { lookup } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'

export interface HttpReply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface HttpRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange, the body included. */
  timeoutMs: number
  bodyMaxBytes: number
  signal?: AbortSignal
}

/** `fetch` follows no redirect: a 3xx is a reply like another. */
export interface HttpClient {
  /** Why an address would be refused without asking anybody, or null: a wrong form, or a literal private address. */
  refusal(url: string): string | null
  fetch(url: string, options: HttpRequest): Promise<HttpReply>
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

/** What `Retry-After` asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds; 0 if it asks for nothing. */
export function retryAfterMs({ headers }: HttpReply): number {
  const text = headers['retry-after'] ?? ''
  return Math.max(0, Number(text) * 1000 || Date.parse(text) - Date.now() || 0)
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
  const refuses = (address: string) => reach === 'public' && !isPublic(address) && !isInside(address, ranges)
  const agent = new Agent({
    connect: { timeout: 10_000, ...(reach === 'public' ? { lookup: guardedLookup(refuses) } : {}) },
    keepAliveTimeout: 10_000,
    connections: 32,
  })

  const refusal = (url: string): string | null => {
    const address = URL.parse(url)
    if (!address || !/^https?:$/.test(address.protocol)) return 'it is not an http or https address'
    if (address.username || address.password) return 'it holds credentials'
    const host = address.hostname.replace(/^\[|\]$/g, '')
    return ipaddr.isValid(host) && refuses(host) ? refused(host).message : null
  }

  return {
    refusal,
    async fetch(url, options) {
      const reason = refusal(url)
      if (reason) throw new HttpFailure('address-refused', reason)
      const deadline = AbortSignal.timeout(options.timeoutMs)
      const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
      try {
        const reply = await request(url, {
          method: options.method ?? 'GET',
          headers: options.headers ?? {},
          body: options.body ?? null,
          dispatcher: agent,
          signal,
        })
        const body = await readBounded(reply.body, reply.statusCode, options.bodyMaxBytes)
        return { status: reply.statusCode, headers: plainHeaders(reply.headers), body }
      } catch (error) {
        throw options.signal?.aborted ? error : explain(error, deadline.aborted, options.timeoutMs)
      }
    },
    close: () => agent.destroy(),
  }
}

async function readBounded(
  body: AsyncIterable<Buffer> & { destroy(error?: Error): unknown },
  status: number,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) {
      body.destroy()
      throw new HttpFailure('too-large', `the reply is larger than ${maxBytes} bytes`, { status })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function explain(error: unknown, timedOut: boolean, timeoutMs: number): HttpFailure {
  if (error instanceof HttpFailure) return error
  const { cause, code } = error as { cause?: unknown; code?: string }
  if (cause instanceof HttpFailure) return cause
  if (timedOut || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new HttpFailure('timeout', `no whole reply within ${timeoutMs} ms`, { cause: error })
  }
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
