/** The one error of the embedded PostgreSQL, apart so that every file here may throw it. */

/** Its message is one clear sentence: what is wrong with the embedded PostgreSQL, and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}
