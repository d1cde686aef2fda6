/** Fetches a few pages of a site that has no definition yet: robots.txt is obeyed, with a pause between requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getCrawlDelaySeconds, isAllowed, parseRobots, type Robots } from '../domain/robots/robots.ts'
import type { HttpClient, HttpReply } from '../kit/http/client.ts'
import type { PortalDocument } from '../plugins/portal.ts'
import { decodeReply } from './decode.ts'
import { toUserAgent, userAgentToken } from './fetcher.ts'

export interface PageFetcherOptions {
  /** The guarded client. */
  http: HttpClient
  /** A page that explains to sites who sends the requests. */
  contactUrl: string
  /** The shortest pause between two requests. */
  pauseMs: number
}

const redirectsMax = 3
const timeoutMs = 20_000
const pageMaxBytes = 8 * 1024 * 1024
/** A site that wants longer pauses is read by hand. */
const pauseMaxMs = 60_000

/** `fetchPage` throws an Error that says for people why a page cannot be read. */
export function createPageFetcher({ http, contactUrl, pauseMs }: PageFetcherOptions) {
  const robotsByOrigin = new Map<string, Robots>()
  let hasSent = false

  const send = async (url: string, accept: string, waitMs: number): Promise<HttpReply> => {
    const refusal = http.findUrlRefusal(url)
    if (refusal !== null) throw new Error(`${url} is refused: ${refusal}`)
    if (hasSent) await sleep(waitMs)
    hasSent = true
    return http.fetch(url, {
      headers: {
        'user-agent': toUserAgent(contactUrl),
        accept,
        'accept-encoding': 'gzip, br',
      },
      timeoutMs,
      bodyMaxBytes: pageMaxBytes,
    })
  }

  const readRobots = async (origin: string): Promise<Robots> => {
    const known = robotsByOrigin.get(origin)
    if (known) return known
    const { status, body } = await send(`${origin}/robots.txt`, 'text/plain', pauseMs)
    if (status !== 200 && (status < 400 || status >= 500))
      throw new Error(`${origin} answered ${status} for robots.txt, so nothing may be read.`)
    const robots = parseRobots(status === 200 ? body.toString('utf8') : '')
    robotsByOrigin.set(origin, robots)
    return robots
  }

  return {
    async fetchPage(address: string): Promise<PortalDocument> {
      let url = new URL(address)
      for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
        const robots = await readRobots(url.origin)
        if (!isAllowed(robots, userAgentToken, url.pathname + url.search))
          throw new Error(`The robots.txt of ${url.origin} does not allow ${url.pathname}.`)
        const waitMs = Math.max(pauseMs, (getCrawlDelaySeconds(robots, userAgentToken) ?? 0) * 1000)
        if (waitMs > pauseMaxMs)
          throw new Error(`The robots.txt of ${url.origin} requires ${waitMs / 1000} s between requests.`)
        const reply = await send(url.href, 'text/html,application/xhtml+xml', waitMs)
        const next =
          reply.status >= 300 && reply.status < 400 ? URL.parse(reply.headers.location ?? '', url) : null
        if (next === null) return toDocument(reply, url.href)
        url = next
      }
      throw new Error(`${address} redirects more than ${redirectsMax} times.`)
    },
  }
}

function toDocument({ status, body, headers }: HttpReply, url: string): PortalDocument {
  if (status !== 200) throw new Error(`${url} answered ${status}.`)
  return { text: decodeReply(body, headers['content-type']), url }
}
