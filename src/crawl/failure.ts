/** How reading a portal fails: typed, with a sentence for people. */
import type { HttpFailure } from '../kit/http/client.ts'
import type { UnreadablePage } from '../plugins/portal.ts'

/** Why a portal could not be read, or not to the end. */
export const failureCodes = [
  'BLOCKED',
  'LAYOUT_CHANGED',
  'ROBOTS_DISALLOWED',
  'PORTAL_UNAVAILABLE',
  'CREDENTIALS_INVALID',
  'TIMEOUT',
  'INTERNAL',
] as const

export type FailureCode = (typeof failureCodes)[number]

export class CrawlFailure extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const addressMax = 200

/** An address as it is told to people: others wrote it, at any length. */
export function shorten(address: string): string {
  return address.length > addressMax ? `${address.slice(0, addressMax)}…` : address
}

/** Instead of a search it is a way of turning robots away; an advert may merely have moved, so most of them tell. */
export function redirected(to: string): CrawlFailure {
  return new CrawlFailure(
    'BLOCKED',
    `The portal sent us elsewhere (${shorten(to)}) instead of showing the page.`,
  )
}

/** A page that is none of adverts. */
export function unreadablePage({ reason, detail }: UnreadablePage): CrawlFailure {
  if (reason === 'challenge')
    return new CrawlFailure(
      'BLOCKED',
      'The portal took us for a robot and showed a check instead of adverts.',
    )
  if (reason === 'login')
    return new CrawlFailure('BLOCKED', 'The portal asks for a sign-in instead of showing adverts.')
  return new CrawlFailure(
    'LAYOUT_CHANGED',
    `The page is not laid out as this portal's pages were: ${detail}.`,
  )
}

/** Why a portal could not be asked. */
export function toCrawlFailure(failure: HttpFailure): CrawlFailure {
  if (failure.kind === 'timeout')
    return new CrawlFailure('TIMEOUT', `The portal did not answer: ${failure.message}.`, failure)
  return new CrawlFailure('PORTAL_UNAVAILABLE', `The portal could not be read: ${failure.message}.`, failure)
}

/** What the operator gave us to show the portal is refused. */
export function credentialsRejected(status: number): CrawlFailure {
  return new CrawlFailure(
    'CREDENTIALS_INVALID',
    `The portal does not accept the credentials (status ${status}). The operator sets them with PORTAL_URLS.`,
  )
}

/** A status that is no answer. */
export function statusFailure(status: number): CrawlFailure {
  if (status === 401) return new CrawlFailure('CREDENTIALS_INVALID', 'The portal asks for credentials.')
  if (status === 403 || status === 429)
    return new CrawlFailure('BLOCKED', `The portal refuses to be read (status ${status}).`)
  return new CrawlFailure('PORTAL_UNAVAILABLE', `The portal answered ${status}.`)
}
