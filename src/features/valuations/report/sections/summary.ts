/** The section with the estimate, its range and the facts of the property. */
import type { Block } from '../../../../documents/blocks.ts'
import { drawScale } from '../../../../documents/charts/scale.ts'
import { subjectFacts } from '../facts.ts'
import type { LocalizedReport } from '../localized-report.ts'
import { oldPricesBlocks } from './old-prices.ts'

export function summaryBlocks(localized: LocalizedReport): Block[] {
  const { report, words, formats, used, price } = localized
  const { operation, priceBasis, estimate } = report
  const { value, low, high, coverage, pricePerSquareMeter, confidence } = estimate
  const label = words.estimated[priceBasis][operation]
  const range = {
    label: words.range(formats.percent(coverage)),
    value: `${formats.money(low)} – ${formats.money(high)}`,
  }
  return [
    {
      kind: 'headline',
      label,
      value: price(value),
      basis: words.basis[priceBasis][operation],
      tiles: [
        range,
        { label: words.pricePerSquareMeter, value: formats.perSquareMeter(pricePerSquareMeter) },
        { label: words.confidence, value: words.confidenceLevel[confidence.level] },
      ],
    },
    ...oldPricesBlocks(localized),
    {
      kind: 'figure',
      caption: words.scaleCaption,
      draw: canvas =>
        drawScale(canvas, {
          value,
          low,
          high,
          money: formats.money,
          shortMoney: formats.shortMoney,
          adjustedPrices: used.map(({ adjustedPrice }) => adjustedPrice),
          description: `${label}: ${price(value)}. ${range.label}: ${range.value}.`,
        }),
    },
    { kind: 'facts', heading: words.facts.heading, facts: subjectFacts(localized) },
  ]
}
