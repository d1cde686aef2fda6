/** Of an identifier on many leads, such as an agency's telephone: those that may be of the property that a row tells of. */
import { sql } from 'kysely'
import type { IdentifiedFacts } from '../../../domain/dedupe/same-id.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

const similarMax = 20
/** A little wider than the rule allows (3 % or 2 m², and 15 %), lest rounding decides. */
const areaBound = 0.032
const areaBoundSquareMeters = 2.1
const priceBound = 0.152

/** A row, and one of its identifiers that is on many leads. */
interface SimilarQuery {
  value: string
  facts: IdentifiedFacts
}

interface PricedLead {
  id: string
  price: number | null
}
type PropertyClues = PricedLead &
  Pick<IdentifiedFacts, 'url' | 'address' | 'title' | 'squareMeters'> & { value: string }

/** The leads of an identifier, in the order of their prices. */
interface CommonIdentifier {
  /** By what is told of them: `clue(kind, text)`. */
  told: Map<string, PricedLead[]>
  /** In the order of their sizes. */
  sizes: { squareMeters: number; leads: PricedLead[] }[]
  /** Those of no property. */
  blank: string[]
}

/**
 * For each of these, in order, the ids of at most 20 leads of its identifier: of its advert, its address, its title (where an
 * address is missing, or size and price agree as well), of about its size and price, and of no property; in this order, and
 * those of the nearest price first. The leads of an identifier are read once, however many rows ask for it, and each row looks
 * at the nearest of a few lists: the work is that of the leads and the rows added up, not multiplied.
 */
export async function findSimilarIds(tx: Tx, queries: SimilarQuery[]): Promise<string[][]> {
  if (queries.length === 0) return []
  const identifiers = await readCommonIdentifiers(tx, queries)
  return queries.map(({ value, facts }) => rankSimilar(identifiers.get(value)!, facts))
}

function rankSimilar(
  { told, sizes, blank }: CommonIdentifier,
  { url, address, title = null, squareMeters, price }: IdentifiedFacts,
): string[] {
  const of = (kind: ClueKind, text: string | null) =>
    text === null ? [] : nearest(told.get(toClueKey(kind, text)) ?? [], price)
  const area = toAreaRange(squareMeters)
  const prices = toPriceRange(price)
  const isWithin = ({ price }: PricedLead) => price !== null && price >= prices.low && price <= prices.high
  const similarSize: PricedLead[] = []
  const similarTitleAndSize: PricedLead[] = []
  for (let at = findLowerBound(sizes, area.low, each => each.squareMeters); at < sizes.length; at += 1) {
    const { squareMeters, leads } = sizes[at]!
    if (squareMeters > area.high) break
    similarSize.push(...nearest(leads, price).filter(isWithin))
    if (title !== null)
      similarTitleAndSize.push(...of('titleAndSize', `${squareMeters} ${title}`).filter(isWithin))
  }
  const byTitle = [...of(address === null ? 'title' : 'titleAlone', title), ...similarTitleAndSize]
  const ranked = [of('url', url), of('address', address), byTitle, similarSize].flatMap(leads =>
    leads.toSorted(comparePriceGap(price)).map(({ id }) => id),
  )
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
  // Joined before it is sifted: in a table that was never analysed, sifting first looks like one lead, and joins all with all.
  const { rows } = await sql<{
    told: PropertyClues[]
    sizes: SizeRow[]
    blank: { value: string; id: string }[]
  }>`
    with crowd as materialized (
      select i.value, l.id, l.url, l.address, l.title, l.square_meters::float8 as size, l.price::float8 as price,
        coalesce(l.url, l.address, l.title) is null and l.square_meters is null and l.price is null as is_blank
      from lead_identifiers i join leads l on l.tenant_id = i.tenant_id and l.id = i.lead_id
      where i.tenant_id = ${getTenantId(tx)} and i.value = any(${values}::text[])
    ), told as materialized (
      select value, id, url, address, title, size as "squareMeters", price, is_blank from crowd
      where url = any(${collectClues('url')}::text[]) or address = any(${collectClues('address')}::text[])
        or title = any(${collectClues('title')}::text[]) or is_blank
    ), sizes as (
      select value, size as "squareMeters", string_agg(id::text, ' ') as ids, string_agg(price::text, ' ') as prices
      from crowd where size between ${area.low}::float8 and ${area.high}::float8
        and price between ${prices.low}::float8 and ${prices.high}::float8
      group by value, size
    ), blank as (
      select b.* from unnest(${values}::text[]) v (value) cross join lateral (
        select value, id from told where told.value = v.value and is_blank order by id limit ${similarMax}) b
    )
    select (select coalesce(json_agg(told), '[]') from told where not is_blank) as told, (select coalesce(json_agg(sizes), '[]') from sizes) as sizes,
      (select coalesce(json_agg(blank), '[]') from blank) as blank`.execute(tx)
  const { told, sizes, blank } = rows[0]!
  return new Map(
    values.map(value => {
      const hasValue = (each: { value: string }) => each.value === value
      const identifier = {
        told: indexClues(told.filter(hasValue)),
        sizes: indexSizes(sizes.filter(hasValue)),
      }
      return [value, { ...identifier, blank: blank.filter(hasValue).map(({ id }) => id) }]
    }),
  )
}

/** The leads of a size, apart by spaces: an array of as many would take thrice as long to read. */
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

function indexClues(told: PropertyClues[]): CommonIdentifier['told'] {
  const clues = new Map<string, PricedLead[]>()
  const add = (kind: ClueKind, text: string, lead: PricedLead) => {
    const leads = clues.get(toClueKey(kind, text))
    if (leads) leads.push(lead)
    else clues.set(toClueKey(kind, text), [lead])
  }
  for (const lead of told.sort(comparePrice)) {
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

/** By id where the price is the same; those without one last. */
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

/** Of leads in the order of their prices, `similarMax` to either side. */
function nearest(leads: PricedLead[], price: number | null): PricedLead[] {
  if (leads.length <= 2 * similarMax) return leads
  const at = findLowerBound(leads, price ?? 0, each => each.price ?? Number.POSITIVE_INFINITY)
  return leads.slice(Math.max(at - similarMax, 0), at + similarMax)
}

/** Where the first is that is not less, in a list that is in this order. */
function findLowerBound<T>(list: T[], min: number, of: (each: T) => number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (of(list[middle]!) < min) low = middle + 1
    else high = middle
  }
  return low
}

interface Range {
  low: number
  high: number
}

/** From the lowest to the highest of these. */
function toEnvelope(ranges: Range[]): Range {
  return { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) }
}

/** Of one that is not known, the range that nothing is within. */
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
