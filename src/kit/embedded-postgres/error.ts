/** The error class of the embedded PostgreSQL, in a file of its own to avoid import cycles. */

/** An error with a message for the operator: what is wrong with the embedded PostgreSQL, and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}
