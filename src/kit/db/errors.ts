/** What errors of the database mean. */

/** The key was revoked or has expired: raised by enter_with_key(). */
const keyNotValid = 'AL401'
/** The environment's clock is not where this process believed it to be: raised by check_clock_shift(), with what it is. */
export const clockMoved = 'AL409'
const retryableStates = new Set(['40001', '40P01', clockMoved])

/** The transaction may have been committed: nobody heard. It must not be tried again. */
export class CommitUnknown extends Error {}

/** Whether the error says that a key is no longer valid. */
export function isKeyNotValid(error: unknown): boolean {
  return sqlState(error) === keyNotValid
}

/** Whether the error says that the database can't be reached or is going away; trying later may help. */
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

/** 08P01: PgBouncer lost its connection to the server. */
export function isConnectionBroken(error: unknown): boolean {
  if (/^(EPIPE|ECONNRESET|08P01|57P01|57P02)$/.test(sqlState(error) ?? '')) return true
  return error instanceof Error && error.message.startsWith('Connection terminated')
}

/** Whether the same work may well succeed at once: after a deadlock, or with what the error says. */
export function isTransient(error: unknown): boolean {
  return retryableStates.has(sqlState(error) ?? '') || isConnectionBroken(error)
}

/** PostgreSQL's five-character state or Node's error code. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
