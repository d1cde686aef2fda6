/** Parses the system query options of a request to portal_g, and selects its rows. */
import type { Field } from './fields.ts'
import { type Predicate, parseFilter } from './filter.ts'
import type { Row, Rows } from './rows.ts'

export const pageMax = 200
const queryOptions = ['$filter', '$select', '$expand', '$orderby', '$top', '$skiptoken', '$count']

export interface Query {
  filter: string
  predicate: Predicate
  select: readonly string[]
  includesMedia: boolean
  order: readonly { name: string; isDescending: boolean }[]
  top: number
  /** The sort values of the last row of the previous page; null on the first page. */
  after: readonly SortValue[] | null
  includesCount: boolean
}

type SortValue = string | number | boolean | null

/** Throws an error for the client if an option or a value is invalid. */
export function parseQuery(params: URLSearchParams, fields: Record<string, Field>): Query {
  for (const name of params.keys())
    if (!queryOptions.includes(name)) throw new Error(`The query option '${name}' is not supported.`)
  const filter = params.get('$filter') ?? ''
  const expand = params.get('$expand') ?? ''
  if (!/^(Media(\(.*\))?)?$/.test(expand)) throw new Error(`'${expand}' cannot be expanded.`)
  const top = params.get('$top') ?? String(pageMax)
  if (!/^[1-9]\d{0,5}$/.test(top)) throw new Error(`'${top}' is not a valid number of rows.`)
  return {
    filter,
    predicate: filter === '' ? () => true : parseFilter(filter, fields),
    select: parseSelect(params.get('$select'), fields),
    includesMedia: expand !== '',
    order: parseOrder(params.get('$orderby'), fields),
    top: Math.min(Number(top), pageMax),
    after: parseToken(params.get('$skiptoken')),
    includesCount: params.get('$count') === 'true',
  }
}

/** The world's indexes of all listings that match a query, in its order. */
export function selectIndexes(
  rows: Rows,
  { predicate, order }: Query,
  fields: Record<string, Field>,
): number[] {
  const found = rows.all().filter(predicate)
  const sorted = found.map(row => ({ index: row.index, values: toSortValues(row, order, fields) }))
  return sorted.sort((a, b) => compare(a.values, b.values, order)).map(({ index }) => index)
}

/** The position in `sorted` where the requested page starts. */
export function toPageStart(
  sorted: readonly number[],
  rows: Rows,
  { after, order }: Query,
  fields: Record<string, Field>,
): number {
  if (after === null) return 0
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const values = toSortValues(rows.row(sorted[middle]!), order, fields)
    if (compare(values, after, order) > 0) high = middle
    else low = middle + 1
  }
  return low
}

/** The token of the page after `row`. Rows removed meanwhile do not shift later pages. */
export function createToken(row: Row, { order }: Query, fields: Record<string, Field>): string {
  return Buffer.from(JSON.stringify(toSortValues(row, order, fields))).toString('base64url')
}

function parseSelect(select: string | null, fields: Record<string, Field>): string[] {
  if (select === null) return Object.keys(fields)
  const names = select.split(',').map(name => name.trim())
  // The key is always returned.
  return ['ListingKey', ...names.filter(name => getField(name, fields) && name !== 'ListingKey')]
}

function parseOrder(order: string | null, fields: Record<string, Field>): Query['order'] {
  const terms = (order ?? '').split(',').filter(term => term.trim() !== '')
  const read = terms.map(term => {
    const [, name = '', direction = 'asc'] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/.exec(term) ?? []
    getField(name, fields)
    return { name, isDescending: direction === 'desc' }
  })
  // The key makes the order total, so that pages never overlap.
  return [...read, { name: 'ListingKey', isDescending: false }]
}

function getField(name: string, fields: Record<string, Field>): Field {
  const field = fields[name]
  if (!field) throw new Error(`There is no property '${name}'.`)
  return field
}

function parseToken(token: string | null): SortValue[] | null {
  if (token === null) return null
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (Array.isArray(values)) return values
  } catch {
    // The error below reports it.
  }
  throw new Error('The $skiptoken is invalid.')
}

function toSortValues(row: Row, order: Query['order'], fields: Record<string, Field>): SortValue[] {
  return order.map(({ name }) => {
    const value = fields[name]!.read(row)
    return Array.isArray(value) ? value.join() : value
  })
}

/** Null comes before every value (OData 4.01, part 2, section 5.1.5). */
function compare(a: readonly SortValue[], b: readonly SortValue[], order: Query['order']): number {
  for (const [position, { isDescending }] of order.entries()) {
    const [one = null, other = null] = [a[position], b[position]]
    if (one === other) continue
    const isLess = one === null || (other !== null && one < other)
    return isLess === isDescending ? 1 : -1
  }
  return 0
}
