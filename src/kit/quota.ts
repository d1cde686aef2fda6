/** Monthly quotas: reserved in the transaction of the work, given back when the work fails. */

import { sql } from 'kysely'
import { getInstant } from './clock/clock.ts'
import { getTenantId } from './db/context.ts'
import type { Tx } from './db/index.ts'
import { callHook, hook } from './hook.ts'
import { Problem } from './problem.ts'

/** What a workspace may use up in a month. A feature declares it and takes from it. */
export interface Quota {
  /** As `GET /me` shows it: `maxLeadsPerMonth`. */
  name: string
}

/** A quota whose use has come to 80 or 100 % of its limit. */
export interface ReachedQuota {
  name: string
  /** Units. */
  limit: number
  used: number
  percent: 80 | 100
  period: { start: string; end: string }
}

/** Called when thresholds are reached, the lowest first. */
export const quotasReached = hook<ReachedQuota[]>('quotasReached')

export interface Period {
  start: Temporal.Instant
  end: Temporal.Instant
}

/** The calendar month around `now` in a time zone, as instants. */
export function getMonth(now: Temporal.Instant, timezone: string): Period {
  const start = now.toZonedDateTimeISO(timezone).with({ day: 1 }).startOfDay()
  return { start: start.toInstant(), end: start.add({ months: 1 }).startOfDay().toInstant() }
}

/** The month being counted for the workspace that the transaction is in. */
export async function currentPeriod(tx: Tx): Promise<Period> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  return getMonth(getInstant(tx), timezone)
}

interface Reservation {
  granted: number
  limit: number | null
  used: number
  /** Thresholds to be told, the lowest first. */
  percents: (80 | 100)[]
}

/**
 * Takes as much of `requested` as the quota still holds, and says how much that was. Two transactions never take the
 * same unit: the row is locked until the first one ends.
 *
 * Calls `quotasReached` when the use comes to 80 % of the limit, rounded up, and when it comes to all of it; of no
 * limit, or one of 0, nothing. The row keeps the most that was used with each share reached, and so much is not told again:
 * not when units are given back and taken once more, and of a raised limit only a share that is more than that.
 *
 * `timezone`: that of the workspace, if the caller knows it.
 */
export async function reserveUpTo(
  tx: Tx,
  { name }: Quota,
  requested: number,
  timezone?: string,
): Promise<number> {
  const period = timezone === undefined ? await currentPeriod(tx) : getMonth(getInstant(tx), timezone)
  const [start, end] = [period.start.toString(), period.end.toString()]
  const tenantId = getTenantId(tx)
  const ensureRow = sql`
    insert into quota_usage (tenant_id, name, period_start, used) values (${tenantId}, ${name}, ${start}, 0)
    on conflict do nothing`
  const reservation = sql<Reservation>`
    with held as (
      select l.monthly_limit, u.used, u.reported_use_80, u.reported_use_100,
        greatest(least(${requested}, coalesce(l.monthly_limit - u.used, ${requested})), 0) as granted,
        ceil(nullif(l.monthly_limit, 0) * 0.8) as at_80, nullif(l.monthly_limit, 0) as at_100
      from quota_usage u left join quota_limits l on l.tenant_id = u.tenant_id and l.name = u.name
      where u.tenant_id = ${tenantId} and u.name = ${name} and u.period_start = ${start}
      for update of u
    ), taken as (
      select *, used + granted as now_used from held
    )
    update quota_usage u set used = t.now_used,
      reported_use_80 = greatest(t.reported_use_80, case when t.now_used >= t.at_80 then t.now_used end),
      reported_use_100 = greatest(t.reported_use_100, case when t.now_used >= t.at_100 then t.now_used end)
    from taken t where u.tenant_id = ${tenantId} and u.name = ${name} and u.period_start = ${start}
    returning t.granted, t.monthly_limit as "limit", t.now_used as used, array_remove(array[
      case when t.reported_use_80 < t.at_80 and t.at_80 <= t.now_used then 80 end,
      case when t.reported_use_100 < t.at_100 and t.at_100 <= t.now_used then 100 end], null) as percents`
  const [, { rows }] = await Promise.all([ensureRow.execute(tx), reservation.execute(tx)])
  const { granted, limit, used, percents } = rows[0]!
  if (percents.length > 0)
    await callHook(
      tx,
      quotasReached,
      percents.map(percent => ({ name, limit: limit!, used, percent, period: { start, end } })),
    )
  return granted
}

/** Takes one unit or throws 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function reserve(tx: Tx, quota: Quota): Promise<void> {
  if ((await reserveUpTo(tx, quota, 1)) !== 1) throw await quotaExceeded(tx, quota)
}

/** The 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function quotaExceeded(tx: Tx, { name }: Quota): Promise<Problem> {
  const { end } = await currentPeriod(tx)
  const seconds = Math.max(1, Math.ceil(end.since(getInstant(tx)).total('seconds')))
  return new Problem(
    'QUOTA_EXCEEDED',
    `The quota ${name} of this month is used up. It is renewed at ${end.toString()}.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  )
}

/** Gives units back to the month in which they were taken. */
export async function refund(
  tx: Tx,
  { name }: Quota,
  reservedAt: Temporal.Instant,
  count = 1,
): Promise<void> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  const { start } = getMonth(reservedAt, timezone)
  await sql`update quota_usage set used = greatest(0, used - ${count})
            where tenant_id = ${getTenantId(tx)} and name = ${name} and period_start = ${start.toString()}`.execute(
    tx,
  )
}

export interface QuotaState {
  name: string
  limit: number | null
  used: number
  remaining: number | null
  resetsAt: string
}

/** These quotas as they stand, in their order. A null limit is unlimited. */
export async function listQuotas(tx: Tx, quotas: Quota[], period: Period): Promise<QuotaState[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ name: string; limit: number | null; used: number }>`
    select n.name, l.monthly_limit as limit, coalesce(u.used, 0) as used
    from unnest(${quotas.map(({ name }) => name)}::text[]) as n (name)
    left join quota_limits l on l.tenant_id = ${tenantId} and l.name = n.name
    left join quota_usage u on u.tenant_id = ${tenantId} and u.name = n.name and u.period_start = ${period.start.toString()}`.execute(
    tx,
  )
  return quotas.map(({ name }) => {
    const { limit = null, used = 0 } = rows.find(row => row.name === name) ?? {}
    const remaining = limit === null ? null : Math.max(0, limit - used)
    return { name, limit, used, remaining, resetsAt: period.end.toString() }
  })
}
