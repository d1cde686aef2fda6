/** Draws streets as the ground of a map, in quiet colours on which pins and labels stand out. */
import { type Box, createElement } from '../charts/svg.ts'
import { clipLine, clipRing, computeBox, simplify } from './geometry.ts'
import { type AreaKind, areaKinds, type LineKind, lineKinds } from './schema.ts'
import type { Meters, StreetLine, Streets } from './streets.ts'

/** Where the centre of the view is on the drawing, and its scale. */
export interface Plot {
  width: number
  height: number
  /** SVG units. */
  unitsPerMeter: number
}

export const landColor = '#f5f2ec'

const areaColors: Record<AreaKind, string> = {
  farmland: '#f0edda',
  industrial: '#ecebeb',
  facility: '#f1e9e6',
  sand: '#f5e9c8',
  green: '#d8e8c8',
  wood: '#c8dfb8',
  pedestrian: '#ebe7e0',
  water: '#aed3e8',
  building: '#e3dcd1',
}

interface LineStyle {
  color: string
  casing: string | null
  /** The width of the street on the ground, and the smallest and largest on the drawing. */
  meters: number
  min: number
  max: number
  dash?: string
}

const lineStyles: Record<LineKind, LineStyle> = {
  stream: { color: '#aed3e8', casing: null, meters: 2, min: 0.6, max: 2 },
  river: { color: '#aed3e8', casing: null, meters: 12, min: 1.2, max: 8 },
  path: { color: '#ffffff', casing: null, meters: 2, min: 0.7, max: 1.8, dash: '3 1.6' },
  service: { color: '#ffffff', casing: null, meters: 4, min: 0.7, max: 4 },
  minor: { color: '#ffffff', casing: '#d6cfc2', meters: 8, min: 1.1, max: 9 },
  medium: { color: '#ffffff', casing: '#cdc4b4', meters: 11, min: 1.9, max: 11 },
  rail: { color: '#b3aea6', casing: null, meters: 3, min: 0.8, max: 2 },
  major: { color: '#fce9b2', casing: '#dbc07c', meters: 14, min: 2.6, max: 13 },
  motorway: { color: '#f8cf8d', casing: '#cf9b4f', meters: 17, min: 3.2, max: 15 },
}

/** Below this scale, small paths would be noise. */
const smallLinesMinUnitsPerMeter = 0.09
/** Smaller areas are invisible, in SVG units. */
const areaMinUnits = 1.6
const stepUnits = 0.6
/** Drawn geometry reaches this far beyond the edge, so that no outline is visible there. */
const marginUnits = 12
/** The most characters of paths, so that a page stays small. What is drawn last is left out. */
const pathCharactersMax = 1_200_000

export function getLineWidth(kind: LineKind, unitsPerMeter: number): number {
  const { meters, min, max } = lineStyles[kind]
  return Math.max(min, Math.min(max, meters * unitsPerMeter))
}

/** Draws everything but the names. The caller clips it to the frame of the map. */
export function drawStreets(streets: Streets, plot: Plot): string {
  const pen = createPen(plot)
  const areas = areaKinds.map(kind => {
    const d = pen.drawRings(streets.areas[kind] ?? [])
    return d && createElement('path', { d, fill: areaColors[kind] })
  })
  const isSmall = ({ kind }: StreetLine) => kind === 'path' || kind === 'service' || kind === 'stream'
  const lines = streets.lines.filter(
    line => line.isDrawn && (plot.unitsPerMeter >= smallLinesMinUnitsPerMeter || !isSmall(line)),
  )
  const drawn = lineKinds.map(kind => ({
    kind,
    style: lineStyles[kind],
    width: getLineWidth(kind, plot.unitsPerMeter),
    tunnels: pen.drawLines(lines.filter(line => line.kind === kind && line.isTunnel)),
    surface: pen.drawLines(lines.filter(line => line.kind === kind && !line.isTunnel)),
  }))
  const round = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
  const butt = { fill: 'none', 'stroke-linejoin': 'round' }
  const tunnels = drawn.map(({ tunnels: d, style, width }) =>
    d && style.casing
      ? createElement('path', {
          d,
          ...butt,
          stroke: style.casing,
          'stroke-width': width,
          'stroke-dasharray': '3 2',
        }) +
        createElement('path', { d, ...butt, stroke: landColor, 'stroke-width': Math.max(0.4, width - 1) })
      : '',
  )
  const casings = drawn.map(({ surface: d, style, width }) =>
    d && style.casing
      ? createElement('path', { d, ...round, stroke: style.casing, 'stroke-width': width + 1.1 })
      : '',
  )
  const surfaces = drawn.map(({ surface: d, kind, style, width }) => {
    if (!d) return ''
    const dash = style.dash ? { 'stroke-dasharray': style.dash } : {}
    const line = createElement('path', {
      d,
      ...(style.dash ? butt : round),
      stroke: style.color,
      'stroke-width': width,
      ...dash,
    })
    if (kind !== 'rail') return line
    const ties = { stroke: '#ffffff', 'stroke-width': width * 0.55, 'stroke-dasharray': '4 4' }
    return line + createElement('path', { d, ...butt, ...ties })
  })
  return [...areas.slice(0, -1), ...tunnels, areas.at(-1), ...casings, ...surfaces].join('')
}

/** Writes the `d` of paths. */
function createPen({ width, height, unitsPerMeter }: Plot) {
  const clip = {
    left: -marginUnits,
    top: -marginUnits,
    right: width + marginUnits,
    bottom: height + marginUnits,
  }
  const project = (points: Meters) => projectMeters(points, { width, height, unitsPerMeter })
  let charactersLeft = pathCharactersMax
  const write = (points: number[], isClosed: boolean): string => {
    const path = writePath(points, isClosed)
    charactersLeft -= path.length
    return charactersLeft < 0 ? '' : path
  }
  return {
    drawRings(rings: Meters[]): string {
      return rings
        .map(ring => {
          const points = project(ring)
          const box = computeBox(points)
          if (isOutside(box, clip) || isTiny(box)) return ''
          const clipped = isInside(box, clip) ? points : clipRing(points, clip)
          const simple = simplify(clipped, stepUnits)
          return simple.length >= 6 ? write(simple, true) : ''
        })
        .join('')
    },
    drawLines(lines: StreetLine[]): string {
      return lines
        .flatMap(({ points }) => clipLine(project(points), clip))
        .map(part => write(simplify(part, stepUnits), false))
        .join('')
    },
  }
}

export function projectMeters(points: Meters, { width, height, unitsPerMeter }: Plot): Float64Array {
  const projected = new Float64Array(points.length)
  for (let at = 0; at < points.length; at += 2) {
    projected[at] = width / 2 + points[at]! * unitsPerMeter
    projected[at + 1] = height / 2 + points[at + 1]! * unitsPerMeter
  }
  return projected
}

const isTiny = ({ left, top, right, bottom }: Box) =>
  right - left < areaMinUnits && bottom - top < areaMinUnits

const isOutside = (box: Box, { left, top, right, bottom }: Box) =>
  box.right < left || box.left > right || box.bottom < top || box.top > bottom

const isInside = (box: Box, { left, top, right, bottom }: Box) =>
  box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom

/** Writes relative coordinates in tenths of a unit, which take half the characters of absolute ones. */
function writePath(points: number[], isClosed: boolean): string {
  let [x, y] = [Math.round(points[0]! * 10), Math.round(points[1]! * 10)]
  let path = `M${x / 10} ${y / 10}l`
  for (let at = 2; at + 1 < points.length; at += 2) {
    const [nextX, nextY] = [Math.round(points[at]! * 10), Math.round(points[at + 1]! * 10)]
    path += `${at === 2 ? '' : ' '}${(nextX - x) / 10} ${(nextY - y) / 10}`
    x = nextX
    y = nextY
  }
  return points.length < 4 ? '' : path + (isClosed ? 'z' : '')
}
