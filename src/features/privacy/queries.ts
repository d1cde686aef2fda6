/** The SQL statements that list and remove entries of the suppression list. */

import { sql } from 'kysely'
import type { SuppressionKind } from '../../domain/contactability/facts.ts'
import { getNow, recordLockAcquired, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import type { InputError } from '../../kit/problem.ts'
import type { SuppressionFilter } from './schemas.ts'

/** SQL: an entry `s` of the list as the JSON of `Suppression`. */
export const suppressionJson =
  jsonObject(`s.id, s.kind, s.identifier_kind as "identifierKind", s.channel, s.list_name as "listName",
  s.note, aldaba.iso_time(s.created_at) as "createdAt", s.created_by as "createdBy"`)

/** Newest first. */
export function listSuppressions(
  tx: Tx,
  { kind, listName, limit }: SuppressionFilter,
  after: Position | null,
): Promise<Page> {
  const rows = sql<ListRow>`
    select ${suppressionJson} as json, array[s.id::text] as position from suppressions s
    where s.tenant_id = ${getTenantId(tx)} and ${kind ? sql`s.kind = ${kind}` : sql`true`} and ${listName ? sql`s.list_name = ${listName}` : sql`true`}
      and ${after ? sql`s.id < ${after[0]}::uuid` : sql`true`}
    order by s.tenant_id desc, s.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** These entries as a JSON list, oldest first. */
export async function readSuppressions(tx: Tx, ids: string[]): Promise<string> {
  const { rows } = await sql<{ json: string }>`
    select coalesce(json_agg(json), '[]')::text as json from (
      select ${suppressionJson} as json from suppressions s where s.tenant_id = ${getTenantId(tx)} and s.id = any(${ids}::uuid[]) order by s.id) list`.execute(
    tx,
  )
  return rows[0]!.json
}

/** The JSON of `Suppression`; null if there is none. */
export async function findSuppression(tx: Tx, suppressionId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${suppressionJson}::text as json from suppressions s where s.tenant_id = ${getTenantId(tx)} and s.id = ${suppressionId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** The kind of an entry; null if there is none. */
export async function findSuppressionKind(tx: Tx, suppressionId: string): Promise<SuppressionKind | null> {
  const row = await tx
    .selectFrom('suppressions')
    .select('kind')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', suppressionId)
    .executeTakeFirst()
  return (row?.kind ?? null) as SuppressionKind | null
}

export async function deleteSuppression(tx: Tx, suppressionId: string): Promise<void> {
  await tx
    .deleteFrom('suppressions')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', suppressionId)
    .execute()
}

/**
 * Locks the list for one import at a time, and returns the time of the new entries (ISO 8601) by the clock of the
 * server.
 */
export async function startListImport(tx: Tx, listName: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${getTenantId(tx)} || ' ' || ${listName}, 3))`.execute(
    tx,
  )
  recordLockAcquired(tx)
  return getNow(tx).toISOString()
}

/**
 * An error if the time is in the future by the clock of the server: all entries are older than that, and would be
 * removed.
 */
export async function findRemovalErrors(tx: Tx, removeBefore: string | undefined): Promise<InputError[]> {
  if (removeBefore === undefined) return []
  const now = getNow(tx)
  if (new Date(removeBefore) <= now) return []
  const message = `This time is in the future: the clock of the server says ${now.toISOString()}. Send \`importedAt\` of the first reply for this edition.`
  return [{ path: '/removeBefore', code: 'TOO_LATE', message }]
}

/** Sets the date of the entries to now: an import contains them. */
export async function confirmEntries(tx: Tx, ids: string[]): Promise<void> {
  await sql`update suppressions set created_at = ${sqlNow(tx)} where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
}

/**
 * Removes the entries of a list that no import since `before` has contained. `before` null: the entries that this import
 * does not contain. Returns their number.
 */
export async function deleteUnconfirmed(tx: Tx, listName: string, before: string | null): Promise<number> {
  const result = await tx
    .deleteFrom('suppressions')
    .where('tenant_id', '=', getTenantId(tx))
    .where('list_name', '=', listName)
    .where(sql<boolean>`created_at < coalesce(${before}::timestamptz, ${sqlNow(tx)})`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
