/** The nightly job that keeps the market models up to date. */

import { fittedComparablesMin } from '../../domain/valuation/fit-market.ts'
import { msPerDay } from '../../domain/valuation/time.ts'
import { machineNow } from '../../kit/clock/clock.ts'
import type { Environment } from '../../kit/db/index.ts'
import { deploymentJob, RequeueJob } from '../../kit/jobs/job.ts'
import { createSlice, type Slice } from '../../kit/operations/run.ts'
import { fitAndStoreMarket, propertiesMax } from './fit.ts'
import { formatMarketKey, type MarketKey } from './market-key.ts'
import { listMarketFits } from './models.ts'
import type { MarketDatabase } from './queries.ts'
import { listMarkets } from './read-market.ts'

/** A market that has grown by this factor is fitted again the next night, any other after `maxAgeDays`. */
const growthFactor = 1.1
const maxAgeDays = 7

/** Fits the models of the markets that are due. */
export const fitMarkets = deploymentJob({
  name: 'fit-markets',
  cron: '17 2 * * *',
  workerPool: 'long',
  async run(context) {
    const slice = createSlice(context, 0)
    for (const environment of environments) await fitDueMarkets(environment, slice)
  },
})

const environments: Environment[] = ['live', 'test']

async function fitDueMarkets(
  environment: Environment,
  { database, signal, yieldToOthers, log }: Pick<Slice, 'database' | 'signal' | 'yieldToOthers' | 'log'>,
): Promise<void> {
  for (const market of await listDueMarkets(database.unscoped, environment)) {
    if (signal.aborted) throw new RequeueJob()
    const fit = await fitAndStoreMarket(database.unscoped, market, signal).catch(error => {
      throw signal.aborted ? new RequeueJob() : error
    })
    log.info({ market, properties: fit?.properties, mdape: fit?.fitted.accuracy.mdape }, 'market fitted')
    await yieldToOthers()
  }
}

async function listDueMarkets(tx: MarketDatabase, environment: Environment): Promise<MarketKey[]> {
  // Counts stop at `propertiesMax`: a model is fitted to no more, so further growth changes nothing.
  const markets = await listMarkets(tx, environment, propertiesMax)
  const fits = await listMarketFits(tx, environment)
  return markets.filter(market => {
    if (market.properties < fittedComparablesMin) return false
    const fit = fits.find(fit => formatMarketKey(fit) === formatMarketKey(market))
    if (!fit) return true
    const ageDays = (machineNow() - fit.fittedAt.getTime()) / msPerDay
    return ageDays >= maxAgeDays || (ageDays >= 0.5 && market.properties > fit.properties * growthFactor)
  })
}
