/** The one guarded HTTP client for addresses that people outside the operation can influence. */

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
   * To be read once. Leaving the loop closes the connection; a body that nobody begins to read holds it until the
   * timeout or the signal. Throws HttpFailure.
   */
  body: AsyncIterable<Buffer>
}

export interface HttpStreamRequest extends HttpRequest {
  /** Until the headers have come, and then from any byte to the next while somebody reads. */
  idleTimeoutMs: number
}

/** Redirects are not followed: a 3xx is a reply like another. */
export interface HttpClient {
  /**
   * Why an address would be refused without asking anybody, or null: a wrong form, a literal private address, or a port
   * of another service.
   */
  refusal(url: string): string | null
  /**
   * The same, and whether the host's name leads inside a private network. Null as well if that is not known within
   * `timeoutMs`: every request checks again.
   */
  findRefusal(url: string, options: { timeoutMs: number }): Promise<string | null>
  fetch(url: string, options: HttpRequest): Promise<HttpReply>
  /**
   * A reply whose body is read as it comes. A body that is a gzip file by itself, and not by Content-Encoding, stays one;
   * as servers label such files either way, its first bytes tell.
   */
  stream(url: string, options: HttpStreamRequest): Promise<HttpStream>
  close(): Promise<void>
}

const retryAfterMaxMs = 24 * 3_600_000

/**
 * What `Retry-After` asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds, a day at most; 0 if it asks
 * for nothing.
 */
export function retryAfterMs({ headers }: Pick<HttpReply, 'headers'>): number {
  const text = headers['retry-after'] ?? ''
  const requested = Number(text) * 1000 || Date.parse(text) - machineNow() || 0
  return Math.min(retryAfterMaxMs, Math.max(0, requested))
}

/** Every address of a host's name. Throws if it has none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export interface HttpClientOptions {
  /**
   * `public` refuses every address inside the deployment's network, and ports of other services than HTTP; `any` is for
   * addresses the operator configured.
   */
  reach: 'public' | 'any'
  /**
   * CIDR blocks that `public` allows all the same. A literal address in them may be asked at any port; a name, whatever it
   * resolves to, only at those of HTTP.
   */
  allowedPrivateRanges?: string[]
  /** As the system does, with its file of hosts, if left out. */
  resolve?: Resolve
}

const systemResolve: Resolve = hostname => dns.promises.lookup(hostname, { all: true })

/** Makes a client. The resolved address is checked and is the one connected to, so a second DNS answer can't differ. */
export function createHttpClient({
  reach,
  allowedPrivateRanges = [],
  resolve = systemResolve,
}: HttpClientOptions): HttpClient {
  const ranges = allowedPrivateRanges.map(range => ipaddr.parseCIDR(range))
  const isForbidden = (address: string) => !isPublicAddress(address) && !isInside(address, ranges)
  const createAgent = (connect: object) =>
    // As many connections as are asked for at once: a portal's pace and the lanes of the queue bound them. Whoever waited for
    // one would take that for a portal that does not answer.
    new Agent({
      connect: { timeout: 10_000, ...connect },
      // Whatever the other side says it would keep.
      keepAliveTimeout: 10_000,
      keepAliveMaxTimeout: 10_000,
    })
  const agents = {
    any: createAgent({}),
    public: createAgent({ lookup: createGuardedLookup(resolve, isForbidden) }),
  }

  const refusal = (url: string, within = reach): string | null => {
    const address = URL.parse(url)
    if (!address || !/^https?:$/.test(address.protocol)) return 'it is not an http or https address'
    if (address.username || address.password) return 'it holds credentials'
    if (within === 'any') return null
    const host = toHost(address)
    const isLiteral = ipaddr.isValid(host)
    if (isLiteral && isForbidden(host)) return addressRefused(host).message
    if (!isBlockedPort(address.port) || (isLiteral && isInside(host, ranges))) return null
    return `port ${address.port} is not for http`
  }

  // One after the other: a name whose servers never answer holds one of the few threads that resolve names, not all.
  let lastResolved: Promise<unknown> = Promise.resolve()
  const findRefusal = async (url: string, timeoutMs: number): Promise<string | null> => {
    const reason = refusal(url)
    if (reason || reach === 'any') return reason
    const host = toHost(new URL(url))
    if (ipaddr.isValid(host)) return null
    const deadline = AbortSignal.timeout(timeoutMs)
    const resolved = lastResolved.then(() => (deadline.aborted ? [] : resolve(host).catch(() => [])))
    lastResolved = resolved
    const timedOut = new Promise<[]>(give => deadline.addEventListener('abort', () => give([])))
    const addresses = await Promise.race([resolved, timedOut])
    return addresses.some(({ address }) => isForbidden(address)) ? addressRefused(host).message : null
  }

  const getAgent = (url: string, options: HttpRequest): Agent => {
    const within = options.reach ?? reach
    const reason = refusal(url, within)
    if (reason) throw new HttpFailure('address-refused', reason)
    return agents[within]
  }

  const open = async (url: string, options: HttpStreamRequest): Promise<Received> => {
    const dispatcher = getAgent(url, options)
    const { timeoutMs, idleTimeoutMs, signal: checked } = options
    const deadline = AbortSignal.timeout(timeoutMs)
    const idleTimer = startIdleTimer(idleTimeoutMs)
    const signals = [deadline, idleTimer.signal, checked].filter(signal => signal !== undefined)
    const fail = (error: unknown, status: number | null) => {
      if (checked?.aborted || error instanceof HttpFailure) return error
      if (deadline.aborted) return timeoutFailure(timeoutMs, status, error)
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
      // Aborted before anybody reads: whoever begins to read is told.
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
    refusal: url => refusal(url),
    findRefusal: (url, { timeoutMs }) => findRefusal(url, timeoutMs),
    fetch: async (url, options) => exchange(getAgent(url, options), url, options),
    async stream(url, options) {
      const reply = await open(url, options)
      return { status: reply.status, headers: reply.headers, body: readBounded(reply, options) }
    },
    async close() {
      await Promise.all([agents.any.destroy(), agents.public.destroy()])
    },
  }
}

/** A reply whose body is still to be read, and what its failing means. */
interface Received {
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

async function* readBounded(reply: Received, { bodyMaxBytes }: HttpRequest): AsyncGenerator<Buffer> {
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
    // A decoder in between would close the connection only after the next bytes.
    raw.destroy()
  }
}

function toHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Of a name it does not say the address: how the inner network is laid out is nobody's business. */
function addressRefused(host: string): HttpFailure {
  return new HttpFailure(
    'address-refused',
    `${host} is inside a private network; the operator may allow it with ALLOWED_PRIVATE_RANGES`,
  )
}

function createGuardedLookup(resolve: Resolve, isForbidden: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      // One bad address among good ones is how a guard is walked around: all must be allowed.
      if (addresses.some(({ address }) => isForbidden(address))) return callback(addressRefused(hostname), [])
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first!.address, first!.family)
    }
    resolve(hostname).then(answer, error => callback(error, []))
  }
}

/** Above 1023: the ports that the fetch standard calls bad (WHATWG Fetch, "port blocking"). */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

/** Of a URL: without a port it is that of its scheme. */
function isBlockedPort(port: string): boolean {
  if (port === '') return false
  const number = Number(port)
  return number < 1024 ? number !== 80 && number !== 443 : blockedPorts.has(number)
}
