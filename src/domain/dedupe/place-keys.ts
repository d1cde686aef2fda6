// Where to look for adverts of the same property: keys of places that a database can index.
import { slugOf } from '../slug.ts'
import { PIN_TOLERANCE_METERS } from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'
import { readStreetAddress } from './street-address.ts'

type Place = Pick<PropertyFacts, 'latitude' | 'longitude' | 'address' | 'municipality' | 'postcode'>

/** Safe integers (below 2^53), to be kept with an advert. Null: it states no such place. */
export interface PlaceKeys {
  /** The cell of its pin, 300 m by 300 m. */
  cell: number | null
  /** Its street in its town (or, where that is missing, postcode): for adverts without a pin. */
  street: number | null
}

const CELL_METERS = 300
/** As the generated column `place_cell` of the database has it. */
const METERS_PER_DEGREE = 111_200
const ROW_DEGREES = CELL_METERS / METERS_PER_DEGREE
/** More columns than a row has: 360° at the equator are 133,440 cells. */
const COLUMNS = 2 ** 18
const RADIANS = Math.PI / 180

/** The keys under which an advert is kept. */
export function placeKeys(place: Place): PlaceKeys {
  const { latitude, longitude } = place
  if (latitude === null || longitude === null) return { cell: null, street: streetKey(place) }
  const row = rowOf(latitude)
  return { cell: row * COLUMNS + columnOf(row, longitude), street: streetKey(place) }
}

/**
 * The keys under which the same property's advert may be kept: every cell that a pin up to 250 m away may lie in (4 to 9 of
 * them; up to 12 where rows of cells are shifted against each other), and its street. Cells do not reach over the 180th
 * meridian.
 */
export function placeKeysNear(place: Place): { cells: number[]; street: number | null } {
  const { latitude, longitude } = place
  const cells: number[] = []
  if (latitude !== null && longitude !== null) {
    const reach = PIN_TOLERANCE_METERS / METERS_PER_DEGREE
    // A metre wider than asked for: distances are taken at one of the two latitudes.
    const reachEast = (reach * 1.005) / Math.max(Math.cos(latitude * RADIANS), 0.01)
    for (let row = rowOf(latitude - reach); row <= rowOf(latitude + reach); row += 1) {
      const last = columnOf(row, longitude + reachEast)
      for (let column = columnOf(row, longitude - reachEast); column <= last; column += 1)
        cells.push(row * COLUMNS + column)
    }
  }
  return { cells, street: streetKey(place) }
}

function rowOf(latitude: number): number {
  return Math.floor((latitude + 90) / ROW_DEGREES)
}

/** Cells of a row are as wide as they are high: fewer to a row towards the poles. */
function columnOf(row: number, longitude: number): number {
  const narrowing = Math.max(Math.cos((row * ROW_DEGREES - 90) * RADIANS), 0.01)
  return Math.floor(((longitude + 180) / ROW_DEGREES) * narrowing)
}

function streetKey({ address, municipality, postcode }: Place): number | null {
  const street = address === null ? null : readStreetAddress(address)
  const town = municipality ?? postcode
  if (street === null || town === null) return null
  // The longest word of the name: the others may be left out.
  const word = street.name.split('-').toSorted((a, b) => b.length - a.length)[0]!
  return hashOf(`${word} ${slugOf(town)}`)
}

/** 53 bits out of two FNV-1a of 32. */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at += 1) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000193)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
