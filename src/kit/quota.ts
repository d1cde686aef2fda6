/** Monthly quotas: reserved in the transaction of the work, refunded if the work fails. */

import { sql } from 'kysely'
import { getInstant } from './clock/clock.ts'
import { getTenantId } from './db/context.ts'
import type { Tx } from './db/index.ts'
import { fixedPlan } from './db/plans.ts'
import { callHook, hook } from './hook.ts'
import { Problem } from './problem.ts'

/** A monthly limit of a workspace. A feature declares it and reserves units of it. */
export interface Quota {
  /** The name in `GET /me`, such as `maxLeadsPerMonth`. */
  name: string
}

/** A quota whose use has reached 80 % or 100 % of its limit. */
export interface ReachedQuota {
  name: string
  /** In units, like `used`. */
  limit: number
  used: number
  percent: 80 | 100
  period: { start: string; end: string }
}

/** The hook that is called when thresholds are reached, the lowest first. */
export const quotasReached = hook<ReachedQuota[]>('quotasReached')

export interface Period {
  start: Temporal.Instant
  end: Temporal.Instant
}

/** Returns the calendar month of `now` in a time zone. */
export function getMonth(now: Temporal.Instant, timezone: string): Period {
  const start = now.toZonedDateTimeISO(timezone).with({ day: 1 }).startOfDay()
  return { start: start.toInstant(), end: start.add({ months: 1 }).startOfDay().toInstant() }
}

/** Returns the current month of the transaction's workspace. */
export async function readCurrentPeriod(tx: Tx): Promise<Period> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  return getMonth(getInstant(tx), timezone)
}

interface Reservation {
  granted: number
  limit: number | null
  used: number
  /** The thresholds to report, the lowest first. */
  percents: (80 | 100)[]
}

/**
 * Reserves up to `requested` units, as many as the quota still has. Returns the number of units reserved. The row is
 * locked until the transaction ends, so that no unit is reserved twice.
 *
 * Calls `quotasReached` when the use reaches 80 % of the limit, rounded up, and when it reaches 100 %. Without a limit,
 * or with a limit of 0, it is never called. The row stores the highest use at which each threshold was reported. A
 * threshold at or below that use is not reported again: neither after a refund, nor after a small raise of the limit.
 *
 * `timezone`: the workspace's time zone, if the caller knows it; it saves a query.
 */
export async function reserveUpTo(
  tx: Tx,
  { name }: Quota,
  requested: number,
  timezone?: string,
): Promise<number> {
  const period = timezone === undefined ? await readCurrentPeriod(tx) : getMonth(getInstant(tx), timezone)
  const [start, end] = [period.start.toString(), period.end.toString()]
  const tenantId = getTenantId(tx)
  const ensureRow = sql`
    ${fixedPlan} insert into quota_usage (tenant_id, name, period_start, used) values (${tenantId}, ${name}, ${start}, 0)
    on conflict do nothing`
  const reservation = sql<Reservation>`
    ${fixedPlan} with held as (
      select l.monthly_limit, u.used, u.reported_use_80, u.reported_use_100,
        greatest(least(${requested}, coalesce(l.monthly_limit - u.used, ${requested})), 0) as granted,
        ceil(nullif(l.monthly_limit, 0) * 0.8) as at_80, nullif(l.monthly_limit, 0) as at_100
      from quota_usage u left join quota_limits l on l.tenant_id = u.tenant_id and l.name = u.name
      where u.tenant_id = ${tenantId} and u.name = ${name} and u.period_start = ${start}
      for update of u
    ), reserved as (
      select *, used + granted as now_used from held
    )
    update quota_usage u set used = t.now_used,
      reported_use_80 = greatest(t.reported_use_80, case when t.now_used >= t.at_80 then t.now_used end),
      reported_use_100 = greatest(t.reported_use_100, case when t.now_used >= t.at_100 then t.now_used end)
    from reserved t where u.tenant_id = ${tenantId} and u.name = ${name} and u.period_start = ${start}
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

/** Reserves one unit. Throws 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function reserve(tx: Tx, quota: Quota): Promise<void> {
  if ((await reserveUpTo(tx, quota, 1)) !== 1) throw await createQuotaExceeded(tx, quota)
}

/** Creates the 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function createQuotaExceeded(tx: Tx, { name }: Quota): Promise<Problem> {
  const { end } = await readCurrentPeriod(tx)
  const seconds = Math.max(1, Math.ceil(end.since(getInstant(tx)).total('seconds')))
  return new Problem(
    'QUOTA_EXCEEDED',
    `The quota ${name} of this month is used up. It is renewed at ${end.toString()}.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  )
}

/** Refunds the units that were reserved at these times, each to its month. */
export async function refund(tx: Tx, { name }: Quota, reservedAt: Temporal.Instant[]): Promise<void> {
  if (reservedAt.length === 0) return
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  const months = Map.groupBy(reservedAt, at => getMonth(at, timezone).start.toString())
  // Always in the same order, so that two transactions cannot deadlock.
  for (const [start, units] of [...months].sort())
    await sql`update quota_usage set used = greatest(0, used - ${units.length}::integer)
              where tenant_id = ${getTenantId(tx)} and name = ${name} and period_start = ${start}`.execute(tx)
}

export interface QuotaState {
  name: string
  limit: number | null
  used: number
  remaining: number | null
  resetsAt: string
}

/** Returns the current state of these quotas, in their order. A null limit means unlimited. */
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
