/** The printed table of adjustments adds up exactly. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSampleReport } from '../../../../../test/sample-report.ts'
import type { Row } from '../../../../documents/blocks.ts'
import { toPrintable } from '../../../../documents/markup.ts'
import { type Factor, factors } from '../../../../domain/valuation/adjustments.ts'
import { localizeReport } from '../localized-report.ts'
import type { ValuationReport } from '../report.ts'
import { roundEstimate } from '../rounding.ts'
import { adjustmentsBlocks, toFactors } from './adjustments.ts'

const sample = makeSampleReport({ set: 'us-kingcounty-sale', language: 'es' })

/** A report with these prices, adjustments and weights; weights have four decimals and add up to 1. */
const reports = fc
  .array(
    fc.record({
      price: fc.integer({ min: 300, max: 20_000_000 }),
      shares: fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 13, maxLength: 13 }),
      part: fc.double({ min: 0.01, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((rows): ValuationReport => {
    const whole = rows.reduce((sum, { part }) => sum + part, 0)
    const weights = rows.slice(1).map(({ part }) => Math.floor((part / whole) * 10_000))
    weights.unshift(10_000 - weights.reduce((sum, weight) => sum + weight, 0))
    const compared = rows.map(({ price, shares }, index) => {
      const adjustments = factors.map((factor, nth) => ({
        factor,
        from: null,
        to: null,
        amount: Math.round(price * shares[nth]!),
      }))
      return {
        ...sample.estimate.compared[0]!,
        adjustments,
        weight: weights[index]! / 10_000,
        comparable: { ...sample.estimate.compared[0]!.comparable, price },
        adjustedPrice: adjustments.reduce((sum, { amount }) => sum + amount, price),
      }
    })
    const exact = compared.reduce((sum, { adjustedPrice }, index) => sum + weights[index]! * adjustedPrice, 0)
    return { ...sample, estimate: { ...sample.estimate, compared, value: Math.round(exact / 10_000) } }
  })

const sumValues = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** The printed numbers of a row. */
const parseNumbers = ({ cells }: Row) =>
  cells
    .map(({ text }) => text)
    .filter(text => /\d/.test(text))
    .map(text =>
      Number(
        text
          .replaceAll('.', '')
          .replace(',', '.')
          .replace('−', '-')
          .replace(/[^\d.-]/g, ''),
      ),
    )

const toRows = (report: ValuationReport) =>
  adjustmentsBlocks(localizeReport(report, toPrintable)).flatMap(block =>
    block.kind === 'table' ? block.rows : [],
  )

test('the printed numbers add up to the adjusted prices, the shares and the estimate', () => {
  fc.assert(
    fc.property(reports, report => {
      const rows = toRows(report).map(parseNumbers)
      const [sum, result] = rows.slice(-2)
      const priced = rows.slice(1, -2)
      expect(priced).toHaveLength(report.estimate.compared.length)
      for (const [, price, ...rest] of priced) {
        const [adjusted, weight, share] = rest.slice(-3)
        expect(sumValues([price!, ...rest.slice(0, -3)])).toBe(adjusted)
        // A share may be off by a hundredth, so that the sum is exact.
        expect(Math.abs((adjusted! * weight!) / 100 - share!)).toBeLessThan(0.0101)
      }
      expect(sumValues(priced.map(row => row.at(-2)!))).toBeCloseTo(100, 6)
      expect(sumValues(priced.map(row => row.at(-1)!))).toBeCloseTo(sum![1]!, 4)
      expect(sum![0]).toBe(100)
      expect(Math.round(sum![1]!)).toBe(report.estimate.value)
      expect(result).toEqual([roundEstimate(report.estimate).value])
    }),
  )
})

test('a factor without adjustment shows a dash instead of zero', () => {
  const rows = toRows(sample).filter(({ kind }) => kind === 'plain')
  const texts = rows.flatMap(({ cells }) => cells.map(({ text }) => text))
  expect(texts).toContain('–')
  expect(texts).not.toContain('0')
})

test('the table has a column for each factor that changes a price, and no others', () => {
  const { used } = localizeReport(sample, toPrintable)
  const activeFactors: Factor[] = ['time', 'place', 'size', 'plot', 'bedrooms', 'bathrooms']
  expect(toFactors(used)).toEqual([...activeFactors, 'amenities', 'yearBuilt', 'unexplained'])
})
