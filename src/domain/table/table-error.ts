/** Why a file could not be read as a table, in a sentence that its owner can act on. */

/** A file that is refused as a whole. `message` may be shown to anybody; `code` is stable, UPPER_SNAKE. */
export class TableError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'TableError'
    this.code = code
  }
}
