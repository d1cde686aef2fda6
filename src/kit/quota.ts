/** Monthly quotas: reserved in the transaction of the work, given back when the work fails. */
import { sql } from 'kysely'
import type { Tx } from './db/index.ts'
import { emitMany, event } from './event.ts'
import { Problem } from './problem.ts'
import { type QuotaName, quotaNames } from './quota-names.ts'
import { closed, oneOf, Type, time } from './schema.ts'

export type { QuotaName }

export const quotaThresholdReached = event({
  type: 'quota.threshold_reached',
  object: [],
  summary:
    'The use of a quota reached 80 or 100 % of its limit; emitted once a month for each, and again if the limit is raised',
  data: closed({
    name: oneOf(quotaNames, { description: 'The quota.' }),
    limit: Type.Integer({
      minimum: 1,
      description: 'The number of units that the workspace may use in the month.',
    }),
    used: Type.Integer({ minimum: 1, description: 'The number of units used when the event was emitted.' }),
    percent: Type.Unsafe<80 | 100>({
      type: 'integer',
      enum: [80, 100],
      description: 'The share of the limit that was reached.',
    }),
    period: closed(
      {
        start: time('The start of the month, in the time zone of the workspace.'),
        end: time('The start of the next month, when the quota is renewed.'),
      },
      { description: 'The month that the quota counts.' },
    ),
  }),
  example: {
    name: 'maxLeadsPerMonth',
    limit: 5000,
    used: 4012,
    percent: 80,
    period: { start: '2026-10-31T23:00:00Z', end: '2026-11-30T23:00:00Z' },
  },
})

export interface Period {
  start: Temporal.Instant
  end: Temporal.Instant
}

/** The calendar month around `now` in a time zone, as instants. */
export function monthAround(now: Temporal.Instant, timezone: string): Period {
  const start = now.toZonedDateTimeISO(timezone).with({ day: 1 }).startOfDay()
  return { start: start.toInstant(), end: start.add({ months: 1 }).startOfDay().toInstant() }
}

/** The month being counted for the workspace that the transaction is in. */
export async function currentPeriod(tx: Tx): Promise<Period> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  return monthAround(Temporal.Now.instant(), timezone)
}

interface Taken {
  granted: number
  limit: number | null
  used: number
  /** Thresholds to be told, the lowest first. */
  percents: (80 | 100)[]
}

/**
 * Takes as much of `wanted` as the quota still holds, and says how much that was. Two transactions never take the
 * same unit: the row is locked until the first one ends.
 *
 * Tells `quota.threshold_reached` when the use comes to 80 % of the limit, rounded up, and when it comes to all of it; of no
 * limit, or one of 0, nothing. The row keeps the most that was used with each share reached, and so much is not told again:
 * not when units are given back and taken once more, and of a raised limit only a share that is more than that.
 *
 * `timezone`: that of the workspace, if the caller knows it.
 */
export async function reserveUpTo(
  tx: Tx,
  name: QuotaName,
  wanted: number,
  timezone?: string,
): Promise<number> {
  const period =
    timezone === undefined ? await currentPeriod(tx) : monthAround(Temporal.Now.instant(), timezone)
  const [start, end] = [period.start.toString(), period.end.toString()]
  const begun = sql`
    insert into quota_usage (name, period_start, used) values (${name}, ${start}, 0) on conflict do nothing`
  const taken = sql<Taken>`
    with held as (
      select l.monthly_limit, u.used, u.reached_80, u.reached_100,
        greatest(least(${wanted}, coalesce(l.monthly_limit - u.used, ${wanted})), 0) as granted,
        ceil(nullif(l.monthly_limit, 0) * 0.8) as at_80, nullif(l.monthly_limit, 0) as at_100
      from quota_usage u left join quota_limits l on l.tenant_id = u.tenant_id and l.name = u.name
      where u.name = ${name} and u.period_start = ${start}
      for update of u
    ), taken as (
      select *, used + granted as now_used from held
    )
    update quota_usage u set used = t.now_used,
      reached_80 = greatest(t.reached_80, case when t.now_used >= t.at_80 then t.now_used end),
      reached_100 = greatest(t.reached_100, case when t.now_used >= t.at_100 then t.now_used end)
    from taken t where u.name = ${name} and u.period_start = ${start}
    returning t.granted, t.monthly_limit as "limit", t.now_used as used, array_remove(array[
      case when t.reached_80 < t.at_80 and t.at_80 <= t.now_used then 80 end,
      case when t.reached_100 < t.at_100 and t.at_100 <= t.now_used then 100 end], null) as percents`
  const [, { rows }] = await Promise.all([begun.execute(tx), taken.execute(tx)])
  const { granted, limit, used, percents } = rows[0]!
  await emitMany(
    tx,
    quotaThresholdReached,
    percents.map(percent => ({ name, limit: limit!, used, percent, period: { start, end } })),
  )
  return granted
}

/** Takes one unit or throws 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function reserve(tx: Tx, name: QuotaName): Promise<void> {
  if ((await reserveUpTo(tx, name, 1)) !== 1) throw await quotaExceeded(tx, name)
}

/** The 429 QUOTA_EXCEEDED, which says when the quota is renewed. */
export async function quotaExceeded(tx: Tx, name: QuotaName): Promise<Problem> {
  const { end } = await currentPeriod(tx)
  const seconds = Math.max(1, Math.ceil(end.since(Temporal.Now.instant()).total('seconds')))
  return new Problem(
    'QUOTA_EXCEEDED',
    `The quota ${name} of this month is used up. It is renewed at ${end.toString()}.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  )
}

/** Gives units back to the month in which they were taken. */
export async function giveBack(tx: Tx, name: QuotaName, takenAt: Temporal.Instant, count = 1): Promise<void> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  const { start } = monthAround(takenAt, timezone)
  await sql`update quota_usage set used = greatest(0, used - ${count})
            where name = ${name} and period_start = ${start.toString()}`.execute(tx)
}

export interface QuotaState {
  name: QuotaName
  limit: number | null
  used: number
  remaining: number | null
  resetsAt: string
}

/** Every quota as it stands, for `GET /me`. A null limit is unlimited. */
export async function listQuotas(tx: Tx, period: Period): Promise<QuotaState[]> {
  const { rows } = await sql<{ name: string; limit: number | null; used: number }>`
    select n.name, l.monthly_limit as limit, coalesce(u.used, 0) as used
    from unnest(${[...quotaNames]}::text[]) as n (name)
    left join quota_limits l on l.name = n.name
    left join quota_usage u on u.name = n.name and u.period_start = ${period.start.toString()}`.execute(tx)
  return quotaNames.map(name => {
    const { limit = null, used = 0 } = rows.find(row => row.name === name) ?? {}
    const remaining = limit === null ? null : Math.max(0, limit - used)
    return { name, limit, used, remaining, resetsAt: period.end.toString() }
  })
}
