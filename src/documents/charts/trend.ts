/** The chart of prices per square metre over time: a dot per price, and a line through the monthly medians. */
import { computeQuantile, createAxis } from './axis.ts'
import { type Canvas, createElement, drawPath, drawSvg, drawText, estimateWidth, line } from './svg.ts'

export interface TrendData {
  points: { date: Temporal.PlainDate; value: number }[]
  money: (amount: number) => string
  month: (date: Temporal.PlainDate) => string
  description: string
}

const monthsMin = 3
const [right, top, plotHeight] = [16, 12, 170]

/** Returns true if there are prices of enough months to show a trend. */
export function showsTrend({ points }: TrendData): boolean {
  return computeMedians(points).length >= monthsMin
}

/** Returns the number of outliers that the chart leaves out. */
export function countBeyondTrend({ points }: TrendData): number {
  return createAxis(
    points.map(({ value }) => value),
    [],
    5,
  ).outsideCount
}

export function drawTrend({ width, palette }: Canvas, data: TrendData): string {
  const axis = createAxis(
    data.points.map(({ value }) => value),
    [],
    5,
  )
  const left = 10 + Math.max(...axis.ticks.map(tick => estimateWidth(data.money(tick), 11)))
  const bottom = top + plotHeight
  const days = data.points.map(({ date }) => toDay(date))
  const firstMonth = toMonth(fromDay(Math.min(...days)))
  const afterLast = toMonth(fromDay(Math.max(...days))).add({ months: 1 })
  const span = toDay(afterLast) - toDay(firstMonth)
  const toX = (day: number) => left + ((day - toDay(firstMonth)) / span) * (width - left - right)
  const toY = (value: number) => bottom - ((value - axis.low) / (axis.high - axis.low)) * plotHeight
  const grid = axis.ticks.map(
    tick =>
      drawPath(
        [
          { x: left, y: toY(tick) },
          { x: width - right, y: toY(tick) },
        ],
        { stroke: line, 'stroke-width': 0.8 },
      ) +
      drawText({ x: left - 6, y: toY(tick) + 4 }, data.money(tick), {
        'text-anchor': 'end',
        'font-size': 11,
      }),
  )
  const shown = data.points.filter(({ value }) => value >= axis.low && value <= axis.high)
  const dots = shown.map(({ date, value }) =>
    createElement('circle', {
      cx: toX(toDay(date)),
      cy: toY(value),
      r: 2.4,
      fill: '#8b95a3',
      'fill-opacity': 0.55,
    }),
  )
  const medians = computeMedians(shown).map(({ day, median }) => ({ x: toX(day), y: toY(median) }))
  return drawSvg(
    width,
    bottom + 22,
    data.description,
    [
      ...grid,
      ...createMonthLabels(firstMonth, afterLast, width - left - right, data.month).map(({ month, text }) =>
        drawText({ x: toX(toDay(month) + 15), y: bottom + 16 }, text, {
          'text-anchor': 'middle',
          'font-size': 11,
        }),
      ),
      ...dots,
      drawPath(medians, {
        fill: 'none',
        stroke: palette.accent,
        'stroke-width': 2.5,
        'stroke-linejoin': 'round',
      }),
      ...medians.map(({ x, y }) =>
        createElement('circle', {
          cx: x,
          cy: y,
          r: 4,
          fill: palette.accent,
          stroke: '#ffffff',
          'stroke-width': 1.2,
        }),
      ),
    ].join(''),
  )
}

/** Labels every nth month so that labels do not overlap. */
function createMonthLabels(
  from: Temporal.PlainDate,
  before: Temporal.PlainDate,
  availableWidth: number,
  format: (date: Temporal.PlainDate) => string,
): { month: Temporal.PlainDate; text: string }[] {
  const count = from.until(before, { largestUnit: 'months' }).months
  const months = Array.from({ length: count }, (_, at) => from.add({ months: at }))
  const widest = Math.max(...months.map(month => estimateWidth(format(month), 11))) + 14
  const every = Math.ceil((count * widest) / availableWidth)
  return months.filter((_, at) => at % every === 0).map(month => ({ month, text: format(month) }))
}

/** The median of each month, at the mean day of its prices. */
function computeMedians(points: TrendData['points']): { day: number; median: number }[] {
  const months = Map.groupBy(points, ({ date }) => toDay(toMonth(date)))
  return [...months]
    .sort(([a], [b]) => a - b)
    .map(([, some]) => ({
      day: some.reduce((sum, { date }) => sum + toDay(date), 0) / some.length,
      median: computeQuantile(
        some.map(({ value }) => value),
        0.5,
      ),
    }))
}

const epoch = Temporal.PlainDate.from('1970-01-01')

function toDay(date: Temporal.PlainDate): number {
  return epoch.until(date).days
}

function fromDay(day: number): Temporal.PlainDate {
  return epoch.add({ days: day })
}

function toMonth(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.with({ day: 1 })
}
