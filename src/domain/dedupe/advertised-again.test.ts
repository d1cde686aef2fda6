// Some thousand simulated adverts, some of them advertised again and some beside their like: what is found, joined and asked.
import { beforeAll, describe, expect, test } from 'vitest'
import { type Labelled, labelledAdverts } from '../../../test/advertised-again.ts'
import { compareProperties } from './compare-properties.ts'
import { placeKeys, placeKeysNear } from './place-keys.ts'

let pairs: { one: Labelled; other: Labelled; isSame: boolean }[]
beforeAll(async () => {
  const adverts = await labelledAdverts({ seed: 7, half: 0, adverts: 6000 })
  // What is made of an advert stands behind it.
  pairs = adverts.flatMap((other, at) => {
    const one = adverts[at - 1]!
    return other.kind === 'first' ? [] : [{ one, other, isSame: one.property === other.property }]
  })
})

const verdicts = (kind: RegExp, verdict: string) => {
  const ofKind = pairs.filter(({ other }) => kind.test(other.kind))
  expect(ofKind.length).toBeGreaterThan(20)
  const are = ofKind.filter(({ one, other }) => compareProperties(one.facts, other.facts).verdict === verdict)
  return are.length / ofKind.length
}

test('every advert of a property is found by telephone or place', () => {
  const isFound = ({ one, other }: (typeof pairs)[number]) => {
    if (one.facts.phone === other.facts.phone) return true
    const [kept, near] = [placeKeys(one.facts), placeKeysNear(other.facts)]
    return near.cells.includes(kept.cell ?? -1) || (near.street !== null && near.street === kept.street)
  }
  expect(pairs.filter(({ isSame }) => isSame).length).toBeGreaterThan(1000)
  expect(pairs.filter(pair => pair.isSame && !isFound(pair))).toEqual([])
})

test('of those that are joined unasked 99 % are of one property', () => {
  const joined = pairs.filter(
    ({ one, other }) => compareProperties(one.facts, other.facts).verdict === 'same',
  )
  expect(joined.filter(({ isSame }) => isSame).length / joined.length).toBeGreaterThan(0.99)
})

describe('the share', () => {
  test.each<[kind: RegExp, verdict: string, atLeast: number]>([
    [/^(as it was|price ±4 %|no address|no pin)$/, 'same', 0.93],
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
  ])('of %s that is %s is %d at least', (kind, verdict, atLeast) => {
    expect(verdicts(kind, verdict)).toBeGreaterThanOrEqual(atLeast)
  })
})
