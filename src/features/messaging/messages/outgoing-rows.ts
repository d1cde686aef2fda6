/** Reads outgoing messages as far as sending and statuses need them. */
import { type RawBuilder, sql } from 'kysely'
import type { OutgoingStatus } from '../../../domain/messaging/message-status.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { MessageFailure, MessageKind, Nature } from '../message-types.ts'

export interface OutgoingRow {
  id: string
  conversationId: string
  accountId: string
  leadId: string | null
  campaignId: string | null
  campaignStep: number | null
  /** A campaign queued it, and it is not due before; null: a person or the program wrote it. */
  sendAt: Date | null
  kind: MessageKind
  nature: Nature
  status: OutgoingStatus
  providerMessageId: string | null
  failure: MessageFailure | null
  attempts: number
  claimToken: string | null
  claimedAt: Date | null
  /** The day whose budget of the account it uses. */
  reservedDay: string | null
  quotaReservedAt: Date | null
  createdAt: Date
  sentAt: Date | null
  /** It contains the privacy notice, which the person had not received. */
  hasNotice: boolean
}

export const outgoingColumns = sql.raw(`
  m.id, m.conversation_id as "conversationId", m.account_id as "accountId", coalesce(m.lead_id, c.lead_id) as "leadId", m.campaign_id as "campaignId", m.campaign_step as "campaignStep", m.send_at as "sendAt",
  m.kind, m.nature, m.status, m.provider_message_id as "providerMessageId", m.failure, m.attempts, m.claim_token as "claimToken",
  m.claimed_at as "claimedAt", m.reserved_day::text as "reservedDay", m.quota_reserved_at as "quotaReservedAt", m.created_at as "createdAt", m.sent_at as "sentAt",
  m.content ? 'hasNotice' as "hasNotice"`)

/** Selects outgoing messages `m` of conversations `c`. */
export async function selectOutgoing(tx: Tx, rest: RawBuilder<unknown>): Promise<OutgoingRow[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<OutgoingRow>`
    select ${outgoingColumns} from messages m
    join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
    where m.tenant_id = ${tenantId} and m.direction = 'out' and ${rest}`.execute(tx)
  return rows
}

/**
 * Locks the conversations of outgoing messages, and then the messages, until the transaction ends. Returns them as they
 * are then.
 */
export const lockOutgoing = (tx: Tx, condition: RawBuilder<unknown>): Promise<OutgoingRow[]> =>
  selectOutgoing(tx, sql`${condition} order by c.id, m.id for no key update of c, m`)

/** The existing outgoing messages with these ids, in any order. */
export const findOutgoing = (tx: Tx, ids: string[]): Promise<OutgoingRow[]> =>
  selectOutgoing(tx, sql`m.id = any(${ids}::uuid[])`)
