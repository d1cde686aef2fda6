/** How an extraction fails: typed, with a sentence for people. */
import type { FailureCode } from '../schemas.ts'

export class ExtractionFailure extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Another run has claimed the extraction: this one stops without a word. */
export class ClaimLost extends Error {}
