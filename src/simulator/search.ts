/** Finds the listings of a search in typed columns, so that the simulator does not slow down an extraction. */
import type { Condition, Feature, ListingAttributes, Operation, PropertyType } from './listing.ts'
import { conditions, toFeatureBits } from './listing.ts'

const dayMs = 86_400_000

/**
 * A search. `city` is the slug of a city, or of a province followed by `-provincia`. A bound excludes listings
 * without the value.
 */
export interface Search {
  operation: Operation
  propertyType: PropertyType
  city: string
  minPrice?: number
  maxPrice?: number
  minRooms?: number
  maxRooms?: number
  minBathrooms?: number
  minSquareMeters?: number
  maxSquareMeters?: number
  condition?: Condition
  features?: readonly Feature[]
  advertiserType?: 'private' | 'agency'
  publishedWithinDays?: number
}

const columnValues = {
  price: (attributes: ListingAttributes) => attributes.price,
  bedrooms: (attributes: ListingAttributes) => attributes.bedrooms ?? Number.NaN,
  bathrooms: (attributes: ListingAttributes) => attributes.bathrooms ?? Number.NaN,
  squareMeters: (attributes: ListingAttributes) => attributes.squareMeters,
  condition: (attributes: ListingAttributes) =>
    attributes.condition ? conditions.indexOf(attributes.condition) : Number.NaN,
  isPrivateAdvertiser: (attributes: ListingAttributes) => Number(attributes.isPrivateAdvertiser),
  publishedAt: (attributes: ListingAttributes) => attributes.publishedAt,
  featureBits: (attributes: ListingAttributes) => attributes.featureBits,
}

type ColumnName = keyof typeof columnValues

/** The searchable numbers of all listings by position; NaN, which is in no range, if unstated. */
export type Columns = Record<ColumnName, Float64Array>

export function createColumns(all: readonly ListingAttributes[]): Columns {
  const columns = Object.entries(columnValues).map(([name, read]) => {
    const column = new Float64Array(all.length)
    for (const [position, attributes] of all.entries()) column[position] = read(attributes)
    return [name, column]
  })
  return Object.fromEntries(columns)
}

/** Returns the matching `positions`, in order. `asOf`: milliseconds. */
export function filterMatching(columns: Columns, positions: readonly number[], search: Search, asOf: number) {
  let found = positions
  for (const [name, low, high] of toRanges(search, asOf)) {
    const column = columns[name]
    found = found.filter(position => column[position]! >= low && column[position]! <= high)
  }
  const bits = toFeatureBits(search.features ?? [])
  return bits === 0 ? found : found.filter(position => (columns.featureBits[position]! & bits) === bits)
}

/** The given filters as ranges of columns, bounds included. */
function toRanges(search: Search, asOf: number): (readonly [ColumnName, number, number])[] {
  const age = search.publishedWithinDays
  const advertiser = search.advertiserType && Number(search.advertiserType === 'private')
  const condition = search.condition && conditions.indexOf(search.condition)
  const ranges = [
    ['price', search.minPrice, search.maxPrice],
    ['bedrooms', search.minRooms, search.maxRooms],
    ['bathrooms', search.minBathrooms, undefined],
    ['squareMeters', search.minSquareMeters, search.maxSquareMeters],
    ['condition', condition, condition],
    ['isPrivateAdvertiser', advertiser, advertiser],
    ['publishedAt', age === undefined ? undefined : asOf - age * dayMs, undefined],
  ] as const
  return ranges
    .filter(([, low, high]) => low !== undefined || high !== undefined)
    .map(([name, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY]) => [name, low, high])
}
