/** The statements of the method section match the estimate. */
import { expect, test } from 'vitest'
import { makeSampleReport } from '../../../../../test/sample-report.ts'
import { toPrintable } from '../../../../documents/markup.ts'
import { defaultMarketModel, modelForm } from '../../../../domain/valuation/market-model.ts'
import { localizeReport } from '../localized-report.ts'
import type { ValuationReport } from '../report.ts'
import { methodBlocks } from './method.ts'
import { summaryBlocks } from './summary.ts'

const sample = makeSampleReport({ set: 'es-barcelona-sale', language: 'en' })

const readMethod = (estimate: Partial<ValuationReport['estimate']>) => {
  const blocks = methodBlocks(
    localizeReport({ ...sample, estimate: { ...sample.estimate, ...estimate } }, toPrintable),
  )
  return {
    facts: Object.fromEntries(
      blocks.flatMap(block => (block.kind === 'facts' ? block.facts.map(one => [one.label, one.value]) : [])),
    ),
    text: blocks.flatMap(block => (block.kind === 'paragraph' ? [block.text] : [])).join(' '),
  }
}

test('it counts the comparables left out, by reason', () => {
  const { facts, text } = readMethod({ exclusionCounts: { less_similar: 1180, implausible_price: 2 } })
  expect(facts).toMatchObject({ 'Less similar than those used': '1,180', 'With an implausible price': '2' })
  expect(facts).not.toHaveProperty('Not chosen by the person who ordered the valuation')
  expect(text).not.toContain('were chosen by')
})

test('it says that a user chose the comparables', () => {
  const { facts, text } = readMethod({ exclusionCounts: { not_chosen: 195, excluded_by_request: 2 } })
  expect(facts).toMatchObject({
    'Not chosen by the person who ordered the valuation': '195',
    'Ruled out by the person who ordered the valuation': '2',
  })
  expect(text).toContain('were chosen by the person who ordered the valuation.')
})

test('it states when the adjustments were calibrated, or that they were not', () => {
  const fittedVersion = `${modelForm}-01a20501-8122-787d-880c-a1bbe078e185`
  expect(readMethod({ modelVersion: fittedVersion }).facts.Adjustments).toBe(
    'calibrated to this market on 22 November 2026',
  )
  expect(readMethod({ modelVersion: defaultMarketModel.version }).facts.Adjustments).toMatch(
    /^default values/,
  )
  expect(readMethod({ modelVersion: 'another' }).facts.Adjustments).toBe('another')
})

test('it warns of prices older than half a year, and of the wider range after a year', () => {
  const aged = (days: number): ValuationReport => {
    const compared = sample.estimate.compared.map((one, index) => ({
      ...one,
      comparable: { ...one.comparable, seenAt: Temporal.Instant.from('2018-03-31T23:59:59Z') },
      ageDays: days + index,
    }))
    return { ...sample, estimate: { ...sample.estimate, compared } }
  }
  const listWarnings = (days: number) =>
    [methodBlocks, summaryBlocks].map(toBlocks =>
      toBlocks(localizeReport(aged(days), toPrintable))
        .flatMap(block => (block.kind === 'paragraph' ? [block.text] : []))
        .filter(text => /newest/.test(text)),
    )
  expect(listWarnings(183)).toEqual([[], []])
  const half =
    'The newest of the prices used is 6 months old (March 2018), and half of them are at least 6 months old: the market may have moved since.'
  expect(listWarnings(184)).toEqual([[half], [half]])
  expect(listWarnings(3157)[0]![0]).toBe(
    'The newest of the prices used is 8.6 years old (March 2018), and half of them are at least 8.7 years old: the market may have moved since. The range is therefore wider.',
  )
})
