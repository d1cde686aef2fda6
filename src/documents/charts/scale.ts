/** The scale chart: the estimate and its range on an axis, and below them the adjusted price of each comparable. */
import { createAxis } from './axis.ts'
import {
  type Canvas,
  clamp,
  createElement,
  drawNumberedPin,
  drawPath,
  drawSvg,
  drawText,
  estimateWidth,
  ink,
  line,
} from './svg.ts'

export interface ScaleData {
  value: number
  low: number
  high: number
  /** The adjusted prices of the comparables, in the order of their numbers. */
  adjustedPrices: number[]
  money: (amount: number) => string
  shortMoney: (amount: number) => string
  description: string
}

const margin = 34
const pinRadius = 8.5
const barTop = 24
const pinsTop = 84

export function drawScale({ width, palette }: Canvas, data: ScaleData): string {
  const axis = createAxis(data.adjustedPrices, [data.low, data.high], width > 500 ? 8 : 5)
  const toPosition = (amount: number) =>
    margin + ((clamp(amount, axis.low, axis.high) - axis.low) / (axis.high - axis.low)) * (width - 2 * margin)
  const [low, value, high] = [toPosition(data.low), toPosition(data.value), toPosition(data.high)]
  const pins = stackPins(data.adjustedPrices.map(toPosition))
  const bottom = pinsTop + Math.max(1, ...pins.map(({ row }) => row + 1)) * (2 * pinRadius + 1)
  const widest = Math.max(...axis.ticks.map(tick => estimateWidth(data.shortMoney(tick), 11))) + 14
  const every = Math.ceil((axis.ticks.length * widest) / width)
  const ticks = axis.ticks.map((tick, at) => {
    const x = toPosition(tick)
    const label = { x, y: bottom + 15 }
    return (
      drawPath(
        [
          { x, y: barTop },
          { x, y: bottom },
        ],
        { stroke: line, 'stroke-width': 0.8 },
      ) +
      (at % every === 0
        ? drawText(label, data.shortMoney(tick), { 'text-anchor': 'middle', 'font-size': 11 })
        : '')
    )
  })
  const drawLabel = (
    x: number,
    y: number,
    text: string,
    anchor: 'start' | 'middle' | 'end',
    isBold: boolean,
  ) => {
    const labelWidth = estimateWidth(text, isBold ? 14 : 12)
    const [before, after] =
      anchor === 'middle'
        ? [labelWidth / 2, labelWidth / 2]
        : anchor === 'end'
          ? [labelWidth, 0]
          : [0, labelWidth]
    return drawText({ x: clamp(x, before, width - after), y }, text, {
      'text-anchor': anchor,
      fill: ink,
      ...(isBold && { 'font-weight': 600, 'font-size': 14 }),
    })
  }
  return drawSvg(
    width,
    bottom + 20,
    data.description,
    [
      ...ticks,
      createElement('rect', { x: low, y: barTop, width: high - low, height: 22, fill: palette.tint, rx: 3 }),
      drawPath(
        [
          { x: value, y: barTop - 4 },
          { x: value, y: barTop + 26 },
        ],
        { stroke: palette.accent, 'stroke-width': 3 },
      ),
      drawLabel(value, 14, data.money(data.value), 'middle', true),
      // Shifted outwards, so that the labels do not overlap in a narrow range.
      drawLabel(low + Math.min(30, (high - low) / 2 - 4), 62, data.money(data.low), 'end', false),
      drawLabel(high - Math.min(30, (high - low) / 2 - 4), 62, data.money(data.high), 'start', false),
      ...pins.map(({ x, row }, at) => {
        const pin = { x, y: pinsTop + row * (2 * pinRadius + 1) }
        return (
          drawNumberedPin(pin, pinRadius, at + 1, palette) +
          drawArrowOutside(data.adjustedPrices[at]!, axis, pin)
        )
      }),
    ].join(''),
  )
}

/** Puts each pin in the first row in which it touches no other. */
function stackPins(positions: number[]): { x: number; row: number }[] {
  const rows: number[][] = []
  return positions.map(x => {
    const free = rows.findIndex(row => row.every(other => Math.abs(other - x) > 2 * pinRadius + 1))
    const row = free < 0 ? rows.push([]) - 1 : free
    rows[row]!.push(x)
    return { x, row }
  })
}

/** Draws an arrow if the price lies outside the axis. */
function drawArrowOutside(
  price: number,
  axis: { low: number; high: number },
  { x, y }: { x: number; y: number },
): string {
  if (price >= axis.low && price <= axis.high) return ''
  const side = price < axis.low ? -1 : 1
  const [near, far] = [x + side * (pinRadius + 3), x + side * (pinRadius + 9)]
  return drawPath(
    [
      { x: near, y: y - 5 },
      { x: far, y },
      { x: near, y: y + 5 },
    ],
    { fill: ink },
  )
}
