/** Of an identifier on many leads, such as an agency's telephone: those that may be of the property that a row tells of. */
import { sql } from 'kysely'
import type { BearerFacts } from '../../../domain/dedupe/same-id.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

const likeMax = 20
/** A little wider than the rule allows (3 % or 2 m², and 15 %), lest rounding decides. */
const AREA_BOUND = 0.032
const AREA_BOUND_SQUARE_METERS = 2.1
const PRICE_BOUND = 0.152

/** A row, and one of its identifiers that is on many leads. */
interface Wanted {
  value: string
  facts: BearerFacts
}

interface Priced {
  id: string
  price: number | null
}
type Told = Priced & Pick<BearerFacts, 'url' | 'address' | 'title' | 'squareMeters'> & { value: string }

/** The leads of an identifier, in the order of their prices. */
interface Crowd {
  /** By what is told of them: `clue(kind, text)`. */
  told: Map<string, Priced[]>
  /** In the order of their sizes. */
  sizes: { squareMeters: number; leads: Priced[] }[]
  /** Those of no property. */
  blank: string[]
}

/**
 * For each of these, in order, the ids of at most 20 leads of its identifier: of its advert, its address, its title (where an
 * address is missing, or size and price agree as well), of about its size and price, and of no property; in this order, and
 * those of the nearest price first. The leads of an identifier are read once, however many rows ask for it, and each row looks
 * at the nearest of a few lists: the work is that of the leads and the rows added up, not multiplied.
 */
export async function findLike(tx: Tx, wanted: Wanted[]): Promise<string[][]> {
  if (wanted.length === 0) return []
  const crowds = await readCrowds(tx, wanted)
  return wanted.map(({ value, facts }) => likest(crowds.get(value)!, facts))
}

function likest(
  { told, sizes, blank }: Crowd,
  { url, address, title = null, squareMeters, price }: BearerFacts,
): string[] {
  const of = (kind: Kind, text: string | null) =>
    text === null ? [] : nearest(told.get(clue(kind, text)) ?? [], price)
  const area = rangeOfArea(squareMeters)
  const prices = rangeOfPrice(price)
  const isWithin = ({ price }: Priced) => price !== null && price >= prices.low && price <= prices.high
  const about: Priced[] = []
  const aboutOfTitle: Priced[] = []
  for (let at = firstAtLeast(sizes, area.low, each => each.squareMeters); at < sizes.length; at += 1) {
    const { squareMeters, leads } = sizes[at]!
    if (squareMeters > area.high) break
    about.push(...nearest(leads, price).filter(isWithin))
    if (title !== null) aboutOfTitle.push(...of('titleAndSize', `${squareMeters} ${title}`).filter(isWithin))
  }
  const ofTitle = [...of(address === null ? 'title' : 'titleAlone', title), ...aboutOfTitle]
  const ranked = [of('url', url), of('address', address), ofTitle, about].flatMap(leads =>
    leads.toSorted(byGap(price)).map(({ id }) => id),
  )
  return [...new Set([...ranked, ...blank])].slice(0, likeMax)
}

type Kind = 'url' | 'address' | 'title' | 'titleAlone' | 'titleAndSize'
const clue = (kind: Kind, text: string) => `${kind} ${text}`

async function readCrowds(tx: Tx, wanted: Wanted[]): Promise<Map<string, Crowd>> {
  const values = [...new Set(wanted.map(({ value }) => value))]
  const asked = (name: 'url' | 'address' | 'title') => [
    ...new Set(wanted.flatMap(({ facts }) => facts[name] ?? [])),
  ]
  const area = around(wanted.map(({ facts }) => rangeOfArea(facts.squareMeters)))
  const prices = around(wanted.map(({ facts }) => rangeOfPrice(facts.price)))
  // Joined before it is sifted: in a table that was never analysed, sifting first looks like one lead, and joins all with all.
  const { rows } = await sql<{ told: Told[]; sizes: SizeRow[]; blank: { value: string; id: string }[] }>`
    with crowd as materialized (
      select i.value, l.id, l.url, l.address, l.title, l.square_meters::float8 as size, l.price::float8 as price,
        coalesce(l.url, l.address, l.title) is null and l.square_meters is null and l.price is null as is_blank
      from lead_identifiers i join leads l on l.tenant_id = i.tenant_id and l.id = i.lead_id
      where i.tenant_id = ${tenantIdOf(tx)} and i.value = any(${values}::text[])
    ), told as materialized (
      select value, id, url, address, title, size as "squareMeters", price, is_blank from crowd
      where url = any(${asked('url')}::text[]) or address = any(${asked('address')}::text[])
        or title = any(${asked('title')}::text[]) or is_blank
    ), sizes as (
      select value, size as "squareMeters", string_agg(id::text, ' ') as ids, string_agg(price::text, ' ') as prices
      from crowd where size between ${area.low}::float8 and ${area.high}::float8
        and price between ${prices.low}::float8 and ${prices.high}::float8
      group by value, size
    ), blank as (
      select b.* from unnest(${values}::text[]) v (value) cross join lateral (
        select value, id from told where told.value = v.value and is_blank order by id limit ${likeMax}) b
    )
    select (select coalesce(json_agg(told), '[]') from told where not is_blank) as told, (select coalesce(json_agg(sizes), '[]') from sizes) as sizes,
      (select coalesce(json_agg(blank), '[]') from blank) as blank`.execute(tx)
  const { told, sizes, blank } = rows[0]!
  return new Map(
    values.map(value => {
      const isOf = (each: { value: string }) => each.value === value
      const crowd = { told: cluesOf(told.filter(isOf)), sizes: sizesOf(sizes.filter(isOf)) }
      return [value, { ...crowd, blank: blank.filter(isOf).map(({ id }) => id) }]
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

function sizesOf(rows: SizeRow[]): Crowd['sizes'] {
  return rows
    .map(({ squareMeters, ids, prices }) => {
      const priceOf = prices.split(' ').map(Number)
      const leads = ids.split(' ').map((id, index) => ({ id, price: priceOf[index]! }))
      return { squareMeters, leads: leads.sort(byPrice) }
    })
    .toSorted((a, b) => a.squareMeters - b.squareMeters)
}

function cluesOf(told: Told[]): Crowd['told'] {
  const clues = new Map<string, Priced[]>()
  const add = (kind: Kind, text: string, lead: Priced) => {
    const leads = clues.get(clue(kind, text))
    if (leads) leads.push(lead)
    else clues.set(clue(kind, text), [lead])
  }
  for (const lead of told.sort(byPrice)) {
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
function byPrice(one: Priced, other: Priced): number {
  const [a, b] = [one.price ?? Number.POSITIVE_INFINITY, other.price ?? Number.POSITIVE_INFINITY]
  return a === b ? byId(one, other) : a - b
}

const byId = (one: Priced, other: Priced) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

const byGap = (price: number | null) => (one: Priced, other: Priced) => {
  const [a, b] = [gapOf(one, price), gapOf(other, price)]
  return a === b ? byId(one, other) : a - b
}

const gapOf = (lead: Priced, price: number | null) =>
  price === null || lead.price === null ? Number.POSITIVE_INFINITY : Math.abs(lead.price - price)

/** Of leads in the order of their prices, `likeMax` to either side. */
function nearest(leads: Priced[], price: number | null): Priced[] {
  if (leads.length <= 2 * likeMax) return leads
  const at = firstAtLeast(leads, price ?? 0, each => each.price ?? Number.POSITIVE_INFINITY)
  return leads.slice(Math.max(at - likeMax, 0), at + likeMax)
}

/** Where the first is that is not less, in a list that is in this order. */
function firstAtLeast<T>(list: T[], least: number, of: (each: T) => number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (of(list[middle]!) < least) low = middle + 1
    else high = middle
  }
  return low
}

interface Range {
  low: number
  high: number
}

/** From the lowest to the highest of these. */
function around(ranges: Range[]): Range {
  return { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) }
}

/** Of one that is not known, the range that nothing is within. */
const nothing: Range = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY }

function rangeOfArea(squareMeters: number | null): Range {
  if (squareMeters === null) return nothing
  const reach = Math.max(squareMeters * AREA_BOUND, AREA_BOUND_SQUARE_METERS)
  return { low: squareMeters - reach, high: squareMeters + reach }
}

function rangeOfPrice(price: number | null): Range {
  if (price === null) return nothing
  return { low: price * (1 - PRICE_BOUND), high: price / (1 - PRICE_BOUND) }
}
