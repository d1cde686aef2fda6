/** Reads the recipients of a campaign in batches, by their status and id, which an index has. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/** `status`: those that a recipient passes early come first, so that none is missed that passes on meanwhile. */
export interface Position {
  status: string
  after: string | null
}

export interface BatchRecipient {
  id: string
  leadId: string | null
  /** The code of the reason; null: there is none. */
  code: string | null
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
    select id, lead_id as "leadId", reason ->> 'code' as code from campaign_recipients
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
