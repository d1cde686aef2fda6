/** The daily budget of an account: to how many people it may write first in a day of the workspace. */
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { addUse, readTimezone, readUse, removeUse } from './budget-queries.ts'
import type { AccountRow } from './queries.ts'
import { toWarmUpBudget } from './warm-up.ts'

export type BudgetLimits = Pick<AccountRow, 'ownDailyLimit' | 'providerDailyLimit' | 'warmUpStartedAt'>

/** A day of the workspace. */
export interface LocalDay {
  /** Such as `2026-11-02`. */
  day: string
  /** When the next day begins. */
  endsAt: Date
  timezone: string
}

/** Returns the day of a time zone. */
export function toLocalDay(now: Temporal.Instant, timezone: string): LocalDay {
  const start = now.toZonedDateTimeISO(timezone).startOfDay()
  return {
    day: start.toPlainDate().toString(),
    endsAt: new Date(start.add({ days: 1 }).startOfDay().epochMilliseconds),
    timezone,
  }
}

/** Returns the current day of the transaction's workspace. */
export const readLocalDay = async (tx: Tx): Promise<LocalDay> =>
  toLocalDay(getInstant(tx), await readTimezone(tx))

/** The budget of a day: the smallest limit; null: there is none. */
export function toDailyBudget(account: BudgetLimits, day: string, timezone: string): number | null {
  const limits = [
    account.ownDailyLimit,
    account.providerDailyLimit,
    toWarmUpBudget(account.warmUpStartedAt, day, timezone),
  ].filter(limit => limit !== null)
  return limits.length === 0 ? null : Math.min(...limits)
}

/** How many people today's budget has left; null: there is no limit. */
export async function readRemainingBudget(
  tx: Tx,
  account: Pick<AccountRow, 'id'> & BudgetLimits,
): Promise<number | null> {
  const { day, timezone } = await readLocalDay(tx)
  const limit = toDailyBudget(account, day, timezone)
  if (limit === null) return null
  const used = (await readUse(tx, [account.id], day)).get(account.id) ?? 0
  return Math.max(0, limit - used)
}

/** Reserves up to `count` people of today's budget, who get a message that answers nobody. Returns how many it has. */
export function reserveBudget(
  tx: Tx,
  account: Pick<AccountRow, 'id'> & BudgetLimits,
  { count, today: { day, timezone } }: { count: number; today: LocalDay },
): Promise<number> {
  const limit = toDailyBudget(account, day, timezone)
  return addUse(tx, { accountId: account.id, day, count, limit })
}

/** Returns people to the budgets of their days: nothing was sent to them. */
export async function releaseBudget(
  tx: Tx,
  people: readonly { accountId: string; day: string }[],
): Promise<void> {
  const byDay = Map.groupBy(people, ({ accountId, day }) => `${accountId} ${day}`)
  // Always in the same order, so that two transactions cannot deadlock.
  for (const [key, same] of [...byDay].sort()) {
    const [accountId, day] = key.split(' ') as [string, string]
    await removeUse(tx, { accountId, day, count: same.length })
  }
}
