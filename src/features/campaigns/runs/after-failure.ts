/** When a campaign tries again after a run that failed. */
import { isRepeating } from '../../../domain/run-schedule.ts'
import { findRunAfter } from '../campaigns/run-times.ts'

const minuteMs = 60_000
const firstWaitMs = 30 * minuteMs
const waitMaxMs = 24 * 60 * minuteMs
/** From this failure in a row on, the runs of a schedule become rarer. */
const patience = 3
/** A campaign with a single run tries it so often. */
const attemptsMax = 5

/**
 * The run after `failures` failures in a row. A schedule keeps its times; from the third failure on, it waits 30 minutes, then
 * twice as long each time, up to a day. A campaign with a single run repeats it with the same waits, four times at most.
 */
export function findRunAfterFailure(
  campaign: Parameters<typeof findRunAfter>[0],
  now: Date,
  failures: number,
): Date | null {
  const repeats = isRepeating(campaign.settings.schedule)
  const doublings = failures - (repeats ? patience : 1)
  const waitMs = doublings < 0 ? 1 : Math.min(firstWaitMs * 2 ** doublings, waitMaxMs)
  const earliest = new Date(now.getTime() + waitMs)
  if (repeats) return findRunAfter(campaign, earliest, true)
  const endAt = campaign.settings.schedule?.endAt ?? null
  if (failures >= attemptsMax || (endAt !== null && earliest >= new Date(endAt))) return null
  return earliest
}
