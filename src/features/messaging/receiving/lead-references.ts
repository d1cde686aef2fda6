/** Keeps conversations in step with leads that are deleted, merged and unmerged. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { SeparatedReplies } from '../../leads/service.ts'
import { findConversationIdsOfLead } from '../conversations/queries.ts'
import {
  joinConversations,
  type SavedConversation,
  saveConversation,
  separateConversation,
} from '../participants/join-conversations.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: keeps the conversations and the messages, without their lead. */
export async function detachConversations(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update messages set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
  await sql`
    update conversations set lead_id = null, lead_absence = 'LEAD_DELETED'
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/**
 * Handles `leadsMerged`: the conversations move to the surviving lead. If it has one with the same account, they are
 * joined.
 */
export async function moveConversations(
  tx: Tx,
  { leadId, absorbedId }: Merge,
): Promise<Record<string, object[]>> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select id, account_id as "accountId" from conversations
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId} order by id`.execute(tx)
  const saved: SavedConversation[] = []
  for (const { id, accountId } of rows) {
    const [keptId] = await findConversationIdsOfLead(tx, accountId, leadId)
    if (keptId === undefined) {
      await setLead(tx, id, { leadId, formerLeadId: absorbedId })
      saved.push({ id, keptId: null, row: null, identities: [] })
    } else {
      saved.push(await saveConversation(tx, { keptId, absorbedId: id }))
      await setLead(tx, id, { leadId, formerLeadId: absorbedId })
      await joinConversations(tx, { keptId, absorbedId: id })
    }
  }
  const messages = await moveMessages(tx, { leadId, formerLeadId: absorbedId }, null)
  return { conversations: saved, messages }
}

/** Handles `mergeUndone`. */
export async function restoreConversations(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  // The last one that was joined first, because it may have absorbed the others.
  for (const conversation of ((saved.conversations ?? []) as SavedConversation[]).toReversed()) {
    if (conversation.keptId !== null) await separateConversation(tx, conversation, absorbedId)
    else await setLead(tx, conversation.id, { leadId: absorbedId, formerLeadId: leadId })
  }
  const messages = (saved.messages ?? []) as { id: string }[]
  await moveMessages(
    tx,
    { leadId: absorbedId, formerLeadId: leadId },
    messages.map(({ id }) => id),
  )
}

/** Handles `repliesSeparated`: replies belong to the leads of their messages. Those whose messages were deleted stay. */
export async function findSeparatedReplies(
  tx: Tx,
  { mergeId, leadId, absorbedId }: Merge & { mergeId: string },
): Promise<SeparatedReplies> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ isReturned: boolean; at: Date }>`
    select coalesce(coalesce(m.lead_id, c.lead_id) = ${absorbedId}, false) as "isReturned",
      max(coalesce(m.provider_at, m.created_at, e.created_at)) as at
    from events e
    left join messages m on m.tenant_id = ${tenantId} and m.id = (e.data ->> 'messageId')::uuid
    left join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
    where e.tenant_id = ${tenantId} and e.lead_id = ${leadId} and e.type = 'lead.replied' and e.id > ${mergeId}
    group by 1`.execute(tx)
  const find = (isReturned: boolean) => rows.find(row => row.isReturned === isReturned)?.at ?? null
  return { keptAt: find(false), returnedAt: find(true) }
}

/** Moves messages about a lead to another one: these, or all. Returns them. */
async function moveMessages(
  tx: Tx,
  { leadId, formerLeadId }: { leadId: string; formerLeadId: string },
  ids: string[] | null,
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    update messages set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${formerLeadId}
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[])) returning id`.execute(tx)
  return rows
}

async function setLead(
  tx: Tx,
  conversationId: string,
  { leadId, formerLeadId }: { leadId: string; formerLeadId: string },
): Promise<void> {
  await sql`
    update conversations set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId} and lead_id = ${formerLeadId}`.execute(tx)
}
