/** The daily budget of an account: how many messages that answer nobody it may send in a day of the workspace. */
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { addUse, readTimezone, removeUse } from './budget-queries.ts'
import type { AccountRow } from './queries.ts'
import { toWarmUpBudget } from './warm-up.ts'

export type BudgetLimits = Pick<AccountRow, 'ownDailyLimit' | 'providerDailyLimit' | 'warmUpStartedAt'>

/** A day of the workspace. */
export interface LocalDay {
  /** Such as `2026-11-02`. */
  day: string
  /** When the next day begins. */
  endsAt: Date
}

/** Returns the day of a time zone. */
export function toLocalDay(now: Temporal.Instant, timezone: string): LocalDay {
  const start = now.toZonedDateTimeISO(timezone).startOfDay()
  return {
    day: start.toPlainDate().toString(),
    endsAt: new Date(start.add({ days: 1 }).startOfDay().epochMilliseconds),
  }
}

/** Returns the current day of the transaction's workspace. */
export async function readLocalDay(tx: Tx): Promise<LocalDay & { timezone: string }> {
  const timezone = await readTimezone(tx)
  return { ...toLocalDay(getInstant(tx), timezone), timezone }
}

/** The budget of a day: the smallest limit; null: there is none. */
export function toDailyBudget(account: BudgetLimits, day: string, timezone: string): number | null {
  const limits = [
    account.ownDailyLimit,
    account.providerDailyLimit,
    toWarmUpBudget(account.warmUpStartedAt, day, timezone),
  ].filter(limit => limit !== null)
  return limits.length === 0 ? null : Math.min(...limits)
}

/**
 * Reserves one message of today's budget. `day`: pass it to `releaseBudget` if the message is not sent. Call it only for
 * messages that answer nobody.
 */
export async function reserveBudget(
  tx: Tx,
  account: Pick<AccountRow, 'id'> & BudgetLimits,
): Promise<{ day: string } | { exhaustedUntil: Date }> {
  const { day, endsAt, timezone } = await readLocalDay(tx)
  const isReserved = await addUse(tx, account.id, day, toDailyBudget(account, day, timezone))
  return isReserved ? { day } : { exhaustedUntil: endsAt }
}

/** Returns a reserved message to the budget of its day, because it was not sent. */
export async function releaseBudget(tx: Tx, accountId: string, day: string): Promise<void> {
  await removeUse(tx, accountId, day)
}
