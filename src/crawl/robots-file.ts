/** Fetches a portal's robots.txt (RFC 9309, section 2.3.1), and applies its crawl delay. */

import { getCrawlDelaySeconds, parseRobots, type Robots } from '../domain/robots/robots.ts'
import { machineNow } from '../kit/clock/clock.ts'
import type { HttpReply } from '../kit/http/client.ts'
import type { Throttle } from '../kit/throttle/throttle.ts'
import { CrawlFailure, shorten } from './failure.ts'
import { createFetcher, type PortalClientOptions, timeoutMs, toUrl, userAgentToken } from './fetcher.ts'
import { createPortalThrottle, hourMs, noThrottle } from './portal-throttle.ts'

const redirectsMax = 5

/** Files by origin, the oldest first. They are read again after an hour; RFC 9309, section 2.4, allows up to a day. */
const robotsCache = new Map<string, { robots: Robots; expiresAtMs: number }>()
/** Limited because pages name the hosts of their photos. */
const cachedMax = 200

/**
 * Reads a portal's robots.txt. If there is no file (4xx), everything is allowed. If it is unavailable, nothing is:
 * throws CrawlFailure. Throws RequeueJob if the process stops.
 */
export async function readRobots(options: PortalClientOptions): Promise<Robots> {
  const { baseUrl, isLocal } = options.portal
  const known = robotsCache.get(baseUrl)
  if (known && known.expiresAtMs > machineNow()) return known.robots
  const { status, body } = await fetchRobots(options)
  if (status !== 200 && (status < 400 || status >= 500))
    throw robotsFailure(`The portal answered ${status} for robots.txt, so nothing may be read.`)
  // The parser reads only the beginning of a file that exceeds the required size.
  const robots = parseRobots(status === 200 ? body.toString('utf8') : '')
  if (!isLocal) cacheRobots(baseUrl, robots)
  return robots
}

function cacheRobots(origin: string, robots: Robots): void {
  robotsCache.delete(origin)
  robotsCache.set(origin, { robots, expiresAtMs: machineNow() + hourMs })
  const [oldest] = robotsCache.keys()
  if (robotsCache.size > cachedMax && oldest !== undefined) robotsCache.delete(oldest)
}

/** Follows redirects, to other hosts as well. */
async function fetchRobots(options: PortalClientOptions): Promise<HttpReply> {
  const fetcher = createFetcher(options, getPortalThrottle(options, null), null)
  let url = toUrl({ path: '/robots.txt' }, options.portal.baseUrl)
  for (let redirects = 0; ; redirects++) {
    const reply = await fetcher.fetchPage({ path: url, accept: 'text/plain' })
    const { location } = reply.headers
    if (![301, 302, 303, 307, 308].includes(reply.status) || !location) return reply
    if (redirects === redirectsMax)
      throw robotsFailure(`The portal redirects robots.txt more than ${redirectsMax} times.`)
    const next = URL.parse(location, url)
    if (!next || !/^https?:$/.test(next.protocol))
      throw robotsFailure(`The portal redirects robots.txt to ${shorten(location)}.`)
    url = next.href
  }
}

/** The throttle of a portal, slower if its robots.txt has a crawl delay. `robots` is null while it is unknown. */
export function getPortalThrottle(
  { portal, database, signal, deadlineMs }: PortalClientOptions,
  robots: Robots | null,
): Throttle {
  if (portal.isLocal) return noThrottle
  const intervalMinMs = ((robots && getCrawlDelaySeconds(robots, userAgentToken)) ?? 0) * 1000
  if (intervalMinMs > hourMs)
    throw robotsFailure(
      `The portal's robots.txt requires ${intervalMinMs / 1000} seconds between two requests. More than an hour counts as a refusal.`,
    )
  return createPortalThrottle({
    database,
    origin: portal.baseUrl,
    politeness: portal.definition.politeness,
    intervalMinMs,
    requestMaxMs: timeoutMs,
    signal,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  })
}

function robotsFailure(message: string): CrawlFailure {
  return new CrawlFailure('ROBOTS_DISALLOWED', message)
}
