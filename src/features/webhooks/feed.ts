/** The feed: all events of an environment in the order of their commits, a page at a time. */

import { sql } from 'kysely'
import { getNow, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { sqlLastPosition } from '../../kit/events/emit.ts'
import { maxIdAt } from '../../kit/id.ts'
import type { Catalogue } from './events.ts'
import { buildMessages, type StoredEvent, storedEventColumns } from './messages.ts'

/** The feed reaches back so far, and a place in it can be used for as long. */
export const feedDays = 30

/** So many events are looked at for a page of some kinds. */
const scanMax = 10_000

export interface FeedPage {
  /** The messages, JSON. */
  messages: string[]
  /** The position of the last event that was looked at. */
  position: number
  hasMore: boolean
  /** The position of the last event there is. */
  last: number
  /** When the page was read, and when the event happened that it starts after: milliseconds by the clock of the database. */
  readAt: number
  startedAt: number | null
}

type FeedRow = StoredEvent & {
  scannedCount: number
  scannedTo: number | null
  last: number
  readAt: number
  startedAt: number | null
  position: number | null
}

/** SQL: milliseconds since 1970. */
const toMs = (time: string) => sql.raw(`extract(epoch from ${time})::float8 * 1000`)

/**
 * At most `limit` messages of events after `position`, of these types alone if some are given: then it may return fewer, or none,
 * although there are more. Positions are given out under a lock that lasts until the commit, so no event appears behind one
 * that was read.
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
    with looked as materialized (
      select e.*, row_number() over (order by position) as n from (
        select id, type, position from events
        where tenant_id = ${tenantId} and position > ${position} order by position limit ${scanLimit + 1}) e
    ), chosen as (
      select id, position from looked
      where n <= ${scanLimit} and ${types ? sql`type = any(${types}::text[])` : sql`true`} order by position limit ${limit + 1}
    ), whole as (
      select c.position, ${storedEventColumns}
      from chosen c join events e on e.tenant_id = ${tenantId} and e.id = c.id join tenants t on t.id = e.tenant_id
    )
    select (select count(*) from looked) as "scannedCount", (select max(position) from looked where n <= ${scanLimit}) as "scannedTo",
      ${sqlLastPosition(tx)} as last, (
        select ${toMs('created_at')} from events
        where tenant_id = ${tenantId} and position <= ${position} order by position desc limit 1
      ) as "startedAt", whole.*
    from (select) one left join whole on true order by whole.position`.execute(tx)
  const { scannedCount, scannedTo, last, startedAt } = rows[0]!
  const page = rows.filter(row => row.position !== null).slice(0, limit)
  const isCut = rows.length > limit
  return {
    messages: await buildMessages(tx, catalogue, page),
    position: isCut ? page.at(-1)!.position! : (scannedTo ?? position),
    hasMore: isCut || scannedCount > scanLimit,
    last,
    readAt,
    startedAt,
  }
}

/** The position of the newest event that is older than the feed reaches; 0 if there is none. */
export async function firstPosition(tx: Tx): Promise<number> {
  const oldest = maxIdAt(subtractDays(getNow(tx), feedDays))
  const { rows } = await sql<{ position: number }>`
    select coalesce((
      select position from events
      where tenant_id = ${getTenantId(tx)} and id <= ${oldest} and position is not null order by id desc limit 1),
      0) as position`.execute(tx)
  return rows[0]!.position
}
