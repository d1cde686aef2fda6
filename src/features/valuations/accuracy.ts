/** The accuracy of estimates on each market of the deployment, as measured by `aldaba market fit`. */
import type { Accuracy } from '../../domain/valuation/accuracy.ts'
import { defaultMarketModel } from '../../domain/valuation/market-model.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { listKnownMarkets } from '../market/service.ts'
import type { MarketAccuracy } from './accuracy-schemas.ts'

/** The accuracy on every market of an environment, the largest market first. */
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

/** The cursor of a market, from which the next page of markets continues. */
export const toMarketCursor = ({ operation, propertyType, currency, priceBasis }: MarketAccuracy): string =>
  [operation, propertyType, currency, priceBasis].join(' ')

const rateMeasures: readonly string[] = [
  'within5',
  'within10',
  'within20',
  'intervalCoverage',
] satisfies (keyof Accuracy)[]

/** Converts rates to percent and rounds to four digits, the precision of the test run. */
function toReply({ count, ...measures }: Accuracy): Accuracy {
  const entries = Object.entries(measures).map(([name, value]) => {
    const inUnit = rateMeasures.includes(name) ? 100 * value : value
    return [name, Number(inUnit.toPrecision(4))]
  })
  return { count, ...(Object.fromEntries(entries) as Omit<Accuracy, 'count'>) }
}

const untestedSummary =
  'Not tested yet: estimates use default prices instead of the prices of this market. Run `npx aldaba market fit` to train and test a model.'

function toSentence({ count, mdape, intervalCoverage }: Accuracy): string {
  return `Tested on ${count.toLocaleString('en')} properties with their prices hidden: half of the estimates were off by at most ${mdape.toFixed(1)} %, and ${Math.round(intervalCoverage * 100)} % of the prices lay in the range.`
}
