/** Refunds of the quota of sheets. */
import type { Tx } from '../../kit/db/index.ts'
import { refund } from '../../kit/quota.ts'
import { fichasPerMonth } from './quotas.ts'

/** Refunds sheets that will never be ready, to the month in which they were requested. */
export async function refundFichas(tx: Tx, unfinished: { createdAt: Date }[]): Promise<void> {
  for (const { createdAt } of unfinished) await refund(tx, fichasPerMonth, createdAt.toTemporalInstant())
}
