/** Estimates are printed as people say them. */
import { expect, test } from 'vitest'
import { makeSampleReport } from '../../../../test/sample-report.ts'
import { roundEstimate } from './rounding.ts'

const { estimate } = makeSampleReport({ set: 'es-barcelona-sale', language: 'es' })

test.each([
  { given: [466_374, 373_112, 559_690, 5069.28], printed: [466_000, 373_000, 560_000, 5070] },
  { given: [466_374, 457_012, 475_890, 5069.28], printed: [466_400, 457_000, 475_900, 5069] },
  { given: [1237, 1102, 1391, 13.4457], printed: [1240, 1100, 1390, 13.4] },
  { given: [1237, 1237, 1237, 13.4457], printed: [1237, 1237, 1237, 13.4457] },
])('$given is printed as $printed', ({ given, printed }) => {
  const [value, low, high, pricePerSquareMeter] = given as [number, number, number, number]
  const rounded = roundEstimate({ ...estimate, value, low, high, pricePerSquareMeter })
  expect([rounded.value, rounded.low, rounded.high, rounded.pricePerSquareMeter]).toEqual(printed)
  expect(rounded.compared).toBe(estimate.compared)
})
