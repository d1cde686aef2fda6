/** The market: asking and sale prices of properties, and the valuation models fitted to them. */
import type { Feature } from '../../kit/feature.ts'
import { fitMarkets } from './jobs.ts'

export const market: Feature = {
  name: 'market',
  routes: [],
  jobs: [],
  deploymentJobs: [fitMarkets],
  events: [],
}
