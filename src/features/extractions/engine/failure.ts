/** How an extraction fails: typed, with a sentence for people. */
import type { Unreadable } from '../../../plugins/portal.ts'
import type { FailureCode } from '../schemas.ts'

export class ExtractionFailure extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Another run has claimed the extraction, or somebody cancelled it: this one stops without a word. */
export class ClaimLost extends Error {}

/** Instead of a search it is a way of turning robots away; an advert may merely have moved, so most of them tell. */
export function sentElsewhere(to: string): ExtractionFailure {
  return new ExtractionFailure('BLOCKED', `The portal sent us elsewhere (${to}) instead of showing the page.`)
}

/** A page that is none of adverts. */
export function unreadable({ reason, detail }: Unreadable): ExtractionFailure {
  if (reason === 'challenge')
    return new ExtractionFailure(
      'BLOCKED',
      'The portal took us for a robot and showed a check instead of adverts.',
    )
  if (reason === 'login')
    return new ExtractionFailure('BLOCKED', 'The portal asks for a sign-in instead of showing adverts.')
  return new ExtractionFailure(
    'LAYOUT_CHANGED',
    `The page is not laid out as this portal's pages were: ${detail}.`,
  )
}
