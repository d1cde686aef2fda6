/** The SQL statements that find due messages. */
import { sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { DueDestination } from '../../../kit/outbox/outbox.ts'
import type { KnownIdentity } from '../identities.ts'
import { type OutgoingRow, outgoingColumns } from '../messages/outgoing-rows.ts'

const selectDueAccounts = (tenantId: string | null) => sql<DueDestination>`
  select a.tenant_id as "tenantId", a.id as "destinationId", greatest(m.due_at, a.paused_until) as "dueAt"
  from accounts a
  join lateral (
    select min(next_attempt_at) as due_at from messages m
    where m.tenant_id = a.tenant_id and m.account_id = a.id and m.next_attempt_at is not null) m on m.due_at is not null
  where (a.status in ('CONNECTED', 'DEGRADED') or a.status = 'RESTRICTED' and a.can_answer) and not a.is_paused and a.mode = 'chat'
    and ${tenantId === null ? sql`true` : sql`a.tenant_id = ${tenantId}`}`

/**
 * Lists the accounts with messages to send, now or later, of one tenant or of all. Accounts that don't send have none;
 * connecting one makes it due.
 */
export async function listDueAccounts(
  db: Database['owner'],
  tenantId: string | null,
): Promise<DueDestination[]> {
  const { rows } = await selectDueAccounts(tenantId).execute(db)
  return rows
}

/**
 * For the clock of test environments: a claimed message is due since its claim, until it is recorded or the claim ends. In
 * one statement, because the record of a message makes the next one of its conversation due.
 */
export const messageSchedule: ScheduledTask = {
  async findNextDueAt(tx) {
    const tenantId = getTenantId(tx)
    const { rows } = await sql<{ at: Date | null }>`
      select least(
        (select min(d."dueAt") from (${selectDueAccounts(tenantId)}) d),
        (select min(m.claimed_at) from messages m
          where m.tenant_id = ${tenantId} and m.claim_token is not null and m.next_attempt_at > ${sqlNow(tx)})) as at`.execute(
      tx,
    )
    return rows[0]!.at
  },
}

/** The ids of due messages, the earliest first, with their conversations. */
export async function findDue(
  tx: Tx,
  accountId: string,
  { excludedIds, limit }: { excludedIds: string[]; limit: number },
): Promise<{ id: string; conversationId: string }[]> {
  const { rows } = await sql<{ id: string; conversationId: string }>`
    select id, conversation_id as "conversationId" from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and next_attempt_at <= ${sqlNow(tx)}
      and id <> all(${excludedIds}::uuid[])
    order by next_attempt_at, id limit ${limit}`.execute(tx)
  return rows
}

/** When the next message of the account is due, except `excludedIds`; null: there is none. */
export async function findNextDueAt(
  tx: Tx,
  accountId: string,
  excludedIds: string[] = [],
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and next_attempt_at is not null
      and id <> all(${excludedIds}::uuid[])`.execute(tx)
  return rows[0]?.at ?? null
}

/** A due message with all that its sending needs. */
export interface DueMessage extends OutgoingRow {
  text: string | null
  content: Record<string, unknown>
  expiresAt: Date | null
  replyTo: string | null
  subject: string | null
  lastInboundAt: Date | null
  /** The last seen first. */
  identities: KnownIdentity[]
  /** The provider's ids of the thread that the message continues, the oldest first. */
  references: string[]
}

/** The thread of a conversation that nobody has answered: its last messages. */
const referencesMax = 20
/** Earlier messages among which the mail is that a message answers. */
const answeredAmong = 100

/**
 * Reads messages that are still due. Their conversations are locked. A message with a subject of its own begins a thread.
 * Another one continues the thread of the mail that it answers, else the last one: they may be about several properties.
 */
export async function readDue(tx: Tx, ids: string[]): Promise<DueMessage[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<DueMessage>`
    select ${outgoingColumns}, m.text, m.content, m.expires_at as "expiresAt", c.last_inbound_at as "lastInboundAt", t.provider_message_id as "replyTo",
      case when m.content ? 'email' then m.content -> 'email' ->> 'subject'
        when mail.email is null then c.subject else mail.email ->> 'subject' end as subject,
      coalesce((
        select json_agg(json_build_object('kind', i.kind, 'value', i.value, 'lastInboundAt', aldaba.iso_time(i.last_inbound_at))
          order by i.last_seen_at desc, i.kind, i.value)
        from conversation_identities i where i.tenant_id = ${tenantId} and i.conversation_id = c.id), '[]') as identities,
      case when m.content ? 'email' then '{}' when mail.email is not null
        then array(select jsonb_array_elements_text(mail.email -> 'references')) || mail.provider_message_id
        else array(
        select provider_message_id from (
          select r.provider_message_id, r.sequence from messages r
          where r.tenant_id = ${tenantId} and r.conversation_id = c.id and r.sequence < m.sequence
          order by r.sequence desc limit ${referencesMax}) last
        where provider_message_id is not null order by sequence) end as "references"
    from (
      -- By the primary key alone: with the state, PostgreSQL could read all that is queued.
      select * from messages where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) offset 0) m
    join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
    left join messages t on t.tenant_id = ${tenantId} and t.id = m.reply_to_id
    left join lateral (
      select e.content -> 'email' as email, e.provider_message_id from (
        select direction, nature, content, provider_message_id, sequence from messages
        where tenant_id = ${tenantId} and conversation_id = c.id and sequence <= coalesce(t.sequence, m.sequence - 1)
        order by sequence desc limit ${answeredAmong}) e
      where e.content ? 'email' and (e.direction = 'in' and e.nature = 'person' or e.direction = 'out' and e.provider_message_id is not null)
      order by e.sequence desc limit 1) mail on true
    where m.status = 'queued' and m.next_attempt_at <= ${sqlNow(tx)}
    order by m.next_attempt_at, m.id`.execute(tx)
  return rows
}
