/** Finds work of the engine that is due, and whose jobs may be lost. */
import { sql } from 'kysely'
import { sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { enqueuePlan } from '../request-plan.ts'
import { enqueueQueueing, queueBatch } from './enqueue.ts'

/**
 * When the next step of a running campaign is planned, queued or sent; a time in the past while one is. In one statement, because a step
 * passes from one to the next.
 */
export async function findNextWork(tx: Tx): Promise<Date | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(plan_at) from campaigns where tenant_id = ${tenantId} and status in ('running', 'paused')),
      (select min(case when r.status = 'planned' then 'epoch'::timestamptz
          when m.claim_token is not null and m.next_attempt_at > ${sqlNow(tx)} then m.claimed_at
          else greatest(m.next_attempt_at, a.paused_until) end)
        from campaigns c
        join campaign_recipients r on r.tenant_id = ${tenantId} and r.campaign_id = c.id and r.status in ('planned', 'queued')
        left join messages m on m.tenant_id = ${tenantId} and m.id = r.message_id and m.status = 'queued' and m.next_attempt_at is not null
        left join accounts a on a.tenant_id = ${tenantId} and a.id = m.account_id
        where c.tenant_id = ${tenantId} and c.status = 'running'
          and (r.status = 'planned' or a.mode = 'chat' and a.status in ('CONNECTED', 'DEGRADED') and not a.is_paused))) as at`.execute(
    tx,
  )
  return rows[0]!.at
}

/** Running campaigns whose messages are planned and not queued. */
export async function listCampaignsWithPlanned(tx: Tx): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select id from campaigns c where c.tenant_id = ${tenantId} and c.status = 'running' and exists (
      select from campaign_recipients r
      where r.tenant_id = ${tenantId} and r.campaign_id = c.id and r.status = 'planned')
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listDueCampaigns(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where tenant_id = ${getTenantId(tx)} and status in ('running', 'paused') and plan_at <= ${sqlNow(tx)}
    order by plan_at, id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listTenantsWithWork({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select c.tenant_id as "tenantId" from campaigns c
    where c.status in ('running', 'paused') and c.plan_at <= ${sqlNowFor('c.tenant_id')}
    union
    select c.tenant_id from campaigns c where c.status = 'running' and exists (
      select from campaign_recipients r where r.tenant_id = c.tenant_id and r.campaign_id = c.id and r.status = 'planned'
        and r.planned_at <= ${sqlNowFor('r.tenant_id')})`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}

/** Enqueues the jobs anew: one that waits is replaced. */
export async function requestLostWork(tx: Tx): Promise<void> {
  for (const id of await listDueCampaigns(tx)) await enqueuePlan(tx, id, null)
  for (const id of await listCampaignsWithPlanned(tx)) await enqueueQueueing(tx, id, queueBatch)
}
