/** Reads a portal politely: robots.txt, the pace shared by all processes, an honest name, bounded retries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { crawlDelaySeconds, isAllowed, parseRobots, type Robots } from '../../../domain/robots/robots.ts'
import type { Database } from '../../../kit/db/index.ts'
import { type HttpClient, HttpFailure, type HttpReply, retryAfterMs } from '../../../kit/http/client.ts'
import { HandBack } from '../../../kit/job.ts'
import type { Metrics } from '../../../kit/metrics.ts'
import type { OpenPortal } from '../../platforms/service.ts'
import { ExtractionFailure } from './failure.ts'

/** The product token that robots.txt files address. */
export const userAgentToken = 'AldabaBot'

export type PageReply =
  | { kind: 'page'; html: string; url: string }
  | { kind: 'gone' }
  | { kind: 'disallowed' }
  /** Sent elsewhere, and not followed. */
  | { kind: 'moved'; to: string }
  /** Sent elsewhere: nothing was followed. */
  | { kind: 'moved'; to: string }

export interface PortalClient {
  /** Fetches a page by its path. Throws ExtractionFailure when the portal can't be read, HandBack when we are to stop. */
  fetchPage(path: string): Promise<PageReply>
}

export interface PortalClientOptions {
  portal: OpenPortal
  http: HttpClient
  database: Database
  metrics: Metrics
  /** Where a portal's people read who we are. */
  contactUrl: string
  signal: AbortSignal
}

const triesMax = 4
const timeoutMs = 20_000
const pageMaxBytes = 8 * 1024 * 1024
const robotsMaxBytes = 512 * 1024
const waitMaxMs = 60_000

/** Opens a portal for one run: reads its robots.txt first. */
export async function openPortalClient(options: PortalClientOptions): Promise<PortalClient> {
  const robots = await readRobots(options)
  const { definition, baseUrl, isLocal } = options.portal
  const crawlDelayMs = (crawlDelaySeconds(robots, userAgentToken) ?? 0) * 1000
  const intervalMs = isLocal ? 0 : Math.max(1000 / definition.politeness.requestsPerSecond, crawlDelayMs)
  return {
    async fetchPage(path) {
      if (!isAllowed(robots, userAgentToken, path)) return { kind: 'disallowed' }
      const url = new URL(path, baseUrl).href
      const reply = await fetchPatiently(url, pageMaxBytes, intervalMs, options)
      if (reply.status === 404 || reply.status === 410) return { kind: 'gone' }
      if (reply.status >= 300 && reply.status < 400)
        return { kind: 'moved', to: reply.headers.location ?? 'no address' }
      if (reply.status === 200) return { kind: 'page', html: decode(reply), url }
      throw refusal(reply)
    },
  }
}

/** RFC 9309, section 2.3.1: no file means all is allowed; a file that can't be had for now means nothing is. */
async function readRobots(options: PortalClientOptions): Promise<Robots> {
  const url = new URL('/robots.txt', options.portal.baseUrl).href
  const reply = await fetchPatiently(url, robotsMaxBytes, 0, options)
  if (reply.status === 200) return parseRobots(decode(reply))
  if (reply.status >= 400 && reply.status < 500) return parseRobots('')
  throw new ExtractionFailure(
    'ROBOTS_DISALLOWED',
    `The portal answered ${reply.status} for robots.txt, so nothing may be read.`,
  )
}

/** Tries again after faults that pass, with growing waits; honours Retry-After up to a minute. */
async function fetchPatiently(
  url: string,
  bodyMaxBytes: number,
  intervalMs: number,
  options: PortalClientOptions,
): Promise<HttpReply> {
  const { portal, signal, metrics } = options
  const count = (result: string) => metrics.portalRequests.inc({ platform: portal.definition.id, result })
  for (let attempt = 1; ; attempt++) {
    await keepPace(options, intervalMs)
    const reply = await attemptFetch(url, bodyMaxBytes, options)
    count(reply instanceof HttpFailure ? reply.kind : String(reply.status))
    const passing =
      reply instanceof HttpFailure
        ? reply.kind !== 'too-large' && reply.kind !== 'address-refused'
        : reply.status === 429 || reply.status >= 500
    if (!(reply instanceof HttpFailure) && (!passing || attempt === triesMax)) return reply
    if (reply instanceof HttpFailure && (!passing || attempt === triesMax)) throw failureOf(reply)
    const waitMs = retryWaitMs(reply, attempt)
    if (!portal.isLocal) await slowDown(options, waitMs)
    await pause(waitMs, signal)
  }
}

async function attemptFetch(
  url: string,
  bodyMaxBytes: number,
  { http, contactUrl, signal }: PortalClientOptions,
): Promise<HttpReply | HttpFailure> {
  if (signal.aborted) throw new HandBack()
  try {
    return await http.fetch(url, {
      headers: {
        'user-agent': `${userAgentToken}/1.0 (+${contactUrl})`,
        accept: 'text/html,application/xhtml+xml',
        'accept-encoding': 'identity',
      },
      timeoutMs,
      bodyMaxBytes,
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw new HandBack()
    if (error instanceof HttpFailure) return error
    throw error
  }
}

function retryWaitMs(reply: HttpReply | HttpFailure, attempt: number): number {
  const asked = reply instanceof HttpFailure ? 0 : retryAfterMs(reply)
  const grown = 250 * 4 ** (attempt - 1) * (0.75 + Math.random() / 2)
  return Math.min(waitMaxMs, asked > 0 ? asked : grown)
}

function failureOf(failure: HttpFailure): ExtractionFailure {
  if (failure.kind === 'timeout')
    return new ExtractionFailure('TIMEOUT', `The portal did not answer: ${failure.message}.`, failure)
  return new ExtractionFailure(
    'PORTAL_UNAVAILABLE',
    `The portal could not be read: ${failure.message}.`,
    failure,
  )
}

function refusal({ status }: HttpReply): ExtractionFailure {
  if (status === 401) return new ExtractionFailure('CREDENTIALS_INVALID', 'The portal asks for credentials.')
  if (status === 403 || status === 429)
    return new ExtractionFailure('BLOCKED', `The portal refuses to be read (status ${status}).`)
  return new ExtractionFailure('PORTAL_UNAVAILABLE', `The portal answered ${status}.`)
}

/** Takes the next free moment of the portal: a row in the database, so that all workers together keep one pace. */
async function keepPace(
  { database, portal, signal }: PortalClientOptions,
  intervalMs: number,
): Promise<void> {
  if (intervalMs === 0) return
  const { rows } = await sql<{ waitMs: number }>`
    insert into portal_pace as p (origin, next_at) values (${portal.baseUrl}, clock_timestamp() + make_interval(secs => ${intervalMs / 1000}))
    on conflict (origin) do update set next_at = greatest(p.next_at, clock_timestamp()) + make_interval(secs => ${intervalMs / 1000})
    returning extract(epoch from next_at - clock_timestamp())::float8 * 1000 - ${intervalMs}::float8 as "waitMs"`.execute(
    database.outside,
  )
  await pause(rows[0]?.waitMs ?? 0, signal)
}

/** A portal that asks for rest gets it from every worker. */
async function slowDown({ database, portal }: PortalClientOptions, waitMs: number): Promise<void> {
  await sql`
    insert into portal_pace as p (origin, next_at) values (${portal.baseUrl}, clock_timestamp() + make_interval(secs => ${waitMs / 1000}))
    on conflict (origin) do update set next_at = greatest(p.next_at, excluded.next_at)`.execute(
    database.outside,
  )
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new HandBack()
  })
}

function decode(reply: HttpReply): string {
  const charset = /charset=["']?([\w-]+)/i.exec(reply.headers['content-type'] ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(reply.body)
  } catch {
    return reply.body.toString('utf8')
  }
}
