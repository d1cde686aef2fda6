/** Versions of what is changed over HTTP, so that no change of somebody else is lost (RFC 9110, section 13.1.1). */
import { Problem } from './problem.ts'

export const eTagOf = (version: number | string) => `"${version}"`

/** Throws 412 PRECONDITION_FAILED. `*` is any version; of a list, one that fits is enough. Weak tags never fit. */
export function assertVersion(what: string, version: number | string, ifMatch: string | null): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some(tag => tag.trim() === eTagOf(version))) return
  throw new Problem(
    'PRECONDITION_FAILED',
    `The ${what} has changed since you read it. Read it again, and send its new ETag.`,
  )
}
