/** Reads a portal politely: obeys robots.txt, throttles over all processes, identifies itself, and limits retries. */

import { isAllowed } from '../domain/robots/robots.ts'
import { machineNow } from '../kit/clock/clock.ts'
import type { HttpReply } from '../kit/http/client.ts'
import type { PortalDocument, PortalRequest } from '../plugins/portal.ts'
import { findModule } from '../plugins/portal-modules.ts'
import { decodeIfShort, decodeReply } from './decode.ts'
import { statusFailure } from './failure.ts'
import { stopWithSignal } from './feed-body.ts'
import type { FeedSource } from './feed-entries.ts'
import { createFetcher, type PortalClientOptions, toUrl, userAgentToken, type Validators } from './fetcher.ts'
import { createLongPage, type LongPage, shortMaxBytes, slowReaderMaxBytes } from './long-page.ts'
import { cachedMaxBytes, createPageCache } from './page-cache.ts'
import { getPortalThrottle, readRobots } from './robots-file.ts'
import { isSlow } from './slow-readers.ts'

export type { PortalClientOptions, Validators } from './fetcher.ts'

type NoDocument =
  /** Not modified since the sent validators. */
  | { kind: 'unchanged' }
  | { kind: 'gone' }
  | { kind: 'disallowed' }
  /** A redirect, which was not followed. */
  | { kind: 'moved'; to: string }

export type PageReply =
  | { kind: 'page'; document: PortalDocument | LongPage; validators: Validators }
  | NoDocument

export type FeedReply =
  | {
      kind: 'feed'
      body: AsyncIterable<Buffer>
      contentType: string | undefined
      url: string
      validators: Validators
      /** What a thread needs to read it; null to read it on the main thread. */
      threadOptions: FeedSource['threadOptions']
    }
  | NoDocument

export type FileReply = { kind: 'file'; bytes: Buffer } | NoDocument

export interface PortalClient {
  /** Fetches a page. Throws CrawlFailure if the portal cannot be read, RequeueJob if the process stops. */
  fetchPage(request: PortalRequest, previous?: Validators): Promise<PageReply>
  /**
   * Opens a document whose body is read as it arrives. Throws as `fetchPage` does. Reading the body throws HttpFailure
   * if it breaks off, RequeueJob if the process stops.
   */
  openFeed(request: PortalRequest, previous?: Validators): Promise<FeedReply>
}

export interface FileClient {
  /** Fetches a file as it is, such as a photo. Throws as `PortalClient.fetchPage` does. */
  fetchFile(request: PortalRequest, bodyMaxBytes: number): Promise<FileReply>
}

const pageCache = createPageCache()

/** Creates a client for one run, after reading robots.txt. Throws as `fetchPage` does. */
export async function openPortalClient(options: PortalClientOptions): Promise<PortalClient & FileClient> {
  const { baseUrl, credentials } = options.portal
  const isAuthenticated = credentials !== null
  const robots = await readRobots(options)
  const portal = findModule(options.portal.definition)
  const threadOptions = portal && { portal, client: { tenantId: options.tenantId, signal: options.signal } }
  const fetcher = createFetcher(options, getPortalThrottle(options, robots))
  const check = ({ path }: PortalRequest): NoDocument | null => {
    const url = URL.parse(path, baseUrl)
    if (url?.origin !== new URL(baseUrl).origin) return { kind: 'moved', to: url?.href ?? path }
    return isAllowed(robots, userAgentToken, url.pathname + url.search) ? null : { kind: 'disallowed' }
  }
  const fetchCached = async (request: PortalRequest, previous: Validators | undefined) => {
    // Authenticated pages and replies to forms must not be shared through the cache.
    if (isAuthenticated || request.form) return fetcher.fetchPage(request, previous)
    const cacheKey = JSON.stringify([toUrl(request, baseUrl), request.accept])
    const cached = pageCache.find(cacheKey, machineNow())
    if (cached) return cached
    const reply = await fetcher.fetchPage(request, previous)
    // A 304 does not replace a cached page.
    if (reply.status !== 304) pageCache.store(cacheKey, reply, machineNow())
    return reply
  }
  return {
    async fetchPage(request, previous) {
      const refused = check(request)
      if (refused) return refused
      const reply = await fetchCached(request, previous)
      return (
        toNoDocument(reply) ?? {
          kind: 'page',
          document: toDocument(reply, toUrl(request, baseUrl), options),
          validators: toValidators(reply),
        }
      )
    },
    async fetchFile(request, bodyMaxBytes) {
      const refused = check(request)
      if (refused) return refused
      const reply = await fetcher.fetchPage(request, undefined, bodyMaxBytes)
      return toNoDocument(reply) ?? { kind: 'file', bytes: reply.body }
    },
    async openFeed(request, previous) {
      const refused = check(request)
      if (refused) return refused
      const reply = await fetcher.openFeed(request, previous)
      return (
        toNoDocument(reply) ?? {
          kind: 'feed',
          body: stopWithSignal(reply.body, options.signal),
          contentType: reply.headers['content-type'],
          url: toUrl(request, baseUrl),
          validators: toValidators(reply),
          threadOptions,
        }
      )
    },
  }
}

/** Returns a short page as text, or a LongPage that a thread reads. */
function toDocument(
  { body, headers }: HttpReply,
  url: string,
  { portal: { definition }, tenantId, signal }: PortalClientOptions,
): PortalDocument | LongPage {
  const contentType = headers['content-type']
  const portal = findModule(definition)
  const maxBytes =
    isSlow(definition.search) || isSlow(definition.details) ? slowReaderMaxBytes : shortMaxBytes
  const text = portal ? decodeIfShort(body, contentType, maxBytes) : decodeReply(body, contentType)
  if (text !== null || !portal) return { text: text ?? '', url }
  const isShared = body.length <= cachedMaxBytes
  return createLongPage({ portal, body, isShared, contentType, url }, { tenantId, signal })
}

/** Null for a document. Throws CrawlFailure for an error status. */
function toNoDocument(reply: Pick<HttpReply, 'status' | 'headers'>): NoDocument | null {
  const { status, headers } = reply
  if (status === 200) return null
  if (status === 304) return { kind: 'unchanged' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status >= 300 && status < 400) return { kind: 'moved', to: headers.location ?? 'an unknown address' }
  throw statusFailure(status)
}

function toValidators({ headers }: Pick<HttpReply, 'headers'>): Validators {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
}
