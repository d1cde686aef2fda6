/** Are two adverts of one property? Evidence is weighed field by field; what cannot be true of one property decides at once. */

import { comparePhotos, compareReferences, compareStreetAddresses, compareTexts } from './compare-texts.ts'
import {
  compareBathrooms,
  compareBedrooms,
  compareConditions,
  compareFeatures,
  compareFloors,
  comparePhones,
  comparePostcodes,
  type Level,
  levelWeights,
  toDistanceLevel,
  toPriceLevel,
  toSizeLevel,
} from './evidence.ts'
import {
  type Contradiction,
  computeGaps,
  contradictions,
  findContradiction,
  type Gaps,
  isSameTown,
} from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'
import { type Doubt, formatReason } from './reason.ts'

export interface Comparison {
  /** `same` is sure enough to be joined unasked; `maybe` is for a person to say. */
  verdict: 'same' | 'maybe' | 'different'
  /**
   * Bits of evidence, less what it takes because few adverts that are looked at together are of one property: at 0 it is as
   * likely as not. -Infinity where something contradicts it.
   */
  score: number
  /** For people: "same telephone, same address, 12 m apart, 0 % apart in size and 1.9 % in price". */
  reason: string
  /** What was weighed, by the names in `levelWeights`; nothing where something contradicts. */
  evidence: readonly Level[]
}

/** Adverts that share a place key and a size are seldom of one property. */
const priorBits = 5
/** Calibrated by `bench/deduplication.ts`: of those at or above it 99 % and more are of one property. */
const sameBits = 6.5
const maybeBits = 0

/**
 * Weighs all that two adverts state; whichever comes first, the answer is the same. Texts are read only where they can
 * still make a difference. What was understood of them is kept as long as the objects live.
 */
export function compareProperties(one: PropertyFacts, other: PropertyFacts): Comparison {
  const gaps = computeGaps(one, other)
  const contradiction = findContradiction(one, other, gaps)
  if (contradiction !== null) return differentComparison[contradiction]
  const street = compareStreetAddresses(one, other)
  if (street.unit === 'other') return differentComparison['different doors']
  const levels: Level[] = []
  let score = -priorBits
  const add = (level: Level | null) => {
    if (level === null) return
    levels.push(level)
    score += levelWeights[level]
  }
  const isSameHouse =
    street.level === 'same address' && (gaps.meters !== null || isSameTown(one, other) === true)
  // Pins are set by the address: where that is the same they add nothing to it.
  if (!isSameHouse) add(toDistanceLevel(gaps.meters))
  if (street.level !== 'same address' || isSameHouse) add(street.level)
  if (isSameHouse && street.unit === 'same') add('same door')
  if (gaps.meters === null && !isSameHouse) add('no place in common')
  addFactLevels(add, one, other, gaps, isSameHouse)
  if (score + computeTextBitsMax(one, other) < maybeBits) return toInsufficientComparison(score, levels)
  const reference = compareReferences(one, other)
  if (reference === 'cadastral') return differentComparison['different numbers in the land register']
  add(reference)
  add(comparePhotos(one, other))
  add(compareTexts(one, other))
  if (score < maybeBits) return toInsufficientComparison(score, levels)
  const doubt = findDoubt(one, other, gaps, isSameHouse, levels)
  const verdict = score >= sameBits && doubt === null ? 'same' : 'maybe'
  return { verdict, score, reason: formatReason(levels, gaps, doubt), evidence: levels }
}

const differentComparison = Object.fromEntries(
  contradictions.map(reason => [
    reason,
    Object.freeze({ verdict: 'different', score: Number.NEGATIVE_INFINITY, reason, evidence: [] }),
  ]),
) as unknown as Record<Contradiction, Comparison>

function toInsufficientComparison(score: number, evidence: readonly Level[]): Comparison {
  return { verdict: 'different', score, reason: 'too little in common', evidence }
}

function addFactLevels(
  add: (level: Level | null) => void,
  one: PropertyFacts,
  other: PropertyFacts,
  gaps: Gaps,
  isSameHouse: boolean,
): void {
  add(comparePhones(one, other))
  add(toSizeLevel(gaps.area))
  add(toPriceLevel(gaps.price))
  add(compareBedrooms(one, other))
  add(compareBathrooms(one, other))
  add(compareFloors(one, other, isSameHouse))
  add(compareConditions(one, other))
  add(compareFeatures(one, other))
  add(comparePostcodes(one, other))
}

/**
 * The most that texts and photos can add to this pair: what is not stated adds nothing. Numbers of the land register would
 * add more, but hardly an advert has one.
 */
function computeTextBitsMax(one: PropertyFacts, other: PropertyFacts): number {
  const photos = one.images?.length && other.images?.length ? levelWeights['same photos'] : 0
  if (!one.description || !other.description) return photos
  return (
    photos + levelWeights['same wording'] + (one.phone === other.phone ? levelWeights['same reference'] : 0)
  )
}

function findDoubt(
  one: PropertyFacts,
  other: PropertyFacts,
  gaps: Gaps,
  isSameHouse: boolean,
  levels: readonly Level[],
): Doubt | null {
  if (gaps.area === null) return 'size'
  if (gaps.price === null) return 'price'
  if (gaps.meters === null && !isSameHouse) return 'place'
  if (levels.includes('other number') || levels.includes('other street')) return 'address'
  if (!isSameHouse && !levels.some(level => distinguishingLevels.has(level))) return 'nothing'
  const isNew = one.condition === 'new' || other.condition === 'new'
  return isNew && !levels.some(level => unitDistinguishingLevels.has(level)) ? 'newBuild' : null
}

/** Flats of one street and one kind share size, price, floor and fittings, whoever offers them. */
const distinguishingLevels: ReadonlySet<Level> = new Set([
  'same private phone',
  'same phone',
  'same photos',
  'same wording',
  'same land register number',
])
/** A promoter's units share telephone, building, size, price, text and photos; its customers own one each. */
const unitDistinguishingLevels: ReadonlySet<Level> = new Set([
  'same private phone',
  'same door',
  'same land register number',
])
