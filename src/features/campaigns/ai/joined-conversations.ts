/** The AI of conversations that are joined, because they are with the same person, and separated again. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

/**
 * Handles `conversationsJoined`: if people answer one of them, people answer. What waits for an answer still does; a run that waits for
 * the model has lost its claim, because it has not read the other messages.
 */
export async function joinAi(
  tx: Tx,
  { keptId, absorbedId }: { keptId: string; absorbedId: string },
): Promise<void> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  await sql`
    insert into ai_conversations as k (tenant_id, conversation_id, campaign_id, due_at, waiting_since, attempts, answered, resumed_at,
      handed_off_at, hand_off, updated_at)
    select a.tenant_id, ${keptId}::uuid, a.campaign_id, a.due_at, a.waiting_since, a.attempts, a.answered, a.resumed_at, a.handed_off_at,
      a.hand_off, ${now}::timestamptz
    from ai_conversations a where a.tenant_id = ${tenantId} and a.conversation_id = ${absorbedId}
    on conflict (tenant_id, conversation_id) do update set
      due_at = case when k.handed_off_at is null and excluded.handed_off_at is null then least(k.due_at, excluded.due_at) end,
      waiting_since = case when k.handed_off_at is null and excluded.handed_off_at is null
        then least(k.waiting_since, excluded.waiting_since) end,
      claim_token = null, claimed_until = null, answered = k.answered + excluded.answered,
      resumed_at = greatest(k.resumed_at, excluded.resumed_at), hand_off = coalesce(k.hand_off, excluded.hand_off),
      handed_off_at = coalesce(k.handed_off_at, excluded.handed_off_at), updated_at = excluded.updated_at
    returning conversation_id`.execute(tx)
}

/** Handles `conversationsSeparated`: people who answer the one answer the other too, until somebody lets the AI. */
export async function separateAi(
  tx: Tx,
  { keptId, restoredId }: { keptId: string; restoredId: string },
): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    insert into ai_conversations (tenant_id, conversation_id, campaign_id, answered, resumed_at, handed_off_at, hand_off, updated_at)
    select k.tenant_id, ${restoredId}::uuid, k.campaign_id, k.answered, k.resumed_at, k.handed_off_at, k.hand_off, ${getNow(tx)}::timestamptz
    from ai_conversations k where k.tenant_id = ${tenantId} and k.conversation_id = ${keptId}
    on conflict do nothing returning conversation_id`.execute(tx)
}
