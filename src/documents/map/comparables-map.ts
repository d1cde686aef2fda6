/** The map of the comparables around the subject: to scale, north up, on streets if there are any. */
import { metersPerDegree } from '../../domain/geo.ts'
import type { Place } from '../../domain/valuation/property.ts'
import { computeQuantile } from '../charts/axis.ts'
import {
  type Box,
  type Canvas,
  clamp,
  createBox,
  createElement,
  drawHaloText,
  drawNumberedPin,
  drawPath,
  drawSvg,
  estimateWidth,
  ink,
  overlaps,
  type Point,
  softInk,
} from '../charts/svg.ts'
import { createMapDecorations, createRings, drawGround, drawHouse } from './map-parts.ts'
import type { MapView, Streets } from './streets.ts'

export interface MapData {
  subject: Place
  /** In the order of their numbers. */
  comparables: (Place & { weight: number })[]
  /** The streets of `toMapView`; null: the map shows distances only. */
  streets: Streets | null
  distance: (meters: number) => string
  description: string
}

const reachMinMeters = 60
const rim = 22
const edge = 16
const heightShare = 0.65

interface Pin {
  number: number
  radius: number
  /** Its position; on the edge of the map if it lies outside. */
  spot: Point
  /** The arrow and distance text of a pin that lies outside the map; false: it lies inside. */
  outside: false | { bearing: number; text: string }
}

/** Returns true if a comparable is too far away to be drawn to scale. */
export function reachesBeyondMap(data: MapData): boolean {
  const offsets = toOffsets(data)
  const reach = computeReach(offsets)
  return offsets.some(offset => isBeyond(offset, reach))
}

/** The part of the earth that `drawMap` shows, or a little more. */
export function toMapView(data: Pick<MapData, 'subject' | 'comparables'>): MapView {
  // The rim takes a larger share of a narrow drawing.
  const halfHeightMeters = computeReach(toOffsets(data)) * 1.2
  return { centre: data.subject, halfHeightMeters, halfWidthMeters: halfHeightMeters / heightShare }
}

export function drawMap({ width, palette }: Canvas, data: MapData): string {
  const height = Math.round(width * heightShare)
  const centre = { x: width / 2, y: height / 2 }
  const frame = { left: edge, top: edge, right: width - edge, bottom: height - edge }
  const reach = computeReach(toOffsets(data))
  const unitsPerMeter = (height / 2 - rim) / reach
  const pins = createPins(data, reach, unitsPerMeter, centre, frame)
  const plot = { width, height, unitsPerMeter }
  const { streets, distance } = data
  const rings = createRings(
    { reach, unitsPerMeter, centre, hasStreets: streets !== null, distance },
    pins.map(pin => createPinBox(pin, pin.spot)),
  )
  const decorations = createMapDecorations(plot, distance, streets?.attribution ?? null)
  const occupied = [createBox(centre, 20, 20), ...rings.boxes, ...decorations.boxes]
  // Adds the places of the pins to `occupied`, which the names of the streets keep free.
  const placedPins = placePins(pins, occupied, frame, palette)
  const drawn = [
    ...drawGround(plot, streets, rings.circles, 'map-frame', occupied),
    rings.labels,
    decorations.drawn,
    placedPins,
    drawHouse(centre),
  ]
  return drawSvg(width, height, data.description, drawn.join(''))
}

function createPins(data: MapData, reach: number, unitsPerMeter: number, centre: Point, frame: Box): Pin[] {
  const heaviest = Math.max(...data.comparables.map(({ weight }) => weight))
  return toOffsets(data).map((offset, at) => {
    const isOutside = isBeyond(offset, reach)
    const spot = { x: centre.x + offset.x * unitsPerMeter, y: centre.y - offset.y * unitsPerMeter }
    return {
      number: at + 1,
      radius: 8 + 5 * Math.sqrt(heaviest > 0 ? data.comparables[at]!.weight / heaviest : 0),
      spot: isOutside ? moveToEdge(centre, spot, frame) : spot,
      outside: isOutside && {
        bearing: Math.atan2(-offset.y, offset.x),
        text: data.distance(Math.hypot(offset.x, offset.y)),
      },
    }
  })
}

/** The metres east and north of the subject. */
function toOffsets({ subject, comparables }: Pick<MapData, 'subject' | 'comparables'>): Point[] {
  const eastward = metersPerDegree * Math.cos((subject.latitude * Math.PI) / 180)
  return comparables.map(({ latitude, longitude }) => ({
    // The shorter way around the 180th meridian.
    x: (((longitude - subject.longitude + 540) % 360) - 180) * eastward,
    y: (latitude - subject.latitude) * metersPerDegree,
  }))
}

/** The metres that the map shows in each direction. Ignores far outliers, which would squeeze all others together. */
function computeReach(offsets: Point[]): number {
  const distances = offsets.map(({ x, y }) => Math.hypot(x, y))
  const max = Math.max(reachMinMeters, ...distances)
  const typicalReach = Math.max(reachMinMeters, computeQuantile(distances, 0.8) || 0)
  return max > 2.5 * typicalReach ? typicalReach * 1.2 : max
}

/** Returns true if a point is outside the map, which is wider than it is high. */
function isBeyond({ x, y }: Point, reach: number): boolean {
  return Math.abs(y) > reach || Math.abs(x) > 1.3 * reach
}

function moveToEdge(centre: Point, spot: Point, frame: Box): Point {
  const share = Math.min(
    (frame.right - 14 - centre.x) / Math.abs(spot.x - centre.x),
    (frame.bottom - 14 - centre.y) / Math.abs(spot.y - centre.y),
  )
  return { x: centre.x + (spot.x - centre.x) * share, y: centre.y + (spot.y - centre.y) * share }
}

/**
 * Draws each pin at its spot, or at the nearest free place with a line to its spot. Lines come first in the SVG, so
 * that they do not cover numbers.
 */
function placePins(pins: Pin[], occupied: Box[], frame: Box, palette: Canvas['palette']): string {
  const lines: string[] = []
  const circles: string[] = []
  for (const pin of pins) {
    const at = findFreeSpot(pin, occupied, frame)
    occupied.push(createPinBox(pin, at))
    if (at !== pin.spot) {
      lines.push(drawPath([pin.spot, at], { stroke: softInk, 'stroke-width': 1 }))
      lines.push(createElement('circle', { cx: pin.spot.x, cy: pin.spot.y, r: 2.2, fill: softInk }))
    }
    circles.push(drawNumberedPin(at, pin.radius, pin.number, palette))
    if (pin.outside) circles.push(drawArrow(pin, at, pin.outside))
  }
  return lines.join('') + circles.join('')
}

function findFreeSpot(pin: Pin, occupied: Box[], frame: Box): Point {
  const { spot, radius } = pin
  for (let away = 0; away < frame.right; away += 3) {
    const count = away === 0 ? 1 : 24
    for (let turn = 0; turn < count; turn++) {
      const angle = (turn / count) * 2 * Math.PI + away
      const at =
        away === 0 ? spot : { x: spot.x + away * Math.cos(angle), y: spot.y + away * Math.sin(angle) }
      const isInside =
        at.x === clamp(at.x, frame.left, frame.right) && at.y === clamp(at.y, frame.top, frame.bottom)
      // Keep the line visible: the pin must not cover its own spot.
      if (
        (away === 0 || away > radius + 3) &&
        isInside &&
        !occupied.some(box => overlaps(box, createPinBox(pin, at)))
      )
        return at
    }
  }
  return spot
}

/** The space that a pin needs, including its arrow and the text below it. */
function createPinBox({ radius, outside }: Pin, at: Point): Box {
  const box = createBox(at, 2 * radius + 1, 2 * radius + 1)
  if (!outside) return box
  const half = Math.max(radius + 10, estimateWidth(outside.text, 11) / 2)
  return { left: at.x - half, top: at.y - radius - 10, right: at.x + half, bottom: at.y + radius + 22 }
}

function drawArrow(
  { radius }: Pin,
  { x, y }: Point,
  { bearing, text }: { bearing: number; text: string },
): string {
  const at = (length: number, turn: number) => ({
    x: x + length * Math.cos(bearing + turn),
    y: y + length * Math.sin(bearing + turn),
  })
  return (
    drawPath([at(radius + 9, 0), at(radius + 3, 0.4), at(radius + 3, -0.4)], { fill: ink }) +
    drawHaloText({ x, y: y + radius + 18 }, text, {
      'text-anchor': 'middle',
      'font-size': 11,
      fill: ink,
      stroke: '#f6f8fa',
    })
  )
}
