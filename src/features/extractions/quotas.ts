/** The quota of extractions that a workspace may start in a month. */
import type { Quota } from '../../kit/quota.ts'

export const extractionsPerMonth: Quota = { name: 'maxExtractionsPerMonth' }
