/** The status of a connection, as the answers of its network show it. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import type { AdError } from '../../plugins/ads.ts'
import { connectionStatusChanged } from './events.ts'
import { type ConnectionChanges, type ConnectionRow, lockConnection, updateConnection } from './queries.ts'
import type { ConnectionStatus } from './schemas.ts'

export async function changeConnectionStatus(
  tx: Tx,
  { id, status: previousStatus }: Pick<ConnectionRow, 'id' | 'status'>,
  status: ConnectionStatus,
  reason: string | null,
  changes: ConnectionChanges = {},
): Promise<void> {
  const isChanged = status !== previousStatus
  await updateConnection(tx, id, {
    ...changes,
    status,
    status_reason: reason,
    ...(isChanged ? { status_changed_at: getNow(tx) } : {}),
  })
  if (isChanged) await emit(tx, connectionStatusChanged, { connectionId: id, status, previousStatus })
}

/** Returns whether a failure is that of the connection, not of a lead or a form. */
export const isOfConnection = ({ code }: AdError): boolean =>
  code === 'INVALID_CREDENTIALS' || code === 'PERMISSION_MISSING' || code === 'RATE_LIMITED'

/** The network has answered. */
export async function recordAnswer(
  tx: Tx,
  connectionId: string,
  changes: ConnectionChanges = {},
): Promise<void> {
  const connection = await lockConnection(tx, connectionId)
  if (connection)
    await changeConnectionStatus(tx, connection, 'CONNECTED', null, {
      ...changes,
      failures: 0,
      retry_at: null,
      checked_at: getNow(tx),
    })
}

const minute = 60_000
const retryMaxMs = 60 * minute
/** One failure of a network that does not answer is no news. */
const quietFailures = 2

/** Records why a call failed, unless the connection has other credentials since. */
export async function recordFailure(tx: Tx, opened: ConnectionRow, error: AdError): Promise<void> {
  const connection = await lockConnection(tx, opened.id)
  if (!connection || Buffer.compare(connection.credentials, opened.credentials) !== 0) return
  const failures = connection.failures + 1
  const passes = error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE'
  const isQuiet = passes && failures <= quietFailures && connection.status === 'CONNECTED'
  const status = error.code === 'INVALID_CREDENTIALS' ? 'EXPIRED' : isQuiet ? connection.status : 'FAILING'
  const backoffMs = passes ? Math.min(minute * 2 ** Math.min(failures - 1, 10), retryMaxMs) : retryMaxMs
  const waitMs = Math.max(backoffMs, error.retryAfterMs)
  await changeConnectionStatus(
    tx,
    connection,
    status,
    isQuiet ? connection.statusReason : sanitizeText(error.message),
    { failures, retry_at: new Date(getNow(tx).getTime() + waitMs) },
  )
}
