/** Places the names of streets, districts, parks and waters, without overlaps. */
import {
  type Box,
  createBox,
  createElement,
  drawHaloText,
  estimateWidth,
  isWithin,
  overlaps,
  type Point,
} from '../charts/svg.ts'
import { getLineWidth, type Plot, projectMeters } from './draw-streets.ts'
import { clipLine } from './geometry.ts'
import type { LineKind, PlaceKind } from './schema.ts'
import type { StreetLine, Streets } from './streets.ts'

interface Label {
  text: string
  x: number
  y: number
  /** Degrees, clockwise. */
  angle: number
  style: LabelStyle
  width: number
}

interface LabelStyle {
  size: number
  color: string
  weight: number
  /** Additional space between letters. */
  spacing: number
}

const placeStyles: Record<PlaceKind, LabelStyle> = {
  town: { size: 11.5, color: '#3b3833', weight: 600, spacing: 0.2 },
  district: { size: 10, color: '#57524a', weight: 600, spacing: 0.5 },
  park: { size: 9.5, color: '#4c7440', weight: 600, spacing: 0 },
  water: { size: 10, color: '#3f7596', weight: 600, spacing: 0.4 },
  station: { size: 9, color: '#3f5f9e', weight: 600, spacing: 0 },
}
const placeOrder: PlaceKind[] = ['town', 'district', 'water', 'station', 'park']

const streetStyle = (kind: LineKind): LabelStyle => ({
  size: kind === 'major' || kind === 'motorway' ? 10 : 9.3,
  color: kind === 'river' || kind === 'stream' ? '#3f7596' : '#5c564d',
  weight: 400,
  spacing: 0,
})

const labelsMax = 70
const namesMax = 400
const perNameMax = 2
/** The least distance between two labels of the same street. */
const sameNameUnits = 240
/** A name is written along a part of its street that is this straight. */
const bendUnits = 2.4

/** Returns the names as SVG. `occupied` are places that they keep free, such as pins; it is not changed. */
export function drawStreetLabels(streets: Streets, plot: Plot, occupied: readonly Box[]): string {
  const frame = { left: 3, top: 3, right: plot.width - 3, bottom: plot.height - 3 }
  const taken = [...occupied]
  const labels: Label[] = []
  const place = (label: Label): boolean => {
    if (labels.length >= labelsMax) return false
    const boxes = toBoxes(label)
    const isFree = boxes.every(box => isWithin(box, frame) && !taken.some(other => overlaps(box, other)))
    if (!isFree) return false
    taken.push(...boxes)
    labels.push(label)
    return true
  }
  placePlaces(streets, plot, place)
  placeStreets(streets, plot, place)
  return labels.map(drawLabel).join('')
}

function placePlaces(
  { places }: Streets,
  { width, height, unitsPerMeter }: Plot,
  place: (label: Label) => boolean,
): void {
  const names = new Set<string>()
  for (const kind of placeOrder)
    for (const { name, x, y } of places.filter(place => place.kind === kind).slice(0, namesMax)) {
      if (names.has(name)) continue
      const style = placeStyles[kind]
      const at = { x: width / 2 + x * unitsPerMeter, y: height / 2 + y * unitsPerMeter }
      const label = { text: name, ...at, angle: 0, style, width: measure(name, style) }
      if (place(label)) names.add(name)
    }
}

function placeStreets({ lines }: Streets, plot: Plot, place: (label: Label) => boolean): void {
  const named = new Map<string, StreetLine[]>()
  for (const line of lines) {
    if (line.name === null || !isNamed(line, plot.unitsPerMeter)) continue
    const others = named.get(line.name)
    if (others) others.push(line)
    else if (named.size < namesMax) named.set(line.name, [line])
  }
  const importance: Record<LineKind, number> = {
    motorway: 3,
    major: 3,
    river: 2,
    medium: 2,
    minor: 1,
    rail: 0,
    service: 0,
    path: 0,
    stream: 0,
  }
  const candidates = Array.from(named, ([name, parts]): Candidate => {
    const kind = parts.reduce(
      (best, { kind }) => (importance[kind] > importance[best] ? kind : best),
      parts[0]!.kind,
    )
    const style = streetStyle(kind)
    const width = measure(name, style)
    const runs = parts
      .flatMap(({ points }) =>
        clipLine(projectMeters(points, plot), { left: 0, top: 0, right: plot.width, bottom: plot.height }),
      )
      .flatMap(findStraightRuns)
      .filter(run => run.length >= width + 6)
      .sort((a, b) => b.length - a.length)
      .slice(0, 12)
    return { name, kind, style, width, runs, placed: [] }
  })
    .filter(({ runs }) => runs.length > 0)
    .sort((a, b) => importance[b.kind] - importance[a.kind] || b.runs[0]!.length - a.runs[0]!.length)
  for (let round = 0; round < perNameMax; round++)
    for (const candidate of candidates) if (candidate.placed.length === round) placeOne(candidate, place)
}

interface Candidate {
  name: string
  kind: LineKind
  style: LabelStyle
  width: number
  /** Where the name fits, the longest first. */
  runs: Run[]
  placed: Point[]
}

function placeOne({ name, style, width, runs, placed }: Candidate, place: (label: Label) => boolean): void {
  // The middle of the run reads best.
  for (const run of runs)
    for (const share of [0.5, 0.3, 0.7, 0.15, 0.85]) {
      if (run.length * Math.min(share, 1 - share) < width / 2 + 3) continue
      const at = { x: run.x + run.dx * share, y: run.y + run.dy * share }
      if (placed.some(other => Math.hypot(other.x - at.x, other.y - at.y) < sameNameUnits)) continue
      const degrees = (Math.atan2(run.dy, run.dx) * 180) / Math.PI
      const angle = degrees > 90 ? degrees - 180 : degrees <= -90 ? degrees + 180 : degrees
      if (!place({ text: name, ...at, angle, style, width })) continue
      placed.push(at)
      return
    }
}

/** A path may be narrower than its name, which is legible only on a map of the next streets. */
function isNamed({ kind }: StreetLine, unitsPerMeter: number): boolean {
  if (kind === 'rail' || kind === 'service' || kind === 'stream') return false
  return kind === 'path' ? unitsPerMeter > 0.35 : getLineWidth(kind, unitsPerMeter) > 1.05
}

interface Run {
  x: number
  y: number
  dx: number
  dy: number
  length: number
}

/**
 * Cuts a line into parts that are straight: from the start of a part, all its points are seen in a narrow angle. Takes
 * time in proportion to the points.
 */
function findStraightRuns(points: number[]): Run[] {
  const runs: Run[] = []
  let start = 0
  let base = 0
  let [low, high] = [-Infinity, Infinity]
  const end = (at: number) => {
    const [x, y] = [points[start]!, points[start + 1]!]
    const [dx, dy] = [points[at]! - x, points[at + 1]! - y]
    runs.push({ x, y, dx, dy, length: Math.hypot(dx, dy) })
  }
  for (let at = 2; at + 1 < points.length; at += 2) {
    const [dx, dy] = [points[at]! - points[start]!, points[at + 1]! - points[start + 1]!]
    const distance = Math.hypot(dx, dy)
    if (distance < 1) continue
    const angle = Math.atan2(dy, dx)
    const isFirst = low === -Infinity
    if (isFirst) base = angle
    const turned = Math.atan2(Math.sin(angle - base), Math.cos(angle - base))
    if (!isFirst && (turned < low || turned > high)) {
      end(at - 2)
      start = at - 2
      ;[low, high] = [-Infinity, Infinity]
      at -= 2
      continue
    }
    const slack = Math.asin(Math.min(1, bendUnits / distance))
    low = Math.max(low, turned - slack)
    high = Math.min(high, turned + slack)
  }
  if (points.length >= 4) end(points.length - 2)
  return runs
}

function measure(text: string, { size, spacing }: LabelStyle): number {
  return estimateWidth(text, size) + text.length * spacing
}

/** The space that a label needs: boxes along its text. */
function toBoxes({ x, y, angle, style, width }: Label): Box[] {
  if (angle === 0) return [createBox({ x, y }, width + 6, style.size + 4)]
  const count = Math.max(1, Math.ceil(width / style.size))
  const radians = (angle * Math.PI) / 180
  return Array.from({ length: count }, (_, nth) => {
    const along = ((nth + 0.5) / count - 0.5) * width
    const at = { x: x + along * Math.cos(radians), y: y + along * Math.sin(radians) }
    return createBox(at, style.size + 4, style.size + 4)
  })
}

function drawLabel({ text, x, y, angle, style }: Label): string {
  const { size, color, weight, spacing } = style
  const drawn = drawHaloText({ x: 0, y: size * 0.34 }, text, {
    'text-anchor': 'middle',
    'font-size': size,
    fill: color,
    stroke: '#fbfaf7',
    'stroke-width': 2.6,
    ...(weight === 400 ? {} : { 'font-weight': weight }),
    ...(spacing > 0 ? { 'letter-spacing': spacing } : {}),
  })
  const round = (value: number) => Math.round(value * 10) / 10
  const turn = angle === 0 ? '' : ` rotate(${round(angle)})`
  return createElement('g', { transform: `translate(${round(x)} ${round(y)})${turn}` }, drawn)
}
