/** The SQL statements of plans. */
import { sql } from 'kysely'
import { planAheadMs } from '../../../domain/sequence/plan-sends.ts'
import type { Pace, PlannedSend, Sequence } from '../../../domain/sequence/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import { type RecipientRow, selectRecipients } from './recipient-rows.ts'

type Kind = 'starts' | 'followUps'

const conditions: Record<Kind, string> = {
  starts: 'last_sent_at is null',
  followUps: 'last_sent_at is not null',
}

/** Locks the recipients that are due, in this order. Those that another transaction changes are left out. */
export const lockDue = (
  tx: Tx,
  campaignId: string,
  kind: Kind,
  { at, limit }: { at: Date; limit: number },
): Promise<RecipientRow[]> =>
  selectRecipients(
    tx,
    sql`r.campaign_id = ${campaignId} and r.status = 'waiting' and r.due_at <= ${at}::timestamptz and r.${sql.raw(conditions[kind])}`,
    sql`order by r.due_at, r.id limit ${limit} for no key update of r skip locked`,
  )

/** When the next recipient is due; null: none waits. */
export async function findNextDue(tx: Tx, campaignId: string, kinds: readonly Kind[]): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(${sql.join(
      kinds.map(
        kind => sql`(
      select min(due_at) from campaign_recipients
      where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status = 'waiting' and ${sql.raw(conditions[kind])})`,
      ),
    )}) as at`.execute(tx)
  return rows[0]!.at
}

export async function storePlanned(tx: Tx, sends: readonly PlannedSend[]): Promise<void> {
  if (sends.length === 0) return
  await sql`
    update campaign_recipients r set status = 'planned', step = s.step, planned_at = s.at, reason = null, updated_at = ${getNow(tx)}
    from unnest(${sends.map(({ recipientId }) => recipientId)}::uuid[], ${sends.map(({ step }) => step)}::int[],
      ${sends.map(({ atMs }) => new Date(atMs))}::timestamptz[]) as s (id, step, at)
    where r.tenant_id = ${getTenantId(tx)} and r.id = s.id and r.id = any(${sends.map(({ recipientId }) => recipientId)}::uuid[])`.execute(
    tx,
  )
}

export interface LaterStep {
  id: string
  step: number
  dueAt: Date
}

/** The next step of these is due later: the steps before are left out. */
export async function storeLater(tx: Tx, { steps }: Sequence, later: readonly LaterStep[]): Promise<void> {
  if (later.length === 0) return
  const rows = later.map(({ id, step, dueAt }) => ({
    id,
    step,
    due_at: dueAt,
    last_step_at: new Date(dueAt.getTime() - steps[step]!.delayMin * 60_000),
  }))
  await sql`
    update campaign_recipients r set step = s.step, due_at = s.due_at, last_step_at = s.last_step_at, updated_at = ${getNow(tx)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, step int, due_at timestamptz, last_step_at timestamptz)
    where r.tenant_id = ${getTenantId(tx)} and r.id = s.id and r.id = any(${later.map(({ id }) => id)}::uuid[])`.execute(
    tx,
  )
}

/** Stores the pace of a locked campaign, and when it is planned next. */
export async function storePlan(
  tx: Tx,
  campaignId: string,
  { pace, planAt, wait }: { pace: Pace | null; planAt: Date | null; wait: StoredWait | null },
): Promise<void> {
  const paceColumns = pace === null ? sql`` : sql`next_send_at = ${new Date(pace.nextAtMs)}::timestamptz,`
  await sql`
    update campaigns set ${paceColumns} plan_at = ${planAt}::timestamptz, wait = ${wait && JSON.stringify(wait)}::jsonb
    where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(tx)
}

/** Recipients who got their first message on the day that began at `dayStartsAt`, or are about to. What was withdrawn does not count. */
export async function countStarted(tx: Tx, campaignId: string, dayStartsAt: Date): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*) from campaign_recipients
      where tenant_id = ${tenantId} and campaign_id = ${campaignId} and status = 'planned' and last_sent_at is null
    ) + (
      select count(*) from campaign_sends
      where tenant_id = ${tenantId} and campaign_id = ${campaignId} and created_at >= ${new Date(dayStartsAt.getTime() - planAheadMs)}::timestamptz
        and planned_at >= ${dayStartsAt}::timestamptz and is_start and message_id is not null) as count`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Messages of campaigns that are about to reserve their quota. */
export async function countPlanned(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from campaign_recipients where tenant_id = ${getTenantId(tx)} and status = 'planned'`.execute(
    tx,
  )
  return rows[0]!.count
}

/**
 * The plans of a tenant run one after the other, until their transactions end: they share budgets and the quota, and two campaigns must not
 * write to one person.
 */
export async function lockPlans(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${getTenantId(tx)}, 4))`.execute(tx)
}

/**
 * People whom the budget of the day counts, and those to whom the account is about to write: one statement, so that nobody who is
 * counted meanwhile is missed. `dayStartsAt`: those who got a message since then are counted.
 */
export async function countBudgetUsed(
  tx: Tx,
  {
    accountId,
    mode,
    day,
    dayStartsAt,
  }: { accountId: string; mode: CampaignRow['contactMode']; day: string; dayStartsAt: Date },
): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ count: number }>`
    select coalesce((
      select used from account_usage where tenant_id = ${tenantId} and account_id = ${accountId} and day = ${day}::date
    ), 0) + (
      select count(*) from campaigns c join campaign_recipients r on r.tenant_id = ${tenantId} and r.campaign_id = c.id
        left join messages m on m.tenant_id = ${tenantId} and m.id = r.message_id
      where c.tenant_id = ${tenantId} and (c.account_id = ${accountId} or c.account_id is null and c.contact_mode = ${mode})
        and r.status in ('planned', 'queued') and (m.id is null or m.status = 'queued' and m.reserved_day is null)
        and (r.last_sent_at is null or r.last_sent_at < ${dayStartsAt}::timestamptz)) as count`.execute(tx)
  return rows[0]!.count
}

/** Recipients of a campaign who may still get a message. */
export async function hasActive(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status in ('waiting', 'planned', 'queued') limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

export async function hasRecipients(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_recipients where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** Returns whether rows of a file are still to join the campaign. */
export async function hasActiveImport(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from imports
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status in ('QUEUED', 'RUNNING') limit 1`.execute(
    tx,
  )
  return rows.length > 0
}
