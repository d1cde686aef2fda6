/** The quota of valuations per month. */
import type { Quota } from '../../kit/quota.ts'

export const valuationsPerMonth: Quota = { name: 'maxValuationsPerMonth' }
