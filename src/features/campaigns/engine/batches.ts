/**
 * Rows of a `csv_import` are taken in batches: at most `segmentation.batchSize` people get their first message planned, and the next
 * ones follow when the last message of the batch is due. So a mistake is seen after few messages, and a pause withdraws few. Pace and
 * times stay those of the planner.
 */
import { sql } from 'kysely'
import type { PlannedSend } from '../../../domain/sequence/types.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'

export interface Batch {
  /** How many first messages may be planned. */
  size: number
  /** When the last message of the present batch is due; null: no batch is on its way. */
  endsAt: Date | null
}

/** Null: the campaign knows no batches. */
export async function readBatch(
  tx: Tx,
  { id, segmentation }: Pick<CampaignRow, 'id' | 'segmentation'>,
  nowMs: number,
): Promise<Batch | null> {
  if (!('batchSize' in segmentation) || segmentation.batchSize === null) return null
  const { rows } = await sql<{ endsAt: Date | null }>`
    select max(planned_at) as "endsAt" from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${id} and status in ('planned', 'queued') and last_sent_at is null
      and planned_at > ${new Date(nowMs)}::timestamptz`.execute(tx)
  const { endsAt } = rows[0]!
  return { size: endsAt === null ? segmentation.batchSize : 0, endsAt }
}

/** When the next batch may be planned; null: at once, or there are no batches. */
export function findBatchEnd(batch: Batch | null, sends: readonly PlannedSend[], nowMs: number): Date | null {
  if (!batch) return null
  const starts = sends.filter(({ lastSentAtMs }) => lastSentAtMs === null).map(({ atMs }) => atMs)
  const endMs = Math.max(batch.endsAt?.getTime() ?? 0, ...starts)
  return endMs > nowMs ? new Date(endMs) : null
}
