/** The quota of messages. */
import type { Tx } from '../../kit/db/index.ts'
import { listQuotas, type Quota, type QuotaState, readCurrentPeriod } from '../../kit/quota.ts'

/** Messages to people in a month, whoever sends them. */
export const messagesPerMonth: Quota = { name: 'maxMessagesPerMonth' }

export async function readMessageQuota(tx: Tx): Promise<QuotaState> {
  const [quota] = await listQuotas(tx, [messagesPerMonth], await readCurrentPeriod(tx))
  return quota!
}
