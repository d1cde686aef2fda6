/** Reads a portal politely: robots.txt, the pace shared by all processes, an honest name, bounded retries. */
import { crawlDelaySeconds, isAllowed, parseRobots, type Robots } from '../../../domain/robots/robots.ts'
import type { Database } from '../../../kit/db/index.ts'
import {
  type HttpClient,
  HttpFailure,
  type HttpReply,
  type HttpStream,
  retryAfterMs,
} from '../../../kit/http/client.ts'
import { HandBack } from '../../../kit/job.ts'
import type { Metrics } from '../../../kit/metrics.ts'
import type { PortalDocument, PortalRequest } from '../../../plugins/portal.ts'
import type { OpenPortal } from '../../platforms/service.ts'
import { type Authorization, authorizationOf } from './authorization.ts'
import { decodeText } from './decode.ts'
import { ExtractionFailure, failureOf, refusal } from './failure.ts'
import { discard, untilStopped } from './feed-body.ts'
import { keepPace, type Pace, pause, unpaced, waitMaxMs } from './pace.ts'

/** The product token that robots.txt files address. */
export const userAgentToken = 'AldabaBot'

/** What a page was when it was last read (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

type NoDocument =
  /** Nothing has changed since the validators that were sent. */
  | { kind: 'unchanged' }
  | { kind: 'gone' }
  | { kind: 'disallowed' }
  /** Sent elsewhere: nothing was followed. */
  | { kind: 'moved'; to: string }

export type PageReply = { kind: 'page'; document: PortalDocument; validators: Validators } | NoDocument

export type FeedReply =
  | {
      kind: 'feed'
      body: AsyncIterable<Buffer>
      contentType: string | undefined
      url: string
      validators: Validators
    }
  | NoDocument

export interface PortalClient {
  /** Fetches a page. Throws ExtractionFailure when the portal can't be read, HandBack when we are to stop. */
  fetchPage(request: PortalRequest, known?: Validators): Promise<PageReply>
  /** Opens a document that is read as it comes, its body not yet read: that throws HttpFailure where it breaks, HandBack when we are to stop. */
  openFeed(request: PortalRequest, known?: Validators): Promise<FeedReply>
}

export interface PortalClientOptions {
  portal: OpenPortal
  http: HttpClient
  database: Database
  metrics: Metrics
  /** Where a portal's people read who we are. */
  contactUrl: string
  signal: AbortSignal
  /** A person waits for the answer: one try, and a short one. */
  hurried?: boolean
  /** A portal that asks us to come back later than this is one that can't be read. Milliseconds since 1970. */
  giveUpAtMs?: number
}

const triesMax = 4
const timeoutMs = 20_000
const hurriedTimeoutMs = 8000
const pageMaxBytes = 8 * 1024 * 1024
const robotsMaxBytes = 512 * 1024
const feedMaxBytes = 2 * 1024 * 1024 * 1024
const feedTimeoutMs = 30 * 60_000
const robotsKeptMs = 3_600_000

/** robots.txt by origin, read anew after an hour: RFC 9309 (section 2.4) allows a day. */
const robotsKept = new Map<string, { robots: Robots; untilMs: number }>()

/** Opens a portal for one run: reads its robots.txt first. */
export async function openPortalClient(options: PortalClientOptions): Promise<PortalClient> {
  const { baseUrl, isLocal } = options.portal
  const robots = await robotsOf(options)
  const asker = askerOf(options, isLocal ? unpaced : paceOf(options, robots))
  const check = ({ path }: PortalRequest): NoDocument | null => {
    const url = URL.parse(path, baseUrl)
    if (url?.origin !== new URL(baseUrl).origin) return { kind: 'moved', to: url?.href ?? path }
    return isAllowed(robots, userAgentToken, url.pathname + url.search) ? null : { kind: 'disallowed' }
  }
  return {
    async fetchPage(request, known) {
      const refused = check(request)
      if (refused) return refused
      const reply = await asker.page(request, known)
      return (
        answerOf(reply) ?? {
          kind: 'page',
          document: {
            text: decodeText(reply.body, reply.headers['content-type']),
            url: urlOf(request, baseUrl),
          },
          validators: validatorsOf(reply),
        }
      )
    },
    async openFeed(request, known) {
      const refused = check(request)
      if (refused) return refused
      const reply = await asker.feed(request, known)
      return (
        answerOf(reply) ?? {
          kind: 'feed',
          ...{ body: untilStopped(reply.body, options.signal), contentType: reply.headers['content-type'] },
          ...{ url: urlOf(request, baseUrl), validators: validatorsOf(reply) },
        }
      )
    },
  }
}

const urlOf = ({ path }: PortalRequest, baseUrl: string) => new URL(path, baseUrl).href

/** Null for a document. Throws for a refusal. */
function answerOf(reply: Pick<HttpReply, 'status' | 'headers'>): NoDocument | null {
  const { status, headers } = reply
  if (status === 200) return null
  if (status === 304) return { kind: 'unchanged' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status >= 300 && status < 400) return { kind: 'moved', to: headers.location ?? 'no address' }
  throw refusal(status)
}

function validatorsOf({ headers }: Pick<HttpReply, 'headers'>): Validators {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
}

function paceOf({ portal, database, signal }: PortalClientOptions, robots: Robots): Pace {
  return keepPace({
    database,
    origin: portal.baseUrl,
    politeness: portal.definition.politeness,
    intervalMinMs: (crawlDelaySeconds(robots, userAgentToken) ?? 0) * 1000,
    requestMaxMs: timeoutMs,
    signal,
  })
}

/** RFC 9309, section 2.3.1: no file means all is allowed; a file that can't be had for now means nothing is. */
async function robotsOf(options: PortalClientOptions): Promise<Robots> {
  const { baseUrl, isLocal } = options.portal
  const kept = robotsKept.get(baseUrl)
  if (kept && kept.untilMs > Date.now()) return kept.robots
  const request = { path: '/robots.txt', accept: 'text/plain' }
  const { status, body } = await askerOf(options, unpaced, null).page(request, undefined, robotsMaxBytes)
  if (status !== 200 && (status < 400 || status >= 500)) {
    throw new ExtractionFailure(
      'ROBOTS_DISALLOWED',
      `The portal answered ${status} for robots.txt, so nothing may be read.`,
    )
  }
  const robots = parseRobots(status === 200 ? body.toString('utf8') : '')
  if (!isLocal) robotsKept.set(baseUrl, { robots, untilMs: Date.now() + robotsKeptMs })
  return robots
}

/** Asks in turn, authorized, and again after faults that pass: with growing waits, or as `Retry-After` wants. */
function askerOf(
  options: PortalClientOptions,
  pace: Pace,
  authorization: Authorization | null = authorizationOf(options.portal, options.http),
) {
  const { portal, http, metrics, signal, hurried = false } = options
  const tries = hurried ? 1 : triesMax
  const pageTimeoutMs = hurried ? hurriedTimeoutMs : timeoutMs
  const count = (result: string) => metrics.portalRequests.inc({ platform: portal.definition.id, result })

  const ask = async <Reply extends Pick<HttpReply, 'status' | 'headers'>>(
    send: (headers: Record<string, string>) => Promise<Reply>,
    request: PortalRequest,
    known: Validators | undefined,
  ): Promise<Reply> => {
    let sent: Record<string, string> = {}
    for (let attempt = 1, renewed = false; ; attempt++) {
      const reply = await pace.inTurn(() =>
        stoppable(signal, async () => {
          sent = await headersOf(options, request, known, authorization)
          return send(sent)
        }),
      )
      count(reply instanceof HttpFailure ? reply.kind : String(reply.status))
      const isRefused = !(reply instanceof HttpFailure) && reply.status === 401
      if (isRefused && !renewed && (await authorization?.renew(sent.authorization))) {
        renewed = true
        continue
      }
      if (!isPassing(reply)) return orThrow(reply)
      const waitMs = retryWaitMs(reply, attempt)
      await pace.slowDown(waitMs)
      if (attempt >= tries) return orThrow(reply)
      await waitFor(waitMs, reply, options)
    }
  }
  return {
    page: (request: PortalRequest, known?: Validators, bodyMaxBytes = pageMaxBytes) =>
      ask(
        headers =>
          http.fetch(urlOf(request, portal.baseUrl), {
            ...bodyOf(request, headers),
            ...{ timeoutMs: pageTimeoutMs, bodyMaxBytes, signal },
          }),
        request,
        known,
      ),
    feed: (request: PortalRequest, known?: Validators): Promise<HttpStream> =>
      ask(
        async headers => {
          const reply = await http.stream(urlOf(request, portal.baseUrl), {
            ...bodyOf(request, headers),
            ...{ idleTimeoutMs: timeoutMs, timeoutMs: feedTimeoutMs, bodyMaxBytes: feedMaxBytes, signal },
          })
          if (reply.status !== 200) await discard(reply.body)
          return reply
        },
        request,
        known,
      ),
  }
}

function bodyOf({ form }: PortalRequest, headers: Record<string, string>) {
  if (!form) return { headers }
  return {
    method: 'POST' as const,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
}

async function headersOf(
  { portal, contactUrl }: PortalClientOptions,
  { accept = 'text/html,application/xhtml+xml' }: PortalRequest,
  known: Validators | undefined,
  authorization: Authorization | null,
): Promise<Record<string, string>> {
  return {
    'user-agent': `${userAgentToken}/1.0 (+${contactUrl})`,
    accept,
    // On this machine compressing costs more than it saves.
    'accept-encoding': portal.isLocal ? 'identity' : 'gzip, br',
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
    ...(await authorization?.headers()),
  }
}

/** The reply, or why there is none; HandBack if the process is stopping. */
async function stoppable<Reply>(
  signal: AbortSignal,
  send: () => Promise<Reply>,
): Promise<Reply | HttpFailure> {
  if (signal.aborted) throw new HandBack()
  try {
    return await send()
  } catch (error) {
    if (signal.aborted) throw new HandBack()
    if (error instanceof HttpFailure) return error
    throw error
  }
}

function orThrow<Reply>(reply: Reply | HttpFailure): Reply {
  if (reply instanceof HttpFailure) throw failureOf(reply)
  return reply
}

function isPassing(reply: { status: number } | HttpFailure): boolean {
  if (reply instanceof HttpFailure) return reply.kind !== 'too-large' && reply.kind !== 'address-refused'
  return reply.status === 429 || reply.status >= 500
}

function retryWaitMs(reply: Pick<HttpReply, 'headers'> | HttpFailure, attempt: number): number {
  const asked = reply instanceof HttpFailure ? 0 : retryAfterMs(reply)
  return asked > 0 ? asked : Math.min(waitMaxMs, 250 * 4 ** (attempt - 1) * (0.75 + Math.random() / 2))
}

/** A short wait is sat out; after a long one the job comes back; one without end is a refusal. */
async function waitFor(
  waitMs: number,
  reply: { status: number } | HttpFailure,
  { signal, giveUpAtMs = Number.POSITIVE_INFINITY }: PortalClientOptions,
): Promise<void> {
  if (Date.now() + waitMs > giveUpAtMs)
    throw reply instanceof HttpFailure ? failureOf(reply) : refusal(reply.status)
  if (waitMs > waitMaxMs) throw new HandBack({ runAt: new Date(Date.now() + waitMs) })
  await pause(waitMs, signal)
}
