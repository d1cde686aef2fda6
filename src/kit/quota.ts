/** Monthly quotas: reserved in the transaction of the work, given back when the work fails. */
import { sql } from 'kysely'
import type { Tx } from './db/index.ts'
import { Problem } from './problem.ts'

export const quotaNames = [
  'maxExtractionsPerMonth',
  'maxLeadsPerMonth',
  'maxMessagesPerMonth',
  'maxValuationsPerMonth',
  'maxFichasPerMonth',
] as const

export type QuotaName = (typeof quotaNames)[number]

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

/**
 * Takes as much of `wanted` as the quota still holds, and says how much that was. Two transactions never take the
 * same unit: the row is locked until the first one ends.
 */
export async function reserveUpTo(tx: Tx, name: QuotaName, wanted: number): Promise<number> {
  const { start } = await currentPeriod(tx)
  const startText = start.toString()
  await sql`insert into quota_usage (name, period_start, used) values (${name}, ${startText}, 0) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{ granted: number }>`
    with held as (
      select u.used, least(${wanted}, coalesce(l.monthly_limit - u.used, ${wanted})) as granted
      from quota_usage u left join quota_limits l on l.tenant_id = u.tenant_id and l.name = u.name
      where u.name = ${name} and u.period_start = ${startText}
      for update of u
    )
    update quota_usage u set used = u.used + greatest(held.granted, 0)
    from held where u.name = ${name} and u.period_start = ${startText}
    returning greatest(held.granted, 0)::int as granted`.execute(tx)
  return rows[0]?.granted ?? 0
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
