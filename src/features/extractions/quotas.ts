/** How many extractions a workspace may start in a month. */
import type { Quota } from '../../kit/quota.ts'

export const extractionsPerMonth: Quota = { name: 'maxExtractionsPerMonth' }
