/** Values a property: finds comparables in the market and estimates the price from them. */

import { metersBetween } from '../../domain/geo.ts'
import { type Estimate, estimateValue } from '../../domain/valuation/estimate.ts'
import type { Place } from '../../domain/valuation/property.ts'
import { candidatesMax } from '../../domain/valuation/similarity.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { type InputError, throwIfInvalid } from '../../kit/problem.ts'
import {
  findComparables,
  findComparablesById,
  getMarketModel,
  type MarketComparable,
} from '../market/service.ts'
import type { StoredComparable, ValuationResult, ValuationRow } from './queries.ts'
import { maxDistanceKm, type NewValuation } from './schemas.ts'
import { normalizeIds, toCharacteristics } from './subject.ts'
import { buildNotEnoughProblem, findPlaceErrors } from './valuation-errors.ts'
import { type PriceKind, toComparablesQuery, type ValuationRequest } from './valuation-request.ts'

/** With this many sales among the comparables, sale prices are used even if there are more asking prices. */
const closedMin = 10

/**
 * Values a property from the market. Throws 400 for a place in the sea and for unknown or unusable comparable ids, and
 * 422 NOT_ENOUGH_COMPARABLES.
 */
export async function valueProperty(tx: Tx, request: ValuationRequest): Promise<ValuationResult> {
  const [near, requested] = await Promise.all([findNear(tx, request), findRequested(tx, request)])
  const prices = choosePriceKind(near.length > 0 ? near : requested)
  throwIfInvalid([
    ...(await findPlaceErrors(tx, request, near)),
    ...validateRequested(request, requested, prices),
  ])
  if (!prices) throw await buildNotEnoughProblem(tx, request, {}, [])
  const withPriceKind = near.filter(comparable => hasPriceKind(prices, comparable))
  const isComplete = withPriceKind.length === near.length || near.length < candidatesMax
  const candidates = isComplete ? withPriceKind : await findNear(tx, request, prices)
  return estimate(tx, request, prices, {
    found: candidates,
    addedById: selectAddedById(request, requested, candidates),
  })
}

/**
 * The errors that only the market can show, for a body that is refused already: a place in the sea, and unknown
 * comparables.
 */
export async function findBodyErrors(
  tx: Tx,
  body: Partial<NewValuation>,
  environment: Environment,
): Promise<InputError[]> {
  const { latitude, longitude, operation, propertyType } = body
  if (latitude === undefined || longitude === undefined) return []
  const subject = { latitude, longitude }
  const errors = await findPlaceErrors(tx, { environment, subject })
  if (operation === undefined || propertyType === undefined) return errors
  const choice = {
    included: normalizeIds(body.includedComparableIds),
    excluded: normalizeIds(body.excludedComparableIds),
  }
  const requested = await findRequested(tx, { environment, ...choice })
  return [...errors, ...validateRequested({ operation, propertyType, subject, ...choice }, requested, null)]
}

/**
 * Calculates a stored valuation again with another choice, from its stored candidates. Included comparables that are
 * not among them are read from the market.
 */
export async function revalueProperty(
  tx: Tx,
  environment: Environment,
  row: ValuationRow,
  choice: Pick<ValuationRequest, 'included' | 'excluded'>,
): Promise<ValuationResult> {
  const { operation, propertyType, subject, area, currency, priceBasis } = row
  const asOf = row.asOf.toTemporalInstant()
  const request = { environment, operation, propertyType, subject, area, asOf, ...choice }
  const prices = { currency, priceBasis }
  const toMarketComparable = ({ seenAt, isForeign: _, ...facts }: StoredComparable): MarketComparable => ({
    ...facts,
    operation,
    propertyType,
    ...prices,
    seenAt: Temporal.Instant.from(seenAt),
  })
  const found = row.candidates.filter(({ isForeign }) => !isForeign).map(toMarketComparable)
  const addedById = row.candidates.filter(({ isForeign }) => isForeign).map(toMarketComparable)
  const kept = [...found, ...addedById]
  const keptIds = new Set(kept.map(({ id }) => id))
  const requested = await findRequested(tx, {
    ...request,
    included: choice.included.filter(id => !keptIds.has(id)),
    excluded: choice.excluded.filter(id => !keptIds.has(id)),
  })
  throwIfInvalid(validateRequested(request, [...kept, ...requested], prices))
  return estimate(tx, request, prices, {
    found,
    addedById: selectAddedById(request, [...addedById, ...requested], found),
  })
}

/** The included comparables that the search did not find. */
function selectAddedById(
  { included }: ValuationRequest,
  requested: MarketComparable[],
  found: MarketComparable[],
): MarketComparable[] {
  const foundIds = new Set(found.map(({ id }) => id))
  return requested.filter(({ id }) => included.includes(id) && !foundIds.has(id))
}

function findNear(
  tx: Tx,
  { subject, area, asOf: _, ...request }: ValuationRequest,
  prices: Partial<PriceKind> = {},
) {
  return findComparables(tx, {
    ...toComparablesQuery({ subject, ...request }),
    ...prices,
    area,
    limit: candidatesMax,
  })
}

/** The known comparables that the request includes or excludes. */
function findRequested(
  tx: Tx,
  { environment, included, excluded }: Pick<ValuationRequest, 'environment' | 'included' | 'excluded'>,
): Promise<MarketComparable[]> {
  return findComparablesById(tx, environment, [...new Set([...included, ...excluded])])
}

/**
 * The most frequent currency. Within it, sale prices if there are at least `closedMin`, or if they outnumber asking
 * prices; otherwise asking prices. Null: there are no comparables.
 */
function choosePriceKind(comparables: MarketComparable[]): PriceKind | null {
  if (comparables.length === 0) return null
  const currencies = Map.groupBy(comparables, ({ currency }) => currency)
  const [currency, ofCurrency] = [...currencies].reduce((most, next) =>
    next[1].length > most[1].length ? next : most,
  )
  const closed = ofCurrency.filter(({ priceBasis }) => priceBasis === 'closed').length
  const isClosed = closed >= closedMin || closed > ofCurrency.length - closed
  return { currency, priceBasis: isClosed ? 'closed' : 'asking' }
}

function hasPriceKind(prices: PriceKind, { currency, priceBasis }: MarketComparable): boolean {
  return currency === prices.currency && priceBasis === prices.priceBasis
}

/**
 * An error for each unknown id and each comparable of another operation or type, and for each included one that is too
 * far away or has another kind of price.
 */
function validateRequested(
  {
    operation,
    propertyType,
    subject,
    included,
    excluded,
  }: Pick<ValuationRequest, 'operation' | 'propertyType' | 'included' | 'excluded'> & { subject: Place },
  requested: MarketComparable[],
  prices: PriceKind | null,
): InputError[] {
  const known = new Map(requested.map(comparable => [comparable.id, comparable]))
  const toErrors = (field: string, ids: string[]) =>
    ids.flatMap((id, index): InputError[] => {
      const path = `/${field}/${index}`
      const comparable = known.get(id)
      if (!comparable || comparable.operation !== operation || comparable.propertyType !== propertyType)
        return [
          {
            path,
            code: 'UNKNOWN',
            message: `is not a known comparable of ${propertyType} for ${operation}: ${id}`,
          },
        ]
      if (field === 'excludedComparableIds') return []
      if (metersBetween(subject, comparable) > maxDistanceKm * 1000)
        return [
          { path, code: 'TOO_FAR', message: `is more than ${maxDistanceKm} km from the property: ${id}` },
        ]
      if (!prices || hasPriceKind(prices, comparable)) return []
      const difference = `${comparable.priceBasis} in ${comparable.currency}, while the others are ${prices.priceBasis} in ${prices.currency}`
      return [{ path, code: 'OTHER_MARKET', message: `has a price that is ${difference}: ${id}` }]
    })
  return [...toErrors('includedComparableIds', included), ...toErrors('excludedComparableIds', excluded)]
}

async function estimate(
  tx: Tx,
  request: ValuationRequest,
  prices: PriceKind,
  { found, addedById }: { found: MarketComparable[]; addedById: MarketComparable[] },
): Promise<ValuationResult> {
  const { environment, operation, propertyType, subject, asOf, included, excluded } = request
  const candidates = [...found, ...addedById]
  const model = await getMarketModel(tx, { environment, operation, propertyType, ...prices })
  const choice = { included: new Set(included), excluded: new Set(excluded) }
  const valued = estimateValue(
    { characteristics: toCharacteristics(subject), asOf },
    candidates,
    model,
    choice,
  )
  if (!valued) throw await buildNotEnoughProblem(tx, request, prices, candidates)
  return {
    includedIds: included,
    excludedIds: excluded,
    ...prices,
    ...toResultFields(valued, candidates.length),
    candidates: [
      ...found.map(toStoredComparable),
      ...addedById.map(comparable => ({ ...toStoredComparable(comparable), isForeign: true as const })),
    ],
  }
}

function toResultFields(
  { compared, ...estimate }: Estimate,
  considered: number,
): Pick<ValuationResult, 'estimate' | 'comparablesUsed' | 'compared'> {
  return {
    estimate: { ...estimate, considered },
    comparablesUsed: compared.filter(({ included }) => included).length,
    compared: compared.map(({ comparable: { id }, ...rest }) => ({ id, ...rest })),
  }
}

/** Drops the fields that all comparables share with the valuation. */
function toStoredComparable({
  operation: _operation,
  propertyType: _type,
  currency: _currency,
  priceBasis: _basis,
  seenAt,
  ...facts
}: MarketComparable): StoredComparable {
  return { ...facts, seenAt: seenAt.toString() }
}
