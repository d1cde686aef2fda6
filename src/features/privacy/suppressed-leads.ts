/** Reviews `suppressed_leads`, the leads with an identifier on the suppression list, in batches. */
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { hashesOfLead, hasSuppressions } from './suppression-list.ts'

/** Leads per batch. */
export const reviewBatchSize = 5000

/** SQL: an identifier of the lead is on the suppression list. */
const isSuppressed = (tx: Tx, leadId: string) => sql`exists (
  select from ${hashesOfLead(tx, leadId)} own
  join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = own.hash)`

/** Removes leads without an identifier on the list. Returns the ids of the reviewed leads, in order, after `after`. */
export async function removeUnlisted(tx: Tx, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select lead_id as id from suppressed_leads
    where tenant_id = ${getTenantId(tx)} and lead_id > ${after}::uuid order by tenant_id, lead_id limit ${reviewBatchSize}`.execute(
    tx,
  )
  const ids = rows.map(({ id }) => id)
  await sql`
    delete from suppressed_leads d
    where d.tenant_id = ${getTenantId(tx)} and d.lead_id = any(${ids}::uuid[]) and not ${isSuppressed(tx, 'd.lead_id')}`.execute(
    tx,
  )
  return ids
}

/**
 * Adds leads that were written at the same moment as their entry, when neither transaction saw the other. Returns the
 * ids of the reviewed leads, in order, after `after`.
 */
export async function addMissing(tx: Tx, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from leads where tenant_id = ${getTenantId(tx)} and id > ${after}::uuid and updated_at > ${sqlNow(tx)} - interval '2 days'
      and ${hasSuppressions(tx)}
    order by tenant_id, id limit ${reviewBatchSize}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into suppressed_leads (tenant_id, lead_id)
    select l.tenant_id, l.id from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${ids}::uuid[]) and ${isSuppressed(tx, 'l.id')} for key share of l
    on conflict do nothing returning lead_id`.execute(tx)
  return ids
}
