/** Reads the recipients of a campaign in batches, by their status and id, which an index has. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'

/** `status`: those that a recipient passes early come first, so that none is missed that passes on meanwhile. */
export interface Position {
  status: string
  after: string | null
}

export interface BatchRecipient {
  id: string
  leadId: string | null
}

interface Batch {
  recipients: BatchRecipient[]
  /** Null: it was the last one. */
  next: Position | null
}

/** Locks a batch in the order of the ids. A recipient that another transaction changes is waited for. */
export async function lockBatch(
  tx: Tx,
  campaignId: string,
  { status, after }: Position,
  {
    statuses,
    limit,
    condition = sql`true`,
  }: { statuses: readonly string[]; limit: number; condition?: RawBuilder<unknown> },
): Promise<Batch> {
  const { rows } = await sql<BatchRecipient>`
    select id, lead_id as "leadId" from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status = ${status}
      and ${after === null ? sql`true` : sql`id > ${after}::uuid`} and ${condition}
    order by id limit ${limit} for no key update`.execute(tx)
  const following = statuses[statuses.indexOf(status) + 1]
  const isFull = rows.length === limit
  return {
    recipients: rows,
    next: isFull
      ? { status, after: rows.at(-1)!.id }
      : following === undefined
        ? null
        : { status: following, after: null },
  }
}

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
