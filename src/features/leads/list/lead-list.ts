/** The list of leads: filters, order and pagination. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import type { Page } from '../../../kit/db/json.ts'
import { customPlan } from '../../../kit/db/plans.ts'
import { maxIdAt } from '../../../kit/id.ts'
import type { Position } from '../../../kit/page.ts'
import { splitNames } from '../../../kit/schema.ts'
import { contactableCondition } from '../../privacy/service.ts'
import { createLeadSerializer, type LeadJson, leadJsonJoin } from '../queries.ts'
import type { LeadCount, LeadFilter } from '../schemas.ts'
import { parseFields, type SelectedFields } from '../selected-fields.ts'
import { planSearch, type Search } from './lead-search.ts'

type Condition = RawBuilder<unknown>

interface Sort {
  /** The sort key before the id; null: the id alone, which is in the order of creation. */
  key: RawBuilder<unknown> | null
  type: RawBuilder<unknown>
  direction: 'asc' | 'desc'
}

const sorts: Record<LeadFilter['sort'], Sort> = {
  '-createdAt': { key: null, type: sql``, direction: 'desc' },
  // As text, because a JavaScript date would lose the microseconds that distinguish rows.
  '-updatedAt': { key: sql`l.updated_at`, type: sql`timestamptz`, direction: 'desc' },
  updatedAt: { key: sql`l.updated_at`, type: sql`timestamptz`, direction: 'asc' },
  price: { key: sql`l.price_or_max`, type: sql`float8`, direction: 'asc' },
  '-price': { key: sql`l.price_or_min`, type: sql`float8`, direction: 'desc' },
}

/** A page of leads. `fields`: the query parameter; omitted: all fields. */
export async function listLeads(
  tx: Tx,
  filter: LeadFilter,
  after: Position | null,
  fields?: string,
): Promise<Page> {
  const selected = parseFields(fields)
  const { rows } = await selectLeadPage(tx, filter, after, await planSearch(tx, filter), selected).execute(tx)
  const last = rows.length > filter.limit ? rows[filter.limit - 1]! : null
  return {
    json: `[${rows.slice(0, filter.limit).map(createLeadSerializer(tx, selected)).join(',')}]`,
    last: last && (last.key === null ? [last.id] : [last.id, last.key]),
  }
}

const countMax = 10_000

/** The number of leads that match a filter, counted up to 10,000. */
export async function countLeads(tx: Tx, filter: LeadFilter): Promise<LeadCount> {
  const conditions = filterConditions(tx, filter, await planSearch(tx, filter))
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from leads l where ${sql.join(conditions, sql` and `)} limit ${countMax + 1}) counted`.execute(
    tx,
  )
  const { count } = rows[0]!
  return { value: Math.min(count, countMax), isExact: count <= countMax }
}

/** SQL: the filter of a request body as a condition on a lead `l`. */
export async function planFilterCondition(tx: Tx, filter: LeadFilter): Promise<Condition> {
  return sql.join(filterConditions(tx, filter, await planSearch(tx, filter)), sql` and `)
}

interface ListedRow extends LeadJson {
  id: string
  /** The sort key; null: the list is sorted by id alone. */
  key: string | null
}

/** SQL: the leads of a page, and one more if another page follows. */
export function selectLeadPage(
  tx: Tx,
  filter: LeadFilter,
  after: Position | null,
  search: Search = { conditions: [], isSelective: false },
  selected: SelectedFields | null = null,
): RawBuilder<ListedRow> {
  const { key } = sorts[filter.sort]
  return sql<ListedRow>`
    select lead.json, lead.facts, l.id, ${key ? sql`chosen.key::text` : sql`null`} as key
    ${selectLeads(tx, filter, after, search, filter.limit + 1, selected)}`
}

/**
 * SQL: the "from" clause of `count` leads `l` in order, each joined with its `LeadJson`. The subquery `chosen` finds
 * the ids in a covering index; only leads that match are read.
 */
export function selectLeads(
  tx: Tx,
  filter: LeadFilter,
  after: Position | null,
  search: Search,
  count: number,
  selected: SelectedFields | null = null,
): RawBuilder<unknown> {
  const { key, direction } = sorts[filter.sort]
  const directionSql = sql.raw(direction)
  const conditions = filterConditions(tx, filter, search)
  // Filters match many leads or few: each execution needs its own plan.
  const planned = sql.raw(conditions.length > 1 ? customPlan : '')
  if (after) conditions.push(afterCursor(sorts[filter.sort], after))
  const all = sql`leads l where ${sql.join(conditions, sql` and `)}`
  // "offset 0" keeps the planner from scanning all leads in order until it meets one of the few that match.
  const matching = search.isSelective ? sql`(select l.* from ${all} offset 0) l` : all
  return sql`from (${planned}
      select l.id${key ? sql`, ${key} as key` : sql``} from ${matching}
      order by l.tenant_id ${directionSql}, ${key ? sql`${key} ${directionSql},` : sql``} l.id ${directionSql}
      limit ${limitSql(count)}) chosen
    join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = chosen.id
    ${leadJsonJoin(tx, selected)}
    order by ${key ? sql`chosen.key ${directionSql},` : sql``} chosen.id ${directionSql}`
}

/** Each of these page sizes has a prepared statement; all others share one. */
const commonLimits = new Set([10, 20, 25, 50, 100, 200])

/**
 * A common limit is written into the statement. As a parameter it would cause planning at each request (measured: 1.5
 * of 3.4 ms), because the planner estimates a generic plan for any limit as worse.
 */
function limitSql(count: number): RawBuilder<unknown> {
  return commonLimits.has(count - 1) ? sql.raw(String(count)) : sql`${count}`
}

function afterCursor({ key, type, direction }: Sort, [id, lastKey]: Position): Condition {
  const compare = sql.raw(direction === 'desc' ? '<' : '>')
  return key
    ? sql`(${key}, l.id) ${compare} (${lastKey}::${type}, ${id}::uuid)`
    : sql`l.id ${compare} ${id}::uuid`
}

/** SQL: the conditions of a filter on a lead `l`; at least one. */
export function filterConditions(tx: Tx, filter: LeadFilter, search: Search): Condition[] {
  const conditions: Condition[] = [
    sql`l.tenant_id = ${getTenantId(tx)}`,
    ...search.conditions,
    ...priceConditions(filter),
  ]
  const addCondition = <T>(value: T | undefined, condition: (value: T) => Condition) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  addCondition(filter.ids, ids => sql`l.id = any(${ids.split(',')}::uuid[])`)
  addCondition(filter.externalId, externalId => sql`l.external_id = ${externalId}`)
  addCondition(filter.status, status => isOneOf(sql`l.status`, splitNames(status)))
  addCondition(
    filter.platform,
    platform =>
      sql`exists (select from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and ${isOneOf(sql`s.platform`, platform.split(','))})`,
  )
  addCondition(filter.campaignId, campaignId => sql`l.campaign_id = ${campaignId}`)
  addCondition(
    filter.extractionId,
    extractionId =>
      sql`l.id in (
        select lead_id from extraction_listings where tenant_id = ${getTenantId(tx)} and extraction_id = ${extractionId})`,
  )
  addCondition(filter.ownerUserId, ownerUserId => sql`l.owner_user_id = ${ownerUserId}`)
  addCondition(filter.advertiserType, type => sql`l.advertiser_type = ${type}`)
  addCondition(filter.operation, operation => sql`l.operation = ${operation}`)
  addCondition(filter.propertyType, type => sql`l.property_type = ${type}`)
  addCondition(
    filter.municipality,
    municipality => sql`l.municipality_key = aldaba.place_key(${municipality})`,
  )
  addCondition(filter.province, province => sql`l.province_key = aldaba.place_key(${province})`)
  addCondition(filter.contactable, allowed => contactableCondition(tx, allowed))
  addCondition(filter.withdrawn, withdrawn => (withdrawn ? isWithdrawn(tx) : sql`(${isNotWithdrawn(tx)})`))
  addCondition(filter.bbox, bbox => {
    const [west, south, east, north] = bbox.split(',').map(Number)
    return sql`l.longitude between ${west} and ${east} and l.latitude between ${south} and ${north}`
  })
  addCondition(filter.hasPhone, hasPhone => (hasPhone ? sql`l.phone is not null` : sql`l.phone is null`))
  addCondition(filter.createdAfter, createdAfter => isCreatedAfter(createdAfter, filter.sort))
  addCondition(filter.updatedAfter, updatedAfter => sql`l.updated_at > ${updatedAfter}::timestamptz`)
  return conditions
}

/**
 * Compares ids, which contain the millisecond of creation and are in the indexes of the list. A list sorted by
 * `updatedAt` is also limited by `updated_at`, which is not before the creation; one day is allowed for clocks and
 * transactions that differ.
 */
function isCreatedAfter(createdAfter: string, sort: LeadFilter['sort']): Condition {
  const condition = sql`l.id > ${maxIdAt(new Date(createdAfter))}::uuid`
  return sort === 'updatedAt' || sort === '-updatedAt'
    ? sql`${condition} and l.updated_at > ${createdAfter}::timestamptz - interval '1 day'`
    : condition
}

/** SQL: all listings of the lead are withdrawn. Such leads are few: withdrawn listings have an index of their own. */
const isWithdrawn = (tx: Tx) => sql`l.id in (
    select lead_id from lead_sources where tenant_id = ${getTenantId(tx)} and withdrawn_at is not null and extraction_id is not null)
  and not exists (
    select from lead_sources s
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.extraction_id is not null and s.withdrawn_at is null)`

/**
 * SQL: the lead has a listing that is not withdrawn, or was never listed, as most leads. "limit 1" keeps the planner
 * from collecting all listings of the workspace before the first lead (200,000 listings: 100 ms).
 */
const isNotWithdrawn = (tx: Tx) => sql`(
    select true from lead_sources s
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.extraction_id is not null and s.withdrawn_at is not null limit 1) is null
  or (
    select true from lead_sources s
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.extraction_id is not null and s.withdrawn_at is null limit 1)`

/** Compares the sort key of the list, which has an index. An unknown price is beyond every range. */
function priceConditions(filter: LeadFilter): Condition[] {
  const { sort, minPrice, maxPrice } = filter
  if (minPrice === undefined && maxPrice === undefined) return []
  const { key } = sort === '-price' ? sorts['-price'] : sorts.price
  return [sql`${key} between ${minPrice ?? 0} and ${maxPrice ?? 1e14}`]
}
