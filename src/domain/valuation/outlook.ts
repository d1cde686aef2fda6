/** What a price model expects of properties of the market, of a subject, and so of what lies between them. */
import { foldCount, foldOf, learntLogPrices, type Moment, type PriceModel, regionOf } from './price-model.ts'
import type { Characteristics, Comparable } from './property.ts'
import { filledFrom } from './unknown.ts'
import { usualLogPrice } from './usual-prices.ts'

/** What is expected of a property of the market without its having been seen, and what its price has beyond that; logarithms. */
export interface Expectation {
  fold: number
  usual: number
  learnt: number
  residual: number
}

/** In the order of the properties. */
export function expectationsOf(model: PriceModel, properties: Comparable[]): Expectation[] {
  const expectations: Expectation[] = []
  const places = properties.map((property, at) => ({ at, fold: foldOf(property) }))
  for (const [fold, group] of Map.groupBy(places, ({ fold }) => fold)) {
    const moments = group.map(({ at }) => ({ property: properties[at]!, at: properties[at]!.seenAt }))
    const learnt = learntLogPrices(model, fold, moments)
    for (const [nth, { at }] of group.entries()) {
      const usual = usualLogPrice(properties[at]!)
      const residual = Math.log(properties[at]!.price) - usual - learnt[nth]!
      expectations[at] = { fold, usual, learnt: learnt[nth]!, residual }
    }
  }
  return expectations
}

/** What is expected of a subject, as logarithms. */
export interface Outlook {
  usual: number
  /** By how much more than usual the model without each fold expects. */
  learnt: number[]
  /** What all of them expect together. */
  expected: number
}

/** Trees keep too close to the middle of what they learn from (regression to the mean): what they expect is stretched by so much. */
const stretch = 0.03

/** `isKnown`: the subject itself is in the market, and so only the fold that has not seen it is asked. */
export function outlookOf(model: PriceModel, moment: Moment, isKnown = false): Outlook {
  const usual = usualLogPrice(moment.property)
  const learnt = Array.from({ length: foldCount }, (_, fold) => learntLogPrices(model, fold, [moment])[0]!)
  const mean = learnt.reduce((sum, value) => sum + value, 0) / foldCount
  const expected = usual + (isKnown ? learnt[foldOf(moment.property)]! : mean)
  if (model.folds.length === 0) return { usual, learnt, expected }
  const { middle } = regionOf(model.regions, moment.property)
  return { usual, learnt, expected: expected + stretch * (expected - middle) }
}

/** A property of the market, and what is expected of it. */
export interface Expected {
  comparable: Comparable
  expectation: Expectation
}

/** What lies between a subject and a property of the market, as that one's fold has it; logarithms. */
export interface Gap {
  /** The subject; what is unknown of it is as in the comparable. */
  subject: Characteristics
  /** By how much more is expected of it, and how much of that was learnt. */
  expected: number
  learnt: number
  /** By how much more all folds expect of the subject than this one does. */
  aside: number
}

/** In the order of the comparables. */
export function gapsOf(model: PriceModel, moment: Moment, outlook: Outlook, all: Expected[]): Gap[] {
  const gaps: Gap[] = []
  const filled = all.map(({ comparable }) => filledFrom(moment.property, comparable))
  for (const [fold, places] of Map.groupBy(all.keys(), at => all[at]!.expectation.fold)) {
    // Most are filled in alike, and need not be asked of twice.
    const alike = Map.groupBy(
      places.filter(at => filled[at] !== moment.property),
      at => JSON.stringify(filled[at]),
    )
    const anew = [...alike.values()]
    const learnt = learntLogPrices(
      model,
      fold,
      anew.map(([at]) => ({ property: filled[at!]!, at: moment.at })),
    )
    const learntOf = new Map(anew.flatMap((places, nth) => places.map(at => [at, learnt[nth]!])))
    const aside = outlook.expected - outlook.usual - outlook.learnt[fold]!
    for (const at of places) {
      const { expectation } = all[at]!
      const more = (learntOf.get(at) ?? outlook.learnt[fold]!) - expectation.learnt
      const usual = usualLogPrice(filled[at]!) - expectation.usual
      gaps[at] = { subject: filled[at]!, expected: usual + more, learnt: more, aside }
    }
  }
  return gaps
}
