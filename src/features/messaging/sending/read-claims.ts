/** Reads right before the call whether a claimed message may still be sent. */
import { batchCallsByKey } from '../../../kit/batch-calls.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { type AccountRow, isSending } from '../../accounts/service.ts'
import type { CampaignDecision } from '../hooks.ts'
import type { MessageFailure, WaitReason } from '../message-types.ts'
import { toWithdrawal } from '../messages/to-failure.ts'
import { type DecidedMessage, readCampaignDecisions } from './campaign-decisions.ts'
import type { ClaimedMessage } from './claimed-message.ts'

/** `failure` of a cancelled message: null if the message has it, because of an opt-out. */
export type ClaimState =
  | { kind: 'valid' }
  | { kind: 'lost' }
  /** The account does not send any more. */
  | { kind: 'held' }
  /** It must not be sent any more. */
  | { kind: 'cancelled'; failure: MessageFailure | null }
  /** Its campaign sends it later. */
  | { kind: 'deferred'; until: Date; waitReason: WaitReason }

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

type ClaimRow = Pick<AccountRow, 'status' | 'canAnswer' | 'isPaused' | 'pausedUntil'> &
  DecidedMessage & {
    claimToken: string | null
    isQueued: boolean
    isCancelled: boolean
  }

const ofConversation = (tx: Tx, column: 'lead_id' | 'last_inbound_at') => sql`(
  select c.${sql.raw(column)} from conversations c where c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id)`

/** Reads by the primary key alone: a condition on the state could make PostgreSQL read all that is queued. */
export async function readClaims(tx: Tx, items: ClaimedMessage[]): Promise<ClaimState[]> {
  const { rows } = await sql<ClaimRow>`
    select m.id, m.campaign_id as "campaignId", m.send_at as "sendAt", m.conversation_id as "conversationId",
      case when m.send_at is not null then coalesce(m.lead_id, ${ofConversation(tx, 'lead_id')}) end as "leadId",
      case when m.send_at is not null then ${ofConversation(tx, 'last_inbound_at')} end as "lastInboundAt",
      m.claim_token as "claimToken", m.status = 'queued' as "isQueued", m.failure is not null as "isCancelled",
      a.status, a.can_answer as "canAnswer", a.is_paused as "isPaused", a.paused_until as "pausedUntil"
    from messages m join accounts a on a.tenant_id = m.tenant_id and a.id = m.account_id
    where m.tenant_id = ${getTenantId(tx)} and m.id = any(${items.map(({ id }) => id)}::uuid[])`.execute(tx)
  const byId = new Map(rows.map(row => [row.id, row]))
  const states = items.map(({ id, claimToken, task, isAnswer }): ClaimState => {
    const found = byId.get(id)
    if (!found?.isQueued || found.claimToken !== claimToken) return { kind: 'lost' }
    if (found.isCancelled && task === 'send') return { kind: 'cancelled', failure: null }
    return { kind: isSending(found, { now: getNow(tx), isAnswer }) ? 'valid' : 'held' }
  })
  const decisions = await readCampaignDecisions(
    tx,
    items.flatMap(({ id, task }, index) =>
      states[index]!.kind === 'valid' && task === 'send' ? byId.get(id)! : [],
    ),
  )
  return items.map(({ id }, index) => toState(decisions.get(id)) ?? states[index]!)
}

/** Null: the campaign sends it, or there is none. */
function toState(decision: CampaignDecision | undefined): ClaimState | null {
  if (decision?.kind === 'withdraw') return { kind: 'cancelled', failure: toWithdrawal(decision.failure) }
  if (decision?.kind !== 'defer') return null
  const { until, waitReason } = decision
  return { kind: 'deferred', until, waitReason }
}
