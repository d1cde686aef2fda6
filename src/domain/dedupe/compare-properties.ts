// Are two adverts of one property? Evidence is weighed field by field; what cannot be true of one property decides at once.
import {
  bathroomsLevel,
  bedroomsLevel,
  conditionLevel,
  distanceLevel,
  featuresLevel,
  floorLevel,
  type Level,
  postcodeLevel,
  priceLevel,
  sizeLevel,
  telephoneLevel,
  WEIGHTS,
} from './evidence.ts'
import {
  CONTRADICTIONS,
  type Contradiction,
  contradictionOf,
  type Gaps,
  gapsBetween,
  isSameTown,
} from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'
import { type Doubt, reasonOf } from './reason.ts'
import { photosLevel, referenceLevel, streetLevel, wordingLevel } from './traces.ts'

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
  /** What was weighed, by the names in `WEIGHTS`; nothing where something contradicts. */
  evidence: readonly Level[]
}

/** Adverts that share a place key and a size are seldom of one property. */
const PRIOR_BITS = 5
/** Calibrated by `bench/identity.ts`: of those at or above it 99 % and more are of one property. */
const SAME_BITS = 6.5
const MAYBE_BITS = 0

/**
 * Weighs all that two adverts state; whichever comes first, the answer is the same. Texts are read only where they can
 * still make a difference. What was understood of them is kept as long as the objects live.
 */
export function compareProperties(one: PropertyFacts, other: PropertyFacts): Comparison {
  const gaps = gapsBetween(one, other)
  const contradiction = contradictionOf(one, other, gaps)
  if (contradiction !== null) return DIFFERENT[contradiction]
  const street = streetLevel(one, other)
  if (street.unit === 'other') return DIFFERENT['different doors']
  const levels: Level[] = []
  let score = -PRIOR_BITS
  const add = (level: Level | null) => {
    if (level === null) return
    levels.push(level)
    score += WEIGHTS[level]
  }
  const isSameHouse =
    street.level === 'same address' && (gaps.meters !== null || isSameTown(one, other) === true)
  // Pins are set by the address: where that is the same they add nothing to it.
  if (!isSameHouse) add(distanceLevel(gaps.meters))
  if (street.level !== 'same address' || isSameHouse) add(street.level)
  if (isSameHouse && street.unit === 'same') add('same door')
  if (gaps.meters === null && !isSameHouse) add('no place in common')
  addFigures(add, one, other, gaps, isSameHouse)
  if (score + textBitsMax(one, other) < MAYBE_BITS) return tooLittle(score, levels)
  const reference = referenceLevel(one, other)
  if (reference === 'cadastral') return DIFFERENT['different numbers in the land register']
  add(reference)
  add(photosLevel(one, other))
  add(wordingLevel(one, other))
  if (score < MAYBE_BITS) return tooLittle(score, levels)
  const doubt = doubtOf(one, other, gaps, isSameHouse, levels)
  const verdict = score >= SAME_BITS && doubt === null ? 'same' : 'maybe'
  return { verdict, score, reason: reasonOf(levels, gaps, doubt), evidence: levels }
}

const DIFFERENT = Object.fromEntries(
  CONTRADICTIONS.map(reason => [
    reason,
    Object.freeze({ verdict: 'different', score: Number.NEGATIVE_INFINITY, reason, evidence: [] }),
  ]),
) as unknown as Record<Contradiction, Comparison>

function tooLittle(score: number, evidence: readonly Level[]): Comparison {
  return { verdict: 'different', score, reason: 'too little in common', evidence }
}

function addFigures(
  add: (level: Level | null) => void,
  one: PropertyFacts,
  other: PropertyFacts,
  gaps: Gaps,
  isSameHouse: boolean,
): void {
  add(telephoneLevel(one, other))
  add(sizeLevel(gaps.area))
  add(priceLevel(gaps.price))
  add(bedroomsLevel(one, other))
  add(bathroomsLevel(one, other))
  add(floorLevel(one, other, isSameHouse))
  add(conditionLevel(one, other))
  add(featuresLevel(one, other))
  add(postcodeLevel(one, other))
}

/**
 * The most that texts and photos can add to this pair: what is not stated adds nothing. Numbers of the land register would
 * add more, but hardly an advert has one.
 */
function textBitsMax(one: PropertyFacts, other: PropertyFacts): number {
  const photos = one.images?.length && other.images?.length ? WEIGHTS['same photos'] : 0
  if (!one.description || !other.description) return photos
  return photos + WEIGHTS['same wording'] + (one.phone === other.phone ? WEIGHTS['same reference'] : 0)
}

function doubtOf(
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
  if (!isSameHouse && !levels.some(level => TELLS_PROPERTIES_APART.has(level))) return 'nothing'
  const isNew = one.condition === 'new' || other.condition === 'new'
  return isNew && !levels.some(level => TELLS_UNITS_APART.has(level)) ? 'newBuild' : null
}

/** Flats of one street and one kind share size, price, floor and fittings, whoever offers them. */
const TELLS_PROPERTIES_APART: ReadonlySet<Level> = new Set([
  'same private telephone',
  'same telephone',
  'same photos',
  'same wording',
  'same land register number',
])
/** A promoter's units share telephone, building, size, price, text and photos; its customers own one each. */
const TELLS_UNITS_APART: ReadonlySet<Level> = new Set([
  'same private telephone',
  'same door',
  'same land register number',
])
