/** For an identifier on many leads, such as the phone of an agency: the leads that may show the property of a row. */
import { sql } from 'kysely'
import type { IdentifiedFacts } from '../../../domain/dedupe/same-id.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

const similarMax = 20
/** Slightly wider than the limits of `compareProperties` (3 % or 2 m², and 15 %), so that rounding does not decide. */
const areaBound = 0.032
const areaBoundSquareMeters = 2.1
const priceBound = 0.152

interface SimilarQuery {
  /** An identifier that is on many leads. */
  value: string
  facts: IdentifiedFacts
}

interface PricedLead {
  id: string
  price: number | null
}
type PropertyClues = PricedLead &
  Pick<IdentifiedFacts, 'url' | 'address' | 'title' | 'squareMeters'> & { value: string }

/** The leads of an identifier, sorted by price. */
interface CommonIdentifier {
  /** By `toClueKey(kind, text)`. */
  clues: Map<string, PricedLead[]>
  /** Sorted by size. */
  sizes: { squareMeters: number; leads: PricedLead[] }[]
  /** Ids of leads without property data. */
  blank: string[]
}

/**
 * For each query, in order, the ids of at most 20 leads of its identifier: with the same URL; the same address; the
 * same title (if an address is missing, or size and price agree too); about the same size and price; and without
 * property data. They are returned in this order, and by price difference within each group. The leads of an
 * identifier are read once for all queries, and each query searches a few sorted lists: the cost grows with the sum
 * of leads and queries, not with their product.
 */
export async function findSimilarIds(tx: Tx, queries: SimilarQuery[]): Promise<string[][]> {
  if (queries.length === 0) return []
  const identifiers = await readCommonIdentifiers(tx, queries)
  return queries.map(({ value, facts }) => rankSimilar(identifiers.get(value)!, facts))
}

function rankSimilar(
  { clues, sizes, blank }: CommonIdentifier,
  { url, address, title = null, squareMeters, price }: IdentifiedFacts,
): string[] {
  const findByClue = (kind: ClueKind, text: string | null) =>
    text === null ? [] : selectNearest(clues.get(toClueKey(kind, text)) ?? [], price)
  const area = toAreaRange(squareMeters)
  const prices = toPriceRange(price)
  const isWithin = ({ price }: PricedLead) => price !== null && price >= prices.low && price <= prices.high
  const similarSize: PricedLead[] = []
  const similarTitleAndSize: PricedLead[] = []
  const first = findLowerBound(sizes, area.low, each => each.squareMeters)
  for (let index = first; index < sizes.length; index += 1) {
    const { squareMeters, leads } = sizes[index]!
    if (squareMeters > area.high) break
    similarSize.push(...selectNearest(leads, price).filter(isWithin))
    if (title !== null)
      similarTitleAndSize.push(...findByClue('titleAndSize', `${squareMeters} ${title}`).filter(isWithin))
  }
  const byTitle = [...findByClue(address === null ? 'title' : 'titleAlone', title), ...similarTitleAndSize]
  const groups = [findByClue('url', url), findByClue('address', address), byTitle, similarSize]
  const ranked = groups.flatMap(leads => leads.toSorted(comparePriceGap(price)).map(({ id }) => id))
  return [...new Set([...ranked, ...blank])].slice(0, similarMax)
}

type ClueKind = 'url' | 'address' | 'title' | 'titleAlone' | 'titleAndSize'
const toClueKey = (kind: ClueKind, text: string) => `${kind} ${text}`

async function readCommonIdentifiers(
  tx: Tx,
  queries: SimilarQuery[],
): Promise<Map<string, CommonIdentifier>> {
  const values = [...new Set(queries.map(({ value }) => value))]
  const collectClues = (name: 'url' | 'address' | 'title') => [
    ...new Set(queries.flatMap(({ facts }) => facts[name] ?? [])),
  ]
  const area = toEnvelope(queries.map(({ facts }) => toAreaRange(facts.squareMeters)))
  const prices = toEnvelope(queries.map(({ facts }) => toPriceRange(facts.price)))
  // The join comes before the filters: for a table that was never analyzed, the planner expects one row after a
  // filter, and would join all rows with all.
  const { rows } = await sql<{
    details: PropertyClues[]
    sizes: SizeRow[]
    blank: { value: string; id: string }[]
  }>`
    with holders as materialized (
      select i.value, l.id, l.url, l.address, l.title, l.square_meters::float8 as size, l.price::float8 as price,
        coalesce(l.url, l.address, l.title) is null and l.square_meters is null and l.price is null as is_blank
      from lead_identifiers i join leads l on l.tenant_id = i.tenant_id and l.id = i.lead_id
      where i.tenant_id = ${getTenantId(tx)} and i.value = any(${values}::text[])
    ), details as materialized (
      select value, id, url, address, title, size as "squareMeters", price, is_blank from holders
      where url = any(${collectClues('url')}::text[]) or address = any(${collectClues('address')}::text[])
        or title = any(${collectClues('title')}::text[]) or is_blank
    ), sizes as (
      select value, size as "squareMeters", string_agg(id::text, ' ') as ids, string_agg(price::text, ' ') as prices
      from holders where size between ${area.low}::float8 and ${area.high}::float8
        and price between ${prices.low}::float8 and ${prices.high}::float8
      group by value, size
    ), blank as (
      select b.* from unnest(${values}::text[]) v (value) cross join lateral (
        select value, id from details where details.value = v.value and is_blank order by id limit ${similarMax}) b
    )
    select (select coalesce(json_agg(details), '[]') from details where not is_blank) as details, (select coalesce(json_agg(sizes), '[]') from sizes) as sizes,
      (select coalesce(json_agg(blank), '[]') from blank) as blank`.execute(tx)
  const { details, sizes, blank } = rows[0]!
  return new Map(
    values.map(value => {
      const hasValue = (each: { value: string }) => each.value === value
      const identifier = {
        clues: indexClues(details.filter(hasValue)),
        sizes: indexSizes(sizes.filter(hasValue)),
      }
      return [value, { ...identifier, blank: blank.filter(hasValue).map(({ id }) => id) }]
    }),
  )
}

/** The leads of one size; ids and prices are separated by spaces, because parsing arrays takes three times as long. */
interface SizeRow {
  value: string
  squareMeters: number
  ids: string
  prices: string
}

function indexSizes(rows: SizeRow[]): CommonIdentifier['sizes'] {
  return rows
    .map(({ squareMeters, ids, prices }) => {
      const priceList = prices.split(' ').map(Number)
      const leads = ids.split(' ').map((id, index) => ({ id, price: priceList[index]! }))
      return { squareMeters, leads: leads.sort(comparePrice) }
    })
    .toSorted((a, b) => a.squareMeters - b.squareMeters)
}

function indexClues(details: PropertyClues[]): CommonIdentifier['clues'] {
  const clues = new Map<string, PricedLead[]>()
  const add = (kind: ClueKind, text: string, lead: PricedLead) => {
    const leads = clues.get(toClueKey(kind, text))
    if (leads) leads.push(lead)
    else clues.set(toClueKey(kind, text), [lead])
  }
  for (const lead of details.sort(comparePrice)) {
    const { url, address, title = null, squareMeters } = lead
    if (url !== null) add('url', url, lead)
    if (address !== null) add('address', address, lead)
    if (title === null) continue
    add('title', title, lead)
    if (address === null) add('titleAlone', title, lead)
    if (squareMeters !== null) add('titleAndSize', `${squareMeters} ${title}`, lead)
  }
  return clues
}

/** Compares by price, then by id; leads without a price come last. */
function comparePrice(one: PricedLead, other: PricedLead): number {
  const [a, b] = [one.price ?? Number.POSITIVE_INFINITY, other.price ?? Number.POSITIVE_INFINITY]
  return a === b ? compareId(one, other) : a - b
}

const compareId = (one: PricedLead, other: PricedLead) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

const comparePriceGap = (price: number | null) => (one: PricedLead, other: PricedLead) => {
  const [a, b] = [toPriceGap(one, price), toPriceGap(other, price)]
  return a === b ? compareId(one, other) : a - b
}

const toPriceGap = (lead: PricedLead, price: number | null) =>
  price === null || lead.price === null ? Number.POSITIVE_INFINITY : Math.abs(lead.price - price)

/** The `similarMax` leads below a price and as many above it. `leads`: sorted by price. */
function selectNearest(leads: PricedLead[], price: number | null): PricedLead[] {
  if (leads.length <= 2 * similarMax) return leads
  const index = findLowerBound(leads, price ?? 0, each => each.price ?? Number.POSITIVE_INFINITY)
  return leads.slice(Math.max(index - similarMax, 0), index + similarMax)
}

/** Binary search: the index of the first item whose value is not below `min`. `list`: sorted by that value. */
function findLowerBound<T>(list: T[], min: number, toValue: (each: T) => number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (toValue(list[middle]!) < min) low = middle + 1
    else high = middle
  }
  return low
}

interface Range {
  low: number
  high: number
}

/** The range from the lowest to the highest bound. */
function toEnvelope(ranges: Range[]): Range {
  return { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) }
}

/** The range of an unknown value: nothing is within it. */
const emptyRange: Range = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY }

function toAreaRange(squareMeters: number | null): Range {
  if (squareMeters === null) return emptyRange
  const tolerance = Math.max(squareMeters * areaBound, areaBoundSquareMeters)
  return { low: squareMeters - tolerance, high: squareMeters + tolerance }
}

function toPriceRange(price: number | null): Range {
  if (price === null) return emptyRange
  return { low: price * (1 - priceBound), high: price / (1 - priceBound) }
}
