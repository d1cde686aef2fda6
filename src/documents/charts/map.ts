/** The map of the comparables around the subject: to scale, north up, without map tiles of third parties. */
import { metersPerDegree } from '../../domain/geo.ts'
import type { Place } from '../../domain/valuation/property.ts'
import { computeQuantile, niceStep } from './axis.ts'
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
  drawText,
  estimateWidth,
  ink,
  isWithin,
  line,
  overlaps,
  type Point,
  softInk,
} from './svg.ts'

export interface MapData {
  subject: Place
  /** In the order of their numbers. */
  comparables: (Place & { weight: number })[]
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

export function drawMap({ width, palette }: Canvas, data: MapData): string {
  const height = Math.round(width * heightShare)
  const centre = { x: width / 2, y: height / 2 }
  const frame = { left: edge, top: edge, right: width - edge, bottom: height - edge }
  const reach = computeReach(toOffsets(data))
  const unitsPerMeter = (height / 2 - rim) / reach
  const pins = createPins(data, reach, unitsPerMeter, centre, frame)
  const rings = createRings(reach, unitsPerMeter, centre, pins, data.distance)
  const decorations = createMapDecorations(width, height, unitsPerMeter, data.distance)
  const occupied = [createBox(centre, 20, 20), ...rings.boxes, ...decorations.boxes]
  const ground = { x: 0.5, y: 0.5, width: width - 1, height: height - 1 }
  const drawn = [
    createElement('rect', { ...ground, fill: '#f6f8fa', stroke: line, rx: 4 }),
    createElement('clipPath', { id: 'map-frame' }, createElement('rect', ground)),
    createElement('g', { 'clip-path': 'url(#map-frame)' }, rings.circles),
    rings.labels,
    decorations.drawn,
    placePins(pins, occupied, frame, palette),
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
function toOffsets({ subject, comparables }: MapData): Point[] {
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

/** Draws distance rings. The labels that fit on the map are in the direction with the fewest comparables. */
function createRings(
  reach: number,
  unitsPerMeter: number,
  centre: Point,
  pins: Pin[],
  distance: MapData['distance'],
) {
  const step = niceStep(reach, 5)
  const meters = Array.from({ length: Math.ceil(reach / step) }, (_, at) => (at + 1) * step)
  const labelsAt = (angle: number) =>
    meters
      .map(distanceMeters => {
        const radius = distanceMeters * unitsPerMeter
        const at = { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }
        return {
          at,
          text: distance(distanceMeters),
          box: createBox(at, estimateWidth(distance(distanceMeters), 11) + 6, 15),
        }
      })
      .filter(({ box }) => isWithin(box, { left: 0, top: 0, right: 2 * centre.x, bottom: 2 * centre.y }))
  const countOverlaps = (angle: number) =>
    labelsAt(angle).reduce(
      (sum, { box }) => sum + pins.filter(pin => overlaps(box, createPinBox(pin, pin.spot))).length,
      0,
    )
  const angles = Array.from({ length: 24 }, (_, at) => -Math.PI / 2 + (at * Math.PI) / 12)
  const angle = angles.reduce((best, next) => (countOverlaps(next) < countOverlaps(best) ? next : best))
  const labels = labelsAt(angle)
  const circle = { cx: centre.x, cy: centre.y, fill: 'none', stroke: '#aab3bf', 'stroke-dasharray': '4 4' }
  return {
    boxes: labels.map(({ box }) => box),
    circles: meters
      .map(distanceMeters => createElement('circle', { ...circle, r: distanceMeters * unitsPerMeter }))
      .join(''),
    labels: labels
      .map(({ at, text }) =>
        drawHaloText({ x: at.x, y: at.y + 4 }, text, {
          'text-anchor': 'middle',
          'font-size': 11,
          stroke: '#f6f8fa',
        }),
      )
      .join(''),
  }
}

/** Draws the scale bar and the north arrow. */
function createMapDecorations(
  width: number,
  height: number,
  unitsPerMeter: number,
  distance: MapData['distance'],
) {
  const meters = niceStep(110 / unitsPerMeter, 2)
  const [from, to, y] = [14, 14 + meters * unitsPerMeter, height - 14]
  const text = distance(meters)
  const north = width - 22
  const bar = [
    { x: from, y: y - 5 },
    { x: from, y },
    { x: to, y },
    { x: to, y: y - 5 },
  ]
  const arrow = [
    { x: north, y: 26 },
    { x: north - 6, y: 44 },
    { x: north, y: 39 },
    { x: north + 6, y: 44 },
  ]
  return {
    boxes: [
      { left: 8, top: y - 12, right: to + 12 + estimateWidth(text, 11), bottom: height },
      { left: north - 12, top: 6, right: width, bottom: 48 },
    ],
    drawn: [
      drawPath(bar, { fill: 'none', stroke: ink, 'stroke-width': 1.4 }),
      drawHaloText({ x: to + 6, y: y + 1 }, text, { 'font-size': 11, fill: ink, stroke: '#f6f8fa' }),
      drawPath(arrow, { fill: ink }),
      drawText({ x: north, y: 21 }, 'N', { 'text-anchor': 'middle', 'font-weight': 600, fill: ink }),
    ].join(''),
  }
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

function drawHouse({ x, y }: Point): string {
  const corners = [
    [0, -11],
    [11, -1],
    [8, -1],
    [8, 9],
    [-8, 9],
    [-8, -1],
    [-11, -1],
  ]
  const outline = corners.map(([right, down]) => ({ x: x + right!, y: y + down! }))
  return drawPath(outline, { fill: ink, stroke: '#ffffff', 'stroke-width': 1.5, 'stroke-linejoin': 'round' })
}
