/** From the price of each comparable to the estimate, such that a person can redo it with what is printed. */

import { type Block, type Cell, type Column, nothing, type Row } from '../../../../documents/blocks.ts'
import { type Adjustment, type Factor, factors } from '../../../../domain/valuation/adjustments.ts'
import type { ComparedProperty } from '../../../../domain/valuation/estimate.ts'
import type { Edition } from '../edition.ts'
import { amenityChanges, factorValue } from '../facts.ts'

/** Factors, as columns, that go on an upright page. */
const narrowColumnsMax = 5
/** Of columns below whose amounts there are words. */
const breadthOf: Partial<Record<Factor, number>> = { amenities: 2.2, condition: 1.3 }
/** An estimate gives weights to four digits, which is a hundredth of a percent. */
const weightSteps = 10_000

/**
 * What each contributes, in hundredths of the currency. They are rounded together, such that their sum is that of the exact
 * contributions, cut after the hundredths: rounded once more it is the estimate.
 */
export function sharesOf(used: { adjustedPrice: number; weight: number }[]): number[] {
  const exact = used.map(
    ({ adjustedPrice, weight }) => (adjustedPrice * Math.round(weight * weightSteps)) / 100,
  )
  const cents = exact.map(Math.floor)
  const missing = Math.floor(sumOf(exact) + 1e-6) - sumOf(cents)
  const nearest = [...exact.keys()].sort((a, b) => exact[b]! - cents[b]! - (exact[a]! - cents[a]!))
  for (const at of nearest.slice(0, missing)) cents[at]!++
  return cents
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** In their usual order, those that change the price of any. */
export function factorsOf(used: ComparedProperty[]): Factor[] {
  const moved = new Set(
    used.flatMap(({ adjustments }) =>
      adjustments.filter(({ amount }) => amount !== 0).map(({ factor }) => factor),
    ),
  )
  return factors.filter(factor => moved.has(factor))
}

export function isWideSum(edition: Edition): boolean {
  return factorsOf(edition.used).length > narrowColumnsMax
}

export function adjustmentsBlocks(edition: Edition): Block[] {
  const { report, words, used } = edition
  const { column } = words
  const moved = factorsOf(used)
  const value = (heading: string, breadth = 1): Column => ({ heading, kind: 'value', breadth })
  const columns: Column[] = [
    { heading: '#', kind: 'index' },
    value(words.price[report.priceBasis][report.operation], 1.15),
    ...moved.map(factor => value(words.factor[factor], breadthOf[factor])),
    ...[value(column.adjustedPrice, 1.25), value(column.weight), value(column.share, 1.25)],
  ]
  const intro = moved.includes('unexplained')
    ? `${words.adjustmentsIntro} ${words.unexplainedIntro}`
    : words.adjustmentsIntro
  return [
    { kind: 'paragraph', text: intro },
    {
      ...{ kind: 'table', caption: `${words.section.adjustments} (${report.currency})`, columns },
      rows: [subjectRow(moved, edition), ...usedRows(moved, edition), ...sumRows(moved, edition)],
    },
  ]
}

function usedRows(moved: Factor[], edition: Edition): Row[] {
  const { formats, used } = edition
  const shares = sharesOf(used)
  return used.map(({ comparable, adjustments, adjustedPrice, weight }, at) => ({
    kind: 'plain',
    cells: [
      { text: String(at + 1) },
      { text: formats.amount(comparable.price) },
      ...moved.map(factor => amountCell(factor, adjustments, edition)),
      { text: formats.amount(adjustedPrice) },
      { text: formats.percent(weight, 2) },
      { text: formats.number(shares[at]! / 100, 2) },
    ],
  }))
}

function sumRows(moved: Factor[], { report, words, formats, used }: Edition): Row[] {
  const weights = sumOf(used.map(({ weight }) => weight))
  const sum = sumOf(sharesOf(used)) / 100
  return [
    { label: words.sum, weight: formats.percent(weights, 2), amount: formats.number(sum, 2) },
    { label: words.rounded, weight: '', amount: formats.amount(report.estimate.value) },
  ].map(({ label, weight, amount }) => ({
    kind: 'total',
    cells: [{ text: label, span: 3 + moved.length }, { text: weight }, { text: amount }],
  }))
}

/** What the prices are adjusted to. */
function subjectRow(moved: Factor[], edition: Edition): Row {
  const { used, words } = edition
  const targets = moved.map(factor => {
    const all = used.flatMap(({ adjustments }) => adjustments.filter(one => one.factor === factor))
    const { to } = all.find(one => one.to !== null) ?? { to: null }
    // Amenities are below, where they differ; the place is where the property is, and nothing of it is unexplained.
    return {
      text:
        factor === 'amenities' || factor === 'place' || factor === 'unexplained'
          ? ''
          : factorValue(factor, to, edition),
    }
  })
  const ends = ['', '', ''].map(text => ({ text }))
  return { kind: 'highlighted', cells: [{ text: words.thisProperty, span: 2 }, ...targets, ...ends] }
}

function amountCell(factor: Factor, adjustments: Adjustment[], edition: Edition): Cell {
  const one = adjustments.find(adjustment => adjustment.factor === factor)
  if (!one || one.amount === 0) return { text: nothing }
  const note =
    factor === 'amenities'
      ? amenityChanges(one.from, one.to, edition)
      : factorValue(factor, one.from, edition)
  return { text: edition.formats.signed(one.amount), note }
}
