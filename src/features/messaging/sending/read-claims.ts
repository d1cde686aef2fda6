/** Reads right before the call whether a claimed message may still be sent. */
import { batchCallsByKey } from '../../../kit/batch-calls.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { type AccountRow, isSending } from '../../accounts/service.ts'
import type { ClaimedMessage } from './claimed-message.ts'

/** `held`: the account does not send any more. `cancelled`: the message must not be sent, because of an opt-out. */
export type ClaimState = 'valid' | 'lost' | 'held' | 'cancelled'

type ReadClaim = (tenantId: string, item: ClaimedMessage) => Promise<ClaimState>

const readersByDatabase = new WeakMap<Database, ReadClaim>()

/** Messages of a tenant that are about to be sent at the same time share a statement. */
export function readClaim(database: Database, tenantId: string, item: ClaimedMessage): Promise<ClaimState> {
  const read =
    readersByDatabase.get(database) ??
    batchCallsByKey(
      (tenantId: string, items: ClaimedMessage[]) =>
        database.readTenant({ tenantId }, tx => readClaims(tx, items)),
      { size: 100, waitingMax: Infinity },
    )
  readersByDatabase.set(database, read)
  return read(tenantId, item)
}

type ClaimRow = Pick<AccountRow, 'status' | 'canAnswer' | 'isPaused' | 'pausedUntil'> & {
  id: string
  claimToken: string | null
  isQueued: boolean
  isCancelled: boolean
}

/** Reads by the primary key alone: a condition on the state could make PostgreSQL read all that is queued. */
export async function readClaims(tx: Tx, items: ClaimedMessage[]): Promise<ClaimState[]> {
  const { rows } = await sql<ClaimRow>`
    select m.id, m.claim_token as "claimToken", m.status = 'queued' as "isQueued", m.failure is not null as "isCancelled", a.status, a.can_answer as "canAnswer", a.is_paused as "isPaused", a.paused_until as "pausedUntil"
    from messages m join accounts a on a.tenant_id = m.tenant_id and a.id = m.account_id
    where m.tenant_id = ${getTenantId(tx)} and m.id = any(${items.map(({ id }) => id)}::uuid[])`.execute(tx)
  const byId = new Map(rows.map(row => [row.id, row]))
  return items.map(({ id, claimToken, task, isAnswer }) => {
    const found = byId.get(id)
    if (!found?.isQueued || found.claimToken !== claimToken) return 'lost'
    if (found.isCancelled && task === 'send') return 'cancelled'
    return isSending(found, { now: getNow(tx), isAnswer }) ? 'valid' : 'held'
  })
}
