/** Takes people out of a campaign: one by one, and those of a file whose import is undone. */
import { type RawBuilder, sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { withdrawUnsent } from '../../messaging/service.ts'
import { requestHeldUp } from '../held-up.ts'
import { requestPlan } from '../request-plan.ts'
import { importUndone, type Reason, takenOut } from './reasons.ts'
import { recipientsOfPerson } from './same-person.ts'

/** Recipients of a transaction. */
const batch = 200

/** What has ended for good stays as it is. */
const mayGoOn = sql`r.status in ('waiting', 'planned', 'queued', 'skipped', 'failed')`

interface FoundRecipient {
  id: string
  messageId: string | null
}

/**
 * Nothing more is sent to the person, for no lead of theirs: no retry brings it back, and who has ended does not join again. Nobody joins
 * meanwhile. Throws 404.
 */
export async function takeOutRecipient(tx: Tx, campaignId: string, id: string): Promise<void> {
  await lockLeadWrites(tx)
  const recipients = await select(
    tx,
    sql`r.campaign_id = ${campaignId} and r.id = any(${id}::uuid || array(
      select o.id from campaign_recipients own
      join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = own.lead_id
      cross join lateral (${recipientsOfPerson(tx, 'l')}) o
      where own.tenant_id = ${getTenantId(tx)} and own.campaign_id = ${campaignId} and own.id = ${id}))`,
  )
  if (!recipients.some(recipient => recipient.id === id)) throw notFound('recipient')
  await stop(tx, recipients, takenOut)
  // The end of a message wakes the plan itself, before it emits events.
  if (recipients.every(({ messageId }) => messageId === null)) await requestPlan(tx, campaignId, getNow(tx))
}

/**
 * Handles `importOfCampaignUndone`. People who have got nothing leave without a trace, so that a corrected file may bring them; those
 * who have got a message are `stopped`. People whom another file has named too stay.
 */
export async function takeOutImported(
  tx: Tx,
  { campaignId, importId }: { campaignId: string; importId: string },
): Promise<{ hasMore: boolean }> {
  const found = await select(
    tx,
    sql`r.campaign_id = ${campaignId} and r.import_id = ${importId} and ${mayGoOn}`,
    sql`order by r.id limit ${batch}`,
  )
  // In a transaction of its own, which holds no lock of messages or events.
  if (found.length === 0) {
    await requestPlan(tx, campaignId, getNow(tx))
    return { hasMore: false }
  }
  const named = await findNamed(tx, { campaignId, importId }, found)
  const leaving = found.filter(({ id }) => !named.has(id))
  await stop(tx, leaving, importUndone)
  await deleteUncontacted(tx, leaving)
  await storeImports(tx, named)
  return { hasMore: true }
}

async function select(
  tx: Tx,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<FoundRecipient[]> {
  const { rows } = await sql<FoundRecipient>`
    select r.id, case when r.status = 'queued' then r.message_id end as "messageId" from campaign_recipients r
    where r.tenant_id = ${getTenantId(tx)} and ${condition} ${rest}`.execute(tx)
  return rows
}

/** Messages first, as everywhere: one that is being sent ends by itself. */
async function stop(tx: Tx, recipients: FoundRecipient[], reason: Reason): Promise<void> {
  await withdrawUnsent(
    tx,
    recipients.flatMap(({ messageId }) => messageId ?? []),
    { reason },
  )
  const { rows } = await sql<{ leadId: string | null }>`
    update campaign_recipients r set status = 'stopped', reason = ${JSON.stringify(reason)}::jsonb, due_at = null, planned_at = null,
      ended_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where r.tenant_id = ${getTenantId(tx)} and r.id = any(${toIds(recipients)}::uuid[])
      and (r.status <> 'stopped' or r.reason ->> 'code' <> ${reason.code})
    returning r.lead_id as "leadId"`.execute(tx)
  await requestHeldUp(
    tx,
    rows.map(({ leadId }) => leadId),
  )
}

/** The recipients whom another file that was not undone names, each with that import. */
async function findNamed(
  tx: Tx,
  { campaignId, importId }: { campaignId: string; importId: string },
  recipients: FoundRecipient[],
): Promise<Map<string, string>> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string; importId: string }>`
    select r.id, i.id as "importId" from campaign_recipients r
    join import_rows w on w.tenant_id = ${tenantId} and w.lead_id = r.lead_id
    join imports i on i.tenant_id = ${tenantId} and i.id = w.import_id
    where r.tenant_id = ${tenantId} and r.id = any(${toIds(recipients)}::uuid[]) and i.id <> ${importId}
      and i.campaign_id = ${campaignId} and not i.dry_run and i.status not in ('UNDOING', 'UNDONE')`.execute(
    tx,
  )
  return new Map(rows.map(({ id, importId }) => [id, importId]))
}

async function storeImports(tx: Tx, named: Map<string, string>): Promise<void> {
  if (named.size === 0) return
  const ids = [...named.keys()]
  await sql`
    update campaign_recipients r set import_id = n.import_id
    from unnest(${ids}::uuid[], ${[...named.values()]}::uuid[]) as n (id, import_id)
    where r.tenant_id = ${getTenantId(tx)} and r.id = n.id and r.id = any(${ids}::uuid[])`.execute(tx)
}

async function deleteUncontacted(tx: Tx, recipients: FoundRecipient[]): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from campaign_recipients r
    where r.tenant_id = ${tenantId} and r.id = any(${toIds(recipients)}::uuid[]) and not exists (
      select from campaign_sends s join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where s.tenant_id = ${tenantId} and s.recipient_id = r.id and (m.sent_at is not null or m.status <> 'failed'))`.execute(
    tx,
  )
}

const toIds = (recipients: FoundRecipient[]): string[] => recipients.map(({ id }) => id)
