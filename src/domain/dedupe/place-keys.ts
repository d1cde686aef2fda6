/** Keys of places that a database can index, to find candidates for the same property. */
import { toSlug } from '../slug.ts'
import { pinToleranceMeters } from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'
import { parseStreetAddress } from './street-address.ts'

type Place = Pick<PropertyFacts, 'latitude' | 'longitude' | 'address' | 'municipality' | 'postcode'>

/** Safe integers (below 2^53), stored with a listing. Null: the listing states no such place. */
export interface PlaceKeys {
  /** The cell of its pin, about 300 m by 300 m. */
  cell: number | null
  /** Its street and town (or postcode if the town is missing), for listings without a pin. */
  street: number | null
}

const cellMeters = 300
/** Must equal the value in the generated column `place_cell` of the database. */
const metersPerDegree = 111_200
const rowDegrees = cellMeters / metersPerDegree
/** More than the cells of a row: 360° at the equator are 133,440 cells. */
const columns = 2 ** 18
const radians = Math.PI / 180

/** The keys under which a listing is stored. */
export function toPlaceKeys(place: Place): PlaceKeys {
  const { latitude, longitude } = place
  if (latitude === null || longitude === null) return { cell: null, street: toStreetKey(place) }
  const row = toRow(latitude)
  return { cell: row * columns + toColumn(row, longitude), street: toStreetKey(place) }
}

/**
 * The keys under which listings of the same property may be stored: every cell that may contain a pin up to 250 m away
 * (4 to 9 cells; up to 12 where rows of cells are shifted against each other), and its street. Cells do not cross the
 * 180th meridian.
 */
export function toNearbyPlaceKeys(place: Place): { cells: number[]; street: number | null } {
  const { latitude, longitude } = place
  const cells: number[] = []
  if (latitude !== null && longitude !== null) {
    const rowRange = pinToleranceMeters / metersPerDegree
    // Slightly wider than 250 m, because distances are computed at one of the two latitudes.
    const columnRange = (rowRange * 1.005) / Math.max(Math.cos(latitude * radians), 0.01)
    for (let row = toRow(latitude - rowRange); row <= toRow(latitude + rowRange); row += 1) {
      const last = toColumn(row, longitude + columnRange)
      for (let column = toColumn(row, longitude - columnRange); column <= last; column += 1)
        cells.push(row * columns + column)
    }
  }
  return { cells, street: toStreetKey(place) }
}

function toRow(latitude: number): number {
  return Math.floor((latitude + 90) / rowDegrees)
}

/** Cells are as wide as they are high, so a row has fewer cells towards the poles. */
function toColumn(row: number, longitude: number): number {
  const narrowing = Math.max(Math.cos((row * rowDegrees - 90) * radians), 0.01)
  return Math.floor(((longitude + 180) / rowDegrees) * narrowing)
}

function toStreetKey({ address, municipality, postcode }: Place): number | null {
  const street = address === null ? null : parseStreetAddress(address)
  const town = municipality ?? postcode
  if (street === null || town === null) return null
  // The longest word of the name: the others may be omitted in a listing.
  const word = street.name.split('-').toSorted((a, b) => b.length - a.length)[0]!
  return hashText(`${word} ${toSlug(town)}`)
}

/** A 53-bit hash from two 32-bit FNV-1a hashes. */
function hashText(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c]
  for (let index = 0; index < text.length; index += 1) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
