/** A portal's robots.txt: how it is had (RFC 9309, section 2.3.1), and the pace that it asks for. */

import { crawlDelaySeconds, parseRobots, type Robots } from '../domain/robots/robots.ts'
import { machineNow } from '../kit/clock/clock.ts'
import type { HttpReply } from '../kit/http/client.ts'
import type { Throttle } from '../kit/throttle/throttle.ts'
import { askerOf, type PortalClientOptions, timeoutMs, urlOf, userAgentToken } from './asker.ts'
import { CrawlFailure, shortened } from './failure.ts'
import { hourMs, keepPace, unpaced } from './pace.ts'

const redirectsMax = 5

/** By origin, read anew after an hour: RFC 9309 (section 2.4) allows a day. */
const kept = new Map<string, { robots: Robots; untilMs: number }>()

/**
 * What a portal's robots.txt says. No file means all is allowed; a file that can't be had for now means nothing is. Throws
 * CrawlFailure then, HandBack when we are to stop.
 */
export async function robotsOf(options: PortalClientOptions): Promise<Robots> {
  const { baseUrl, isLocal } = options.portal
  const known = kept.get(baseUrl)
  if (known && known.untilMs > machineNow()) return known.robots
  const { status, body } = await fetchRobots(options)
  if (status !== 200 && (status < 400 || status >= 500))
    throw refused(`The portal answered ${status} for robots.txt, so nothing may be read.`)
  // Of what is longer than it must be read, the parser reads the beginning.
  const robots = parseRobots(status === 200 ? body.toString('utf8') : '')
  if (!isLocal) kept.set(baseUrl, { robots, untilMs: machineNow() + hourMs })
  return robots
}

/** Follows redirects, to other hosts as well. */
async function fetchRobots(options: PortalClientOptions): Promise<HttpReply> {
  const asker = askerOf(options, paceOf(options, null), null)
  let url = urlOf({ path: '/robots.txt' }, options.portal.baseUrl)
  for (let redirects = 0; ; redirects++) {
    const reply = await asker.page({ path: url, accept: 'text/plain' })
    const { location } = reply.headers
    if (![301, 302, 303, 307, 308].includes(reply.status) || !location) return reply
    if (redirects === redirectsMax)
      throw refused('The portal sends us from one address to the next for robots.txt.')
    const next = URL.parse(location, url)
    if (!next || !/^https?:$/.test(next.protocol))
      throw refused(`The portal sends us to ${shortened(location)} for robots.txt.`)
    url = next.href
  }
}

/** The pace towards a portal, slower if its robots.txt asks for it; null: that is not known yet. */
export function paceOf(
  { portal, database, signal, giveUpAtMs }: PortalClientOptions,
  robots: Robots | null,
): Throttle {
  if (portal.isLocal) return unpaced
  const intervalMinMs = ((robots && crawlDelaySeconds(robots, userAgentToken)) ?? 0) * 1000
  if (intervalMinMs > hourMs)
    throw refused(
      `The portal's robots.txt asks for ${intervalMinMs / 1000} seconds between two requests; more than an hour is as good as a refusal.`,
    )
  return keepPace({
    database,
    origin: portal.baseUrl,
    politeness: portal.definition.politeness,
    intervalMinMs,
    requestMaxMs: timeoutMs,
    signal,
    ...(giveUpAtMs === undefined ? {} : { giveUpAtMs }),
  })
}

function refused(message: string): CrawlFailure {
  return new CrawlFailure('ROBOTS_DISALLOWED', message)
}
