/** The daily budget of an account: how many messages that answer nobody it may send in a day of the workspace. */
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

/** How many messages today's budget has left; null: there is no limit. */
export async function readRemainingBudget(
  tx: Tx,
  account: Pick<AccountRow, 'id'> & BudgetLimits,
): Promise<number | null> {
  const { day, timezone } = await readLocalDay(tx)
  const limit = toDailyBudget(account, day, timezone)
  if (limit === null) return null
  return Math.max(0, limit - ((await readUse(tx, [account.id], day)).get(account.id) ?? 0))
}

export interface Reservation {
  /** Pass it to `releaseBudget` for messages that are not sent. */
  day: string
  /** How many of the messages may be sent. */
  granted: number
  /** When the others may be. */
  endsAt: Date
}

/** Reserves as many messages of today's budget as there are, up to `count`: only for messages that answer nobody. */
export async function reserveBudget(
  tx: Tx,
  account: Pick<AccountRow, 'id'> & BudgetLimits,
  count: number,
): Promise<Reservation> {
  const { day, endsAt, timezone } = await readLocalDay(tx)
  const limit = toDailyBudget(account, day, timezone)
  return { day, granted: await addUse(tx, { accountId: account.id, day, count, limit }), endsAt }
}

/** Returns messages to the budgets of their days, because they were not sent. `reservedDay` null: it used none. */
export async function releaseBudget(
  tx: Tx,
  messages: readonly { accountId: string; reservedDay: string | null }[],
): Promise<void> {
  const reserved = messages.filter(({ reservedDay }) => reservedDay !== null)
  const byDay = Map.groupBy(reserved, ({ accountId, reservedDay }) => `${accountId} ${reservedDay}`)
  // Always in the same order, so that two transactions cannot deadlock.
  for (const [key, same] of [...byDay].sort()) {
    const [accountId, day] = key.split(' ') as [string, string]
    await removeUse(tx, { accountId, day, count: same.length })
  }
}
