/** How the estimate came about, in plain words. */
import { exclusionReasons } from '../../../../domain/valuation/estimate.ts'
import type { Block, Fact } from '../blocks.ts'
import type { Edition } from '../edition.ts'
import { printable } from '../markup.ts'

export function methodBlocks(edition: Edition): Block[] {
  const { report, words, formats, used, price } = edition
  const { estimate, priceBasis, operation } = report
  const { method } = words
  const paragraphs = [
    method.how,
    method.counts(used.length, report.considered),
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
    { label: words.issuedOn, value: formats.date(report.createdAt) },
    { label: method.currency, value: `${formats.currencyName} (${report.currency})` },
    { label: method.deviation, value: `±\u00a0${formats.percent(estimate.fsd, 1)}` },
    { label: method.version, value: printable(estimate.modelVersion) },
  ]
  const leftOut = leftOutFacts(edition)
  return [
    ...paragraphs.map((text): Block => ({ kind: 'paragraph', text })),
    ...(leftOut.length > 0 ? [{ kind: 'facts', heading: method.leftOut, facts: leftOut } as const] : []),
    { kind: 'facts', heading: null, facts },
  ]
}

/** How many were left out for which reason: all but the least telling of them are among those compared. */
function leftOutFacts({ report, words, formats, used }: Edition): Fact[] {
  const counts = new Map(
    exclusionReasons.map(reason => [
      reason,
      report.estimate.compared.filter(({ exclusionReason }) => exclusionReason === reason).length,
    ]),
  )
  const shown = [...counts.values()].reduce((sum, count) => sum + count, used.length)
  counts.set('less_alike', counts.get('less_alike')! + Math.max(0, report.considered - shown))
  return [...counts].flatMap(([reason, count]) =>
    count > 0 ? [{ label: words.method.exclusion[reason], value: formats.number(count) }] : [],
  )
}
