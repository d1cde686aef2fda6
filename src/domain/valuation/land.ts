/** Distinguishes land from sea by the coastlines of a map. */
import { metersPerDegree } from '../geo.ts'
import type { Place } from './property.ts'

/** Quantized TopoJSON: each position of an arc is relative to the previous one. */
export interface LandMap {
  transform: { scale: Position; translate: Position }
  /**
   * The rings of each land area, and the arcs of each ring: a negative index is a reversed arc. No arc is used twice.
   */
  objects: { land: { geometries: { arcs: number[][][] }[] } }
  arcs: Position[][]
}
type Position = [longitude: number, latitude: number]

/** A few positions of a coastline with their bounds, so that distant segments can be skipped. */
interface CoastSegment {
  /** Alternating longitudes and latitudes, in degrees. */
  positions: Float32Array
  south: number
  north: number
  west: number
  east: number
}

const positionsPerSegment = 200
/** Some maps have an island at 0/0 ("Null Island") for places without coordinates. */
const nullIslandDegrees = 0.05

/** Creates a test that returns true if a place is on land, or at most `nearMeters` from land. */
export function createLandTest(map: LandMap, nearMeters: number): (place: Place) => boolean {
  const coast = toCoast(map)
  const near = nearMeters / metersPerDegree
  return place => {
    const { latitude, longitude } = place
    if (Math.hypot(latitude, longitude) < nullIslandDegrees) return false
    // Length of a degree of longitude relative to one of latitude; zero at the poles.
    const shrink = Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6)
    const nearEast = near / shrink
    const isByDateLine = Math.abs(longitude) + nearEast > 180
    // Ray casting to the North Pole, which is sea: from land, the ray crosses an odd number of coastlines.
    let isLand = false
    for (const { positions, south, north, west, east } of coast) {
      if (north < latitude - near) continue
      if (!isByDateLine && (west > longitude + nearEast || east < longitude - nearEast)) continue
      const isNear = south <= latitude + near
      let x = toShortestDelta(positions[0]! - longitude)
      let y = positions[1]! - latitude
      for (let index = 2; index < positions.length; index += 2) {
        const [fromX, fromY] = [x, y]
        x = toShortestDelta(positions[index]! - longitude)
        y = positions[index + 1]! - latitude
        // The two positions are on opposite sides of the globe's seam.
        if (Math.abs(x - fromX) > 180) continue
        if (fromX > 0 !== x > 0 && fromY - (fromX * (y - fromY)) / (x - fromX) > 0) isLand = !isLand
        if (isNear && distanceToSegment(fromX * shrink, fromY, x * shrink, y) <= near) return true
      }
    }
    return isLand
  }
}

function toCoast({ objects, arcs, transform }: LandMap): CoastSegment[] {
  const used = objects.land.geometries.flatMap(({ arcs }) => arcs.flat(2))
  return used.flatMap(index => toSegments(arcs[index < 0 ? ~index : index]!, transform))
}

/** Each segment begins at the last position of the previous one. */
function toSegments(arc: Position[], { scale, translate }: LandMap['transform']): CoastSegment[] {
  const segments: CoastSegment[] = []
  let x = 0
  let y = 0
  for (let from = 0; from < arc.length - 1; from += positionsPerSegment - 1) {
    const positions = new Float32Array(2 * Math.min(positionsPerSegment, arc.length - from))
    const segment = { positions, south: 90, north: -90, west: 180, east: -180 }
    for (let index = 0; index < positions.length; index += 2) {
      // The first position of a further segment is the last one of the previous segment.
      if (index > 0 || from === 0) {
        const step = arc[from + index / 2]!
        x += step[0]
        y += step[1]
      }
      const longitude = x * scale[0] + translate[0]
      const latitude = y * scale[1] + translate[1]
      positions[index] = longitude
      positions[index + 1] = latitude
      if (latitude < segment.south) segment.south = latitude
      if (latitude > segment.north) segment.north = latitude
      if (longitude < segment.west) segment.west = longitude
      if (longitude > segment.east) segment.east = longitude
    }
    segments.push(segment)
  }
  return segments
}

/** Normalizes a difference of longitudes to -180 to 180. */
function toShortestDelta(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}

/** Distance from the origin to the line segment between two positions. */
function distanceToSegment(fromX: number, fromY: number, toX: number, toY: number): number {
  const [x, y] = [toX - fromX, toY - fromY]
  const length = x * x + y * y
  const share = length > 0 ? Math.max(0, Math.min(1, -(fromX * x + fromY * y) / length)) : 0
  return Math.hypot(fromX + share * x, fromY + share * y)
}
