/** An estimate can be recomputed by hand, follows the user's choice, and is null if there is too little data. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  listFactors,
  listUsed,
  listUsedIds,
  makeCopies,
  makeEstimate,
} from '../../../test/synthetic-estimates.ts'
import { makeComparable, makeProperty, makeTown, sampleDate } from '../../../test/synthetic-market.ts'
import type { Estimate } from './estimate.ts'
import { fitMarket } from './fit-market.ts'
import { defaultMarketModel, type MarketModel } from './market-model.ts'
import { createNearestFinder } from './nearest.ts'
import { amenities, type Characteristics, toAmenitySet } from './property.ts'

const town = makeTown(800)
const fittedModel = fitMarket(town, 'test')!.model
const models: [string, MarketModel][] = [
  ['before any fit', defaultMarketModel],
  ['after a fit', fittedModel],
]
const near = createNearestFinder(town)
const listNearby = (subject: Characteristics) => near(subject, 200).map(({ property }) => property)

const anySubject = fc
  .record({
    latitude: fc.double({ min: 41.36, max: 41.42, noNaN: true }),
    longitude: fc.double({ min: 2.1, max: 2.2, noNaN: true }),
    squareMeters: fc.integer({ min: 25, max: 200 }),
    bedrooms: fc.integer({ min: 0, max: 5 }),
    bathrooms: fc.option(fc.integer({ min: 1, max: 3 })),
    condition: fc.constantFrom('new' as const, 'good' as const, 'to_renovate' as const, null),
    floor: fc.option(fc.integer({ min: -1, max: 8 })),
    yearBuilt: fc.option(fc.integer({ min: 1900, max: 2026 })),
    amenities: fc.option(fc.integer({ min: 0, max: 2 ** 18 - 1 })),
  })
  .map(changes => makeProperty(changes))

describe.each(models)('%s', (_name, model) => {
  test('the estimate is the weighted sum of adjusted prices, each the price plus its adjustments', () => {
    fc.assert(
      fc.property(anySubject, subject => {
        const estimate = makeEstimate(subject, listNearby(subject), model)
        if (!estimate) return
        let sum = 0
        let weights = 0
        for (const { comparable, adjustments, adjustedPrice, weight } of listUsed(estimate)) {
          const amounts = adjustments.reduce((sum, { amount }) => sum + amount, 0)
          expect(adjustedPrice).toBe(comparable.price + amounts)
          sum += adjustedPrice! * weight
          weights += weight
        }
        expect(weights).toBeCloseTo(1, 9)
        expect(estimate.value).toBe(Math.round(sum))
        expect(listUsed(estimate).length).toBeLessThanOrEqual(20)
        expect(estimate.low).toBeLessThan(estimate.value)
        expect(estimate.high).toBeGreaterThan(estimate.value)
      }),
      { numRuns: 60 },
    )
  })

  test('identical properties have the same value', () => {
    const estimate = makeEstimate(makeProperty(), makeCopies(10, 250_000), model)!
    expect(estimate.value).toBe(250_000)
    expect(listUsed(estimate).every(({ adjustments }) => adjustments.length === 0)).toBe(true)
  })

  test('excluded comparables are omitted with a reason; with included ones, only these are weighed', () => {
    const subject = makeProperty()
    const comparables = listNearby(subject)
    const first = makeEstimate(subject, comparables, model)!
    const [mostSimilar, ...otherIds] = listUsedIds(first)
    const without = makeEstimate(subject, comparables, model, { excluded: [mostSimilar!] })!
    expect(listUsedIds(without)).not.toContain(mostSimilar)
    const omitted = without.compared.find(({ comparable }) => comparable.id === mostSimilar)!
    expect(omitted).toMatchObject({ exclusionReason: 'excluded_by_request', weight: 0, adjustedPrice: null })
    const chosen = otherIds.slice(0, 4)
    expect(listUsedIds(makeEstimate(subject, comparables, model, { included: chosen })!).toSorted()).toEqual(
      chosen.toSorted(),
    )
  })

  test('omitted comparables are listed by reason, the most similar first, and all are counted', () => {
    const subject = makeProperty()
    const ownListing = makeComparable('own', 200_000)
    const mistyped = makeCopies(4, 5_000_000, { floor: 3 })
    const comparables = [...listNearby(subject), ownListing, ...mistyped]
    const { compared, exclusionCounts } = makeEstimate(subject, comparables, model)!
    const omitted = compared.slice(20)
    expect(omitted.map(({ exclusionReason }) => exclusionReason)).toEqual([
      'same_property',
      ...mistyped.map(() => 'implausible_price'),
      ...Array(25).fill('less_similar'),
    ])
    expect(exclusionCounts).toEqual({ same_property: 1, implausible_price: 4, less_similar: 180 })
    // The next ones are those that are weighed if all used ones are excluded.
    const used = compared.slice(0, 20).map(({ comparable }) => comparable.id)
    const next = omitted.slice(5, 25).map(({ comparable }) => comparable.id)
    const without = makeEstimate(subject, comparables, model, { excluded: used })!
    expect(listUsedIds(without).toSorted()).toEqual(next.toSorted())
    expect(without.exclusionCounts).toMatchObject({ excluded_by_request: 20, less_similar: 160 })
    // At least 20 less similar ones remain to choose from, however many are listed for another reason.
    const lessSimilar = without.compared.filter(({ exclusionReason }) => exclusionReason === 'less_similar')
    expect(lessSimilar).toHaveLength(20)
  })

  test('with a choice, everything that counts without the choice is still listed', () => {
    const subject = makeProperty()
    const comparables = [makeComparable('own', 200_000), ...makeCopies(6, 5_000_000), ...listNearby(subject)]
    const first = makeEstimate(subject, comparables, model)!
    const last = comparables.slice(-3).map(({ id }) => id)
    const chosen = makeEstimate(subject, comparables, model, { included: last })!
    expect(listUsedIds(chosen).toSorted()).toEqual(last.toSorted())
    const reasonsById = new Map(
      chosen.compared.map(({ comparable, exclusionReason }) => [comparable.id, exclusionReason]),
    )
    for (const id of listUsedIds(first)) expect(reasonsById.get(id)).toBe('not_chosen')
    expect(reasonsById.get('own')).toBe('same_property')
    expect(chosen.exclusionCounts).toEqual({ same_property: 1, implausible_price: 6, not_chosen: 197 })
  })

  test('an implausible price is ignored', () => {
    const subject = makeProperty()
    const comparables = listNearby(subject)
    const fairPrice = makeEstimate(subject, comparables, model)!
    const mistypedPrice = makeComparable('slip', fairPrice.value * 10, { floor: 3 })
    const estimate = makeEstimate(subject, [mistypedPrice, ...comparables], model)!
    expect(listUsedIds(estimate)).not.toContain('slip')
    expect(estimate.compared.find(({ comparable }) => comparable.id === 'slip')!.exclusionReason).toBe(
      'implausible_price',
    )
    expect(estimate.value / fairPrice.value).toBeCloseTo(1, 1)
  })

  test('the order of the comparables does not matter', () => {
    const subject = makeProperty({ squareMeters: 95 })
    const comparables = listNearby(subject)
    const { value: one } = makeEstimate(subject, comparables, model)!
    expect(makeEstimate(subject, comparables.toReversed(), model)!.value).toBe(one)
  })
})

test('fewer than five comparables are not enough; three are enough if they were chosen', () => {
  expect(makeEstimate(makeProperty(), makeCopies(4, 250_000), defaultMarketModel)).toBeNull()
  expect(makeEstimate(makeProperty(), makeCopies(5, 250_000), defaultMarketModel)).not.toBeNull()
  const withChoice = (included: string[]) =>
    makeEstimate(makeProperty(), makeCopies(9, 250_000), defaultMarketModel, { included })
  expect(withChoice(['c1', 'c2'])).toBeNull()
  expect(withChoice(['c1', 'c2', 'c3'])!.value).toBe(250_000)
})

test('each difference is listed with both values and its amount', () => {
  const cheaper = makeCopies(6, 200_000, { squareMeters: 70, condition: 'to_renovate', amenities: 0 })
  const [one] = listUsed(makeEstimate(makeProperty(), cheaper, defaultMarketModel)!)
  expect(listFactors(one!.adjustments)).toEqual(['size', 'condition', 'lift'])
  expect(one!.adjustments[0]).toMatchObject({ from: 70, to: 80 })
  expect(one!.adjustments[1]).toMatchObject({ from: 'to_renovate', to: 'good' })
  expect(one!.adjustments[2]).toMatchObject({ from: false, to: true })
  expect(one!.adjustments.every(({ amount }) => amount > 0)).toBe(true)
})

test('dissimilar comparables give a wider range than similar ones', () => {
  const spreadComparables = [150, 200, 250, 300, 350, 400].map((price, index) =>
    makeComparable(`s${index}`, price * 1000, { latitude: 41.391 }),
  )
  const { fsd: wide } = makeEstimate(makeProperty(), spreadComparables, defaultMarketModel)!
  const { fsd: narrow } = makeEstimate(makeProperty(), makeCopies(6, 275_000), defaultMarketModel)!
  expect(wide).toBeGreaterThan(narrow)
})

test('prices that are years old widen the range', () => {
  const computeRangeWidth = (seenAt: Temporal.Instant) => {
    const { low, high } = makeEstimate(
      makeProperty(),
      makeCopies(6, 250_000, { seenAt }),
      defaultMarketModel,
    )!
    return high - low
  }
  const yearsAgo = (years: number) => sampleDate.subtract({ hours: years * 8766 })
  expect(computeRangeWidth(yearsAgo(0.5))).toBe(computeRangeWidth(sampleDate))
  expect(computeRangeWidth(yearsAgo(8))).toBeGreaterThan(1.5 * computeRangeWidth(sampleDate))
})

test('a fact unknown of the subject is assumed to be as in each comparable', () => {
  const known = makeCopies(6, 350_000, { plotSquareMeters: 3 })
  const nothing = { amenities: null, floor: null, yearBuilt: null, condition: null }
  const unknown = makeProperty({ ...nothing, isPartiallyDescribed: true })
  for (const { adjustments } of listUsed(makeEstimate(unknown, known, fittedModel)!))
    expect(listFactors(adjustments).filter(factor => !['place', 'unexplained'].includes(factor))).toEqual([])
})

test('only stated amenities are compared', () => {
  const noneKnown = makeCopies(6, 350_000, { amenities: 0 })
  const all = toAmenitySet(amenities)
  const [lift, pool] = [toAmenitySet(['lift']), toAmenitySet(['pool'])]
  const listComparedFactors = (subject: Partial<Characteristics>) =>
    listUsed(makeEstimate(makeProperty(subject), noneKnown, defaultMarketModel)!).flatMap(({ adjustments }) =>
      listFactors(adjustments),
    )
  expect(listComparedFactors({ amenities: 0 })).toEqual([])
  expect(listComparedFactors({ amenities: lift, amenitiesUnknown: all & ~lift })).toEqual(
    Array(6).fill('lift'),
  )
  expect(listComparedFactors({ amenities: pool, amenitiesUnknown: all & ~pool })).toEqual(
    Array(6).fill('amenities'),
  )
  const pools = makeCopies(6, 350_000, { amenities: pool })
  const unstated = { amenities: 0, amenitiesUnknown: all & ~lift }
  for (const { adjustments } of listUsed(makeEstimate(makeProperty(unstated), pools, defaultMarketModel)!))
    expect(adjustments).toEqual([])
})

test('a fact unknown of a comparable is adjusted if it is known of the subject', () => {
  const unknown = makeCopies(6, 350_000, { condition: null, amenities: null })
  for (const { adjustments } of listUsed(
    makeEstimate(makeProperty({ condition: 'to_renovate' }), unknown, defaultMarketModel)!,
  )) {
    const condition = adjustments.find(({ factor }) => factor === 'condition')!
    expect(condition).toMatchObject({ from: null, to: 'to_renovate' })
    expect(condition.amount).toBeLessThan(0)
  }
})

test('chosen comparables of another region still give an estimate, with low confidence', () => {
  const far = makeCopies(3, 250_000, { latitude: 39.47, longitude: -0.37 })
  const choice = { included: ['c0', 'c1', 'c2'] }
  for (const model of [defaultMarketModel, fittedModel]) {
    const estimate = makeEstimate(makeProperty(), far, model, choice)!
    expect(estimate.value).toBeGreaterThan(0)
    expect(estimate.high / estimate.low).toBeGreaterThan(4)
    expect(estimate.confidence.level).toBe('low')
  }
})

describe('a subject with no stated facts', () => {
  const everything = makeProperty()
  const nothing = { floor: null, yearBuilt: null, condition: null, subtype: null, isPartiallyDescribed: true }
  const all = toAmenitySet(amenities)

  test.each(models)('does not favour comparables without amenities (%s)', (_name, model) => {
    const unstated = town.map((property, index) => ({ ...property, amenities: index % 2 ? all : 0 }))
    const nearest = createNearestFinder(unstated)
    const places = makeTown(60, { seed: 3 })
    const shares = places.map(({ latitude, longitude, squareMeters, bedrooms }) => {
      const subject = { ...everything, ...nothing, latitude, longitude, squareMeters, bedrooms }
      const comparables = nearest(subject, 200).map(({ property }) => property)
      const [silent, masked] = [{ amenities: null }, { amenities: 0, amenitiesUnknown: all }].map(
        statedFacts => makeEstimate({ ...subject, ...statedFacts }, comparables, model)!,
      ) as [Estimate, Estimate]
      expect(silent.value).toBe(masked.value)
      return listUsed(silent).reduce(
        (sum, { comparable, weight }) => sum + (comparable.amenities ? weight : 0),
        0,
      )
    })
    const share = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.6)
  })
})

test('a model that was fitted elsewhere is not applied', () => {
  const elsewhere = makeTown(300, { seed: 5 }).map(property => ({
    ...property,
    latitude: property.latitude - 2,
    price: Math.round(property.price / 2),
  }))
  const nearest = createNearestFinder(elsewhere)
  const subject = makeProperty({ latitude: 39.39 })
  const comparables = nearest(subject, 200).map(({ property }) => property)
  const estimate = makeEstimate(subject, comparables, fittedModel)!
  expect(estimate).toEqual(makeEstimate(subject, comparables, defaultMarketModel))
  expect(estimate.modelVersion).toBe(defaultMarketModel.version)
  expect(makeEstimate(makeProperty(), listNearby(makeProperty()), fittedModel)!.modelVersion).toBe(
    fittedModel.version,
  )
})
