/** The SQL statements of conversations and the identities of their people. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ChatIdentity, IdentityKind } from '../../../plugins/chat.ts'
import type { AccountRow } from '../../accounts/service.ts'
import type { KnownIdentity } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import type { MessageKind, MessageStatus } from '../message-types.ts'

export const conversationStatuses = ['open', 'pending', 'closed'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]

/** Why a conversation has no lead. */
export const leadAbsences = ['NEVER_WROTE', 'PERSON_ERASED', 'QUOTA_EXCEEDED', 'LEAD_DELETED'] as const
export type LeadAbsence = (typeof leadAbsences)[number]

export interface ConversationRow {
  id: string
  accountId: string
  leadId: string | null
  /** Null: it has a lead. */
  leadAbsence: LeadAbsence | null
  status: ConversationStatus
  snoozedUntil: Date | null
  assignedUserId: string | null
  labels: string[]
  subject: string | null
  lastSequence: number
  unreadCount: number
  lastMessageAt: Date
  lastInboundAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** The last seen first. */
  identities: KnownIdentity[]
  account: Pick<AccountRow, 'provider' | 'status' | 'canAnswer' | 'isPaused'>
  /** The name of the lead; null: not known. */
  contactName: string | null
  /** The last message in or out; null: there is none yet. */
  lastMessage: {
    id: string
    direction: 'in' | 'out'
    kind: MessageKind
    text: string | null
    status: MessageStatus
    isWithdrawn: boolean
    createdAt: string
  } | null
}

/** SQL: the columns of a `ConversationRow` over a conversation `c`. */
export const conversationColumns = (tx: Tx): RawBuilder<unknown> => sql`
  c.id, c.account_id as "accountId", c.lead_id as "leadId", c.lead_absence as "leadAbsence", c.status, c.snoozed_until as "snoozedUntil",
  c.assigned_user_id as "assignedUserId", c.labels, c.subject, c.last_sequence as "lastSequence", c.unread_count as "unreadCount",
  c.last_message_at as "lastMessageAt", c.last_inbound_at as "lastInboundAt", c.created_at as "createdAt", c.updated_at as "updatedAt",
  coalesce((
    select json_agg(json_build_object('kind', i.kind, 'value', i.value, 'lastInboundAt', aldaba.iso_time(i.last_inbound_at))
      order by i.last_seen_at desc, i.kind, i.value)
    from conversation_identities i where i.tenant_id = ${getTenantId(tx)} and i.conversation_id = c.id), '[]') as identities,
  (select json_build_object('provider', a.provider, 'status', a.status, 'canAnswer', a.can_answer, 'isPaused', a.is_paused)
    from accounts a where a.tenant_id = ${getTenantId(tx)} and a.id = c.account_id) as account,
  (select l.contact_name from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = c.lead_id) as "contactName",
  (select json_build_object('id', m.id, 'direction', m.direction, 'kind', m.kind, 'text', left(m.text, 300), 'status', m.status,
    'isWithdrawn', m.status = 'failed' and coalesce((m.failure -> 'isWithdrawn')::boolean, false),
    'createdAt', aldaba.iso_time(m.created_at))
    from messages m where m.tenant_id = ${getTenantId(tx)} and m.id = c.last_message_id) as "lastMessage"`

/** Selects conversations `c`. `rest`: the condition besides the tenant, the order and the limit. */
async function selectConversations(tx: Tx, rest: RawBuilder<unknown>): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select ${conversationColumns(tx)} from conversations c where c.tenant_id = ${getTenantId(tx)} and ${rest}`.execute(
    tx,
  )
  return rows
}

/** The existing conversations with these ids, in any order. */
export const findConversations = (tx: Tx, ids: string[]): Promise<ConversationRow[]> =>
  selectConversations(tx, sql`c.id = any(${ids}::uuid[])`)

/** Throws 404. */
export async function getConversation(tx: Tx, id: string): Promise<ConversationRow> {
  const [row] = await findConversations(tx, [id])
  if (!row) throw notFound('conversation')
  return row
}

/** Locks conversations until the transaction ends, always in the same order. Unknown ones are ignored. */
export async function lockConversations(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    select from conversations where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(tx)
}

/** Like `getConversation`; no other transaction can change it or add messages until this one ends. */
export async function lockConversation(tx: Tx, id: string): Promise<ConversationRow> {
  // A separate statement: one that waits for the row lock would see joined rows as they were before the wait.
  await lockConversations(tx, [id])
  return getConversation(tx, id)
}

/** The conversations of an account that have one of these identities, the newest first. */
export async function findConversationIds(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conversations c
    where c.tenant_id = ${getTenantId(tx)} and c.id in (
      select i.conversation_id from conversation_identities i
      join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
        on g.kind = i.kind and g.value = i.value
      where i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId})
    order by c.last_message_at desc, c.id desc`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The conversations of a lead with an account, the newest first. */
export async function findConversationIdsOfLead(
  tx: Tx,
  accountId: string,
  leadId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and account_id = ${accountId}
    order by last_message_at desc, id desc`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Serializes the creation of conversations of an account until the transaction ends, so that a person never gets two.
 * Call it before looking for one.
 */
export async function lockNewConversations(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${getTenantId(tx)} ${accountId}`}, 3))`.execute(
    tx,
  )
}

export interface NewConversation {
  /** Missing: it gets a new one. */
  id?: string
  leadId: string | null
  identities: readonly ChatIdentity[]
}

/**
 * Inserts conversations of an account. Returns their ids. Call `lockNewConversations` and look for existing ones first. An
 * identity of another conversation stays there.
 */
export async function insertConversations(
  tx: Tx,
  accountId: string,
  conversations: NewConversation[],
): Promise<string[]> {
  if (conversations.length === 0) return []
  const now = getNow(tx)
  const created = conversations.map(() => createId(tx)).sort()
  const ids = conversations.map(({ id }, index) => id ?? created[index]!)
  await tx
    .insertInto('conversations')
    .values(
      conversations.map(({ leadId }, index) => ({
        tenant_id: getTenantId(tx),
        id: ids[index]!,
        account_id: accountId,
        lead_id: leadId,
        last_message_at: now,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute()
  await Promise.all([
    addIdentities(
      tx,
      accountId,
      conversations.flatMap(({ identities }, index) =>
        identities.map(({ kind, value }) => ({ kind, value, conversationId: ids[index]! })),
      ),
    ),
    recordInboxChanges(
      tx,
      ids.map(conversationId => ({ conversationId, messageId: null })),
    ),
  ])
  return ids
}

/** Adds identities to conversations, or notes that they were seen. An identity of another conversation stays there. */
export async function addIdentities(
  tx: Tx,
  accountId: string,
  identities: readonly (ChatIdentity & { conversationId: string })[],
): Promise<void> {
  if (identities.length === 0) return
  await sql`
    insert into conversation_identities as i (tenant_id, account_id, kind, value, conversation_id, last_seen_at)
    select distinct on (g.kind, g.value) ${getTenantId(tx)}::uuid, ${accountId}::uuid, g.kind, g.value, g.conversation_id, ${getNow(tx)}::timestamptz
    from unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => sanitizeText(value))}::text[], ${identities.map(({ conversationId }) => conversationId)}::uuid[])
      as g (kind, value, conversation_id)
    on conflict (tenant_id, account_id, kind, value) do update set last_seen_at = excluded.last_seen_at
      where i.conversation_id = excluded.conversation_id`.execute(tx)
}

/** The lead that a conversation gets. `absence`: why it has none; null: it has one. */
export interface LeadOfConversation {
  conversationId: string
  leadId: string | null
  absence: LeadAbsence | null
}

export async function setLeads(tx: Tx, leads: LeadOfConversation[]): Promise<void> {
  if (leads.length === 0) return
  await sql`
    update conversations c set lead_id = g.lead_id, lead_absence = g.absence
    from unnest(${leads.map(({ conversationId }) => conversationId)}::uuid[], ${leads.map(({ leadId }) => leadId)}::uuid[], ${leads.map(({ absence }) => absence)}::text[])
      as g (id, lead_id, absence)
    where c.tenant_id = ${getTenantId(tx)} and c.id = g.id`.execute(tx)
}

export async function reopenConversation(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`
    update conversations set status = 'open', updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and status = 'closed' returning id`.execute(tx)
  if (rows.length > 0) await recordInboxChanges(tx, [{ conversationId: id, messageId: null }])
}

/** The identities of the person of a conversation. */
export const findIdentities = async (tx: Tx, conversationId: string): Promise<ChatIdentity[]> =>
  (await findIdentitiesOf(tx, [conversationId])).get(conversationId) ?? []

/** The identities of the people of conversations, the last seen first. */
export async function findIdentitiesOf(
  tx: Tx,
  conversationIds: string[],
): Promise<Map<string, ChatIdentity[]>> {
  if (conversationIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('conversation_identities')
    .select(['conversation_id', 'kind', 'value'])
    .where('tenant_id', '=', getTenantId(tx))
    .where('conversation_id', 'in', conversationIds)
    .orderBy('last_seen_at', 'desc')
    .orderBy('value')
    .execute()
  const found = Map.groupBy(rows, row => row.conversation_id)
  return new Map(
    [...found].map(([id, own]) => [
      id,
      own.map(({ kind, value }): ChatIdentity => ({ kind: kind as IdentityKind, value })),
    ]),
  )
}

/** Sets the subject of an e-mail conversation that has none. */
export async function setSubject(tx: Tx, conversationId: string, subject: string): Promise<void> {
  await sql`
    update conversations set subject = ${subject}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId} and subject is null`.execute(tx)
}
