/** Joins two conversations of an account, because they are with the same person, and separates them again. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { indexLabels, labelsMax } from '../conversations/labels.ts'
import { lockConversations } from '../conversations/queries.ts'
import { conversationsJoined, conversationsSeparated } from '../hooks.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { promoteNext } from '../messages/promote-next.ts'
import { formerMax } from './identity-owners.ts'

export interface JoinedConversation {
  keptId: string
  absorbedId: string
}

/**
 * Moves the messages, identities, labels and the work on a conversation to another one, and deletes it. The messages are
 * numbered anew, in the order in which they were stored; those stored together, in that of the provider. Call this after
 * `lockLeadWrites`.
 */
export async function joinConversations(tx: Tx, { keptId, absorbedId }: JoinedConversation): Promise<void> {
  await lockConversations(tx, [keptId, absorbedId])
  const tenantId = getTenantId(tx)
  const both = [keptId, absorbedId]
  // Only one message of a conversation is due: the first one, when it was. A claimed one stays so, and one of a campaign.
  await sql`
    update messages set next_attempt_at = null
    where tenant_id = ${tenantId} and conversation_id = any(${both}::uuid[]) and status = 'queued' and claimed_at is null
      and send_at is null and id <> (
        select id from messages
        where tenant_id = ${tenantId} and conversation_id = any(${both}::uuid[]) and status = 'queued' and send_at is null
        order by created_at, coalesce(provider_at, created_at), sequence, id limit 1)`.execute(tx)
  // Negative numbers first: while they are changed, no two messages may have the same one.
  await sql`
    update messages m set conversation_id = ${keptId}, sequence = -n.number,
      lead_id = case when m.conversation_id = ${absorbedId} then coalesce(m.lead_id, n.lead_id) else m.lead_id end,
      joined_from = case when m.conversation_id = ${absorbedId} then m.joined_from || ${absorbedId}::uuid else m.joined_from end
    from (
      select id, row_number() over (order by created_at, coalesce(provider_at, created_at), sequence, id) as number, (
        select nullif(a.lead_id, k.lead_id) from conversations a, conversations k
        where a.tenant_id = ${tenantId} and a.id = ${absorbedId} and k.tenant_id = ${tenantId} and k.id = ${keptId} and k.lead_id is not null) as lead_id
      from messages where tenant_id = ${tenantId} and conversation_id = any(${both}::uuid[])) n
    where m.tenant_id = ${tenantId} and m.id = n.id`.execute(tx)
  await sql`
    update messages set sequence = -sequence
    where tenant_id = ${tenantId} and conversation_id = ${keptId} and sequence < 0`.execute(tx)
  await sql`
    update message_search set conversation_id = ${keptId}
    where tenant_id = ${tenantId} and conversation_id = ${absorbedId}`.execute(tx)
  await sql`
    update conversation_identities set conversation_id = ${keptId}
    where tenant_id = ${tenantId} and conversation_id = ${absorbedId}`.execute(tx)
  await sql`
    update conversations k set lead_id = coalesce(k.lead_id, a.lead_id),
      lead_absence = case when k.lead_id is null and a.lead_id is null then coalesce(k.lead_absence, a.lead_absence) end,
      status = case when 'open' in (k.status, a.status) then 'open' when 'pending' in (k.status, a.status) then 'pending' else 'closed' end,
      snoozed_until = case when k.snoozed_until is null or a.snoozed_until is null then null else least(k.snoozed_until, a.snoozed_until) end,
      assigned_user_id = coalesce(k.assigned_user_id, a.assigned_user_id),
      labels = (array(select distinct label from unnest(k.labels || a.labels) label order by label))[1:${sql.lit(labelsMax)}],
      former_identities = (k.former_identities || a.former_identities)[1:${sql.lit(formerMax)}], subject = coalesce(k.subject, a.subject), unread_count = k.unread_count + a.unread_count,
      created_at = least(k.created_at, a.created_at)
    from conversations a
    where k.tenant_id = ${tenantId} and k.id = ${keptId} and a.tenant_id = k.tenant_id and a.id = ${absorbedId}`.execute(
    tx,
  )
  await callHook(tx, conversationsJoined, { keptId, absorbedId })
  await sql`delete from conversations where tenant_id = ${tenantId} and id = ${absorbedId}`.execute(tx)
  await indexLabels(tx, [keptId])
  await summarizeConversations(tx, [keptId])
  await promoteNext(tx, [keptId])
  await recordInboxChanges(tx, [{ conversationId: keptId, messageId: null }])
}

/** A conversation before a merge of leads joined it, or moved it to another lead. */
export interface SavedConversation {
  id: string
  /** The conversation that absorbed it; null: it only moved to the other lead. */
  keptId: string | null
  /** Its row and its identities, if it was absorbed. */
  row: Record<string, unknown> | null
  identities: ChatIdentity[]
}

/** Reads what `separateConversation` needs. */
export async function saveConversation(
  tx: Tx,
  { keptId, absorbedId }: JoinedConversation,
): Promise<SavedConversation> {
  const { rows } = await sql<Omit<SavedConversation, 'id' | 'keptId'>>`
    select to_jsonb(c) - 'tenant_id' as row, coalesce((
      select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value)) from conversation_identities i
      where i.tenant_id = ${getTenantId(tx)} and i.conversation_id = c.id), '[]') as identities
    from conversations c where c.tenant_id = ${getTenantId(tx)} and c.id = ${absorbedId}`.execute(tx)
  return { id: absorbedId, keptId, ...rows[0]! }
}

const restoredColumns =
  sql.raw(`id, account_id, status, snoozed_until, assigned_user_id, labels, subject, unread_count,
  last_message_at, last_inbound_at, created_at, former_identities`)

/**
 * Restores an absorbed conversation for its lead, with its messages, and those that its person has written or received since. Does
 * nothing if the conversation that absorbed it is gone. Call this after `lockLeadWrites`.
 */
export async function separateConversation(
  tx: Tx,
  { id, keptId, row, identities }: SavedConversation,
  leadId: string,
): Promise<void> {
  if (keptId === null || row === null) return
  await lockConversations(tx, [keptId])
  const tenantId = getTenantId(tx)
  const { rows: restored } = await sql`
    insert into conversations (tenant_id, lead_id, updated_at, ${restoredColumns})
    select k.tenant_id, ${leadId}::uuid, ${getNow(tx)}::timestamptz, r.*
    from conversations k, jsonb_to_record(${JSON.stringify(row)}::jsonb) as r (id uuid, account_id uuid, status text, snoozed_until timestamptz,
      assigned_user_id uuid, labels text[], subject text, unread_count integer, last_message_at timestamptz,
      last_inbound_at timestamptz, created_at timestamptz, former_identities text[])
    where k.tenant_id = ${tenantId} and k.id = ${keptId} returning id`.execute(tx)
  if (restored.length === 0) return
  await sql`
    update messages set conversation_id = ${id},
      joined_from = case when joined_from[cardinality(joined_from)] = ${id} then trim_array(joined_from, 1) else joined_from end
    where tenant_id = ${tenantId} and conversation_id = ${keptId}
      and (joined_from[cardinality(joined_from)] = ${id} or (joined_from = '{}' and person = any(${identities.map(({ kind, value }) => `${kind}:${value}`)}::text[])))`.execute(
    tx,
  )
  await sql`
    update message_search s set conversation_id = ${id} from messages m
    where s.tenant_id = ${tenantId} and s.conversation_id = ${keptId} and m.tenant_id = s.tenant_id and m.id = s.message_id
      and m.conversation_id = ${id}`.execute(tx)
  await sql`
    update conversation_identities i set conversation_id = ${id}
    from unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
    where i.tenant_id = ${tenantId} and i.conversation_id = ${keptId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
  await sql`
    update conversations set unread_count = greatest(0, unread_count - ${Number(row.unread_count)}::integer)
    where tenant_id = ${tenantId} and id = ${keptId}`.execute(tx)
  await callHook(tx, conversationsSeparated, { keptId, restoredId: id })
  await indexLabels(tx, [id])
  await summarizeConversations(tx, [keptId, id])
  await promoteNext(tx, [keptId, id])
  await recordInboxChanges(tx, [
    { conversationId: keptId, messageId: null },
    { conversationId: id, messageId: null },
  ])
}

/** Computes the last message, the last number and the begin of the reply window from the messages. */
async function summarizeConversations(tx: Tx, ids: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  for (const id of ids)
    await sql`
      update conversations c set updated_at = ${now}::timestamptz, last_sequence = coalesce(s.last_sequence, c.last_sequence),
        last_message_id = s.last_message_id, last_message_at = coalesce(s.last_message_at, c.last_message_at),
        last_inbound_at = s.last_inbound_at
      from (
        select max(sequence) as last_sequence, (array_agg(id order by sequence desc) filter (where direction <> 'note'))[1] as last_message_id,
          max(created_at) filter (where direction <> 'note') as last_message_at,
          max(least(coalesce(provider_at, created_at), created_at)) filter (where direction = 'in' and nature = 'person') as last_inbound_at
        from messages where tenant_id = ${tenantId} and conversation_id = ${id}) s
      where c.tenant_id = ${tenantId} and c.id = ${id}`.execute(tx)
}
