/** The market: what properties are offered and sold for, and what was learnt of it. */
import type { Feature } from '../../kit/feature.ts'
import { fitMarkets } from './jobs.ts'

export const market: Feature = {
  name: 'market',
  routes: [],
  jobs: [],
  deploymentJobs: [fitMarkets],
  events: [],
}
