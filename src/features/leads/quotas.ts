/** How many leads a workspace may add in a month. */
import type { Quota } from '../../kit/quota.ts'

export const leadsPerMonth: Quota = { name: 'maxLeadsPerMonth' }
