/** How alike a comparable and a subject are, and so how much its price says of the subject's. */
import { amenities, type Characteristics } from './property.ts'

/** By how much each difference lowers the weight of a comparable, as a logarithm: 1 leaves 37 % of it. Not negative. */
export interface Likeness {
  /** In the order of `differencesOf`. */
  penalties: Float64Array
  /**
   * The likeness, as a sum of penalties below 0, at which one comparable alone passes on half of what its price has beyond
   * what its features explain. Null: all of it is passed on, as there is nothing else to go by.
   */
  trust: number | null
  /**
   * How far what the price model has learnt is followed, 0 to 1; for the rest, usual prices and the comparables' own level are.
   */
  voice: number
}

export const differenceCount = 19 + amenities.length
/** Of fewer nothing is said; a person may choose fewer. */
export const comparablesMin = 5
export const chosenComparablesMin = 3
/** Of the likest that are weighed. */
export const comparablesMax = 20
/** Of a type or kind that differs by so much in area or bedrooms nothing is learnt. */
export const areaFactorMax = 2
export const bedroomsApartMax = 2

/** Rounded means of what the markets of five sets taught. */
export const usualLikeness: Likeness = {
  penalties: Float64Array.from([
    ...[1.5, 0.4, 0.3, 0.8, 3, 1.5, 1, 1, 1, 1.5, 0.4, 0.5, 0.6, 1, 2.5, 1, 0.3, 0.5, 0.2],
    ...amenities.map(() => 0.4),
  ]),
  trust: null,
  voice: 0,
}

const msPerMonth = (365.25 / 12) * 86_400_000

/** Writes how they differ into `into` from `offset` on: all values are 0 for the same property at the same time. */
export function writeDifferences(
  into: Float64Array | Float32Array,
  offset: number,
  subject: Characteristics,
  comparable: Characteristics,
  gap: { meters: number; ms: number },
): void {
  const kilometers = gap.meters / 1000
  const size = Math.abs(Math.log(subject.squareMeters / comparable.squareMeters))
  const years = apart(subject.yearBuilt, comparable.yearBuilt)
  const floors = apart(subject.floor, comparable.floor)
  let at = offset
  into[at++] = kilometers
  into[at++] = Math.sqrt(kilometers)
  into[at++] = Math.log1p(kilometers / 0.03)
  into[at++] = kilometers > 0.13 ? 1 : 0
  into[at++] = size
  into[at++] = Math.min(size, 0.1) * 10
  into[at++] = Math.min(3, apart(subject.bedrooms, comparable.bedrooms) ?? 0)
  into[at++] = Math.min(2, apart(subject.bathrooms, comparable.bathrooms) ?? 0)
  into[at++] = subject.condition === comparable.condition ? 0 : 1
  into[at++] = years === null ? 1 : 0
  into[at++] = Math.min(40, years ?? 0) / 20
  into[at++] = years ? 1 : 0
  into[at++] = (years ?? 0) > 2 ? 1 : 0
  into[at++] = floors === null ? 1 : 0
  into[at++] = Math.min(6, floors ?? 0) / 3
  into[at++] = Math.min(10, Math.abs(gap.ms) / msPerMonth / 6)
  into[at++] = subject.subtype === comparable.subtype ? 0 : 1
  into[at++] = plotsApart(subject.plotSquareMeters, comparable.plotSquareMeters)
  into[at++] = (subject.amenities ?? 0) && (comparable.amenities ?? 0) ? 0 : 1
  const differing = (subject.amenities ?? 0) ^ (comparable.amenities ?? 0)
  for (let bit = 0; bit < amenities.length; bit++) into[at++] = (differing >> bit) & 1
}

function apart(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.abs(one - other)
}

function plotsApart(one: number | null, other: number | null): number {
  return one && other ? Math.min(2, Math.abs(Math.log(one / other))) : 0
}

export interface Weights {
  /** Places of those that are weighed, the likest first, and their shares, which add up to 1. */
  chosen: number[]
  shares: number[]
  /** How much of what a price has beyond its features is passed on, 0 to 1: the more, the likelier the comparables. */
  kept: number
}

/** Weighs comparables by their differences, which stand one after another. */
export function weigh(likeness: Likeness, differences: ArrayLike<number>, count: number): Weights {
  const { penalties, trust } = likeness
  const scores = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    let sum = 0
    const offset = at * differenceCount
    for (let nth = 0; nth < differenceCount; nth++) sum += penalties[nth]! * differences[offset + nth]!
    scores[at] = -sum
  }
  const chosen = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, comparablesMax)
  // Of the likest, so that however unlike all are, one of them has a share.
  const highest = scores[chosen[0]!]!
  const shares = chosen.map(at => Math.exp(scores[at]! - highest))
  const sum = shares.reduce((sum, share) => sum + share, 0)
  const kept = trust === null ? 1 : 1 / (1 + Math.exp(trust - highest - Math.log(sum)))
  return { chosen, shares: shares.map(share => share / sum), kept }
}

/** What of a price no stated fact explains counts up to this, as a logarithm. */
const beyondMax = 0.4

/** How much of what a price has beyond what its features explain the subject is given, as a logarithm. */
export function passedOn({ voice }: Likeness, beyond: number, kept: number): number {
  return voice === 0 ? beyond : (1 - voice * (1 - kept)) * boundedBeyond(beyond)
}

export function boundedBeyond(beyond: number): number {
  return Math.max(-beyondMax, Math.min(beyondMax, beyond))
}
