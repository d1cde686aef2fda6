/** Sends requests to a portal: throttled, with an honest user agent, and with a limited number of retries. */

import { machineNow } from '../kit/clock/clock.ts'
import type { Database } from '../kit/db/index.ts'
import {
  type HttpClient,
  HttpFailure,
  type HttpReply,
  type HttpStream,
  parseRetryAfterMs,
} from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { pause } from '../kit/jobs/pause.ts'
import type { CounterDefinition, Metrics } from '../kit/metrics.ts'
import { requeueAfterMs, type Throttle } from '../kit/throttle/throttle.ts'
import type { PortalRequest } from '../plugins/portal.ts'
import { type Authorization, createAuthorization } from './authorization.ts'
import { credentialsFailure, statusFailure, toCrawlFailure } from './failure.ts'
import { discard } from './feed-body.ts'
import type { ResolvedPortal } from './resolved-portal.ts'

/** The product token that robots.txt files address. */
export const userAgentToken = 'AldabaBot'
/** `contactUrl`: where the operator of a site finds out who reads it. */
export const toUserAgent = (contactUrl: string) => `${userAgentToken}/1.0 (+${contactUrl})`

/** The validators of a page when it was last read (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export interface PortalClientOptions {
  portal: ResolvedPortal
  /** The tenant for which the portal is read. */
  tenantId: string
  http: HttpClient
  database: Database
  metrics: Metrics
  /** A page that explains to portals who sends the requests. */
  contactUrl: string
  signal: AbortSignal
  /** True if a person waits for the reply: one attempt with a short timeout. */
  isInteractive?: boolean
  /** How often a request is sent if it fails for a moment. Default: 4, or 1 if `isInteractive`. */
  attempts?: number
  /** If the portal requires a wait beyond this time, the request fails. Milliseconds since 1970. */
  deadlineMs?: number
}

const portalRequests: CounterDefinition<'platform' | 'result'> = {
  name: 'aldaba_portal_requests_total',
  help: 'Requests to portals by outcome.',
  labelNames: ['platform', 'result'],
}

const attemptsMax = 4
export const timeoutMs = 20_000
const interactiveTimeoutMs = 8000
const pageMaxBytes = 8 * 1024 * 1024
const feedMaxBytes = 2 * 1024 * 1024 * 1024
const feedTimeoutMs = 30 * 60_000

export const toUrl = ({ path }: PortalRequest, baseUrl: string) => new URL(path, baseUrl).href

/** Creates a fetcher that throttles, authorizes, and retries transient failures with backoff or after `Retry-After`. */
export function createFetcher(
  options: PortalClientOptions,
  throttle: Throttle,
  authorization: Authorization | null = createAuthorization(options.portal, options.http),
) {
  const { portal, http, metrics, signal, isInteractive = false } = options
  const { attempts = isInteractive ? 1 : attemptsMax } = options
  const pageTimeoutMs = isInteractive ? interactiveTimeoutMs : timeoutMs
  const countReply = (result: string) =>
    metrics.counter(portalRequests).inc({ platform: portal.definition.id, result })

  const fetchWithRetries = async <Reply extends Pick<HttpReply, 'status' | 'headers'>>(
    send: (headers: Record<string, string>) => Promise<Reply>,
    request: PortalRequest,
    previous: Validators | undefined,
  ): Promise<Reply> => {
    let sentHeaders: Record<string, string> = {}
    for (let attempt = 1, hasRenewed = false; ; attempt++) {
      const reply = await throttle.runThrottled(() =>
        requeueOnStop(signal, async () => {
          sentHeaders = await createHeaders(options, request, previous, authorization)
          return send(sentHeaders)
        }),
      )
      countReply(reply instanceof HttpFailure ? reply.kind : String(reply.status))
      if (authorization && !(reply instanceof HttpFailure) && reply.status === 401) {
        if (hasRenewed || !(await authorization.renew(sentHeaders.authorization)))
          throw credentialsFailure(reply.status)
        hasRenewed = true
        continue
      }
      if (!isTransient(reply)) return throwFailure(reply)
      const waitMs = retryWaitMs(reply, attempt)
      await throttle.slowDown(waitMs)
      if (attempt >= attempts) return throwFailure(reply)
      await waitOrRequeue(waitMs, reply, options)
    }
  }
  return {
    fetchPage: (
      request: PortalRequest,
      previous?: Validators,
      bodyMaxBytes = pageMaxBytes,
    ): Promise<HttpReply> =>
      fetchWithRetries(
        headers => {
          const url = toUrl(request, portal.baseUrl)
          return http.fetch(url, {
            ...toRequestOptions(request, headers),
            timeoutMs: pageTimeoutMs,
            bodyMaxBytes,
            signal,
            // The operator chose this host. Any other one comes from a redirect and may not be a private address.
            ...(new URL(url).hostname === new URL(portal.baseUrl).hostname ? {} : { reach: 'public' }),
          })
        },
        request,
        previous,
      ),
    openFeed: (request: PortalRequest, previous?: Validators): Promise<HttpStream> =>
      fetchWithRetries(
        async headers => {
          const reply = await http.stream(toUrl(request, portal.baseUrl), {
            ...toRequestOptions(request, headers),
            idleTimeoutMs: timeoutMs,
            timeoutMs: feedTimeoutMs,
            bodyMaxBytes: feedMaxBytes,
            signal,
          })
          if (reply.status !== 200) await discard(reply.body)
          return reply
        },
        request,
        previous,
      ),
  }
}

function toRequestOptions({ form }: PortalRequest, headers: Record<string, string>) {
  if (!form) return { headers }
  return {
    method: 'POST' as const,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
}

async function createHeaders(
  { portal, contactUrl }: PortalClientOptions,
  { accept = 'text/html,application/xhtml+xml' }: PortalRequest,
  previous: Validators | undefined,
  authorization: Authorization | null,
): Promise<Record<string, string>> {
  return {
    'user-agent': toUserAgent(contactUrl),
    accept,
    // On the same machine compression costs more than it saves.
    'accept-encoding': portal.isLocal ? 'identity' : 'gzip, br',
    ...(previous?.etag ? { 'if-none-match': previous.etag } : {}),
    ...(previous?.lastModified ? { 'if-modified-since': previous.lastModified } : {}),
    ...(await authorization?.getHeaders()),
  }
}

/** Returns the reply or the failure. Throws RequeueJob if the process stops. */
async function requeueOnStop<Reply>(
  signal: AbortSignal,
  send: () => Promise<Reply>,
): Promise<Reply | HttpFailure> {
  if (signal.aborted) throw new RequeueJob()
  try {
    return await send()
  } catch (error) {
    if (signal.aborted) throw new RequeueJob()
    if (error instanceof HttpFailure) return error
    throw error
  }
}

function throwFailure<Reply>(reply: Reply | HttpFailure): Reply {
  if (reply instanceof HttpFailure) throw toCrawlFailure(reply)
  return reply
}

function isTransient(reply: { status: number } | HttpFailure): boolean {
  if (reply instanceof HttpFailure) return reply.kind !== 'too-large' && reply.kind !== 'address-refused'
  return reply.status === 429 || reply.status >= 500
}

function retryWaitMs(reply: Pick<HttpReply, 'headers'> | HttpFailure, attempt: number): number {
  const requestedWaitMs = reply instanceof HttpFailure ? 0 : parseRetryAfterMs(reply)
  return requestedWaitMs > 0
    ? requestedWaitMs
    : Math.min(requeueAfterMs, 250 * 4 ** (attempt - 1) * (0.75 + Math.random() / 2))
}

/** Waits if the wait is short, throws RequeueJob if it is long, and a CrawlFailure if it exceeds the deadline. */
async function waitOrRequeue(
  waitMs: number,
  reply: { status: number } | HttpFailure,
  { signal, deadlineMs = Number.POSITIVE_INFINITY }: PortalClientOptions,
): Promise<void> {
  if (machineNow() + waitMs > deadlineMs)
    throw reply instanceof HttpFailure ? toCrawlFailure(reply) : statusFailure(reply.status)
  if (waitMs > requeueAfterMs) throw new RequeueJob({ runAt: new Date(machineNow() + waitMs) })
  await pause(waitMs, signal)
}
