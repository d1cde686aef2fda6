/**
 * The calculation from the prices of the comparables to the estimate. A reader can reproduce it from the printed
 * numbers.
 */

import { type Block, type Cell, type Column, noValue, type Row } from '../../../../documents/blocks.ts'
import { type Adjustment, type Factor, factors } from '../../../../domain/valuation/adjustments.ts'
import type { ComparedProperty } from '../../../../domain/valuation/estimate.ts'
import { amenityChanges, factorValue } from '../facts.ts'
import type { LocalizedReport } from '../localized-report.ts'

/** The most factor columns that fit on a portrait page. */
const narrowColumnsMax = 5
/** The relative widths of columns that print words below the amounts. */
const columnWidths: Partial<Record<Factor, number>> = { amenities: 2.2, condition: 1.3 }
/** Weights have four decimals, a hundredth of a percent. */
const weightSteps = 10_000

/**
 * The contributions of the comparables, `adjustedPrice` × `weight`, in hundredths of the currency. The largest remainder
 * method rounds them, so that their sum equals the exact sum rounded down to hundredths. That sum, rounded to units, is
 * the estimate.
 */
export function toContributions(used: { adjustedPrice: number; weight: number }[]): number[] {
  const exact = used.map(
    ({ adjustedPrice, weight }) => (adjustedPrice * Math.round(weight * weightSteps)) / 100,
  )
  const cents = exact.map(Math.floor)
  const missing = Math.floor(sumValues(exact) + 1e-6) - sumValues(cents)
  const byRemainder = [...exact.keys()].sort((a, b) => exact[b]! - cents[b]! - (exact[a]! - cents[a]!))
  for (const index of byRemainder.slice(0, missing)) cents[index]!++
  return cents
}

function sumValues(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The factors that change at least one price, in the order of `factors`. */
export function toFactors(used: ComparedProperty[]): Factor[] {
  const activeFactors = new Set(
    used.flatMap(({ adjustments }) =>
      adjustments.filter(({ amount }) => amount !== 0).map(({ factor }) => factor),
    ),
  )
  return factors.filter(factor => activeFactors.has(factor))
}

export function isWideTable(localized: LocalizedReport): boolean {
  return toFactors(localized.used).length > narrowColumnsMax
}

export function adjustmentsBlocks(localized: LocalizedReport): Block[] {
  const { report, words, used } = localized
  const { column } = words
  const activeFactors = toFactors(used)
  const value = (heading: string, widthShare = 1): Column => ({ heading, kind: 'value', widthShare })
  const columns: Column[] = [
    { heading: '#', kind: 'index' },
    value(words.price[report.priceBasis][report.operation], 1.15),
    ...activeFactors.map(factor => value(words.factor[factor], columnWidths[factor])),
    value(column.adjustedPrice, 1.25),
    value(column.weight),
    value(column.share, 1.25),
  ]
  const intro = activeFactors.includes('unexplained')
    ? `${words.adjustmentsIntro} ${words.unexplainedIntro}`
    : words.adjustmentsIntro
  return [
    { kind: 'paragraph', text: intro },
    {
      kind: 'table',
      caption: `${words.section.adjustments} (${report.currency})`,
      columns,
      rows: [
        subjectRow(activeFactors, localized),
        ...usedRows(activeFactors, localized),
        ...sumRows(activeFactors, localized),
      ],
    },
  ]
}

function usedRows(activeFactors: Factor[], localized: LocalizedReport): Row[] {
  const { formats, used } = localized
  const shares = toContributions(used)
  return used.map(({ comparable, adjustments, adjustedPrice, weight }, index) => ({
    kind: 'plain',
    cells: [
      { text: String(index + 1) },
      { text: formats.amount(comparable.price) },
      ...activeFactors.map(factor => amountCell(factor, adjustments, localized)),
      { text: formats.amount(adjustedPrice) },
      { text: formats.percent(weight, 2) },
      { text: formats.number(shares[index]! / 100, 2) },
    ],
  }))
}

function sumRows(activeFactors: Factor[], { report, words, formats, used }: LocalizedReport): Row[] {
  const weights = sumValues(used.map(({ weight }) => weight))
  const sum = sumValues(toContributions(used)) / 100
  return [
    { label: words.sum, weight: formats.percent(weights, 2), amount: formats.number(sum, 2) },
    { label: words.rounded, weight: '', amount: formats.amount(report.estimate.value) },
  ].map(({ label, weight, amount }) => ({
    kind: 'total',
    cells: [{ text: label, span: 3 + activeFactors.length }, { text: weight }, { text: amount }],
  }))
}

/** The row with the values of the subject, to which the prices are adjusted. */
function subjectRow(activeFactors: Factor[], localized: LocalizedReport): Row {
  const { used, words } = localized
  const targets = activeFactors.map(factor => {
    const all = used.flatMap(({ adjustments }) => adjustments.filter(one => one.factor === factor))
    const { to } = all.find(one => one.to !== null) ?? { to: null }
    // No value to print: amenities show only differences; `place` and `unexplained` are measured from the subject.
    return {
      text:
        factor === 'amenities' || factor === 'place' || factor === 'unexplained'
          ? ''
          : factorValue(factor, to, localized),
    }
  })
  const ends = ['', '', ''].map(text => ({ text }))
  return { kind: 'highlighted', cells: [{ text: words.thisProperty, span: 2 }, ...targets, ...ends] }
}

function amountCell(factor: Factor, adjustments: Adjustment[], localized: LocalizedReport): Cell {
  const one = adjustments.find(adjustment => adjustment.factor === factor)
  if (!one || one.amount === 0) return { text: noValue }
  const note =
    factor === 'amenities'
      ? amenityChanges(one.from, one.to, localized)
      : factorValue(factor, one.from, localized)
  return { text: localized.formats.signed(one.amount), note }
}
