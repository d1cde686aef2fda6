/**
 * Places as numbers whose order keeps neighbours together (G. M. Morton, "A computer oriented geodetic data base", 1966): the
 * globe in degrees is quartered again and again, and all places of one quarter, of whatever size, are one range of numbers.
 */
import { metersBetween, metersPerDegree } from '../geo.ts'
import type { Place } from './property.ts'

/** Of latitude, and as many of longitude: a step is 0.3 m. Both together are a safe integer. */
const bits = 26
const half = bits / 2
const radians = Math.PI / 180

/** Places from `low` to `high`, both included. */
export interface CellRange {
  low: number
  high: number
}

/** `nearMeters`: nothing in it is nearer. */
export type NearRange = CellRange & { nearMeters: number }

/** The number of a place: below 2^52. */
export function toCell({ latitude, longitude }: Place): number {
  return interleave(toColumn(longitude, bits), toRow(latitude, bits))
}

/** Half an octave of floor area: from one to the next it grows by 41 %. */
export function toSizeClass(squareMeters: number): number {
  return Math.floor(2 * Math.log2(squareMeters))
}

/** Of areas up to `factor` times as small or as large. */
export function toNearbySizeClasses(squareMeters: number, factor: number): number[] {
  const [first, last] = [toSizeClass(squareMeters / factor), toSizeClass(squareMeters * factor)]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** A few ranges in which all places within so many metres are, and none that is farther than five times that. */
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

/** Names of areas 10 km high or so: those in which a place up to so many metres from this one may be. Rising. */
export function findAreasAround(place: Place, meters: number): number[] {
  return findNumbersAround(place, meters, areaLevel)
}

const areaLevel = 11

/** Rising. */
function findNumbersAround({ latitude, longitude }: Place, meters: number, level: number): number[] {
  const rowRange = (meters * 1.001) / metersPerDegree
  const columnRange =
    rowRange / Math.max(Math.cos(Math.min(Math.abs(latitude) + rowRange, 89.9) * radians), 0.001)
  const [south, north] = [toRow(latitude - rowRange, level), toRow(latitude + rowRange, level)]
  // Not yet brought back onto the globe: west of the 180th meridian, its other side goes on.
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
  /** Quarters are no smaller than this, nor cut finer than a share of how far they are. */
  smallestMeters: number
  shareOfDistance: number
  /** What lies outside of these is left out. */
  within?: Bounds | null
}

export interface Bounds {
  south: number
  north: number
  west: number
  east: number
}

/**
 * Ranges in which all places within `radiusMeters` are, nearest first: small ones near the centre, ever larger ones away
 * from it. No place is in two.
 */
export function coverRadius(centre: Place, radiusMeters: number, options: CoverOptions): NearRange[] {
  const { smallestMeters, shareOfDistance, within } = options
  const ranges: NearRange[] = []
  const split = (south: number, west: number, height: number, low: number, size: number): void => {
    const bounds = { south, north: south + height, west, east: west + 2 * height }
    if (within && !overlap(within, bounds)) return
    const nearMeters = computeNearestMeters(centre, bounds)
    if (nearMeters > radiusMeters) return
    // Towards the poles quarters are narrower than high, and would be more and more.
    const width = 2 * height * Math.cos(Math.max(0, south, -south - height) * radians)
    const meters = Math.min(height, width) * metersPerDegree
    if (meters <= Math.max(smallestMeters, nearMeters * shareOfDistance)) {
      ranges.push({ low, high: low + size - 1, nearMeters })
      return
    }
    const quarter = size / 4
    for (let at = 0; at < 4; at++)
      split(
        ...([south + (at >> 1) * (height / 2), west + (at & 1) * height, height / 2] as const),
        ...([low + at * quarter, quarter] as const),
      )
  }
  split(-90, -180, 180, 0, 4 ** bits)
  return ranges.sort((a, b) => a.nearMeters - b.nearMeters)
}

function overlap(one: Bounds, other: Bounds): boolean {
  return (
    one.south <= other.north && one.north >= other.south && one.west <= other.east && one.east >= other.west
  )
}

/** How far it is to the nearest place of a quarter, or a hair less. */
function computeNearestMeters({ latitude, longitude }: Place, { south, north, west, east }: Bounds): number {
  const clamped = Math.max(south, Math.min(north, latitude))
  if (longitude >= west && longitude <= east)
    return Math.abs(clamped - latitude) * metersPerDegree * 0.999_999
  const nearest = [west, east].map(edge => {
    // Where the great circle that meets the meridian squarely does so (Napier's rules).
    const longitudeGap = (edge - longitude) * radians
    const foot =
      Math.atan2(Math.sin(latitude * radians), Math.cos(latitude * radians) * Math.cos(longitudeGap)) /
      radians
    const along = Math.abs(foot) <= 90 ? Math.max(south, Math.min(north, foot)) : north
    return Math.min(
      ...[along, south, north].map(at =>
        metersBetween({ latitude, longitude }, { latitude: at, longitude: edge }),
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

/** The bits of both in turn, those of the column behind those of the row. */
function interleave(column: number, row: number): number {
  const low = 2 ** half - 1
  const coarse = spreadBits(Math.floor(column / 2 ** half)) + 2 * spreadBits(Math.floor(row / 2 ** half))
  return coarse * 2 ** bits + spreadBits(column & low) + 2 * spreadBits(row & low)
}

/** Up to 16 bits, each moved to twice its place. */
function spreadBits(value: number): number {
  let wide = value
  wide = (wide | (wide << 8)) & 0x00ff00ff
  wide = (wide | (wide << 4)) & 0x0f0f0f0f
  wide = (wide | (wide << 2)) & 0x33333333
  return (wide | (wide << 1)) & 0x55555555
}
