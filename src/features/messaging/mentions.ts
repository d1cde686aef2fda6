/** Stores which phone numbers and addresses messages mention. Whoever writes a part of a message calls it. */
import { findMentions } from '../../domain/messaging/mentions.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'

/** `parts`: texts, or objects with texts. */
export interface MentioningMessage {
  messageId: string
  parts: unknown[]
}

/** Adds what these parts of messages mention. */
export async function addMentions(tx: Tx, messages: MentioningMessage[]): Promise<void> {
  const found = messages.flatMap(({ messageId, parts }) =>
    findMentions(parts).map(value => ({ messageId, value })),
  )
  if (found.length === 0) return
  await sql`
    insert into message_mentions (tenant_id, message_id, value)
    select ${getTenantId(tx)}::uuid, message_id, value
    from unnest(${found.map(({ messageId }) => messageId)}::uuid[], ${found.map(({ value }) => value)}::text[]) as t (message_id, value)
    on conflict (tenant_id, message_id, value) do nothing`.execute(tx)
}

export async function deleteMentions(tx: Tx, messageIds: string[]): Promise<void> {
  await sql`
    delete from message_mentions where tenant_id = ${getTenantId(tx)} and message_id = any(${messageIds}::uuid[])`.execute(
    tx,
  )
}

/** Stores what a changed message mentions now. */
export async function updateMentions(tx: Tx, messageId: string): Promise<void> {
  const { rows } = await sql<{ parts: unknown[] }>`
    select jsonb_build_array(m.text, m.content, (
        select jsonb_agg(f.file_name) from message_files f
        where f.tenant_id = ${getTenantId(tx)} and f.message_id = m.id)) as parts
    from messages m where m.tenant_id = ${getTenantId(tx)} and m.id = ${messageId}`.execute(tx)
  await deleteMentions(tx, [messageId])
  await addMentions(
    tx,
    rows.map(({ parts }) => ({ messageId, parts })),
  )
}
