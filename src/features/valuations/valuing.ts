/** From a property and a place to a value: the comparables that the market has there, and the estimate from them. */

import { metersBetween } from '../../domain/geo.ts'
import { type Estimate, estimateValue } from '../../domain/valuation/estimate.ts'
import { candidatesMax } from '../../domain/valuation/likeness.ts'
import type { Place } from '../../domain/valuation/property.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { type InputError, refuseIfAny } from '../../kit/problem.ts'
import { comparablesById, findComparables, type MarketComparable, marketModelOf } from '../market/service.ts'
import { type Asked, type Prices, queryOf } from './asked.ts'
import type { Outcome, StoredComparable, ValuationRow } from './queries.ts'
import { findErrorsOfPlace, notEnough } from './refusals.ts'
import { type NewValuation, reachKm } from './schemas.ts'
import { characteristicsOf, idsOf } from './subject.ts'

/** So many prices that were paid are told from, though more were asked. */
const closedMin = 10

/**
 * Values a property from the market. Throws 400 for comparables that are not in it and for a place in the sea, and 422
 * NOT_ENOUGH_COMPARABLES.
 */
export async function valueNew(tx: Tx, asked: Asked): Promise<Outcome> {
  const [near, named] = await Promise.all([findNear(tx, asked), findNamed(tx, asked)])
  const prices = pricesOf(near.length > 0 ? near : named)
  refuseIfAny([...(await findErrorsOfPlace(tx, asked, near)), ...errorsOfNamed(asked, named, prices)])
  if (!prices) throw await notEnough(tx, asked, {}, [])
  const ofThese = near.filter(one => isOf(prices, one))
  const enough = ofThese.length === near.length || near.length < candidatesMax
  const candidates = enough ? ofThese : await findNear(tx, asked, prices)
  return estimate(tx, asked, prices, { found: candidates, foreign: foreignOf(asked, named, candidates) })
}

/** What the market shows of a body that is refused already: a place in the sea, and comparables that it does not have. */
export async function findErrorsOfBody(
  tx: Tx,
  body: Partial<NewValuation>,
  environment: Environment,
): Promise<InputError[]> {
  const { latitude, longitude, operation, propertyType } = body
  if (latitude === undefined || longitude === undefined) return []
  const subject = { latitude, longitude }
  const errors = await findErrorsOfPlace(tx, { environment, subject })
  if (operation === undefined || propertyType === undefined) return errors
  const choice = { included: idsOf(body.includedComparableIds), excluded: idsOf(body.excludedComparableIds) }
  const named = await findNamed(tx, { environment, ...choice })
  return [...errors, ...errorsOfNamed({ operation, propertyType, subject, ...choice }, named, null)]
}

/** Anew from the candidates that are kept, with another choice; those that are not among them come from the market. */
export async function valueAgain(
  tx: Tx,
  environment: Environment,
  row: ValuationRow,
  choice: Pick<Asked, 'included' | 'excluded'>,
): Promise<Outcome> {
  const { operation, propertyType, subject, area, currency, priceBasis } = row
  const asOf = row.asOf.toTemporalInstant()
  const asked = { environment, operation, propertyType, subject, area, asOf, ...choice }
  const prices = { currency, priceBasis }
  const marketOf = ({ seenAt, isForeign: _, ...facts }: StoredComparable): MarketComparable => ({
    ...{ ...facts, operation, propertyType, ...prices },
    seenAt: Temporal.Instant.from(seenAt),
  })
  const found = row.candidates.filter(({ isForeign }) => !isForeign).map(marketOf)
  const foreign = row.candidates.filter(({ isForeign }) => isForeign).map(marketOf)
  const kept = [...found, ...foreign]
  const keptIds = new Set(kept.map(({ id }) => id))
  const named = await findNamed(tx, {
    ...asked,
    included: choice.included.filter(id => !keptIds.has(id)),
    excluded: choice.excluded.filter(id => !keptIds.has(id)),
  })
  refuseIfAny(errorsOfNamed(asked, [...kept, ...named], prices))
  return estimate(tx, asked, prices, { found, foreign: foreignOf(asked, [...foreign, ...named], found) })
}

/** Those that are included and that the search did not find. */
function foreignOf(
  { included }: Asked,
  named: MarketComparable[],
  found: MarketComparable[],
): MarketComparable[] {
  const foundIds = new Set(found.map(({ id }) => id))
  return named.filter(({ id }) => included.includes(id) && !foundIds.has(id))
}

function findNear(tx: Tx, { subject, area, asOf: _, ...asked }: Asked, prices: Partial<Prices> = {}) {
  return findComparables(tx, {
    ...{ ...queryOf({ subject, ...asked }), ...prices, area, limit: candidatesMax },
  })
}

/** Those that the request names, as far as they are known. */
function findNamed(
  tx: Tx,
  { environment, included, excluded }: Pick<Asked, 'environment' | 'included' | 'excluded'>,
): Promise<MarketComparable[]> {
  return comparablesById(tx, environment, [...new Set([...included, ...excluded])])
}

/** The currency of most, and in it prices that were paid, if there are enough of them. Null: there is no comparable. */
function pricesOf(comparables: MarketComparable[]): Prices | null {
  if (comparables.length === 0) return null
  const currencies = Map.groupBy(comparables, ({ currency }) => currency)
  const [currency, ofCurrency] = [...currencies].reduce((most, next) =>
    next[1].length > most[1].length ? next : most,
  )
  const closed = ofCurrency.filter(({ priceBasis }) => priceBasis === 'closed').length
  const isClosed = closed >= closedMin || closed > ofCurrency.length - closed
  return { currency, priceBasis: isClosed ? 'closed' : 'asking' }
}

function isOf(prices: Prices, { currency, priceBasis }: MarketComparable): boolean {
  return currency === prices.currency && priceBasis === prices.priceBasis
}

/** One for each id that names nothing of this operation and type; and for each included one that is far away or of other prices. */
function errorsOfNamed(
  {
    operation,
    propertyType,
    subject,
    included,
    excluded,
  }: Pick<Asked, 'operation' | 'propertyType' | 'included' | 'excluded'> & { subject: Place },
  named: MarketComparable[],
  prices: Prices | null,
): InputError[] {
  const known = new Map(named.map(one => [one.id, one]))
  const errorsOf = (field: string, ids: string[]) =>
    ids.flatMap((id, at): InputError[] => {
      const path = `/${field}/${at}`
      const one = known.get(id)
      if (!one || one.operation !== operation || one.propertyType !== propertyType)
        return [
          {
            path,
            code: 'UNKNOWN',
            message: `names no comparable of ${propertyType} for ${operation}: ${id}`,
          },
        ]
      if (field === 'excludedComparableIds') return []
      if (metersBetween(subject, one) > reachKm * 1000)
        return [{ path, code: 'TOO_FAR', message: `is more than ${reachKm} km from the property: ${id}` }]
      if (!prices || isOf(prices, one)) return []
      const are = `${one.priceBasis} in ${one.currency}, and the others ${prices.priceBasis} in ${prices.currency}`
      return [{ path, code: 'OTHER_MARKET', message: `names a comparable whose price is ${are}: ${id}` }]
    })
  return [...errorsOf('includedComparableIds', included), ...errorsOf('excludedComparableIds', excluded)]
}

async function estimate(
  tx: Tx,
  asked: Asked,
  prices: Prices,
  { found, foreign }: { found: MarketComparable[]; foreign: MarketComparable[] },
): Promise<Outcome> {
  const { environment, operation, propertyType, subject, asOf, included, excluded } = asked
  const candidates = [...found, ...foreign]
  const model = await marketModelOf(tx, { environment, operation, propertyType, ...prices })
  const choice = { included: new Set(included), excluded: new Set(excluded) }
  const valued = estimateValue(
    { characteristics: characteristicsOf(subject), asOf },
    candidates,
    model,
    choice,
  )
  if (!valued) throw await notEnough(tx, asked, prices, candidates)
  return {
    ...{ includedIds: included, excludedIds: excluded, ...prices },
    ...resultOf(valued, candidates.length),
    candidates: [
      ...found.map(factsOf),
      ...foreign.map(one => ({ ...factsOf(one), isForeign: true as const })),
    ],
  }
}

function resultOf(
  { compared, ...estimate }: Estimate,
  considered: number,
): Pick<Outcome, 'estimate' | 'comparablesUsed' | 'compared'> {
  return {
    estimate: { ...estimate, considered },
    comparablesUsed: compared.filter(({ included }) => included).length,
    compared: compared.map(({ comparable: { id }, ...rest }) => ({ id, ...rest })),
  }
}

/** Without its market, which is that of the valuation. */
function factsOf({
  operation: _operation,
  propertyType: _type,
  currency: _currency,
  priceBasis: _basis,
  seenAt,
  ...facts
}: MarketComparable): StoredComparable {
  return { ...facts, seenAt: seenAt.toString() }
}
