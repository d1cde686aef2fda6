/** The SQL statements of tasks. */
import { type RawBuilder, sql } from 'kysely'
import { getNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { formatIdentity } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import type { MessageKind, Nature } from '../message-types.ts'
import { indexMessage } from '../messages/insert-message.ts'
import type { Task, TaskFilter, TaskStatus } from './schemas.ts'

interface TaskRow extends Omit<Task, 'expiresAt' | 'openedAt' | 'endedAt' | 'createdAt'> {
  expiresAt: Date
  openedAt: Date | null
  endedAt: Date | null
  createdAt: Date
}

/** Ended at once. */
const expiredMax = 200
const openStatuses: readonly TaskStatus[] = ['open', 'opened']

const select = (tx: Tx, rest: RawBuilder<unknown>) => sql<TaskRow>`
  select t.message_id as id, m.conversation_id as "conversationId", t.account_id as "accountId", coalesce(m.lead_id, c.lead_id) as "leadId",
    (select l.contact_name from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = coalesce(m.lead_id, c.lead_id)) as "contactName",
    m.text, m.content -> 'email' ->> 'subject' as subject, t.assigned_user_id as "assignedUserId", t.status, t.expires_at as "expiresAt", t.opened_at as "openedAt",
    t.ended_at as "endedAt", t.created_at as "createdAt"
  from message_tasks t
  join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = t.message_id
  join conversations c on c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id
  where t.tenant_id = ${getTenantId(tx)} and ${rest}`

/** The oldest first. Returns `limit + 1` tasks if there are more. */
export async function listTasks(
  tx: Tx,
  { status, assignedUserId, limit }: TaskFilter,
  after: Position | null,
): Promise<Task[]> {
  const conditions = [
    // Written as in the partial index of open tasks.
    status ? sql`t.status = ${status}` : sql`t.status in ('open', 'opened')`,
    ...(assignedUserId ? [sql`t.assigned_user_id = ${assignedUserId}`] : []),
    ...(after ? [sql`(t.created_at, t.message_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`] : []),
  ]
  const { rows } = await select(
    tx,
    sql`${sql.join(conditions, sql` and `)} order by t.created_at, t.message_id limit ${limit + 1}`,
  ).execute(tx)
  return rows.map(toTask)
}

/** Throws 404. */
export async function getTask(tx: Tx, id: string): Promise<Task> {
  const { rows } = await select(tx, sql`t.message_id = ${id}`).execute(tx)
  if (!rows[0]) throw notFound('task')
  return toTask(rows[0])
}

const toTask = (row: TaskRow): Task => ({
  ...row,
  expiresAt: row.expiresAt.toISOString(),
  openedAt: row.openedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

export const isOpen = ({ status }: Pick<Task, 'status'>): boolean => openStatuses.includes(status)

export interface TaskMessage
  extends Pick<Task, 'id' | 'conversationId' | 'accountId' | 'leadId' | 'subject'> {
  campaignId: string | null
  /** Not before, by its campaign; null: a person or the program wrote it. */
  sendAt: Date | null
  kind: MessageKind
  nature: Nature
  content: Record<string, unknown>
  /** Without the privacy notice. */
  text: string | null
}

/** The message of a task. Throws 404. */
export async function getTaskMessage(tx: Tx, id: string): Promise<TaskMessage> {
  const { conversationId, accountId, leadId, subject, text } = await getTask(tx, id)
  const { kind, nature, content, campaign_id, send_at } = await tx
    .selectFrom('messages')
    .select(['kind', 'nature', 'content', 'campaign_id', 'send_at'])
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { textBeforeNotice = text, hasNotice: _hasNotice, ...parts } = content as Record<string, unknown>
  return {
    id,
    conversationId,
    accountId,
    leadId,
    subject,
    campaignId: campaign_id,
    sendAt: send_at,
    kind: kind as MessageKind,
    nature: nature as Nature,
    content: parts,
    text: textBeforeNotice as string | null,
  }
}

/** Stores what is sent by hand, and to which identity: the text with the privacy notice, or as it was written. */
export async function setTaskText(
  tx: Tx,
  { id, conversationId, content, text: textBeforeNotice }: TaskMessage,
  { text, hasNotice, to }: { text: string | null; hasNotice: boolean; to: ChatIdentity | undefined },
): Promise<void> {
  const stored = hasNotice ? { ...content, hasNotice, textBeforeNotice } : content
  await sql`
    update messages set text = ${text === null ? null : sanitizeText(text)}, content = ${sanitizeJson(stored)}::jsonb,
      person = ${to ? formatIdentity(to) : null}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  await indexMessage(tx, { id, conversationId, text, content })
  await recordInboxChanges(tx, [{ conversationId, messageId: id }])
}

/** Marks an open task as opened; its first time counts. */
export async function markOpened(tx: Tx, id: string): Promise<void> {
  await sql`
    update message_tasks set status = 'opened', opened_at = coalesce(opened_at, ${getNow(tx)})
    where tenant_id = ${getTenantId(tx)} and message_id = ${id} and status in ('open', 'opened')`.execute(tx)
}

export async function assignTask(tx: Tx, id: string, userId: string | null): Promise<void> {
  await sql`
    update message_tasks set assigned_user_id = ${userId}
    where tenant_id = ${getTenantId(tx)} and message_id = ${id}`.execute(tx)
}

/** Ends an open task. Returns false if it has ended. The conversation is locked. */
export async function endTask(tx: Tx, id: string, status: 'done' | 'skipped' | 'expired'): Promise<boolean> {
  const { rows } = await sql`
    update message_tasks set status = ${status}, ended_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and message_id = ${id} and status in ('open', 'opened')
    returning message_id`.execute(tx)
  return rows.length > 0
}

/** The open tasks whose time is over, some hundred at once, with their conversations. */
export async function findExpired(tx: Tx): Promise<{ id: string; conversationId: string }[]> {
  const { rows } = await sql<{ id: string; conversationId: string }>`
    select t.message_id as id, m.conversation_id as "conversationId" from message_tasks t
    join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = t.message_id
    where t.tenant_id = ${getTenantId(tx)} and t.status in ('open', 'opened') and t.expires_at <= ${getNow(tx)}
    order by t.expires_at limit ${expiredMax}`.execute(tx)
  return rows
}

export async function findNextExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(expires_at) as at from message_tasks
    where tenant_id = ${getTenantId(tx)} and status in ('open', 'opened')`.execute(tx)
  return rows[0]?.at ?? null
}

export async function listTenantsWithExpired({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from message_tasks t
    where status in ('open', 'opened') and expires_at <= ${sqlNowFor('t.tenant_id')}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
