/** Failures of reading a portal, with a code and a message for people. */
import type { HttpFailure } from '../kit/http/client.ts'
import type { UnreadablePage } from '../plugins/portal.ts'

/** Why a portal could not be read, or not completely. */
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

const urlLengthMax = 200

/** Shortens a URL for messages, because portals may send URLs of any length. */
export function shorten(address: string): string {
  return address.length > urlLengthMax ? `${address.slice(0, urlLengthMax)}…` : address
}

/**
 * A redirect in place of a page: portals turn crawlers away like this. A single listing may just have moved, so the
 * pipeline gives up only when most listings fail.
 */
export function redirectFailure(to: string): CrawlFailure {
  return new CrawlFailure('BLOCKED', `The portal redirected to ${shorten(to)} instead of showing the page.`)
}

/** The failure for a page that cannot be read. */
export function unreadableFailure({ reason, detail }: UnreadablePage): CrawlFailure {
  if (reason === 'challenge')
    return new CrawlFailure('BLOCKED', 'The portal showed a robot check instead of listings.')
  if (reason === 'login')
    return new CrawlFailure('BLOCKED', 'The portal requires a sign-in instead of showing listings.')
  return new CrawlFailure(
    'LAYOUT_CHANGED',
    `The page does not have the known layout of this portal: ${detail}.`,
  )
}

/** Converts a failed exchange with a portal. */
export function toCrawlFailure(failure: HttpFailure): CrawlFailure {
  if (failure.kind === 'timeout')
    return new CrawlFailure('TIMEOUT', `The portal did not answer: ${failure.message}.`, failure)
  return new CrawlFailure('PORTAL_UNAVAILABLE', `The portal could not be read: ${failure.message}.`, failure)
}

/** The failure for rejected credentials, which the operator configures. */
export function credentialsFailure(status: number): CrawlFailure {
  return new CrawlFailure(
    'CREDENTIALS_INVALID',
    `The portal does not accept the credentials (status ${status}). The operator sets them with PORTAL_URLS.`,
  )
}

/** The failure for an error status. */
export function statusFailure(status: number): CrawlFailure {
  if (status === 401)
    return new CrawlFailure(
      'CREDENTIALS_INVALID',
      'The portal requires credentials. The operator sets them with PORTAL_URLS.',
    )
  if (status === 403 || status === 429)
    return new CrawlFailure('BLOCKED', `The portal refuses requests (status ${status}).`)
  return new CrawlFailure('PORTAL_UNAVAILABLE', `The portal answered ${status}.`)
}
