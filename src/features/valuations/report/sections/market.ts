/** What is asked or paid by square metre around, and how that has changed. */
import type { Block } from '../blocks.ts'
import { beyondHistogram, drawHistogram, type HistogramData } from '../charts/histogram.ts'
import { beyondTrend, drawTrend, showsTrend, type TrendData } from '../charts/trend.ts'
import type { Edition } from '../edition.ts'
import type { MarketPoint } from '../report.ts'

export function distributionBlocks(edition: Edition): Block[] {
  const { report, words, formats } = edition
  const points = pointsOf(edition)
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
  const caption = captionOf(words.distributionCaption[report.priceBasis], beyondHistogram(data), edition)
  return [{ kind: 'figure', caption, draw: canvas => drawHistogram(canvas, data) }]
}

export function trendBlocks(edition: Edition): Block[] {
  const { report, words, formats } = edition
  const data: TrendData = {
    points: pointsOf(edition).map(({ pricePerSquareMeter, seenAt }) => ({
      date: seenAt.toZonedDateTimeISO(report.timezone).toPlainDate(),
      value: pricePerSquareMeter,
    })),
    money: formats.money,
    month: formats.shortMonth,
    description: words.section.trend,
  }
  if (!showsTrend(data)) return [{ kind: 'paragraph', text: words.tooFewMonths }]
  const caption = captionOf(words.trendCaption[report.priceBasis], beyondTrend(data), edition)
  return [{ kind: 'figure', caption, draw: canvas => drawTrend(canvas, data) }]
}

function captionOf(caption: string, beyond: number, { words, formats }: Edition): string {
  return beyond > 0 ? `${caption} ${words.beyondAxis(formats.number(beyond))}` : caption
}

function pointsOf({ report }: Edition): MarketPoint[] {
  return (
    report.market ??
    report.estimate.compared.map(({ comparable: { price, squareMeters, seenAt } }) => ({
      pricePerSquareMeter: price / squareMeters,
      seenAt,
    }))
  )
}
