/** The guarded HTTP client for every address that people outside the operator's team can influence. */

import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import { machineNow } from '../clock/clock.ts'
import { decodeBody } from './content-encoding.ts'
import { exchange, type HttpReply, type HttpRequest, toPlainHeaders } from './exchange.ts'
import { HttpFailure, idleFailure, timeoutFailure, toHttpFailure, tooLargeFailure } from './http-failure.ts'
import { isInside, isPublicAddress } from './public-address.ts'

export type { HttpReply, HttpRequest } from './exchange.ts'
export { HttpFailure } from './http-failure.ts'

export interface HttpStream {
  status: number
  headers: Record<string, string>
  /**
   * Can be read once. Leaving the loop closes the connection. A body that is never read keeps the connection until the
   * timeout or the signal. Throws HttpFailure.
   */
  body: AsyncIterable<Buffer>
}

export interface HttpStreamRequest extends HttpRequest {
  /** The longest wait for the headers, and then between two chunks of the body while it is read. */
  idleTimeoutMs: number
}

/** Redirects are not followed: a 3xx is returned like any other reply. */
export interface HttpClient {
  /**
   * Why a URL is refused, without a DNS lookup: not HTTP, a literal private address, or a port of another service.
   * Null if it is accepted.
   */
  findUrlRefusal(url: string): string | null
  /**
   * Like `findUrlRefusal`, but also resolves the host name and refuses one that leads into a private network. Null as
   * well if the name is not resolved within `timeoutMs`: every request checks again.
   */
  findHostRefusal(url: string, options: { timeoutMs: number }): Promise<string | null>
  fetch(url: string, options: HttpRequest): Promise<HttpReply>
  /**
   * A reply whose body is read as it arrives. Content-Encoding is decoded. A gzip file without Content-Encoding stays
   * gzip: servers label such files either way, so callers must look at the first bytes.
   */
  stream(url: string, options: HttpStreamRequest): Promise<HttpStream>
  close(): Promise<void>
}

const retryAfterMaxMs = 24 * 3_600_000

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3: seconds or a date) as milliseconds, at most a day. 0 if it is absent,
 * invalid or in the past.
 */
export function parseRetryAfterMs({ headers }: Pick<HttpReply, 'headers'>): number {
  const text = headers['retry-after'] ?? ''
  const delayMs = Number(text) * 1000 || Date.parse(text) - machineNow() || 0
  return Math.min(retryAfterMaxMs, Math.max(0, delayMs))
}

/** Returns every address of a host name. Throws if it has none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export interface HttpClientOptions {
  /**
   * `public` refuses every address inside the deployment's network, and ports of services other than HTTP. `any` is for
   * addresses that the operator configured.
   */
  reach: 'public' | 'any'
  /**
   * CIDR blocks that `public` allows as well. A literal address in them may be called at any port, a host name only at
   * HTTP ports.
   */
  allowedPrivateRanges?: string[]
  /** Default: the system's resolver, including its hosts file. */
  resolve?: Resolve
}

const systemResolve: Resolve = hostname => dns.promises.lookup(hostname, { all: true })

/**
 * Creates a client. It connects to the address that it checked, so a second DNS answer cannot bypass the check.
 */
export function createHttpClient({
  reach,
  allowedPrivateRanges = [],
  resolve = systemResolve,
}: HttpClientOptions): HttpClient {
  const ranges = allowedPrivateRanges.map(range => ipaddr.parseCIDR(range))
  const isForbidden = (address: string) => !isPublicAddress(address) && !isInside(address, ranges)
  const createAgent = (connect: object) =>
    // The number of connections is not limited here: portal throttles and worker pools limit the requests. A request
    // that waited for a connection would look like a portal that does not answer.
    new Agent({
      connect: { timeout: 10_000, ...connect },
      // Overrides what the server's Keep-Alive header says.
      keepAliveTimeout: 10_000,
      keepAliveMaxTimeout: 10_000,
    })
  const agents = {
    any: createAgent({}),
    public: createAgent({ lookup: createGuardedLookup(resolve, isForbidden) }),
  }

  const findUrlRefusal = (url: string, requestReach = reach): string | null => {
    const address = URL.parse(url)
    if (!address || !/^https?:$/.test(address.protocol)) return 'it is not an http or https URL'
    if (address.username || address.password) return 'it contains credentials'
    if (requestReach === 'any') return null
    const host = toHost(address)
    const isLiteral = ipaddr.isValid(host)
    if (isLiteral && isForbidden(host)) return addressRefusedFailure(host).message
    if (!isBlockedPort(address.port) || (isLiteral && isInside(host, ranges))) return null
    return `port ${address.port} is not allowed for HTTP`
  }

  // One lookup at a time: a name whose servers never answer blocks one of the few resolver threads, not all.
  let lastResolved: Promise<unknown> = Promise.resolve()
  const findHostRefusal = async (url: string, timeoutMs: number): Promise<string | null> => {
    const reason = findUrlRefusal(url)
    if (reason || reach === 'any') return reason
    const host = toHost(new URL(url))
    if (ipaddr.isValid(host)) return null
    const deadline = AbortSignal.timeout(timeoutMs)
    const resolved = lastResolved.then(() => (deadline.aborted ? [] : resolve(host).catch(() => [])))
    lastResolved = resolved
    const timedOut = new Promise<[]>(resolve => deadline.addEventListener('abort', () => resolve([])))
    const addresses = await Promise.race([resolved, timedOut])
    return addresses.some(({ address }) => isForbidden(address)) ? addressRefusedFailure(host).message : null
  }

  const getAgent = (url: string, options: HttpRequest): Agent => {
    const requestReach = options.reach ?? reach
    const reason = findUrlRefusal(url, requestReach)
    if (reason) throw new HttpFailure('address-refused', reason, { isSent: false })
    return agents[requestReach]
  }

  const openStream = async (url: string, options: HttpStreamRequest): Promise<OpenReply> => {
    const dispatcher = getAgent(url, options)
    const { timeoutMs, idleTimeoutMs, signal: callerSignal } = options
    const deadline = AbortSignal.timeout(timeoutMs)
    const idleTimer = startIdleTimer(idleTimeoutMs)
    const signals = [deadline, idleTimer.signal, callerSignal].filter(signal => signal !== undefined)
    const fail = (error: unknown, status: number | null) => {
      if (callerSignal?.aborted || error instanceof HttpFailure) return error
      if (deadline.aborted) return timeoutFailure(timeoutMs, status, { cause: error })
      const isIdleTimeout =
        idleTimer.signal.aborted || (error as { code?: string }).code === 'UND_ERR_BODY_TIMEOUT'
      return isIdleTimeout ? idleFailure(idleTimeoutMs, status, error) : toHttpFailure(error, status)
    }
    try {
      const { statusCode, headers, body } = await request(url, {
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        body: options.body ?? null,
        dispatcher,
        signal: AbortSignal.any(signals),
        bodyTimeout: idleTimeoutMs,
        headersTimeout: 0,
      })
      // An abort before the first read must not crash the process. The reader gets the error later.
      body.on('error', () => {})
      return {
        status: statusCode,
        headers: toPlainHeaders(headers),
        raw: body,
        fail: error => fail(error, statusCode),
      }
    } catch (error) {
      throw fail(error, null)
    } finally {
      idleTimer.end()
    }
  }

  return {
    findUrlRefusal: url => findUrlRefusal(url),
    findHostRefusal: (url, { timeoutMs }) => findHostRefusal(url, timeoutMs),
    fetch: async (url, options) => exchange(getAgent(url, options), url, options),
    async stream(url, options) {
      const reply = await openStream(url, options)
      return { status: reply.status, headers: reply.headers, body: readBounded(reply, options) }
    },
    async close() {
      await Promise.all([agents.any.destroy(), agents.public.destroy()])
    },
  }
}

/** A reply whose body has not been read yet. `fail` turns an error of reading it into the error to throw. */
interface OpenReply {
  status: number
  headers: Record<string, string>
  raw: Readable
  fail(error: unknown): unknown
}

function startIdleTimer(ms: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

async function* readBounded(reply: OpenReply, { bodyMaxBytes }: HttpRequest): AsyncGenerator<Buffer> {
  const { status, headers, raw, fail } = reply
  let size = 0
  try {
    for await (const chunk of decodeBody(raw, headers['content-encoding'])) {
      size += chunk.length
      if (size > bodyMaxBytes) throw tooLargeFailure(bodyMaxBytes, status)
      yield chunk
    }
  } catch (error) {
    throw fail(error)
  } finally {
    // A decoder would close the connection only after the next bytes.
    raw.destroy()
  }
}

function toHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** The message does not contain the resolved address, so that it reveals nothing about the internal network. */
function addressRefusedFailure(host: string): HttpFailure {
  return new HttpFailure(
    'address-refused',
    `${host} is inside a private network; the operator may allow it with ALLOWED_PRIVATE_RANGES`,
    { isSent: false },
  )
}

function createGuardedLookup(resolve: Resolve, isForbidden: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      // Mixing one private address with public ones is a way around a guard, so all must be allowed.
      if (addresses.some(({ address }) => isForbidden(address)))
        return callback(addressRefusedFailure(hostname), [])
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first!.address, first!.family)
    }
    resolve(hostname).then(answer, error => callback(error, []))
  }
}

/** Above 1023: the "bad ports" of WHATWG Fetch, section "Port blocking". */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

/** `port` is that of a parsed URL: empty for the default port of the scheme. */
function isBlockedPort(port: string): boolean {
  if (port === '') return false
  const number = Number(port)
  return number < 1024 ? number !== 80 && number !== 443 : blockedPorts.has(number)
}
