/** The energy label: the scale of the European Union from A to G, with an arrow at each rating. */
import { createElement, drawPath, drawSvg, drawText, ink, line } from './svg.ts'

export const energyClasses = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const
export type EnergyClass = (typeof energyClasses)[number]

/** The colours of the label of Directive 2010/30/EU, dark green to red. */
const classColors: Record<EnergyClass, string> = {
  A: '#00a651',
  B: '#50b848',
  C: '#bfd730',
  D: '#fff200',
  E: '#fdb913',
  F: '#f37021',
  G: '#ed1c24',
}

/** What is rated: the consumption or the emissions. */
export interface EnergyScale {
  heading: string
  /** Null: only the value is known. */
  rating: EnergyClass | null
  /** The measured value with its unit. */
  value: string | null
}

const rowHeight = 17
const rowGap = 2
const headHeight = 20
/** A value without its rating stands above the rows, because it would be read as the rating of its row. */
const unratedHeight = 16
const barsWidth = 108
const columnWidth = 88
const tip = 7

export function drawEnergyLabel(scales: EnergyScale[], description: string): string {
  const width = barsWidth + scales.length * columnWidth
  const top = headHeight + (scales.some(({ rating }) => rating === null) ? unratedHeight : 0)
  const height = top + energyClasses.length * (rowHeight + rowGap)
  const toY = (row: number) => top + row * (rowHeight + rowGap)
  const bars = energyClasses.map((name, row) => {
    const barWidth = 34 + row * 10.5
    return (
      drawArrow(0, toY(row), barWidth, classColors[name], 'right') +
      drawText({ x: 8, y: toY(row) + 13 }, name, { 'font-weight': 600, fill: isDark(name) ? '#ffffff' : ink })
    )
  })
  const columns = scales.map((scale, nth) => drawScale(scale, barsWidth + nth * columnWidth, toY, height))
  return drawSvg(width, height, description, bars.join('') + columns.join(''))
}

function drawScale(
  { heading, rating, value }: EnergyScale,
  left: number,
  toY: (row: number) => number,
  height: number,
): string {
  const separator = [
    { x: left, y: 0 },
    { x: left, y: height - rowGap },
  ]
  return (
    drawPath(separator, { stroke: line, 'stroke-width': 1 }) +
    drawText({ x: left + 8, y: 12 }, heading, { 'font-size': 11.5 }) +
    (rating === null ? '' : drawRating(rating, left + 8, toY(energyClasses.indexOf(rating)))) +
    (value === null
      ? ''
      : drawText({ x: left + 8, y: toValueY(rating, toY) }, value, { 'font-size': 11.5, fill: ink }))
  )
}

function drawRating(rating: EnergyClass, x: number, y: number): string {
  return (
    drawArrow(x, y, columnWidth - 34, ink, 'left') +
    drawText({ x: x + tip + (columnWidth - 34 - tip) / 2, y: y + 13 }, rating, {
      'text-anchor': 'middle',
      'font-weight': 600,
      'font-size': 13,
      fill: '#ffffff',
    })
  )
}

/** Below the arrow; above it in the lower half, so that the value stays inside the drawing. */
function toValueY(rating: EnergyClass | null, toY: (row: number) => number): number {
  if (rating === null) return headHeight + 8
  const row = energyClasses.indexOf(rating)
  return row < 4 ? toY(row) + rowHeight + 13 : toY(row) - 6
}

function drawArrow(x: number, y: number, width: number, fill: string, to: 'left' | 'right'): string {
  const [flat, pointed] = to === 'right' ? [x, x + width] : [x + width, x]
  const shoulder = to === 'right' ? pointed - tip : pointed + tip
  const corners = [
    { x: flat, y },
    { x: shoulder, y },
    { x: pointed, y: y + rowHeight / 2 },
    { x: shoulder, y: y + rowHeight },
    { x: flat, y: y + rowHeight },
  ]
  return createElement('g', {}, drawPath(corners, { fill }))
}

/** White letters on dark green and red, dark letters on the others. */
function isDark(name: EnergyClass): boolean {
  return name === 'A' || name === 'G'
}
