/** The SQL statements of conversations that AI answers: what waits for an answer, and which run has claimed it. */

import type { HandOff } from '../../../domain/ai-replies/hand-off.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'

/** Several short messages get one answer. */
export const quietMs = 8_000
/** Who writes on and on is answered after that time. */
const waitMaxMs = 30_000
/** Longer than a run may take. */
const claimMs = 180_000

/** The campaign with AI that last wrote to the person of a lead, or is about to. */
export async function findAiCampaign(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select c.id from campaign_recipients r
    join campaigns c on c.tenant_id = ${getTenantId(tx)} and c.id = r.campaign_id
    where r.tenant_id = ${getTenantId(tx)} and r.lead_id = ${leadId} and r.status <> 'skipped'
      and c.status in ('running', 'completed') and c.settings -> 'ai' ->> 'enabled' = 'true'
    order by coalesce(r.last_sent_at, r.joined_at) desc, r.id desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Notes that the person has written. Returns when the answer is due; null: people answer this conversation. */
export async function wakeConversation(
  tx: Tx,
  { conversationId, campaignId }: { conversationId: string; campaignId: string },
): Promise<Date | null> {
  const now = getNow(tx)
  const quietAt = new Date(now.getTime() + quietMs)
  const { rows } = await sql<{ dueAt: Date | null }>`
    insert into ai_conversations as a (tenant_id, conversation_id, campaign_id, due_at, waiting_since, updated_at)
    select ${getTenantId(tx)}::uuid, id, ${campaignId}::uuid, ${quietAt}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from conversations where tenant_id = ${getTenantId(tx)} and id = ${conversationId}
    on conflict (tenant_id, conversation_id) do update set campaign_id = excluded.campaign_id, updated_at = excluded.updated_at,
      waiting_since = case when a.handed_off_at is null then coalesce(a.waiting_since, excluded.waiting_since) end,
      due_at = case when a.handed_off_at is null
        -- In a zone, as Citus requires of an update.
        then least(excluded.due_at,
          (coalesce(a.waiting_since, ${now}::timestamptz) at time zone 'UTC' + make_interval(secs => ${waitMaxMs / 1000})) at time zone 'UTC') end
    returning due_at as "dueAt"`.execute(tx)
  return rows[0]?.dueAt ?? null
}

export interface Claim {
  conversationId: string
  campaignId: string
  token: string
  /** This run included. */
  attempts: number
  answered: number
  resumedAt: Date | null
}

/** Claims a conversation whose answer is due; null: it is not, or another run has claimed it. */
export async function claimConversation(tx: Tx, conversationId: string): Promise<Claim | null> {
  const now = getNow(tx)
  const { rows } = await sql<Claim>`
    update ai_conversations set claim_token = ${newId()}, claimed_until = ${new Date(now.getTime() + claimMs)}, attempts = attempts + 1
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and due_at <= ${now} and handed_off_at is null
      and (claimed_until is null or claimed_until <= ${now})
    returning conversation_id as "conversationId", campaign_id as "campaignId", claim_token as token, attempts, answered,
      resumed_at as "resumedAt"`.execute(tx)
  return rows[0] ?? null
}

/** Locks the claim until the transaction ends. False: another run, or a user, has taken it. */
export async function lockClaim(tx: Tx, { conversationId, token }: Claim): Promise<boolean> {
  const { rows } = await sql`
    select from ai_conversations
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and claim_token = ${token}
    for update`.execute(tx)
  return rows.length > 0
}

/** Like `lockClaim`, without the lock. */
export async function hasClaim(tx: Tx, { conversationId, token }: Claim): Promise<boolean> {
  const { rows } = await sql`
    select from ai_conversations
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and claim_token = ${token}`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Ends a claim. `again`: when the model is tried again for this answer. Null: nothing waits any more. `hasAnswered`: a message was
 * queued.
 */
export async function endClaim(
  tx: Tx,
  conversationId: string,
  { again, hasAnswered }: { again: { at: Date; isNew: boolean } | null; hasAnswered: boolean },
): Promise<void> {
  const isSame = again !== null && !again.isNew
  await sql`
    update ai_conversations set claim_token = null, claimed_until = null, due_at = ${again?.at ?? null}::timestamptz,
      waiting_since = case when ${again === null} then null when ${isSame} then waiting_since else ${getNow(tx)}::timestamptz end,
      attempts = case when ${isSame} then attempts else 0 end, answered = answered + ${hasAnswered ? 1 : 0}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}`.execute(tx)
}

/** No answer waits any more, except one that is being written: its run decides again. */
export async function clearDueAnswers(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  await sql`
    update ai_conversations set due_at = null, waiting_since = null, attempts = 0, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and conversation_id = any(${conversationIds}::uuid[]) and due_at is not null and claim_token is null`.execute(
    tx,
  )
}

/** From now on people answer. */
export async function storeHandOff(tx: Tx, conversationId: string, handOff: HandOff): Promise<void> {
  await sql`
    update ai_conversations set handed_off_at = ${getNow(tx)}, hand_off = ${JSON.stringify(handOff)}::jsonb, due_at = null,
      waiting_since = null, claim_token = null, claimed_until = null, attempts = 0, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}`.execute(tx)
}

/** The AI answers again, with all its turns. */
export async function storeResumption(tx: Tx, conversationId: string): Promise<void> {
  await sql`
    update ai_conversations set handed_off_at = null, hand_off = null, answered = 0, resumed_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}`.execute(tx)
}

export interface AiState {
  campaignId: string
  dueAt: Date | null
  answered: number
  handedOffAt: Date | null
  handOff: HandOff | null
  resumedAt: Date | null
}

/** Null: no campaign with AI has written to the person. */
export async function findAiState(tx: Tx, conversationId: string): Promise<AiState | null> {
  const { rows } = await sql<AiState>`
    select campaign_id as "campaignId", due_at as "dueAt", answered, handed_off_at as "handedOffAt", hand_off as "handOff",
      resumed_at as "resumedAt"
    from ai_conversations where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** A person of the agency who wrote is still in charge after this time. */
const inChargeHours = 72

/** When somebody of the agency last wrote to the person lately, since the AI was set to answer; null: nobody did. */
export async function findTakeover(
  tx: Tx,
  conversationId: string,
  resumedAt: Date | null,
): Promise<Date | null> {
  const since = new Date(
    Math.max(getNow(tx).getTime() - inChargeHours * 3_600_000, resumedAt?.getTime() ?? 0),
  )
  const { rows } = await sql<{ at: Date | null }>`
    select max(created_at) as at from messages
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and direction = 'out' and nature = 'person'
      and campaign_id is null and created_at > ${since}
      and (author_user_id is not null or author_key_id is not null or provider_at is not null)`.execute(tx)
  return rows[0]?.at ?? null
}
