/** How many valuations a workspace may make in a month. */
import type { Quota } from '../../kit/quota.ts'

export const valuationsPerMonth: Quota = { name: 'maxValuationsPerMonth' }
