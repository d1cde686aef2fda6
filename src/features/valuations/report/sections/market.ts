/** The prices per square metre in the area: their distribution and their trend. */
import type { Block } from '../../../../documents/blocks.ts'
import { drawHistogram, type HistogramData } from '../../../../documents/charts/histogram.ts'
import {
  countBeyondTrend,
  drawTrend,
  showsTrend,
  type TrendData,
} from '../../../../documents/charts/trend.ts'
import type { LocalizedReport } from '../localized-report.ts'
import type { MarketPoint } from '../report.ts'

export function distributionBlocks(localized: LocalizedReport): Block[] {
  const { report, words, formats } = localized
  const points = toPoints(localized)
  if (points.length === 0) return [{ kind: 'paragraph', text: words.noPrices }]
  const { pricePerSquareMeter } = report.estimate
  const data: HistogramData = {
    values: points.map(point => point.pricePerSquareMeter),
    subject: pricePerSquareMeter,
    subjectLabel: `${words.thisProperty}: ${formats.perSquareMeter(pricePerSquareMeter)}`,
    countLabel: words.count[report.priceBasis],
    money: formats.money,
    number: formats.number,
    description: `${words.section.distribution}. ${words.thisProperty}: ${formats.perSquareMeter(pricePerSquareMeter)}.`,
  }
  const caption = words.distributionCaption[report.priceBasis]
  return [{ kind: 'figure', caption, draw: canvas => drawHistogram(canvas, data) }]
}

export function trendBlocks(localized: LocalizedReport): Block[] {
  const { report, words, formats } = localized
  const data: TrendData = {
    points: toPoints(localized).map(({ pricePerSquareMeter, seenAt }) => ({
      date: toDay(seenAt),
      value: pricePerSquareMeter,
    })),
    money: formats.money,
    month: formats.shortMonth,
    description: words.section.trend,
  }
  if (!showsTrend(data)) return [{ kind: 'paragraph', text: words.tooFewMonths }]
  const beyond = countBeyondTrend(data)
  const caption = [
    words.trendCaption[report.priceBasis],
    ...(beyond > 0 ? [words.beyondAxis(formats.number(beyond))] : []),
  ].join(' ')
  return [{ kind: 'figure', caption, draw: canvas => drawTrend(canvas, data) }]
}

/** The day in UTC, as in the market data: a month in a file of sales is stored as its last second. */
export function toDay(seenAt: Temporal.Instant): Temporal.PlainDate {
  return seenAt.toZonedDateTimeISO('UTC').toPlainDate()
}

function toPoints({ report }: LocalizedReport): MarketPoint[] {
  return (
    report.market ??
    report.estimate.compared.map(({ comparable: { price, squareMeters, seenAt } }) => ({
      pricePerSquareMeter: price / squareMeters,
      seenAt,
    }))
  )
}
