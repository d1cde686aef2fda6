/** How the estimate came about, in plain words. */

import type { Block, Fact } from '../../../../documents/blocks.ts'
import { exclusionReasons } from '../../../../domain/valuation/estimate.ts'
import { usualMarketModel } from '../../../../domain/valuation/market-model.ts'
import { idTime } from '../../../../kit/id.ts'
import type { Edition } from '../edition.ts'
import { oldPricesBlocks } from './old-prices.ts'

export function methodBlocks(edition: Edition): Block[] {
  const { report, words, formats, used, price } = edition
  const { estimate, priceBasis, operation } = report
  const { method } = words
  const isChosen = (estimate.leftOutCounts.not_chosen ?? 0) > 0
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
    { label: method.adjustments, value: adjustmentsOrigin(edition) },
  ]
  const leftOut = leftOutFacts(edition)
  return [
    ...paragraphs.map((text): Block => ({ kind: 'paragraph', text })),
    ...oldPricesBlocks(edition),
    ...(leftOut.length > 0 ? [{ kind: 'facts', heading: method.leftOut, facts: leftOut } as const] : []),
    { kind: 'facts', heading: null, facts },
  ]
}

/** When the market was learnt, which the version of its model tells by its id, or what stands in for it. */
function adjustmentsOrigin({ report, words: { method }, formats, shown }: Edition): string {
  const { modelVersion } = report.estimate
  if (modelVersion === usualMarketModel.version) return method.usual
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(modelVersion)?.[0]
  return id ? method.calibrated(formats.date(idTime(id).toTemporalInstant())) : shown(modelVersion)
}

/** How many were left out for which reason. */
function leftOutFacts({ report, words, formats }: Edition): Fact[] {
  return exclusionReasons.flatMap(reason => {
    const count = report.estimate.leftOutCounts[reason] ?? 0
    return count > 0 ? [{ label: words.method.exclusion[reason], value: formats.number(count) }] : []
  })
}
