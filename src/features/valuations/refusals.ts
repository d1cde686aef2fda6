/** Why a property can't be valued, and what would help. */

import { metersBetween } from '../../domain/geo.ts'
import {
  candidatesMax,
  chosenComparablesMin,
  comparablesMax,
  comparablesMin,
} from '../../domain/valuation/likeness.ts'
import type { Place } from '../../domain/valuation/property.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { type InputError, Problem, type ProblemType } from '../../kit/problem.ts'
import { countComparables, findComparables, isAnyNear, type MarketComparable } from '../market/service.ts'
import { type Asked, type Prices, queryOf } from './asked.ts'
import { coastKm, isOnLand } from './land.ts'

export const notEnoughComparables: ProblemType = {
  code: 'NOT_ENOUGH_COMPARABLES',
  status: 422,
  example: 'Only 2 comparables are known within 5 km; it takes at least 5.',
}

/** Within so many kilometres of any place where people value there is something, unless nobody brought it. */
const knownWithinKm = 50
const widerKm = [0.5, 1, 2, 5, 10, 20, knownWithinKm]
/** So many of these are told of at most. */
const widerMax = 3
const howToGetMore = 'an extraction of the area, or `npx aldaba market import` (docs/market.md)'

/**
 * The errors of a place whose latitude and longitude are swapped, or that is in the sea. `near`: comparables that are known to be
 * near, the nearest first.
 */
export async function findErrorsOfPlace(
  tx: Tx,
  { environment, subject }: { environment: Environment; subject: Place },
  near: MarketComparable[] = [],
): Promise<InputError[]> {
  const isAnyWithin = (km: number, place: Place) => isAnyNear(tx, environment, place, km * 1000)
  const { latitude, longitude } = subject
  if (near.length === 0 && Math.abs(longitude) <= 90 && !(await isAnyWithin(knownWithinKm, subject))) {
    const swapped = { latitude: longitude, longitude: latitude }
    if (await isAnyWithin(knownWithinKm, swapped))
      return misplaced(
        'SWAPPED',
        `No property is known within ${knownWithinKm} km of this place: latitude and longitude are swapped, it seems, as the other way round there are some.`,
      )
  }
  if (near.length > 0 && metersBetween(subject, near[0]!) <= coastKm * 1000) return []
  if (isOnLand(subject) || (await isAnyWithin(coastKm, subject))) return []
  return misplaced(
    'IN_THE_SEA',
    `This place is in the sea, more than ${coastKm} km off any coast: are latitude and longitude right?`,
  )
}

function misplaced(code: string, message: string): InputError[] {
  return ['/latitude', '/longitude'].map(path => ({ path, code, message }))
}

/** The 422 NOT_ENOUGH_COMPARABLES, with what there is and what would help. */
export async function notEnough(
  tx: Tx,
  asked: Asked,
  prices: Partial<Prices>,
  candidates: MarketComparable[],
): Promise<Problem> {
  const { included, excluded } = asked
  if (included.length > 0)
    return tooFew([
      `At least ${chosenComparablesMin} comparables must be included; ${included.length} ${included.length === 1 ? 'is' : 'are'}.`,
    ])
  const left = candidates.filter(({ id }) => !excluded.includes(id)).length
  const found = foundSentence(asked, candidates.length, left)
  const isEnough = candidates.length >= comparablesMin
  if (isEnough && left < comparablesMin) return tooFew([found, 'Exclude fewer.'])
  const wider = isEnough ? [] : await widerSentences(tx, asked, prices, candidates.length)
  return tooFew([found, ...wider, `More adverts or sales help: ${howToGetMore}.`])
}

function tooFew(sentences: string[]): Problem {
  return new Problem(notEnoughComparables, sentences.join(' '))
}

/** `left`: of those found, without the excluded ones. */
function foundSentence({ area }: Asked, count: number, left: number): string {
  const where = 'radiusKm' in area ? `within ${area.radiusKm} km` : 'in the polygon'
  const found = `${count === 0 ? 'No' : atMost(count)} ${count === 1 ? 'comparable is' : 'comparables are'} known ${where}`
  const without = left < count ? `, ${left} without the excluded ones` : ''
  const useless =
    left >= comparablesMin
      ? ', but too many of them seem to be this property itself, or have a price that can hardly be right'
      : ''
  return `${found}${without}${useless}; it takes at least ${comparablesMin}.`
}

async function widerSentences(
  tx: Tx,
  asked: Asked,
  prices: Partial<Prices>,
  found: number,
): Promise<string[]> {
  const { environment, operation, propertyType, subject, area } = asked
  const query = { ...queryOf(asked), ...prices }
  const kind = { operation, propertyType }
  const [wide, ofAnyBedrooms, isKnown] = await Promise.all([
    findComparables(tx, { ...query, area: { radiusKm: knownWithinKm }, limit: candidatesMax }),
    countComparables(tx, { ...query, bedrooms: null, area, limit: candidatesMax }),
    isAnyNear(tx, environment, subject, knownWithinKm * 1000, kind),
  ])
  if (!isKnown) return [`No ${propertyType} for ${operation} are known within ${knownWithinKm} km.`]
  const sentences = around(asked, wide)
  if (ofAnyBedrooms > found)
    sentences.push(
      `With any number of bedrooms there are ${atMost(ofAnyBedrooms)} in the area: ${subject.bedrooms} are unusual here.`,
    )
  else if (wide.length === 0) sentences.push('Its floor area is unusual here.')
  return sentences
}

/** How many like it there are within more and more kilometres, up to as many as an estimate can use; if that tells anything. */
function around({ subject, area }: Asked, wide: MarketComparable[]): string[] {
  const [low, high] = [subject.squareMeters / 2, subject.squareMeters * 2].map(Math.round)
  const like = `${low} to ${high} m²${subject.bedrooms === null ? '' : ` and about ${subject.bedrooms} bedrooms`}`
  if (wide.length === 0) return [`Of ${like} there are none within ${knownWithinKm} km.`]
  const meters = wide.map(one => metersBetween(subject, one))
  const counts = widerKm
    .filter(km => !('radiusKm' in area) || km > area.radiusKm)
    .map(km => ({ km, count: meters.filter(some => some <= km * 1000).length }))
    .filter(({ count }) => count > 0)
  const enough = Math.min(comparablesMax, wide.length)
  const told = counts.slice(0, counts.findIndex(({ count }) => count >= enough) + 1).slice(-widerMax)
  if (told.length === 0) return []
  const advice = wide.length >= comparablesMin ? ': widen the area' : ''
  return [
    `Of ${like} there are ${listed(told.map(({ km, count }) => `${atMost(count)} within ${km} km`))}${advice}.`,
  ]
}

function atMost(count: number): string {
  return count >= candidatesMax ? `${count} or more` : String(count)
}

function listed(items: string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
