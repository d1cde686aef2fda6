/** A value that could not be read, with advice for the user. */

/** `message` is a sentence for users; `code` is stable, in UPPER_SNAKE case. */
export class UnreadableValue {
  readonly code: string
  readonly message: string

  constructor(code: string, message: string) {
    this.code = code
    this.message = message
  }
}
