/** How good estimates are on the deployment's own market, as far as that was tried. */
import type { Accuracy } from '../../domain/valuation/accuracy.ts'
import { defaultMarketModel } from '../../domain/valuation/market-model.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { listKnownMarkets } from '../market/service.ts'
import type { MarketAccuracy } from './accuracy-schemas.ts'

/** Of every market of an environment, the largest first. */
export async function listMarketAccuracies(tx: Tx, environment: Environment): Promise<MarketAccuracy[]> {
  const markets = await listKnownMarkets(tx, environment)
  return markets.map(({ operation, propertyType, currency, priceBasis, properties, ...fit }) => ({
    operation,
    propertyType,
    currency,
    priceBasis,
    properties,
    modelVersion: fit.modelVersion ?? defaultMarketModel.version,
    fittedAt: fit.fittedAt?.toISOString() ?? null,
    accuracy: fit.accuracy && toReply(fit.accuracy),
    summary: fit.accuracy ? toSentence(fit.accuracy) : untestedSummary,
  }))
}

/** Names a market of an environment, so that a page of markets can start after it. */
export const toMarketCursor = ({ operation, propertyType, currency, priceBasis }: MarketAccuracy): string =>
  [operation, propertyType, currency, priceBasis].join(' ')

const rateMeasures: readonly string[] = [
  'within5',
  'within10',
  'within20',
  'intervalCoverage',
] satisfies (keyof Accuracy)[]

/** All rates in percent, to four digits: a trial says no more. */
function toReply({ count, ...measures }: Accuracy): Accuracy {
  const entries = Object.entries(measures).map(([name, value]) => {
    const inUnit = rateMeasures.includes(name) ? 100 * value : value
    return [name, Number(inUnit.toPrecision(4))]
  })
  return { count, ...(Object.fromEntries(entries) as Omit<Accuracy, 'count'>) }
}

const untestedSummary =
  'Not tried yet: usual prices stand in for what this market pays. `npx aldaba market fit` learns it, and tries itself out.'

function toSentence({ count, mdape, intervalCoverage }: Accuracy): string {
  return `Tried on ${count.toLocaleString('en')} properties whose price it did not know: half of the estimates were off by at most ${mdape.toFixed(1)} %, and ${Math.round(intervalCoverage * 100)} % of prices lay in the range.`
}
