/**
 * Decides if two listings are of one property: evidence is summed field by field, and a contradiction decides at once.
 */
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
  /** `same` is certain enough to merge automatically; `maybe` needs a decision by a user. */
  verdict: 'same' | 'maybe' | 'different'
  /**
   * Bits of evidence minus the prior: at 0, one property and two properties are equally likely. -Infinity if the
   * listings contradict each other.
   */
  score: number
  /** For users: "same phone, same address, 12 m apart, 0 % apart in size and 1.9 % in price". */
  reason: string
  /** The levels that were found, by the names in `levelWeights`; empty after a contradiction. */
  evidence: readonly Level[]
}

/** The prior: few of the compared pairs, which share a place key and a size, are of one property. */
const priorBits = 5
/** Calibrated by `bench/deduplication.ts`: at least 99 % of the pairs with this score are of one property. */
const sameBits = 6.5
const maybeBits = 0

/**
 * Compares two listings; the result is symmetric. Texts are analyzed only if they can change the verdict. The analysis
 * is cached per object.
 */
export function compareProperties(one: PropertyFacts, other: PropertyFacts): Comparison {
  const gaps = computeGaps(one, other)
  const contradiction = findContradiction(one, other, gaps)
  if (contradiction !== null) return contradictingComparisons[contradiction]
  const street = compareStreetAddresses(one, other)
  if (street.unit === 'other') return contradictingComparisons['different doors']
  const levels: Level[] = []
  let score = -priorBits
  const add = (level: Level | null) => {
    if (level === null) return
    levels.push(level)
    score += levelWeights[level]
  }
  const isSameHouse =
    street.level === 'same address' && (gaps.meters !== null || isSameTown(one, other) === true)
  // Pins are derived from the address, so they add no evidence to the same address.
  if (!isSameHouse) add(toDistanceLevel(gaps.meters))
  if (street.level !== 'same address' || isSameHouse) add(street.level)
  if (isSameHouse && street.unit === 'same') add('same door')
  if (gaps.meters === null && !isSameHouse) add('no place in common')
  addFactLevels(add, one, other, gaps, isSameHouse)
  if (score + computeTextBitsMax(one, other) < maybeBits) return toInsufficientComparison(score, levels)
  const reference = compareReferences(one, other)
  if (reference === 'contradiction') return contradictingComparisons['different cadastral numbers']
  add(reference)
  add(comparePhotos(one, other))
  add(compareTexts(one, other))
  if (score < maybeBits) return toInsufficientComparison(score, levels)
  const doubt = findDoubt(one, other, gaps, isSameHouse, levels)
  const verdict = score >= sameBits && doubt === null ? 'same' : 'maybe'
  return { verdict, score, reason: formatReason(levels, gaps, doubt), evidence: levels }
}

const contradictingComparisons = Object.fromEntries(
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
 * The maximum that texts and photos can add for this pair. A cadastral number could add more, but hardly any listing
 * states one.
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
  if (!isSameHouse && !levels.some(level => distinguishingLevels.has(level))) return 'indistinct'
  const isNew = one.condition === 'new' || other.condition === 'new'
  return isNew && !levels.some(level => unitDistinguishingLevels.has(level)) ? 'newBuild' : null
}

/** Flats of one street and type share size, price, floor and features, also if they have different owners. */
const distinguishingLevels: ReadonlySet<Level> = new Set([
  'same private phone',
  'same phone',
  'same photos',
  'same wording',
  'same cadastral number',
])
/** Units of a new building share phone, address, size, price, text and photos. A private owner has only one of them. */
const unitDistinguishingLevels: ReadonlySet<Level> = new Set([
  'same private phone',
  'same door',
  'same cadastral number',
])
