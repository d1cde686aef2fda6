/**
 * Morton codes: places as numbers whose order keeps neighbours together (G. M. Morton, "A computer oriented geodetic
 * data base", 1966). The globe in degrees is divided into quarters recursively; each quarter is one range of numbers.
 */
import { metersBetween, metersPerDegree } from '../geo.ts'
import type { Place } from './property.ts'

/** Bits of latitude, and as many of longitude: one step is 0.3 m. Both together fit in a safe integer. */
const bits = 26
const half = bits / 2
const radians = Math.PI / 180

/** Cells from `low` to `high`, both included. */
export interface CellRange {
  low: number
  high: number
}

/** `nearMeters`: a lower bound of the distance to every place in the range. */
export type NearRange = CellRange & { nearMeters: number }

/** The cell number of a place, below 2^52. */
export function toCell({ latitude, longitude }: Place): number {
  return interleave(toColumn(longitude, bits), toRow(latitude, bits))
}

/** The size class of a floor area. One class is half an octave: the area grows by 41 % from one class to the next. */
export function toSizeClass(squareMeters: number): number {
  return Math.floor(2 * Math.log2(squareMeters))
}

/** The classes of all areas from 1/factor to factor times this one. */
export function toNearbySizeClasses(squareMeters: number, factor: number): number[] {
  const [first, last] = [toSizeClass(squareMeters / factor), toSizeClass(squareMeters * factor)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** A few ranges that contain all places within `meters`, and none farther than five times that. */
export function findRangesAround(place: Place, meters: number): CellRange[] {
  const level = Math.max(0, Math.min(bits, Math.floor(Math.log2((180 * metersPerDegree) / meters))))
  const size = 4 ** (bits - level)
  const ranges: CellRange[] = []
  for (const number of findNumbersAround(place, meters, level)) {
    const last = ranges.at(-1)
    if (last && last.high + 1 === number * size) last.high += size
    else ranges.push({ low: number * size, high: (number + 1) * size - 1 })
  }
  return ranges
}

/** The numbers of the areas, about 10 km high, that may contain a place within `meters` of this one. Ascending. */
export function findAreasAround(place: Place, meters: number): number[] {
  return findNumbersAround(place, meters, areaLevel)
}

const areaLevel = 11

/** Ascending. */
function findNumbersAround({ latitude, longitude }: Place, meters: number, level: number): number[] {
  const rowRange = (meters * 1.001) / metersPerDegree
  const columnRange =
    rowRange / Math.max(Math.cos(Math.min(Math.abs(latitude) + rowRange, 89.9) * radians), 0.001)
  const [south, north] = [toRow(latitude - rowRange, level), toRow(latitude + rowRange, level)]
  // May be outside -180 to 180: the column is wrapped around the 180th meridian below.
  const [west, east] = [longitude - columnRange, longitude + columnRange].map(degrees =>
    Math.floor(((degrees + 180) / 360) * 2 ** level),
  ) as [number, number]
  const columns = 2 ** level
  const numbers = new Set<number>()
  for (let row = south; row <= north; row++)
    for (let column = west; column <= Math.min(east, west + columns - 1); column++)
      numbers.add(interleave(((column % columns) + columns) % columns, row))
  return [...numbers].sort((a, b) => a - b)
}

export interface CoverOptions {
  /** Quarters are not divided further below this size, or below this share of their distance. */
  smallestMeters: number
  shareOfDistance: number
  /** Quarters outside these bounds are omitted. */
  within?: Bounds | null
}

export interface Bounds {
  south: number
  north: number
  west: number
  east: number
}

/**
 * Ranges that contain all places within `radiusMeters`, nearest first: small ones near the centre, larger ones farther
 * away. The ranges do not overlap.
 */
export function coverRadius(centre: Place, radiusMeters: number, options: CoverOptions): NearRange[] {
  const { smallestMeters, shareOfDistance, within } = options
  const ranges: NearRange[] = []
  const split = (south: number, west: number, height: number, low: number, size: number): void => {
    const bounds = { south, north: south + height, west, east: west + 2 * height }
    if (within && !overlap(within, bounds)) return
    const nearMeters = computeNearestMeters(centre, bounds)
    if (nearMeters > radiusMeters) return
    // Towards the poles, quarters are narrower than high and would be divided too often.
    const width = 2 * height * Math.cos(Math.max(0, south, -south - height) * radians)
    const meters = Math.min(height, width) * metersPerDegree
    if (meters <= Math.max(smallestMeters, nearMeters * shareOfDistance)) {
      ranges.push({ low, high: low + size - 1, nearMeters })
      return
    }
    const quarter = size / 4
    for (let index = 0; index < 4; index++) {
      const quarterSouth = south + (index >> 1) * (height / 2)
      const quarterWest = west + (index & 1) * height
      split(quarterSouth, quarterWest, height / 2, low + index * quarter, quarter)
    }
  }
  split(-90, -180, 180, 0, 4 ** bits)
  return ranges.sort((a, b) => a.nearMeters - b.nearMeters)
}

function overlap(one: Bounds, other: Bounds): boolean {
  return (
    one.south <= other.north && one.north >= other.south && one.west <= other.east && one.east >= other.west
  )
}

/** A lower bound of the distance to a quarter, in metres. */
function computeNearestMeters({ latitude, longitude }: Place, { south, north, west, east }: Bounds): number {
  const clamped = Math.max(south, Math.min(north, latitude))
  if (longitude >= west && longitude <= east)
    return Math.abs(clamped - latitude) * metersPerDegree * 0.999_999
  const nearest = [west, east].map(edge => {
    // Latitude at which the great circle through the place meets the meridian at a right angle (Napier's rules).
    const longitudeGap = (edge - longitude) * radians
    const foot =
      Math.atan2(Math.sin(latitude * radians), Math.cos(latitude * radians) * Math.cos(longitudeGap)) /
      radians
    const along = Math.abs(foot) <= 90 ? Math.max(south, Math.min(north, foot)) : north
    return Math.min(
      ...[along, south, north].map(edgeLatitude =>
        metersBetween({ latitude, longitude }, { latitude: edgeLatitude, longitude: edge }),
      ),
    )
  })
  return Math.min(...nearest) * 0.999_999
}

function toRow(latitude: number, level: number): number {
  return toStep((latitude + 90) / 180, level)
}

function toColumn(longitude: number, level: number): number {
  return toStep((longitude + 180) / 360, level)
}

function toStep(share: number, level: number): number {
  return Math.max(0, Math.min(2 ** level - 1, Math.floor(share * 2 ** level)))
}

/** Interleaves the bits of both numbers; the column has the lower bit of each pair. */
function interleave(column: number, row: number): number {
  const low = 2 ** half - 1
  const coarse = spreadBits(Math.floor(column / 2 ** half)) + 2 * spreadBits(Math.floor(row / 2 ** half))
  return coarse * 2 ** bits + spreadBits(column & low) + 2 * spreadBits(row & low)
}

/** Moves bit n to bit 2n, for up to 16 bits. */
function spreadBits(value: number): number {
  let wide = value
  wide = (wide | (wide << 8)) & 0x00ff00ff
  wide = (wide | (wide << 4)) & 0x0f0f0f0f
  wide = (wide | (wide << 2)) & 0x33333333
  return (wide | (wide << 1)) & 0x55555555
}
