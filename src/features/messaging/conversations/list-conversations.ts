/** Lists conversations, newest first. */
import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Position } from '../../../kit/page.ts'
import { type ConversationRow, selectConversations } from './queries.ts'
import type { ConversationFilter } from './schemas.ts'

/** Returns `limit + 1` rows if there are more. */
export function listConversations(
  tx: Tx,
  filter: ConversationFilter,
  after: Position | null,
): Promise<ConversationRow[]> {
  const conditions = toConditions(tx, filter)
  if (after) conditions.push(sql`(c.last_message_at, c.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`)
  const where = sql.join([sql`true`, ...conditions], sql` and `)
  return selectConversations(
    tx,
    sql`${where} order by c.last_message_at desc, c.id desc limit ${filter.limit + 1}`,
  )
}

function toConditions(tx: Tx, filter: ConversationFilter): RawBuilder<unknown>[] {
  const { status, unread, leadId, accountId, assignedUserId, label } = filter
  const snoozed = filter.snoozed ?? (status === 'open' ? false : undefined)
  const conditions: RawBuilder<unknown>[] = []
  if (status) conditions.push(sql`c.status = ${status}`)
  if (unread === true) conditions.push(sql`c.unread_count > 0`)
  if (unread === false) conditions.push(sql`c.unread_count = 0`)
  if (leadId) conditions.push(sql`c.lead_id = ${leadId}`)
  if (accountId) conditions.push(sql`c.account_id = ${accountId}`)
  if (assignedUserId) conditions.push(sql`c.assigned_user_id = ${assignedUserId}`)
  if (label) conditions.push(sql`c.labels @> array[${label}]`)
  if (snoozed === true) conditions.push(sql`c.snoozed_until > ${sqlNow(tx)}`)
  if (snoozed === false) conditions.push(sql`(c.snoozed_until is null or c.snoozed_until <= ${sqlNow(tx)})`)
  return conditions
}

/** The position of a row in the list. Its time has the precision of JavaScript, as all times that the program writes. */
export const toPosition = ({ lastMessageAt, id }: ConversationRow): Position => [
  lastMessageAt.toISOString(),
  id,
]
