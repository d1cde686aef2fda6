/** Reads a portal politely: robots.txt, the pace shared by all processes, an honest name, bounded retries. */

import { isAllowed } from '../domain/robots/robots.ts'
import { machineNow } from '../kit/clock/clock.ts'
import type { HttpReply } from '../kit/http/client.ts'
import type { PortalDocument, PortalRequest } from '../plugins/portal.ts'
import { definedIn } from '../plugins/portal-modules.ts'
import { askerOf, type PortalClientOptions, urlOf, userAgentToken, type Validators } from './asker.ts'
import { isCostly } from './costly-reader.ts'
import { decodeReply, decodeShort } from './decode.ts'
import { refusal } from './failure.ts'
import { untilStopped } from './feed-body.ts'
import type { FeedToRead } from './feed-entries.ts'
import { costlyMaxBytes, type LongPage, longPage, shortMaxBytes } from './long-page.ts'
import { createPageCache, keptMaxBytes } from './page-cache.ts'
import { paceOf, robotsOf } from './robots-file.ts'

export type { PortalClientOptions, Validators } from './asker.ts'

type NoDocument =
  /** Nothing has changed since the validators that were sent. */
  | { kind: 'unchanged' }
  | { kind: 'gone' }
  | { kind: 'disallowed' }
  /** Sent elsewhere: nothing was followed. */
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
      /** With what a thread reads it; null: it is read in place. */
      onThread: FeedToRead['onThread']
    }
  | NoDocument

export interface PortalClient {
  /** Fetches a page. Throws CrawlFailure when the portal can't be read, HandBack when we are to stop. */
  fetchPage(request: PortalRequest, known?: Validators): Promise<PageReply>
  /** Opens a document that is read as it comes, its body not yet read: that throws HttpFailure where it breaks, HandBack when we are to stop. */
  openFeed(request: PortalRequest, known?: Validators): Promise<FeedReply>
}

const pagesKept = createPageCache()

/** Opens a portal for one run: reads its robots.txt first. */
export async function openPortalClient(options: PortalClientOptions): Promise<PortalClient> {
  const { baseUrl, credentials } = options.portal
  const isPersonal = credentials !== null
  const robots = await robotsOf(options)
  const portal = definedIn(options.portal.definition)
  const onThread = portal && { portal, client: { tenantId: options.tenantId, signal: options.signal } }
  const asker = askerOf(options, paceOf(options, robots))
  const check = ({ path }: PortalRequest): NoDocument | null => {
    const url = URL.parse(path, baseUrl)
    if (url?.origin !== new URL(baseUrl).origin) return { kind: 'moved', to: url?.href ?? path }
    return isAllowed(robots, userAgentToken, url.pathname + url.search) ? null : { kind: 'disallowed' }
  }
  const cachedPage = async (request: PortalRequest, known: Validators | undefined) => {
    // What a partner is shown, or an answer to a form, is nobody else's.
    if (isPersonal || request.form) return asker.page(request, known)
    const name = JSON.stringify([urlOf(request, baseUrl), request.accept])
    const kept = pagesKept.find(name, machineNow())
    if (kept) return kept
    const reply = await asker.page(request, known)
    // One that is as it was says nothing against an earlier one of it.
    if (reply.status !== 304) pagesKept.keep(name, reply, machineNow())
    return reply
  }
  return {
    async fetchPage(request, known) {
      const refused = check(request)
      if (refused) return refused
      const reply = await cachedPage(request, known)
      return (
        answerOf(reply) ?? {
          kind: 'page',
          document: documentOf(reply, urlOf(request, baseUrl), options),
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
          ...{ url: urlOf(request, baseUrl), validators: validatorsOf(reply), onThread },
        }
      )
    },
  }
}

/** A short page as text; a long one is left to a thread. */
function documentOf(
  { body, headers }: HttpReply,
  url: string,
  { portal: { definition }, tenantId, signal }: PortalClientOptions,
): PortalDocument | LongPage {
  const contentType = headers['content-type']
  const portal = definedIn(definition)
  const maxBytes =
    isCostly(definition.search) || isCostly(definition.details) ? costlyMaxBytes : shortMaxBytes
  const text = portal ? decodeShort(body, contentType, maxBytes) : decodeReply(body, contentType)
  if (text !== null || !portal) return { text: text ?? '', url }
  const isShared = body.length <= keptMaxBytes
  return longPage({ portal, body, isShared, contentType, url }, { tenantId, signal })
}

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
