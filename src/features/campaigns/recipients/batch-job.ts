/** Jobs that change the recipients of a campaign batch by batch. */
import type { Database, Tx } from '../../../kit/db/index.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import type { Position } from './batches.ts'

/** A job that changes a batch in each of its transactions. One that is interrupted begins anew: batches may be repeated. */
export const batchJob = (
  name: string,
  first: Position,
  change: (tx: Tx, campaignId: string, from: Position) => Promise<Position | null>,
): JobDefinition<never> =>
  job<{ campaignId: string }>({
    name,
    run: ({ campaignId }, { database, tenantId, signal }) =>
      runBatches(database, { tenantId, signal, first }, (tx, from) => change(tx, campaignId, from)),
  }) as JobDefinition<never>

async function runBatches(
  database: Database,
  { tenantId, signal, first }: { tenantId: string; signal: AbortSignal; first: Position },
  change: (tx: Tx, from: Position) => Promise<Position | null>,
): Promise<void> {
  let position: Position | null = first
  while (position !== null) {
    if (signal.aborted) throw new RequeueJob()
    const from: Position = position
    position = await database.withTenant({ tenantId }, tx => change(tx, from))
  }
}
