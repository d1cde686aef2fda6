/** The error for a file that cannot be read as a table, with a message for its user. */

/** Refuses the whole file. `message` is for users; `code` is stable, in UPPER_SNAKE case. */
export class TableError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'TableError'
    this.code = code
  }
}
