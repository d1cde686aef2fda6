/** How many properties have which price by square metre, and where the subject is among them. */
import { axisOf, niceStep } from './axis.ts'
import { type Canvas, clamp, drawing, element, haloTextAt, ink, line, path, textAt, widthOf } from './svg.ts'

export interface HistogramData {
  values: number[]
  subject: number
  subjectLabel: string
  countLabel: string
  money: (amount: number) => string
  number: (count: number) => string
  description: string
}

const [left, right, top, plotHeight] = [36, 14, 44, 150]

/** How many of the values are not in the drawing: they are far out. */
export function beyondHistogram({ values, subject }: HistogramData): number {
  return axisOf(values, [subject], 12).beyond
}

export function drawHistogram({ width, palette }: Canvas, data: HistogramData): string {
  const axis = axisOf(data.values, [data.subject], 12)
  const step = axis.ticks[1]! - axis.ticks[0]!
  const counts = axis.ticks.slice(0, -1).map((from, at, all) => {
    const isLast = at === all.length - 1
    return data.values.filter(
      value => value >= from && (value < from + step || (isLast && value <= axis.high)),
    ).length
  })
  const most = Math.max(...counts, 1)
  const countStep = Math.max(1, niceStep(most, 4))
  const countTop = Math.ceil(most / countStep) * countStep
  const bottom = top + plotHeight
  const xOf = (value: number) => left + ((value - axis.low) / (axis.high - axis.low)) * (width - left - right)
  const yOf = (count: number) => bottom - (count / countTop) * plotHeight
  const grid = Array.from({ length: countTop / countStep + 1 }, (_, at) => at * countStep).map(
    count =>
      path(
        [
          { x: left, y: yOf(count) },
          { x: width - right, y: yOf(count) },
        ],
        { stroke: line, 'stroke-width': 0.8 },
      ) +
      textAt({ x: left - 6, y: yOf(count) + 4 }, data.number(count), {
        'text-anchor': 'end',
        'font-size': 11,
      }),
  )
  const bars = counts.map((count, at) => {
    const x = xOf(axis.ticks[at]!)
    return element('rect', {
      ...{
        x: x + 0.8,
        y: yOf(count),
        width: xOf(axis.ticks[at + 1]!) - x - 1.6,
        height: bottom - yOf(count),
      },
      fill: palette.tint,
    })
  })
  // As many as there is room for.
  const widest = Math.max(...axis.ticks.map(tick => widthOf(data.money(tick), 11))) + 12
  const every = Math.ceil((axis.ticks.length * widest) / (width - left - right))
  const labels = axis.ticks
    .filter((_, at) => at % every === 0)
    .map(tick =>
      textAt({ x: xOf(tick), y: bottom + 16 }, data.money(tick), {
        ...{ 'text-anchor': tick === axis.high ? 'end' : 'middle', 'font-size': 11 },
      }),
    )
  const subject = xOf(data.subject)
  const half = widthOf(data.subjectLabel) / 2
  return drawing(
    width,
    bottom + 22,
    data.description,
    [
      textAt({ x: 0, y: 12 }, data.countLabel, { 'font-size': 11 }),
      ...grid,
      ...bars,
      ...labels,
      path(
        [
          { x: subject, y: top - 6 },
          { x: subject, y: bottom },
        ],
        { stroke: palette.accent, 'stroke-width': 2.5 },
      ),
      haloTextAt({ x: clamp(subject, half, width - half), y: top - 11 }, data.subjectLabel, {
        ...{ 'text-anchor': 'middle', 'font-weight': 600, fill: ink },
      }),
    ].join(''),
  )
}
