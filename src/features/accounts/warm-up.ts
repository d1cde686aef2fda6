/** The warm-up of a new account: it writes to few people a day, so that providers learn to trust it. */

/** The budget of the days of a warm-up, the first one first. After them the warm-up has no limit. */
export const warmUpBudgets = [20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240] as const

/** The budget that the warm-up allows on a day; null: no limit. */
export function toWarmUpBudget(startedAt: Date | null, day: string, timezone: string): number | null {
  if (!startedAt) return null
  const first = startedAt.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate()
  const days = first.until(Temporal.PlainDate.from(day), { largestUnit: 'day' }).days
  return warmUpBudgets[Math.max(0, days)] ?? null
}
