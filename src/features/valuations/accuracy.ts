/** How good estimates are on the deployment's own market, as far as that was tried. */
import type { Accuracy } from '../../domain/valuation/accuracy.ts'
import { usualMarketModel } from '../../domain/valuation/market-model.ts'
import type { Environment, Tx } from '../../kit/db/index.ts'
import { listMarketFits, listMarkets } from '../market/service.ts'
import type { MarketAccuracy } from './schemas.ts'

type Market = Pick<MarketAccuracy, 'operation' | 'propertyType' | 'currency' | 'priceBasis'>

/** Of every market of an environment, the largest first. */
export async function marketAccuracies(tx: Tx, environment: Environment): Promise<MarketAccuracy[]> {
  const [markets, fits] = await Promise.all([listMarkets(tx), listMarketFits(tx, environment)])
  const fitOf = new Map(fits.map(fit => [nameOf(fit), fit]))
  return markets
    .filter(market => market.environment === environment)
    .map(({ operation, propertyType, currency, priceBasis, properties }) => {
      const market = { operation, propertyType, currency, priceBasis }
      const fit = fitOf.get(nameOf(market))
      return {
        ...{ ...market, properties, modelVersion: fit?.modelVersion ?? usualMarketModel.version },
        ...{ fittedAt: fit?.fittedAt.toISOString() ?? null, accuracy: fit?.accuracy ?? null },
        summary: fit ? inWords(fit.accuracy) : notTried,
      }
    })
}

function nameOf({ operation, propertyType, currency, priceBasis }: Market): string {
  return [operation, propertyType, currency, priceBasis].join(' ')
}

const notTried =
  'Not tried yet: usual prices stand in for what this market pays. `npx aldaba market fit` learns it, and tries itself out.'

function inWords({ count, mdape, intervalCoverage }: Accuracy): string {
  return `Tried on ${count.toLocaleString('en')} properties whose price it did not know: half of the estimates were off by at most ${mdape.toFixed(1)} %, and ${Math.round(intervalCoverage * 100)} % of prices lay in the range.`
}
