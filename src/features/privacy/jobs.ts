/** Housekeeping: which leads are noted to be on the suppression list. */
import { sql, type Tx } from '../../kit/db/index.ts'
import { HandBack, type JobContext, job } from '../../kit/job.ts'

const batchSize = 5000

/**
 * Takes out leads of which no identifier is on the list any more, and notes those that were written in the very moment in which
 * the entry was.
 */
export const reviewSuppressedLeads = job({
  name: 'review-suppressed-leads',
  cron: '17 3 * * *',
  async run(_data, context) {
    await inBatches(context, forgetBatch)
    await inBatches(context, noteBatch)
  },
})

/** SQL: whether an identifier of the lead is on the list. */
const isOnList = (leadId: string) => sql`exists (
  select from (
    select aldaba.identifier_hash(i.value) as hash from lead_identifiers i where i.lead_id = ${sql.ref(leadId)} offset 0) own
  join suppressions s on s.hash = own.hash)`

async function forgetBatch(tx: Tx, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select lead_id as id from suppressed_leads where lead_id > ${after}::uuid order by tenant_id, lead_id limit ${batchSize}`.execute(
    tx,
  )
  const ids = rows.map(({ id }) => id)
  await sql`delete from suppressed_leads d where lead_id = any(${ids}::uuid[]) and not ${isOnList('d.lead_id')}`.execute(
    tx,
  )
  return ids
}

async function noteBatch(tx: Tx, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from leads where id > ${after}::uuid and updated_at > now() - interval '2 days'
      and (select true from suppressions order by tenant_id, id limit 1)
    order by tenant_id, id limit ${batchSize}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into suppressed_leads (lead_id)
    select l.id from leads l where l.id = any(${ids}::uuid[]) and ${isOnList('l.id')} for key share of l
    on conflict do nothing`.execute(tx)
  return ids
}

/** `work` returns the ids that it has looked at, in order, after the one that it is given. */
async function inBatches(
  { database, tenantId, signal }: JobContext,
  work: (tx: Tx, after: string) => Promise<string[]>,
): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after) {
    if (signal.aborted) throw new HandBack()
    const from: string = after
    const ids = await database.withTenant({ tenantId }, tx => work(tx, from))
    after = ids.length < batchSize ? undefined : ids.at(-1)
  }
}
