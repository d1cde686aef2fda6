/** The histogram of prices per square metre, with the position of the subject. */
import { type Axis, createAxis, niceStep } from './axis.ts'
import {
  type Canvas,
  clamp,
  createElement,
  drawHaloText,
  drawPath,
  drawSvg,
  drawText,
  estimateWidth,
  ink,
  line,
  softInk,
} from './svg.ts'

export interface HistogramData {
  values: number[]
  subject: number
  subjectLabel: string
  countLabel: string
  money: (amount: number) => string
  number: (count: number) => string
  description: string
}

interface Bar {
  count: number
  left: number
  width: number
}

const [left, right, top, plotHeight] = [36, 14, 44, 150]
const gap = 10

/** Draws the histogram as SVG. Outliers are counted in one bar at each end. */
export function drawHistogram({ width, palette }: Canvas, data: HistogramData): string {
  const axis = createAxis(data.values, [data.subject], 12)
  const labelWidth = (text: string) => estimateWidth(text, 11)
  const [belowLabel, aboveLabel] = [`< ${data.money(axis.low)}`, `> ${data.money(axis.high)}`]
  const below = data.values.filter(value => value < axis.low).length
  const above = data.values.filter(value => value > axis.high).length
  const widest = Math.max(...axis.ticks.map(tick => labelWidth(data.money(tick))))
  const from = below > 0 ? left + labelWidth(belowLabel) + gap : left
  const to = width - (above > 0 ? labelWidth(aboveLabel) + gap : Math.max(right, widest / 2))
  const toX = (value: number) => from + ((value - axis.low) / (axis.high - axis.low)) * (to - from)
  const bars = countBins(data.values, axis).map((count, at): Bar => {
    const x = toX(axis.ticks[at]!)
    return { count, left: x, width: toX(axis.ticks[at + 1]!) - x }
  })
  const toOutlierBar = (count: number, label: string, x: number) => ({
    count,
    label,
    left: x,
    width: labelWidth(label),
  })
  const ends = [toOutlierBar(below, belowLabel, left), toOutlierBar(above, aboveLabel, to + gap)].filter(
    ({ count }) => count > 0,
  )
  const max = Math.max(...[...bars, ...ends].map(({ count }) => count), 1)
  const countStep = Math.max(1, niceStep(max, 4))
  const countTop = Math.ceil(max / countStep) * countStep
  const bottom = top + plotHeight
  const toY = (count: number) => bottom - (count / countTop) * plotHeight
  const grid = Array.from({ length: countTop / countStep + 1 }, (_, at) => at * countStep).map(
    count =>
      drawPath(
        [
          { x: left, y: toY(count) },
          { x: width - 1, y: toY(count) },
        ],
        { stroke: line, 'stroke-width': 0.8 },
      ) +
      drawText({ x: left - 6, y: toY(count) + 4 }, data.number(count), {
        'text-anchor': 'end',
        'font-size': 11,
      }),
  )
  const drawBar = (bar: Bar, fill: string) =>
    createElement('rect', {
      x: bar.left + 0.8,
      y: toY(bar.count),
      width: bar.width - 1.6,
      height: bottom - toY(bar.count),
      fill,
    })
  // Label every nth tick so that labels do not overlap. An end tick next to an outlier bar needs no label.
  const every = Math.ceil((axis.ticks.length * (widest + 12)) / (to - from))
  const labels = axis.ticks
    .filter((_, at) => at % every === 0)
    .filter(tick => !(tick === axis.low && below > 0) && !(tick === axis.high && above > 0))
    .map(tick =>
      drawText({ x: toX(tick), y: bottom + 16 }, data.money(tick), {
        'text-anchor': 'middle',
        'font-size': 11,
      }),
    )
  const subject = toX(data.subject)
  const half = estimateWidth(data.subjectLabel) / 2
  return drawSvg(
    width,
    bottom + 22,
    data.description,
    [
      drawText({ x: 0, y: 12 }, data.countLabel, { 'font-size': 11 }),
      ...grid,
      ...bars.map(bar => drawBar(bar, palette.tint)),
      ...ends.map(end => drawBar(end, '#c3cad3')),
      ...labels,
      ...ends.map(end =>
        drawText({ x: end.left + end.width / 2, y: bottom + 16 }, end.label, {
          'text-anchor': 'middle',
          'font-size': 11,
          fill: softInk,
        }),
      ),
      drawPath(
        [
          { x: subject, y: top - 6 },
          { x: subject, y: bottom },
        ],
        { stroke: palette.accent, 'stroke-width': 2.5 },
      ),
      drawHaloText({ x: clamp(subject, half, width - half), y: top - 11 }, data.subjectLabel, {
        'text-anchor': 'middle',
        'font-weight': 600,
        fill: ink,
      }),
    ].join(''),
  )
}

/** Counts the values between each tick and the next; a value on the last tick is in the last bin. */
function countBins(values: number[], { ticks, high }: Axis): number[] {
  return ticks.slice(0, -1).map((from, at) => {
    const to = ticks[at + 1]!
    return values.filter(value => value >= from && (value < to || (to === high && value === high))).length
  })
}
