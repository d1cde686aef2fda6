/** Land and sea, by the coastlines of a map. */
import { metersPerDegree } from '../geo.ts'
import type { Place } from './property.ts'

/** TopoJSON, quantized: each position of an arc is the step from the one before. */
export interface LandMap {
  transform: { scale: Position; translate: Position }
  /** Of each piece of land its rings; of each ring its arcs: negative if they are walked backwards. No arc is in two. */
  objects: { land: { geometries: { arcs: number[][][] }[] } }
  arcs: Position[][]
}
type Position = [longitude: number, latitude: number]

/** A few positions of a coast, and what is around them: far ones are passed over. */
interface CoastSegment {
  /** Longitudes and latitudes in turn, in degrees. */
  positions: Float32Array
  south: number
  north: number
  west: number
  east: number
}

const positionsPerSegment = 200
/** Maps have an island where both are 0, for what has no coordinates. */
const nullIslandDegrees = 0.05

/** Prepares to tell whether a place is on land, or no farther than `nearMeters` from it. */
export function createLandTest(map: LandMap, nearMeters: number): (place: Place) => boolean {
  const coast = toCoast(map)
  const near = nearMeters / metersPerDegree
  return place => {
    const { latitude, longitude } = place
    if (Math.hypot(latitude, longitude) < nullIslandDegrees) return false
    // Of a degree of longitude; at the poles there is none.
    const shrink = Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6)
    const nearEast = near / shrink
    const isByDateLine = Math.abs(longitude) + nearEast > 180
    // The North Pole is sea: who goes there from land meets an odd number of coasts.
    let isLand = false
    for (const { positions, south, north, west, east } of coast) {
      if (north < latitude - near) continue
      if (!isByDateLine && (west > longitude + nearEast || east < longitude - nearEast)) continue
      const isNear = south <= latitude + near
      let x = eastward(positions[0]! - longitude)
      let y = positions[1]! - latitude
      for (let at = 2; at < positions.length; at += 2) {
        const [fromX, fromY] = [x, y]
        x = eastward(positions[at]! - longitude)
        y = positions[at + 1]! - latitude
        // Not on the other side of the globe.
        if (Math.abs(x - fromX) > 180) continue
        if (fromX > 0 !== x > 0 && fromY - (fromX * (y - fromY)) / (x - fromX) > 0) isLand = !isLand
        if (isNear && distance(fromX * shrink, fromY, x * shrink, y) <= near) return true
      }
    }
    return isLand
  }
}

function toCoast({ objects, arcs, transform }: LandMap): CoastSegment[] {
  const used = objects.land.geometries.flatMap(({ arcs }) => arcs.flat(2))
  return used.flatMap(at => toSegments(arcs[at < 0 ? ~at : at]!, transform))
}

/** Each begins where the one before ends. */
function toSegments(arc: Position[], { scale, translate }: LandMap['transform']): CoastSegment[] {
  const stretches: CoastSegment[] = []
  let x = 0
  let y = 0
  for (let from = 0; from < arc.length - 1; from += positionsPerSegment - 1) {
    const positions = new Float32Array(2 * Math.min(positionsPerSegment, arc.length - from))
    const segment = { positions, south: 90, north: -90, west: 180, east: -180 }
    for (let at = 0; at < positions.length; at += 2) {
      // The first is the last of the stretch before.
      if (at > 0 || from === 0) {
        const step = arc[from + at / 2]!
        x += step[0]
        y += step[1]
      }
      const longitude = x * scale[0] + translate[0]
      const latitude = y * scale[1] + translate[1]
      positions[at] = longitude
      positions[at + 1] = latitude
      if (latitude < segment.south) segment.south = latitude
      if (latitude > segment.north) segment.north = latitude
      if (longitude < segment.west) segment.west = longitude
      if (longitude > segment.east) segment.east = longitude
    }
    stretches.push(segment)
  }
  return stretches
}

/** The short way round the globe. */
function eastward(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}

/** Of 0/0 from the line between two positions. */
function distance(fromX: number, fromY: number, toX: number, toY: number): number {
  const [x, y] = [toX - fromX, toY - fromY]
  const length = x * x + y * y
  const share = length > 0 ? Math.max(0, Math.min(1, -(fromX * x + fromY * y) / length)) : 0
  return Math.hypot(fromX + share * x, fromY + share * y)
}
