// All adverts of the simulated countries: kept as figures, searched as portals search, changed and withdrawn on request.
import { createHash } from 'node:crypto'
import { slugOf } from '../domain/slug.ts'
import type { Advert, Figures, Operation, PropertyType } from './advert.ts'
import { advertOf } from './adverts.ts'
import { readAdvertFile } from './data.ts'
import { advertising, figuresAt } from './figures.ts'
import { CITIES_OF, type Country } from './places.ts'
import { type Columns, createColumns, matching, type Search } from './search.ts'

const SPANISH_ADVERTS = 20_000
/** The adverts of the other countries: how many, and the number of the first, beyond all Spanish ones. */
const ABROAD = [
  { country: 'PT', count: 3000, firstNumber: 10_000_000 },
  { country: 'IT', count: 3000, firstNumber: 20_000_000 },
] as const
const RECENT_SEARCHES = 16

export interface World {
  seed: number
  /** Differs whenever the adverts do: seed, date and data file. */
  key: string
  /** Milliseconds since 1970: the present of this world. */
  asOf: number
  /** Grows with every change and withdrawal. */
  revision(): number
  /** Positions of the adverts that match, newest first, always in the same order. */
  select(search: Search): readonly number[]
  /** Position of an advert, withdrawn or not. */
  find(id: string): number | undefined
  isWithdrawn(index: number): boolean
  /** Positions of all adverts of the same operation, kind and city, in an order that never changes. */
  shelfOf(index: number): readonly number[]
  figures(index: number): Figures
  advert(index: number): Advert
  /** Positions of a country's adverts that are published; most portals are Spanish. */
  published(country?: Country): Iterable<number>
  /** Throws for an id that no advert has. */
  change(id: string, change: { price: number }): void
  /** Throws for an id that no advert has. */
  withdraw(id: string): void
  /** Makes an advert what the change says; of others of the same advert the latest counts. Unknown ids are passed over. */
  apply(change: ListingChange): void
  /** The same adverts in a world whose changes nobody else sees. */
  copy(): World
}

/** What somebody has made of an advert. */
export interface ListingChange {
  listingId: string
  /** Null: as it was. */
  price: number | null
  isWithdrawn: boolean
  /** 1, 2, 3, … in the order of the changes. */
  sequence: number
}

/**
 * Makes the world of a seed, with as many made-up Spanish `adverts`; those of `dataFile` take the place of the made-up
 * ones of their kind and city.
 */
export async function createWorld(options: {
  seed: number
  asOf: number
  adverts?: number
  dataFile?: string
}): Promise<World> {
  const { seed, asOf, adverts = SPANISH_ADVERTS } = options
  const file = options.dataFile === undefined ? undefined : await readAdvertFile(options.dataFile)
  const all = Array.from({ length: adverts }, (_, number) => figuresAt(seed, asOf, number))
  for (const figures of file?.figures ?? []) all.push({ ...figures, ...advertising(seed, asOf, all.length) })
  // An advert's number is what chance makes it of: its position, but abroad one that no file moves.
  const numbers = all.map((_, index) => index)
  for (const { country, count, firstNumber } of ABROAD)
    for (let number = firstNumber; number < firstNumber + count; number += 1) {
      all.push(figuresAt(seed, asOf, number, country))
      numbers.push(number)
    }

  const indexById = new Map<string, number>()
  const shelves = new Map<string, number[]>()
  const replaced = new Set(file?.figures.map(shelfKeyOf))
  all.forEach((figures, index) => {
    const shelf = shelfKeyOf(figures)
    if (index < adverts && replaced.has(shelf)) return
    if (indexById.has(figures.id)) throw new Error(`two adverts have the id ${figures.id}`)
    indexById.set(figures.id, index)
    const shelved = shelves.get(shelf)
    if (shelved) shelved.push(index)
    else shelves.set(shelf, [index])
  })
  for (const shelved of shelves.values()) {
    shelved.sort((a, b) => all[b]!.publishedAt - all[a]!.publishedAt || a - b)
  }
  const made = adverts === SPANISH_ADVERTS ? '' : ` ${adverts}`
  const key = createHash('sha1').update(`${seed} ${asOf} ${file?.digest}${made}`).digest('hex').slice(0, 10)
  const columns = createColumns(all)
  return worldOf({ seed, asOf, key, all, numbers, indexById, shelves, columns, withdrawn: new Set() })
}

interface Contents {
  seed: number
  asOf: number
  key: string
  all: Figures[]
  /** By position. */
  numbers: readonly number[]
  indexById: Map<string, number>
  /** Positions by operation, kind and city, newest first. */
  shelves: Map<string, number[]>
  columns: Columns
  /** Positions. */
  withdrawn: ReadonlySet<number>
}

function worldOf(contents: Contents): World {
  const { seed, asOf, key, numbers, indexById, shelves } = contents
  const all = [...contents.all]
  const withdrawn = new Set(contents.withdrawn)
  const columns = { ...contents.columns, price: contents.columns.price.slice() }
  const recent = new Map<string, readonly number[]>()
  let revision = 0
  const get = (id: string) => {
    const index = indexById.get(id)
    if (index === undefined) throw new Error(`no advert has the id ${id}`)
    return index
  }
  /** Of a city, or of all cities of a province (`sevilla-provincia`), newest first. */
  const shelfOfSearch = ({ operation, propertyType, city }: Search): readonly number[] => {
    const province = /^(.+)-provincia$/.exec(city)?.[1]
    const cities = province === undefined ? [city] : citiesOf(province)
    const found = cities.flatMap(slug => shelves.get(shelfKey(operation, propertyType, slug)) ?? [])
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
      recall(recent, JSON.stringify(search), () => {
        const found = matching(columns, shelfOfSearch(search), search, asOf)
        return withdrawn.size === 0 ? found : found.filter(index => !withdrawn.has(index))
      }),
    find: id => indexById.get(id),
    isWithdrawn: index => withdrawn.has(index),
    figures: index => all[index]!,
    shelfOf: index => shelves.get(shelfKeyOf(all[index]!))!,
    advert: index => advertOf(seed, numbers[index]!, all[index]!),
    *published(country = 'ES') {
      for (const index of indexById.values())
        if (all[index]!.city.country === country && !withdrawn.has(index)) yield index
    },
    change(id, change) {
      const index = get(id)
      recent.clear()
      revision += 1
      // A world without a clock: each change is a second later than the one before, so that runs repeat.
      all[index] = { ...all[index]!, price: change.price, updatedAt: asOf + revision * 1000 }
      columns.price[index] = change.price
    },
    withdraw(id) {
      const index = get(id)
      recent.clear()
      revision += 1
      withdrawn.add(index)
    },
    apply({ listingId, price, isWithdrawn, sequence }) {
      const index = indexById.get(listingId)
      if (index === undefined || sequence <= revision) return
      recent.clear()
      revision = sequence
      const figures = contents.all[index]!
      all[index] = { ...figures, price: price ?? figures.price, updatedAt: asOf + sequence * 1000 }
      columns.price[index] = all[index].price
      withdrawn[isWithdrawn ? 'add' : 'delete'](index)
    },
    copy: () => worldOf({ ...contents, all, columns, withdrawn }),
  }
}

function citiesOf(provinceSlug: string): string[] {
  return Object.values(CITIES_OF)
    .flat()
    .filter(({ province }) => slugOf(province) === provinceSlug)
    .map(({ slug }) => slug)
}

function shelfKeyOf(figures: Pick<Figures, 'operation' | 'propertyType' | 'city'>): string {
  return shelfKey(figures.operation, figures.propertyType, figures.city.slug)
}

function shelfKey(operation: Operation, propertyType: PropertyType, citySlug: string): string {
  return `${operation} ${propertyType} ${citySlug}`
}

/** The result kept under `key`, or a new one: readers turn page after page of the same search. */
function recall<T>(recent: Map<string, T>, key: string, find: () => T): T {
  const known = recent.get(key)
  if (known !== undefined) return known
  const found = find()
  if (recent.size === RECENT_SEARCHES) recent.delete(recent.keys().next().value!)
  recent.set(key, found)
  return found
}
