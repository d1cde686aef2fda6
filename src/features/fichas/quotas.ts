/** The quota of property sheets per month. */
import type { Quota } from '../../kit/quota.ts'

export const fichasPerMonth: Quota = { name: 'maxFichasPerMonth' }
