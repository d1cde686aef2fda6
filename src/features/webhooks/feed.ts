/** The event feed: all events of an environment in the order of their commits, in pages. */

import { sql } from 'kysely'
import { getNow, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { sqlLastPosition } from '../../kit/events/emit.ts'
import { maxIdAt } from '../../kit/id.ts'
import type { Catalogue } from './events.ts'
import { buildMessages, type StoredEvent, storedEventColumns } from './messages.ts'

/** The days that the feed reaches back and that a position stays valid. */
export const feedDays = 30

/** The most events scanned for a page that is filtered by type. */
const scanMax = 10_000

export interface FeedPage {
  /** The messages, JSON. */
  messages: string[]
  /** The position of the last scanned event. */
  position: number
  hasMore: boolean
  /** The position of the newest event. */
  last: number
  /** The time of reading, and the time of the event before the page; null: there is none. Epoch ms, database clock. */
  readAt: number
  previousEventAt: number | null
}

type FeedRow = StoredEvent & {
  scannedCount: number
  scannedTo: number | null
  last: number
  readAt: number
  previousEventAt: number | null
  position: number | null
}

/** SQL for a time as milliseconds since 1970. */
const toMs = (time: string) => sql.raw(`extract(epoch from ${time})::float8 * 1000`)

/**
 * Reads at most `limit` messages of events after `position`, filtered by `types` if given. A filtered page may be short
 * or empty although more events follow. Positions are assigned under a lock held until commit, so no event is ever
 * inserted before a position that was read.
 */
export async function readFeed(
  tx: Tx,
  catalogue: Catalogue,
  { position, types, limit }: { position: number; types: string[] | null; limit: number },
): Promise<FeedPage> {
  const scanLimit = types ? scanMax : limit
  const readAt = getNow(tx).getTime()
  const tenantId = getTenantId(tx)
  const { rows } = await sql<FeedRow>`
    with scanned as materialized (
      select e.*, row_number() over (order by position) as n from (
        select id, type, position from events
        where tenant_id = ${tenantId} and position > ${position} order by position limit ${scanLimit + 1}) e
    ), matched as (
      select id, position from scanned
      where n <= ${scanLimit} and ${types ? sql`type = any(${types}::text[])` : sql`true`} order by position limit ${limit + 1}
    ), whole as (
      select c.position, ${storedEventColumns}
      from matched c join events e on e.tenant_id = ${tenantId} and e.id = c.id join tenants t on t.id = e.tenant_id
    )
    select (select count(*) from scanned) as "scannedCount", (select max(position) from scanned where n <= ${scanLimit}) as "scannedTo",
      ${sqlLastPosition(tx)} as last, (
        select ${toMs('created_at')} from events
        where tenant_id = ${tenantId} and position <= ${position} order by position desc limit 1
      ) as "previousEventAt", whole.*
    from (select) one left join whole on true order by whole.position`.execute(tx)
  const { scannedCount, scannedTo, last, previousEventAt } = rows[0]!
  const page = rows.filter(row => row.position !== null).slice(0, limit)
  const isCut = rows.length > limit
  return {
    messages: await buildMessages(tx, catalogue, page),
    position: isCut ? page.at(-1)!.position! : (scannedTo ?? position),
    hasMore: isCut || scannedCount > scanLimit,
    last,
    readAt,
    previousEventAt,
  }
}

/**
 * The position before the first event of the feed: that of the newest event older than `feedDays`; 0 if there is none.
 */
export async function readFirstPosition(tx: Tx): Promise<number> {
  const oldest = maxIdAt(subtractDays(getNow(tx), feedDays))
  const { rows } = await sql<{ position: number }>`
    select coalesce((
      select position from events
      where tenant_id = ${getTenantId(tx)} and id <= ${oldest} and position is not null order by id desc limit 1),
      0) as position`.execute(tx)
  return rows[0]!.position
}
