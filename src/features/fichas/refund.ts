/** Refunds of the quota of sheets. */
import type { Tx } from '../../kit/db/index.ts'
import { refund } from '../../kit/quota.ts'
import { fichasPerMonth } from './quotas.ts'

/** Refunds sheets that will never be ready, to the month in which they were requested. */
export const refundFichas = (tx: Tx, unfinished: { createdAt: Date }[]): Promise<void> =>
  refund(
    tx,
    fichasPerMonth,
    unfinished.map(({ createdAt }) => createdAt.toTemporalInstant()),
  )
