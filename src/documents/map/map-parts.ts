/** Parts of maps: the ground with its streets, rings of distance, scale, north arrow and the symbol of the property. */

import { niceStep } from '../charts/axis.ts'
import {
  type Box,
  createBox,
  createElement,
  drawHaloText,
  drawPath,
  drawText,
  estimateWidth,
  ink,
  isWithin,
  line,
  overlaps,
  type Point,
} from '../charts/svg.ts'
import { drawStreets, landColor, type Plot } from './draw-streets.ts'
import { drawStreetLabels } from './street-labels.ts'
import type { Streets } from './streets.ts'

/** The ground of a map without streets. */
const paleColor = '#f6f8fa'

/**
 * Draws the frame of the map, its streets with their names, and the rings. `frameId` must be unique on a page.
 * `occupied`: where no name may be.
 */
export function drawGround(
  plot: Plot,
  streets: Streets | null,
  rings: string,
  frameId: string,
  occupied: readonly Box[],
): string[] {
  const ground = { x: 0.5, y: 0.5, width: plot.width - 1, height: plot.height - 1 }
  const clipped = (content: string) => createElement('g', { 'clip-path': `url(#${frameId})` }, content)
  return [
    createElement('rect', { ...ground, fill: streets ? landColor : paleColor, stroke: line, rx: 4 }),
    createElement('clipPath', { id: frameId }, createElement('rect', { ...ground, rx: 4 })),
    clipped((streets ? drawStreets(streets, plot) : '') + rings),
    streets ? drawStreetLabels(streets, plot, occupied) : '',
    streets ? createElement('rect', { ...ground, fill: 'none', stroke: line, rx: 4 }) : '',
  ]
}

interface RingsData {
  /** The metres that the map shows in each direction. */
  reach: number
  unitsPerMeter: number
  centre: Point
  hasStreets: boolean
  distance: (meters: number) => string
}

/** Draws distance rings. The labels that fit on the map are in the direction with the fewest pins. */
export function createRings(
  { reach, unitsPerMeter, centre, hasStreets, distance }: RingsData,
  pins: readonly Box[],
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
    labelsAt(angle).reduce((sum, { box }) => sum + pins.filter(pin => overlaps(box, pin)).length, 0)
  const angles = Array.from({ length: 24 }, (_, at) => -Math.PI / 2 + (at * Math.PI) / 12)
  const angle = angles.reduce((best, next) => (countOverlaps(next) < countOverlaps(best) ? next : best))
  const labels = labelsAt(angle)
  const circle = {
    cx: centre.x,
    cy: centre.y,
    fill: 'none',
    stroke: hasStreets ? '#7f8995' : '#aab3bf',
    'stroke-dasharray': '4 4',
  }
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
          stroke: hasStreets ? landColor : paleColor,
        }),
      )
      .join(''),
  }
}

/** Draws the scale bar, the north arrow and the attribution of the streets. */
export function createMapDecorations(
  { width, height, unitsPerMeter }: Plot,
  distance: (meters: number) => string,
  attribution: string | null,
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
  const source = attribution === null ? null : createAttribution(attribution, width, height)
  return {
    boxes: [
      ...(source ? [source.box] : []),
      { left: 8, top: y - 12, right: to + 12 + estimateWidth(text, 11), bottom: height },
      { left: north - 12, top: 6, right: width, bottom: 48 },
    ],
    drawn: [
      drawPath(bar, { fill: 'none', stroke: ink, 'stroke-width': 1.4 }),
      drawHaloText({ x: to + 6, y: y + 1 }, text, {
        'font-size': 11,
        fill: ink,
        stroke: attribution === null ? paleColor : landColor,
      }),
      drawPath(arrow, { fill: ink }),
      drawText({ x: north, y: 21 }, 'N', { 'text-anchor': 'middle', 'font-weight': 600, fill: ink }),
      source?.drawn,
    ].join(''),
  }
}

const attributionSize = 7.5

/** The licences of map data ask for it on the map itself. */
function createAttribution(text: string, width: number, height: number) {
  const box = {
    left: width - estimateWidth(text, attributionSize) - 8,
    top: height - 13,
    right: width - 1,
    bottom: height - 1,
  }
  const { left, top, right, bottom } = box
  const ground = { x: left, y: top, width: right - left, height: bottom - top, rx: 2 }
  return {
    box,
    drawn:
      createElement('rect', { ...ground, fill: '#ffffff', 'fill-opacity': 0.8 }) +
      drawText({ x: width - 5, y: height - 4.2 }, text, {
        'text-anchor': 'end',
        'font-size': attributionSize,
      }),
  }
}

export function drawHouse({ x, y }: Point): string {
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
