/**
 * All listings of the simulated countries: stored as attributes, searched by portals, changed and withdrawn on
 * request.
 */
import { createHash } from 'node:crypto'
import { toSlug } from '../domain/slug.ts'
import { generateAdvertising, generateAttributes } from './attributes.ts'
import { readListingFile } from './data.ts'
import type { ListingAttributes, Operation, PropertyType, SimulatedListing } from './listing.ts'
import { toListing } from './listings.ts'
import { type Country, citiesByCountry } from './places.ts'
import { type Columns, createColumns, filterMatching, type Search } from './search.ts'

const spanishListingsCount = 20_000
/** Listings of the other countries. Their numbers begin at `firstNumber`, above all Spanish ones. */
const foreignListings = [
  { country: 'PT', count: 3000, firstNumber: 10_000_000 },
  { country: 'IT', count: 3000, firstNumber: 20_000_000 },
] as const
const recentSearchesMax = 16

export interface World {
  seed: number
  /** Identifies the listings: made of seed, date and data file. */
  key: string
  /** Milliseconds since the Unix epoch: the present of this world. */
  asOf: number
  /** Grows with every change and withdrawal. */
  revision(): number
  /** Positions of the listings that match, newest first, always in the same order. */
  select(search: Search): readonly number[]
  /** Position of a listing, withdrawn or not; undefined for an unknown id. */
  findIndex(id: string): number | undefined
  isWithdrawn(index: number): boolean
  /** Positions of all listings of the same operation, type and city, in a fixed order. */
  getGroup(index: number): readonly number[]
  attributes(index: number): ListingAttributes
  listing(index: number): SimulatedListing
  /** Positions of a country's published listings; default Spain. */
  published(country?: Country): Iterable<number>
  /** Throws for an unknown id. */
  change(id: string, change: { price: number }): void
  /** Throws for an unknown id. */
  withdraw(id: string): void
  /** Applies a change; it replaces an earlier change of the same listing. Unknown ids are ignored. */
  apply(change: ListingChange): void
  /** A copy of the world with separate changes. */
  copy(): World
}

/** A change of a listing. */
export interface ListingChange {
  listingId: string
  /** Null: unchanged. */
  price: number | null
  isWithdrawn: boolean
  /** 1, 2, 3, … in the order of the changes. */
  sequence: number
}

/**
 * Creates the world of a seed with `listings` generated Spanish listings; those of `dataFile` replace the generated
 * ones of the same type and city.
 */
export async function createWorld(options: {
  seed: number
  asOf: number
  listings?: number
  dataFile?: string
}): Promise<World> {
  const { seed, asOf, listings = spanishListingsCount } = options
  const file = options.dataFile === undefined ? undefined : await readListingFile(options.dataFile)
  const all = Array.from({ length: listings }, (_, number) => generateAttributes(seed, asOf, number))
  for (const attributes of file?.attributes ?? [])
    all.push({ ...attributes, ...generateAdvertising(seed, asOf, all.length) })
  // A listing is generated from its number. In Spain that is its position; elsewhere it is independent of the position,
  // which depends on the data file.
  const numbers = all.map((_, index) => index)
  for (const { country, count, firstNumber } of foreignListings)
    for (let number = firstNumber; number < firstNumber + count; number += 1) {
      all.push(generateAttributes(seed, asOf, number, country))
      numbers.push(number)
    }

  const indexById = new Map<string, number>()
  const groups = new Map<string, number[]>()
  const replaced = new Set(file?.attributes.map(getGroupKey))
  all.forEach((attributes, index) => {
    const groupKey = getGroupKey(attributes)
    if (index < listings && replaced.has(groupKey)) return
    if (indexById.has(attributes.id)) throw new Error(`two listings have the id ${attributes.id}`)
    indexById.set(attributes.id, index)
    const grouped = groups.get(groupKey)
    if (grouped) grouped.push(index)
    else groups.set(groupKey, [index])
  })
  for (const grouped of groups.values()) {
    grouped.sort((a, b) => all[b]!.publishedAt - all[a]!.publishedAt || a - b)
  }
  const countSuffix = listings === spanishListingsCount ? '' : ` ${listings}`
  const key = createHash('sha1')
    .update(`${seed} ${asOf} ${file?.digest}${countSuffix}`)
    .digest('hex')
    .slice(0, 10)
  const columns = createColumns(all)
  return createFromContents({
    seed,
    asOf,
    key,
    all,
    numbers,
    indexById,
    groups,
    columns,
    withdrawn: new Set(),
  })
}

interface Contents {
  seed: number
  asOf: number
  key: string
  all: ListingAttributes[]
  /** By position. */
  numbers: readonly number[]
  indexById: Map<string, number>
  /** Positions by operation, type and city, newest first. */
  groups: Map<string, number[]>
  columns: Columns
  /** Positions. */
  withdrawn: ReadonlySet<number>
}

function createFromContents(contents: Contents): World {
  const { seed, asOf, key, numbers, indexById, groups } = contents
  const all = [...contents.all]
  const withdrawn = new Set(contents.withdrawn)
  const columns = { ...contents.columns, price: contents.columns.price.slice() }
  const recent = new Map<string, readonly number[]>()
  let revision = 0
  const getIndex = (id: string) => {
    const index = indexById.get(id)
    if (index === undefined) throw new Error(`no listing has the id ${id}`)
    return index
  }
  /** Positions in a city, or in all cities of a province (`sevilla-provincia`), newest first. */
  const findSearchGroup = ({ operation, propertyType, city }: Search): readonly number[] => {
    const province = /^(.+)-provincia$/.exec(city)?.[1]
    const cities = province === undefined ? [city] : findCities(province)
    const found = cities.flatMap(slug => groups.get(toGroupKey(operation, propertyType, slug)) ?? [])
    return cities.length > 1
      ? found.sort((a, b) => all[b]!.publishedAt - all[a]!.publishedAt || a - b)
      : found
  }
  return {
    seed,
    key,
    asOf,
    revision: () => revision,
    select: search =>
      getOrCompute(recent, JSON.stringify(search), () => {
        const found = filterMatching(columns, findSearchGroup(search), search, asOf)
        return withdrawn.size === 0 ? found : found.filter(index => !withdrawn.has(index))
      }),
    findIndex: id => indexById.get(id),
    isWithdrawn: index => withdrawn.has(index),
    attributes: index => all[index]!,
    getGroup: index => groups.get(getGroupKey(all[index]!))!,
    listing: index => toListing(seed, numbers[index]!, all[index]!),
    *published(country = 'ES') {
      for (const index of indexById.values())
        if (all[index]!.city.country === country && !withdrawn.has(index)) yield index
    },
    change(id, change) {
      const index = getIndex(id)
      recent.clear()
      revision += 1
      // The world has no clock: each change is one second after the previous one, so that runs are repeatable.
      all[index] = { ...all[index]!, price: change.price, updatedAt: asOf + revision * 1000 }
      columns.price[index] = change.price
    },
    withdraw(id) {
      const index = getIndex(id)
      recent.clear()
      revision += 1
      withdrawn.add(index)
    },
    apply({ listingId, price, isWithdrawn, sequence }) {
      const index = indexById.get(listingId)
      if (index === undefined || sequence <= revision) return
      recent.clear()
      revision = sequence
      const attributes = contents.all[index]!
      all[index] = { ...attributes, price: price ?? attributes.price, updatedAt: asOf + sequence * 1000 }
      columns.price[index] = all[index].price
      withdrawn[isWithdrawn ? 'add' : 'delete'](index)
    },
    copy: () => createFromContents({ ...contents, all, columns, withdrawn }),
  }
}

function findCities(provinceSlug: string): string[] {
  return Object.values(citiesByCountry)
    .flat()
    .filter(({ province }) => toSlug(province) === provinceSlug)
    .map(({ slug }) => slug)
}

function getGroupKey(attributes: Pick<ListingAttributes, 'operation' | 'propertyType' | 'city'>): string {
  return toGroupKey(attributes.operation, attributes.propertyType, attributes.city.slug)
}

function toGroupKey(operation: Operation, propertyType: PropertyType, citySlug: string): string {
  return `${operation} ${propertyType} ${citySlug}`
}

/** Returns the cached result of `key`, or computes it: a crawl reads many pages of one search. */
function getOrCompute<T>(recent: Map<string, T>, key: string, find: () => T): T {
  const known = recent.get(key)
  if (known !== undefined) return known
  const found = find()
  if (recent.size === recentSearchesMax) recent.delete(recent.keys().next().value!)
  recent.set(key, found)
  return found
}
