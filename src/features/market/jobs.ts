/** What is learnt of markets follows them. */

import { fitMin } from '../../domain/valuation/fit-market.ts'
import { msPerDay } from '../../domain/valuation/time.ts'
import { machineNow } from '../../kit/clock/clock.ts'
import type { Environment } from '../../kit/db/index.ts'
import { deploymentJob, HandBack } from '../../kit/jobs/job.ts'
import { openSlice, type Slice } from '../../kit/operations/run.ts'
import { fitMarketOf, propertiesMax } from './fit.ts'
import { type MarketOf, marketNameOf } from './market-key.ts'
import { listMarketFits } from './models.ts'
import type { MarketDatabase } from './queries.ts'
import { listMarkets } from './read-market.ts'

/** A market that has grown by so much is learnt anew the next night, any other after so many days. */
const growth = 1.1
const daysMax = 7

/** Learns the markets that have changed. */
export const fitMarkets = deploymentJob({
  name: 'fit-markets',
  cron: '17 2 * * *',
  lane: 'long',
  async run(context) {
    const slice = openSlice(context, 0)
    for (const environment of environments) await fitDue(environment, slice)
  },
})

const environments: Environment[] = ['live', 'test']

async function fitDue(
  environment: Environment,
  { database, signal, makeWay, log }: Pick<Slice, 'database' | 'signal' | 'makeWay' | 'log'>,
): Promise<void> {
  for (const market of await listDue(database.outside, environment)) {
    if (signal.aborted) throw new HandBack()
    const fit = await fitMarketOf(database.outside, market, signal).catch(error => {
      throw signal.aborted ? new HandBack() : error
    })
    log.info({ market, properties: fit?.properties, mdape: fit?.fitted.accuracy.mdape }, 'market learnt')
    await makeWay()
  }
}

async function listDue(tx: MarketDatabase, environment: Environment): Promise<MarketOf[]> {
  // Of more than can be learnt from, more is nothing new.
  const markets = await listMarkets(tx, environment, propertiesMax)
  const fits = await listMarketFits(tx, environment)
  return markets.filter(market => {
    if (market.properties < fitMin) return false
    const fit = fits.find(fit => marketNameOf(fit) === marketNameOf(market))
    if (!fit) return true
    const ageDays = (machineNow() - fit.fittedAt.getTime()) / msPerDay
    return ageDays >= daysMax || (ageDays >= 0.5 && market.properties > fit.properties * growth)
  })
}
