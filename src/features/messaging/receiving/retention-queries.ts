/** The SQL that finds messages whose retention has ended. */
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { lockConversations } from '../conversations/queries.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { messageRetention } from '../settings.ts'
import { deleteMessages } from './erasure.ts'

const batchMax = 500

/** When the retention of the oldest message ends; null: none ends. */
export async function findNextMessageExpiry(tx: Tx): Promise<Date | null> {
  const months = await readSetting(tx, messageRetention)
  if (months === null) return null
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from messages
    where tenant_id = ${getTenantId(tx)} and status <> 'queued' order by tenant_id, created_at limit 1`.execute(
    tx,
  )
  return rows[0] ? toExpiry(rows[0].createdAt, months) : null
}

/** Deletes a batch of old messages, with their files; conversations stay. Returns false if there are no more. */
export async function deleteOldMessages(tx: Tx): Promise<boolean> {
  const months = await readSetting(tx, messageRetention)
  if (months === null) return false
  const now = getNow(tx)
  const { rows } = await sql<{ id: string; conversationId: string; createdAt: Date }>`
    select id, conversation_id as "conversationId", created_at as "createdAt" from messages
    where tenant_id = ${getTenantId(tx)} and status <> 'queued' and created_at <= ${subtractDays(now, months * monthDaysMin)}
    order by tenant_id, created_at limit ${batchMax}`.execute(tx)
  const expired = rows.filter(({ createdAt }) => toExpiry(createdAt, months) <= now)
  const conversationIds = [...new Set(expired.map(({ conversationId }) => conversationId))]
  await lockConversations(tx, conversationIds)
  await deleteMessages(
    tx,
    expired.map(({ id }) => id),
  )
  await forgetDeleted(tx, conversationIds)
  return expired.length === batchMax
}

/** Conversations show only messages that exist. When the person last wrote stays known. */
async function forgetDeleted(tx: Tx, conversationIds: string[]): Promise<void> {
  const messages = sql`from messages m where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = c.id`
  await sql`
    update conversations c set updated_at = ${getNow(tx)},
      last_message_id = (select m.id ${messages} and m.direction <> 'note' order by m.sequence desc limit 1),
      unread_count = case when c.unread_count = 0 then 0
        else least(c.unread_count, (select count(*)::int ${messages} and m.direction = 'in')) end,
      subject = case when exists (select ${messages}) then c.subject end
    where c.tenant_id = ${getTenantId(tx)} and c.id = any(${conversationIds}::uuid[])`.execute(tx)
  await recordInboxChanges(
    tx,
    conversationIds.map(conversationId => ({ conversationId, messageId: null })),
  )
}

/** Months differ in length; `toExpiry` decides. */
const monthDaysMin = 28

function toExpiry(createdAt: Date, months: number): Date {
  const end = createdAt.toTemporalInstant().toZonedDateTimeISO('UTC').add({ months })
  return new Date(end.epochMilliseconds)
}
