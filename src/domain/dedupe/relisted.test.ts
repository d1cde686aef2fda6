/** Finds and compares relisted properties among some thousand simulated listings. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type LabelledListing, makeLabelledListings } from '../../../test/relisted-properties.ts'
import { compareProperties } from './compare-properties.ts'
import { toNearbyPlaceKeys, toPlaceKeys } from './place-keys.ts'

let pairs: { one: LabelledListing; other: LabelledListing; isSame: boolean }[]
beforeAll(async () => {
  const listings = await makeLabelledListings({ seed: 7, half: 0, listings: 6000 })
  // A relisted property follows its first listing.
  pairs = listings.flatMap((other, index) => {
    const one = listings[index - 1]!
    return other.kind === 'first' ? [] : [{ one, other, isSame: one.property === other.property }]
  })
})

const computeVerdictShare = (kind: RegExp, verdict: string) => {
  const pairsOfKind = pairs.filter(({ other }) => kind.test(other.kind))
  expect(pairsOfKind.length).toBeGreaterThan(20)
  const matching = pairsOfKind.filter(
    ({ one, other }) => compareProperties(one.facts, other.facts).verdict === verdict,
  )
  return matching.length / pairsOfKind.length
}

test('every relisted property is found by phone or place', () => {
  const isFound = ({ one, other }: (typeof pairs)[number]) => {
    if (one.facts.phone === other.facts.phone) return true
    const [keys, nearbyKeys] = [toPlaceKeys(one.facts), toNearbyPlaceKeys(other.facts)]
    return (
      nearbyKeys.cells.includes(keys.cell ?? -1) ||
      (nearbyKeys.street !== null && nearbyKeys.street === keys.street)
    )
  }
  expect(pairs.filter(({ isSame }) => isSame).length).toBeGreaterThan(1000)
  expect(pairs.filter(pair => pair.isSame && !isFound(pair))).toEqual([])
})

test('99 % of the automatic merges are of one property', () => {
  const matched = pairs.filter(
    ({ one, other }) => compareProperties(one.facts, other.facts).verdict === 'same',
  )
  expect(matched.filter(({ isSame }) => isSame).length / matched.length).toBeGreaterThan(0.99)
})

describe('the share', () => {
  test.each<[kind: RegExp, verdict: string, atLeast: number]>([
    [/^(unchanged|price ±4 %|no address|no pin)$/, 'same', 0.93],
    [/^other wording$/, 'same', 0.93],
    [/^pin up to 250 m off$/, 'same', 0.93],
    [/^size ±3 %$/, 'same', 0.93],
    [/^other agency$/, 'same', 0.7],
    [/^other agency, no number$/, 'maybe', 0.85],
    [/^new building's unit$/, 'maybe', 1],
    [/^new building's twin(, no floor)?$/, 'maybe', 1],
    [/^new building's twin above$/, 'different', 1],
    [/^flat above, other agency$/, 'different', 0.85],
    [/^next house/, 'different', 0.7],
  ])('of %s with the verdict %s is at least %d', (kind, verdict, atLeast) => {
    expect(computeVerdictShare(kind, verdict)).toBeGreaterThanOrEqual(atLeast)
  })
})
