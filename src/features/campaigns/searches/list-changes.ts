/** The SQL statements that read changes. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import { fetchPage, jsonObjectText, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { type Static, splitNames } from '../../../kit/schema.ts'
import type { ChangeType } from '../campaigns/notification-schemas.ts'
import { changesPerEventMax, type searchChanged } from './events.ts'
import type { SearchRun } from './queries.ts'
import type { CampaignChange, ChangeFilter } from './schemas.ts'

const itemColumns = `c.id, c.type, c.lead_id as "leadId", c.is_returned as "isReturned", c.reason,
  c.price, c.previous_price as "previousPrice",
  case when c.previous_price > 0 then round((c.price - c.previous_price) / c.previous_price * 100, 1) end as "changePercent", c.currency`

const changeColumns = `${itemColumns}, c.run_id as "runId", c.listing_id as "listingId", c.platform, l.title, l.municipality, s.url,
  aldaba.iso_time(c.created_at) as "createdAt"`

/** The change `c` as the API returns it, with its lead `l` and its listing `s`. */
const changeJson = sql.raw(jsonObjectText(changeColumns))

/** SQL: changes `c` with their lead `l` and their listing `s`. */
const fromChanges = (tx: Tx, changes: RawBuilder<unknown> = sql`campaign_search_changes`) => sql`${changes} c
  join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = c.lead_id
  left join lead_sources s on s.tenant_id = ${getTenantId(tx)} and s.platform = c.platform and s.listing_id = c.listing_id`

/** A page of the changes of a campaign, the newest first. */
export function listChanges(
  tx: Tx,
  campaignId: string,
  { type, runId, limit }: ChangeFilter,
  after: Position | null,
): Promise<Page> {
  const conditions = [sql`c.tenant_id = ${getTenantId(tx)}`, sql`c.campaign_id = ${campaignId}`]
  if (type) conditions.push(isOneOf(sql`c.type`, splitNames(type)))
  if (runId) conditions.push(sql`c.run_id = ${runId}`)
  if (after) conditions.push(sql`c.id < ${after[0]}::uuid`)
  const rows = sql<ListRow>`
    select ${changeJson} as json, array[c.id::text] as position from ${fromChanges(tx)}
    where ${sql.join(conditions, sql` and `)} order by c.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

type RunChanges = Pick<Static<typeof searchChanged.data>, ChangeType | 'changes'>

/** Counts what a run has found of these types, and reads the first changes. */
export async function readRunChanges(
  tx: Tx,
  { id, campaignId }: Pick<SearchRun, 'id' | 'campaignId'>,
  types: readonly ChangeType[],
): Promise<RunChanges> {
  const ofRun = sql`c.tenant_id = ${getTenantId(tx)} and c.campaign_id = ${campaignId} and c.run_id = ${id}
    and ${isOneOf(sql`c.type`, types)}`
  const { rows } = await sql<RunChanges>`
    select count(*) filter (where c.type = 'new')::int as new, count(*) filter (where c.type = 'cheaper')::int as cheaper,
      count(*) filter (where c.type = 'gone')::int as gone, coalesce((
        select json_agg(json) from (
          select ${sql.raw(jsonObjectText(itemColumns))} as json from campaign_search_changes c
          where ${ofRun} order by c.id limit ${changesPerEventMax}) items), '[]') as changes
    from campaign_search_changes c where ${ofRun}`.execute(tx)
  return rows[0]!
}

export interface ChangeRange {
  campaignId: string
  /** Null: from the first change on. */
  afterId: string | null
  /** Null: to the last one of a run that has completed. */
  untilId: string | null
  types: readonly ChangeType[]
}

/** SQL: the changes `x` of completed runs. */
const fromRange = (tx: Tx, { campaignId, afterId, untilId }: Omit<ChangeRange, 'types'>) => sql`
  campaign_search_changes x
  join campaign_runs r on r.tenant_id = ${getTenantId(tx)} and r.id = x.run_id and r.status = 'completed'
  where x.tenant_id = ${getTenantId(tx)} and x.campaign_id = ${campaignId}
    and ${untilId === null ? sql`true` : sql`x.id <= ${untilId}::uuid`}
    and ${afterId === null ? sql`true` : sql`x.id > ${afterId}::uuid`}`

/**
 * SQL: what has become of each listing, as one change: the last one, with the price before the first. A listing that was new and is
 * gone, or that was gone and is back at its price, has none.
 */
const sqlNetChanges = (tx: Tx, range: ChangeRange) => sql`(select * from (
  select n.tenant_id, n.id, n.run_id, n.platform, n.listing_id, n.lead_id, n.price, n.currency, n.reason, n.created_at,
    case when n.type <> 'gone' and n.first_type = 'new' then 'new'
      when n.type <> 'gone' and (n.first_type = 'cheaper' or n.price < n.first_price) then 'cheaper'
      when n.type = 'gone' and n.first_type <> 'new' then 'gone' end as type,
    n.first_returned as is_returned,
    case when n.first_type = 'gone' and n.type <> 'gone' then n.first_price else n.first_previous end as previous_price
  from (
    select distinct on (x.platform, x.listing_id) x.*, first_value(x.type) over o as first_type,
      first_value(x.is_returned) over o as first_returned, first_value(x.price) over o as first_price,
      first_value(x.previous_price) over o as first_previous
    from ${fromRange(tx, range)}
    window o as (partition by x.platform, x.listing_id order by x.id)
    order by x.platform, x.listing_id, x.id desc) n) c
  where ${isOneOf(sql`c.type`, range.types)})`

export type ChangeCounts = Record<ChangeType, number>

/** Counts the listings of a digest, and finds the last change, of any listing; null: there is nothing to name. */
export async function countDigestChanges(
  tx: Tx,
  given: Omit<ChangeRange, 'untilId'>,
): Promise<(ChangeCounts & { untilId: string }) | null> {
  const range = { ...given, untilId: null }
  const { rows } = await sql<ChangeCounts & { untilId: string | null }>`
    select count(*) filter (where c.type = 'new')::int as new, count(*) filter (where c.type = 'cheaper')::int as cheaper,
      count(*) filter (where c.type = 'gone')::int as gone, (
        select max(x.id::text) from ${fromRange(tx, range)}) as "untilId"
    from ${sqlNetChanges(tx, range)} c`.execute(tx)
  const { untilId, ...counts } = rows[0]!
  const isEmpty = Object.values(counts).every(count => count === 0)
  return untilId === null || isEmpty ? null : { ...counts, untilId }
}

/** The changes that a digest names, the oldest first; `limit` of each type at most. */
export async function listDigestChanges(
  tx: Tx,
  { limit, ...range }: ChangeRange & { limit: number },
): Promise<CampaignChange[]> {
  const { rows } = await sql<{ json: CampaignChange }>`
    select c.json from (
      select c.id, c.type, ${changeJson} as json, row_number() over (partition by c.type order by c.id) as n
      from ${fromChanges(tx, sqlNetChanges(tx, range))}
      where c.tenant_id = ${getTenantId(tx)}) c
    where c.n <= ${limit} order by c.id`.execute(tx)
  return rows.map(({ json }) => json)
}
