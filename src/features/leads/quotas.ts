/** How many leads a workspace may add in a month. */
import type { Tx } from '../../kit/db/index.ts'
import { listQuotas, type Quota, type QuotaState, readCurrentPeriod } from '../../kit/quota.ts'

export const leadsPerMonth: Quota = { name: 'maxLeadsPerMonth' }

export async function readLeadQuota(tx: Tx): Promise<QuotaState> {
  const [quota] = await listQuotas(tx, [leadsPerMonth], await readCurrentPeriod(tx))
  return quota!
}
