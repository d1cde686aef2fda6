/** Errors of valuations: why a property cannot be valued, and what the user can do. */

import { metersBetween } from '../../domain/geo.ts'
import type { Place } from '../../domain/valuation/property.ts'
import {
  candidatesMax,
  chosenComparablesMin,
  comparablesMax,
  comparablesMin,
} from '../../domain/valuation/similarity.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { type InputError, Problem, type ProblemType } from '../../kit/problem.ts'
import {
  countComparables,
  findComparables,
  hasPropertyNear,
  type MarketComparable,
} from '../market/service.ts'
import { coastKm, isOnLand } from './land.ts'
import { type PriceKind, toComparablesQuery, type ValuationRequest } from './valuation-request.ts'

export const notEnoughComparables: ProblemType = {
  code: 'NOT_ENOUGH_COMPARABLES',
  status: 422,
  meaning: 'Too few comparable properties are known in the area.',
  action:
    'Follow the message: enlarge the area, exclude fewer, extract listings there, or import market data.',
  example: '2 comparables are known within 5 km; at least 5 are needed.',
}

/** If no property is known within this distance, the market data of the place is missing. */
const knownWithinKm = 50
const hintRadiiKm = [0.5, 1, 2, 5, 10, 20, knownWithinKm]
/** The most radii that an error message mentions. */
const hintsMax = 3
const howToGetMore =
  'an extraction of the area, or `npx aldaba market import` (docs/guides/bring-market-data.md)'

/**
 * Returns errors if latitude and longitude seem swapped, or if the place is in the sea. `near`: comparables already
 * found near the place, the nearest first.
 */
export async function findPlaceErrors(
  tx: Tx,
  { environment, subject }: { environment: Environment; subject: Place },
  near: MarketComparable[] = [],
): Promise<InputError[]> {
  const hasPropertyWithin = (km: number, place: Place) => hasPropertyNear(tx, environment, place, km * 1000)
  const { latitude, longitude } = subject
  if (near.length === 0 && Math.abs(longitude) <= 90 && !(await hasPropertyWithin(knownWithinKm, subject))) {
    const swapped = { latitude: longitude, longitude: latitude }
    if (await hasPropertyWithin(knownWithinKm, swapped))
      return toPlaceErrors(
        'SWAPPED',
        `No property is known within ${knownWithinKm} km of this place, but some are if latitude and longitude are swapped: check their order.`,
      )
  }
  if (near.length > 0 && metersBetween(subject, near[0]!) <= coastKm * 1000) return []
  if (isOnLand(subject) || (await hasPropertyWithin(coastKm, subject))) return []
  return toPlaceErrors(
    'IN_THE_SEA',
    `This place is in the sea, more than ${coastKm} km off any coast: check latitude and longitude.`,
  )
}

function toPlaceErrors(code: string, message: string): InputError[] {
  return ['/latitude', '/longitude'].map(path => ({ path, code, message }))
}

/** The 422 NOT_ENOUGH_COMPARABLES: how many comparables there are, and how to get more. */
export async function buildNotEnoughProblem(
  tx: Tx,
  request: ValuationRequest,
  prices: Partial<PriceKind>,
  candidates: MarketComparable[],
): Promise<Problem> {
  const { included, excluded } = request
  if (included.length > 0)
    return notEnoughProblem([
      `At least ${chosenComparablesMin} comparables must be included; ${included.length} ${included.length === 1 ? 'is' : 'are'}.`,
    ])
  const remaining = candidates.filter(({ id }) => !excluded.includes(id)).length
  const found = foundSentence(request, candidates.length, remaining)
  const isEnough = candidates.length >= comparablesMin
  if (isEnough && remaining < comparablesMin) return notEnoughProblem([found, 'Exclude fewer.'])
  const wider = isEnough ? [] : await searchWider(tx, request, prices, candidates.length)
  return notEnoughProblem([found, ...wider, `To add listings or sales, use ${howToGetMore}.`])
}

function notEnoughProblem(sentences: string[]): Problem {
  return new Problem(notEnoughComparables, sentences.join(' '))
}

/** `remaining`: the number of found comparables that the user has not excluded. */
function foundSentence({ area }: ValuationRequest, count: number, remaining: number): string {
  const where = 'radiusKm' in area ? `within ${area.radiusKm} km` : 'in the polygon'
  const found = `${count === 0 ? 'No' : formatCount(count)} ${count === 1 ? 'comparable is' : 'comparables are'} known ${where}`
  const without = remaining < count ? `, ${remaining} without the excluded ones` : ''
  const useless =
    remaining >= comparablesMin
      ? ', but too many of them seem to be this property itself or have an implausible price'
      : ''
  return `${found}${without}${useless}; at least ${comparablesMin} are needed.`
}

async function searchWider(
  tx: Tx,
  request: ValuationRequest,
  prices: Partial<PriceKind>,
  found: number,
): Promise<string[]> {
  const { environment, operation, propertyType, subject, area } = request
  const query = { ...toComparablesQuery(request), ...prices }
  const kind = { operation, propertyType }
  const [wide, ofAnyBedrooms, isKnown] = await Promise.all([
    findComparables(tx, { ...query, area: { radiusKm: knownWithinKm }, limit: candidatesMax }),
    countComparables(tx, { ...query, bedrooms: null, area, limit: candidatesMax }),
    hasPropertyNear(tx, environment, subject, knownWithinKm * 1000, kind),
  ])
  if (!isKnown) return [`No ${propertyType} for ${operation} are known within ${knownWithinKm} km.`]
  const sentences = nearbySentences(request, wide)
  if (ofAnyBedrooms > found)
    sentences.push(
      `With any number of bedrooms there are ${formatCount(ofAnyBedrooms)} in the area: ${subject.bedrooms} bedrooms are unusual here.`,
    )
  else if (wide.length === 0) sentences.push('Its floor area is unusual here.')
  return sentences
}

/**
 * Says how many similar properties there are within larger radii, up to the radius with enough of them for an estimate.
 */
function nearbySentences({ subject, area }: ValuationRequest, wide: MarketComparable[]): string[] {
  const [low, high] = [subject.squareMeters / 2, subject.squareMeters * 2].map(Math.round)
  const similarText = `${low} to ${high} m²${subject.bedrooms === null ? '' : ` and about ${subject.bedrooms} bedrooms`}`
  if (wide.length === 0) return [`There are none of ${similarText} within ${knownWithinKm} km.`]
  const meters = wide.map(one => metersBetween(subject, one))
  const counts = hintRadiiKm
    .filter(km => !('radiusKm' in area) || km > area.radiusKm)
    .map(km => ({ km, count: meters.filter(some => some <= km * 1000).length }))
    .filter(({ count }) => count > 0)
  const enough = Math.min(comparablesMax, wide.length)
  const shown = counts.slice(0, counts.findIndex(({ count }) => count >= enough) + 1).slice(-hintsMax)
  if (shown.length === 0) return []
  const advice = wide.length >= comparablesMin ? ': widen the area' : ''
  return [
    `Comparables of ${similarText}: ${formatList(shown.map(({ km, count }) => `${formatCount(count)} within ${km} km`))}${advice}.`,
  ]
}

function formatCount(count: number): string {
  return count >= candidatesMax ? `${count} or more` : String(count)
}

function formatList(items: string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
