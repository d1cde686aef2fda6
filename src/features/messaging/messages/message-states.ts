/** What became of messages, for the features that queued them. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { MessageFailure, MessageStatus } from '../message-types.ts'

export interface MessageState {
  id: string
  status: MessageStatus
  /** Null: it has not failed. */
  failure: MessageFailure | null
}

/** By id. Deleted messages are missing. */
export async function findMessageStates(tx: Tx, ids: string[]): Promise<Map<string, MessageState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<MessageState>`
    select id, status, case when status in ('failed', 'unknown') then failure end as failure from messages
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}
