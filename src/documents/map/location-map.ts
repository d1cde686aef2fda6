/**
 * The map of a property sheet: the streets around the property, or the towns around it if there are no tiles. An
 * approximate location is a circle, somewhere in which the property is.
 */
import type { Point as Location } from '../../domain/geo.ts'
import { metersPerDegree } from '../../domain/geo.ts'
import {
  type Box,
  type Canvas,
  createBox,
  createElement,
  drawSvg,
  isWithin,
  type Point,
} from '../charts/svg.ts'
import type { Plot } from './draw-streets.ts'
import { createMapDecorations, createRings, drawGround } from './map-parts.ts'
import { drawStreetLabels } from './street-labels.ts'
import type { MapView, StreetPlace, Streets } from './streets.ts'

export interface Town extends Location {
  name: string
  population: number | null
}

export interface LocationMapData {
  point: Location
  isApproximate: boolean
  /** The streets of `toLocationView`; null: the map shows the towns around. */
  streets: Streets | null
  /** Places that may be shown, of any distance. */
  towns: readonly Town[]
  distance: (meters: number) => string
  description: string
}

/** Flat, because it stands beside other parts of a sheet. */
const heightShare = 0.46
/** What the map shows to the north and south, in metres. */
const streetsReach = { exact: 270, approximate: 850 }
/** The circle of an approximate location contains the exact one. */
const circleMeters = 560
const circleMinUnits = 9
/** Reaches of a map of towns. The first one with enough towns is used. */
const townReaches = [3_000, 5_000, 8_000, 12_000, 20_000, 30_000]
const townsEnough = 7
const townsMax = 40
const emptyReach = 2_000
const largeTownPopulation = 40_000
/** A town so near is that of the property. */
const sameTownMeters = 300

/** The part of the earth on a map with streets. */
export function toLocationView({
  point,
  isApproximate,
}: Pick<LocationMapData, 'point' | 'isApproximate'>): MapView {
  const halfHeightMeters = isApproximate ? streetsReach.approximate : streetsReach.exact
  return { centre: point, halfHeightMeters, halfWidthMeters: halfHeightMeters / heightShare }
}

export function drawLocationMap({ width, palette }: Canvas, data: LocationMapData): string {
  const { streets, distance, isApproximate } = data
  const height = Math.round(width * heightShare)
  const centre = { x: width / 2, y: height / 2 }
  const around = streets ? { reach: toLocationView(data).halfHeightMeters, places: [] } : chooseTowns(data)
  const plot = { width, height, unitsPerMeter: height / 2 / around.reach }
  const radius = Math.max(circleMinUnits, circleMeters * plot.unitsPerMeter)
  const box = createMarkerBox(centre, isApproximate)
  const rings = streets
    ? null
    : createRings({ reach: around.reach, ...plot, centre, hasStreets: false, distance }, [
        box,
        ...around.places.map(place => createBox(toPosition(place, plot), 5, 5)),
      ])
  const decorations = createMapDecorations(plot, distance, streets?.attribution ?? null)
  const marker = isApproximate ? drawCircle(centre, radius, palette.accent) : drawPin(centre, palette.accent)
  const occupied = [box, ...(rings?.boxes ?? []), ...decorations.boxes]
  const drawn = [
    ...drawGround(
      plot,
      streets,
      rings?.circles ?? '',
      'location-frame',
      isApproximate ? decorations.boxes : occupied,
    ),
    rings?.labels,
    drawTowns(around.places, plot, occupied),
    marker,
    decorations.drawn,
  ]
  return drawSvg(width, height, data.description, drawn.join(''))
}

/** A circle may lie over names, a pin may not. */
function createMarkerBox(centre: Point, isApproximate: boolean): Box {
  return isApproximate ? createBox(centre, 8, 8) : createBox({ x: centre.x, y: centre.y - 15 }, 28, 34)
}

/** The largest towns on the smallest map that has enough of them, as metres east and south of the property. */
function chooseTowns({ point, towns }: LocationMapData): { reach: number; places: StreetPlace[] } {
  const eastward = metersPerDegree * Math.cos((point.latitude * Math.PI) / 180)
  const placed = towns
    .map(({ name, population, latitude, longitude }) => ({
      name,
      population: population ?? 0,
      x: (longitude - point.longitude) * eastward,
      y: (point.latitude - latitude) * metersPerDegree,
    }))
    .filter(({ x, y }) => Math.hypot(x, y) > sameTownMeters)
  const listWithin = (reach: number) =>
    placed.filter(({ x, y }) => Math.abs(y) < reach * 0.9 && Math.abs(x) < (reach * 0.9) / heightShare)
  const reach = townReaches.find(reach => listWithin(reach).length >= townsEnough) ?? townReaches.at(-1)!
  const chosen = listWithin(reach)
    .sort((a, b) => b.population - a.population)
    .slice(0, townsMax)
  if (chosen.length === 0) return { reach: emptyReach, places: [] }
  const places = chosen.map(({ population, ...place }): StreetPlace => {
    return { ...place, kind: population >= largeTownPopulation ? 'town' : 'district' }
  })
  return { reach, places }
}

const toPosition = ({ x, y }: StreetPlace, { width, height, unitsPerMeter }: Plot): Point => ({
  x: width / 2 + x * unitsPerMeter,
  y: height / 2 + y * unitsPerMeter,
})

/** Draws a dot for each town and, above or below it, its name if there is room. */
function drawTowns(places: StreetPlace[], plot: Plot, occupied: readonly Box[]): string {
  const dots = places
    .map(place => toPosition(place, plot))
    .filter(at => occupied.every(box => !isWithin(createBox(at, 1, 1), box)))
    .map(({ x, y }) => createElement('circle', { cx: x, cy: y, r: 2, fill: '#7f8995' }))
  // A name that has been placed above is not placed again.
  const labels = places.flatMap(place =>
    [-9, 10].map(units => ({ ...place, y: place.y + units / plot.unitsPerMeter })),
  )
  const names = { areas: {} as Streets['areas'], lines: [], places: labels, attribution: '' }
  return dots.join('') + drawStreetLabels(names, plot, occupied)
}

function drawCircle({ x, y }: Point, radius: number, color: string): string {
  const circle = { cx: x, cy: y, r: radius }
  return createElement('circle', {
    ...circle,
    fill: color,
    'fill-opacity': 0.16,
    stroke: color,
    'stroke-width': 1.6,
    'stroke-opacity': 0.9,
  })
}

/** Draws a pin, whose tip is at the point. */
function drawPin({ x, y }: Point, color: string): string {
  const pin = 'M0 0C-2.5 -6.5 -11 -11.5 -11 -20A11 11 0 1 1 11 -20C11 -11.5 2.5 -6.5 0 0Z'
  const shadow = { cx: 0, cy: 0.5, rx: 4.5, ry: 1.8, fill: '#14181f', 'fill-opacity': 0.25 }
  const drawn =
    createElement('ellipse', shadow) +
    createElement('path', { d: pin, fill: color, stroke: '#ffffff', 'stroke-width': 1.6 }) +
    createElement('circle', { cx: 0, cy: -20, r: 4.2, fill: '#ffffff' })
  return createElement('g', { transform: `translate(${x} ${y})` }, drawn)
}
