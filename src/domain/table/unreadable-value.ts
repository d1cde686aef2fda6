/** A value that was there and could not be read, and what its owner can do. */

/** `message` is a sentence for people; `code` is stable, UPPER_SNAKE. */
export class UnreadableValue {
  readonly code: string
  readonly message: string

  constructor(code: string, message: string) {
    this.code = code
    this.message = message
  }
}
