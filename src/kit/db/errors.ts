/** Classifies errors of the database. */

/** The key is revoked, expired or unknown: raised by enter_with_key(). */
const keyNotValid = 'AL401'
/** The environment's clock was moved: raised by check_clock_shift(), with the current shift. */
export const clockMoved = 'AL409'
const retryableStates = new Set(['40001', '40P01', clockMoved])

/**
 * It is unknown whether the transaction was committed, because the connection broke. Only work that may run twice, such
 * as a job, is retried.
 */
export class CommitUnknown extends Error {}

/** Returns whether the error means that a key or session is not valid. */
export function isKeyNotValid(error: unknown): boolean {
  return sqlState(error) === keyNotValid
}

/** Returns whether the database cannot be reached or is shutting down. A later retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true
  const code = sqlState(error)
  if (code?.startsWith('08') || code?.startsWith('57P') || code === '53300') return true
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '')) return true
  return (
    error instanceof Error &&
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    )
  )
}

/** Returns whether the connection broke. 08P01: PgBouncer lost its connection to the server. */
export function isConnectionBroken(error: unknown): boolean {
  if (/^(EPIPE|ECONNRESET|08P01|57P01|57P02)$/.test(sqlState(error) ?? '')) return true
  return error instanceof Error && error.message.startsWith('Connection terminated')
}

/** Returns whether an immediate retry may succeed: after a deadlock, a moved clock or a broken connection. */
export function isTransient(error: unknown): boolean {
  return retryableStates.has(sqlState(error) ?? '') || isConnectionBroken(error)
}

/** Returns PostgreSQL's five-character SQLSTATE, or Node's error code. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
