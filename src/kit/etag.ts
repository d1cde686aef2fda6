/** ETags: If-Match prevents lost updates, If-None-Match saves a download (RFC 9110, section 13.1). */
import { invalidInput, Problem } from './problem.ts'

export const toETag = (version: number | string) => `"${version}"`

/** For a body that may be sent compressed: the tag stands for what it says, not for its bytes. */
export const toWeakETag = (version: string) => `W/"${version}"`

/** True if the header If-None-Match names this tag, so the client has the body (RFC 9110, section 13.1.2). */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const toOpaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some(tag => toOpaque(tag) === toOpaque(etag))
}

/** The versions that a write accepts; `*`: any version. */
export type IfMatch = readonly string[] | '*'

const tagPattern = /^\s*(?:(?:W\/)?"([^"]*)"|([\w.:-]+))\s*$/i

/**
 * Parses the header If-Match. Tags without quotation marks and weak tags (`W/"7"`) are accepted as well: compressing
 * proxies weaken our tags, and a tag identifies the version of a record, not the bytes of a reply.
 * Throws 400 INVALID_INPUT for anything else.
 */
export function parseIfMatch(header: string): IfMatch {
  if (header.trim() === '*') return '*'
  return header.split(',').map(tag => {
    const match = tagPattern.exec(tag)
    if (match) return match[1] ?? match[2]!
    throw invalidInput(
      '/If-Match',
      'WRONG_FORMAT',
      'The header If-Match must hold the ETag as it was received, such as "7", a list of them, or *.',
    )
  })
}

/** Throws 412 PRECONDITION_FAILED if `ifMatch` excludes the version. Null accepts every version. */
export function assertVersion(what: string, version: number | string, ifMatch: IfMatch | null): void {
  if (ifMatch === null || ifMatch === '*' || ifMatch.includes(String(version))) return
  throw new Problem(
    'PRECONDITION_FAILED',
    `The ${what} has changed since you read it. Read it again, and send its new ETag.`,
  )
}
