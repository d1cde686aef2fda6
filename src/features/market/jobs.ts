/** What is learnt of markets follows them. */
import { fitMin } from '../../domain/valuation/fit-market.ts'
import type { Environment } from '../../kit/db/index.ts'
import { HandBack, job } from '../../kit/job.ts'
import { fitMarketOf } from './fit.ts'
import { listMarketFits } from './models.ts'
import { listMarkets, type MarketOf } from './read-market.ts'

const msPerDay = 86_400_000
/** A market that has grown by so much is learnt anew the next night, any other after so many days. */
const growth = 1.1
const daysMax = 7

/** Learns the markets of the tenant's environment that have changed; one process does it for all tenants. */
export const fitMarkets = job({
  name: 'fit-markets',
  cron: '17 2 * * *',
  lane: 'long',
  async run(_data, { database, tenantId, signal, log }) {
    const { environment } = await database.withTenant({ tenantId }, tx =>
      tx
        .selectFrom('tenants')
        .select('environment')
        .$castTo<{ environment: Environment }>()
        .executeTakeFirstOrThrow(),
    )
    const markets = (await listMarkets(database.outside)).filter(
      market => market.environment === environment && market.properties >= fitMin,
    )
    for (const market of markets) {
      if (signal.aborted) throw new HandBack()
      if (!(await isDue(market))) continue
      const fit = await fitMarketOf(database.outside, market, signal).catch(error => {
        throw signal.aborted ? new HandBack() : error
      })
      log.info({ market, properties: fit?.properties, mdape: fit?.fitted.accuracy.mdape }, 'market learnt')
    }

    async function isDue(market: MarketOf & { properties: number }): Promise<boolean> {
      const fits = await listMarketFits(database.outside, environment)
      const fit = fits.find(fit => sameMarket(fit, market))
      if (!fit) return true
      const ageDays = (Date.now() - fit.fittedAt.getTime()) / msPerDay
      return ageDays >= daysMax || (ageDays >= 0.5 && market.properties > fit.properties * growth)
    }
  },
})

function sameMarket(one: MarketOf, other: MarketOf): boolean {
  return (['operation', 'propertyType', 'currency', 'priceBasis'] as const).every(
    name => one[name] === other[name],
  )
}
