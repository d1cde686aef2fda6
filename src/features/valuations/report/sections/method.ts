/** The section that explains how the estimate was calculated. */

import type { Block, Fact } from '../../../../documents/blocks.ts'
import { exclusionReasons } from '../../../../domain/valuation/estimate.ts'
import { defaultMarketModel } from '../../../../domain/valuation/market-model.ts'
import { getIdTime } from '../../../../kit/id.ts'
import type { LocalizedReport } from '../localized-report.ts'
import { oldPricesBlocks } from './old-prices.ts'

export function methodBlocks(localized: LocalizedReport): Block[] {
  const { report, words, formats, used, price } = localized
  const { estimate, priceBasis, operation } = report
  const { method } = words
  const isChosen = (estimate.exclusionCounts.not_chosen ?? 0) > 0
  const paragraphs = [
    method.how,
    `${method.counts(used.length, report.considered)}${isChosen ? ` ${method.chosen}` : ''}`,
    method.range(
      formats.percent(estimate.coverage),
      words.thePrice[priceBasis][operation],
      price(estimate.low),
      price(estimate.high),
    ),
    `${words.basis[priceBasis][operation]} ${words.disclaimer}`,
  ]
  const facts: Fact[] = [
    { label: words.valuedOn, value: formats.date(report.asOf) },
    { label: words.issuedOn, value: formats.date(report.issuedAt) },
    { label: method.currency, value: `${formats.currencyName} (${report.currency})` },
    { label: method.deviation, value: `±\u00a0${formats.percent(estimate.fsd, 1)}` },
    { label: method.adjustments, value: adjustmentsOrigin(localized) },
  ]
  const leftOut = leftOutFacts(localized)
  return [
    ...paragraphs.map((text): Block => ({ kind: 'paragraph', text })),
    ...oldPricesBlocks(localized),
    ...(leftOut.length > 0 ? [{ kind: 'facts', heading: method.leftOut, facts: leftOut } as const] : []),
    { kind: 'facts', heading: null, facts },
  ]
}

/** The date of the model's training, read from the UUIDv7 in its version, or that default adjustments are used. */
function adjustmentsOrigin({ report, words: { method }, formats, displayText }: LocalizedReport): string {
  const { modelVersion } = report.estimate
  if (modelVersion === defaultMarketModel.version) return method.uncalibrated
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(modelVersion)?.[0]
  return id ? method.calibrated(formats.date(getIdTime(id).toTemporalInstant())) : displayText(modelVersion)
}

/** The number of comparables left out, by reason. */
function leftOutFacts({ report, words, formats }: LocalizedReport): Fact[] {
  return exclusionReasons.flatMap(reason => {
    const count = report.estimate.exclusionCounts[reason] ?? 0
    return count > 0 ? [{ label: words.method.exclusion[reason], value: formats.number(count) }] : []
  })
}
