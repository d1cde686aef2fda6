/** The SQL statements of quick replies. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'

const json = jsonObject(`
  q.id, q.shortcut, q.text, aldaba.iso_time(q.created_at) as "createdAt", aldaba.iso_time(q.updated_at) as "updatedAt"`)

/** In the order of their shortcuts. */
export function listQuickReplies(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const beyond: RawBuilder<unknown> = after ? sql`q.shortcut > ${after[0]}` : sql`true`
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${json} as json, array[q.shortcut] as position from quick_replies q
      where q.tenant_id = ${getTenantId(tx)} and ${beyond} order by q.shortcut limit ${limit + 1}`,
    limit,
  )
}

/** The quick reply as JSON. */
export async function findQuickReply(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${json}::text as json from quick_replies q where q.tenant_id = ${getTenantId(tx)} and q.id = ${id}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

export async function countQuickReplies(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from quick_replies where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.count
}

interface QuickReplyInput {
  shortcut: string
  text: string
}

/** Returns the id; null: another one has this shortcut. */
export async function insertQuickReply(tx: Tx, { shortcut, text }: QuickReplyInput): Promise<string | null> {
  const now = getNow(tx)
  const row = await tx
    .insertInto('quick_replies')
    .values({
      tenant_id: getTenantId(tx),
      id: createId(tx),
      shortcut,
      text,
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict => conflict.columns(['tenant_id', 'shortcut']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** True if another quick reply has this shortcut. */
export async function isShortcutTaken(tx: Tx, shortcut: string, exceptId: string): Promise<boolean> {
  const { rows } = await sql`
    select from quick_replies
    where tenant_id = ${getTenantId(tx)} and shortcut = ${shortcut} and id <> ${exceptId}`.execute(tx)
  return rows.length > 0
}

/** Returns false if there is none. */
export async function updateQuickReply(
  tx: Tx,
  id: string,
  { shortcut, text }: Partial<QuickReplyInput>,
): Promise<boolean> {
  const { rows } = await sql`
    update quick_replies set shortcut = coalesce(${shortcut ?? null}, shortcut), text = coalesce(${text ?? null}, text),
      updated_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} returning id`.execute(tx)
  return rows.length > 0
}

/** Returns false if there is none. */
export async function deleteQuickReply(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from quick_replies where tenant_id = ${getTenantId(tx)} and id = ${id} returning id`.execute(tx)
  return rows.length > 0
}

/** Serializes the writers of shortcuts of a tenant, so that each finds those of the others. */
export async function lockQuickReplies(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quick-replies ${getTenantId(tx)}`}, 0))`.execute(
    tx,
  )
}
