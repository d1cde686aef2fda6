/**
 * Decides when due messages of a campaign are sent: in its window, one after the other at its pace, within the limits of the day, and
 * never before now. What is overdue after a pause is spread like everything else.
 */
import { createRandom } from '../random.ts'
import type { DueStep, Pace, PaceRules, PlannedSend, Wait, WaitReason } from './types.ts'
import { createFindOpening, createLocalDays, toMonth } from './window.ts'

/** Both in the order in which they became due. */
export interface DueSteps {
  /** The first message of a recipient. */
  starts: DueStep[]
  followUps: DueStep[]
}

export interface SendPlan {
  /** In order of their time. */
  sends: PlannedSend[]
  pace: Pace
  /** Why the rest waits; null: nothing is left. */
  wait: Wait | null
}

/** A campaign's planner. Plans the messages that may be sent from `nowMs` to `untilMs`, both included. */
export type PlanSends = (pace: Pace, due: DueSteps, time: { nowMs: number; untilMs: number }) => SendPlan

/** Plans are made so far ahead: what becomes due meanwhile waits for the next plan. */
export const planAheadMs = 60_000

/** The longest gap between messages, in gaps of the throttle: people do not write by a metronome. */
const longestGap = 1.6

export function createPlanSends(rules: PaceRules): PlanSends {
  const findOpening = createFindOpening(rules.window)
  const days = createLocalDays(rules.timezone)
  const { dailyStartLimit, dailyBudget, monthlyQuota, startAtMs } = rules

  /** When a message may be sent at the earliest, or why never. */
  const findTime = (earliestMs: number): { atMs: number } | { never: WaitReason } => {
    const atMs = findOpening(earliestMs)
    if (atMs === null) return { never: 'NO_WINDOW' }
    return rules.endAtMs !== null && atMs >= rules.endAtMs ? { never: 'ENDED' } : { atMs }
  }
  const waitFor = (reason: WaitReason, earliestMs: number): Wait => {
    const time = findTime(earliestMs)
    return 'never' in time ? { reason: time.never, untilMs: null } : { reason, untilMs: time.atMs }
  }
  const waitForNextDay = (reason: WaitReason, atMs: number): Wait => waitFor(reason, days.getNextDayMs(atMs))

  return (pace, { starts, followUps }, { nowMs, untilMs }) => {
    if (startAtMs !== null && startAtMs > untilMs && starts.length + followUps.length > 0)
      return { sends: [], pace, wait: { reason: 'NOT_BEGUN', untilMs: startAtMs } }
    const state = { ...pace }
    const sends: PlannedSend[] = []
    let start = 0
    let followUp = 0
    let startWait: Wait | null = null
    const plan = (wait: Wait | null): SendPlan => ({ sends, pace: state, wait: toEarliest(wait, startWait) })
    for (;;) {
      const takesStart: boolean =
        startWait === null &&
        start < starts.length &&
        !(followUp < followUps.length && followUps[followUp]!.dueAtMs <= starts[start]!.dueAtMs)
      const due = takesStart ? starts[start] : followUps[followUp]
      if (!due) return plan(null)
      const earliestMs = Math.max(nowMs, due.dueAtMs, startAtMs ?? 0)
      const time = findTime(Math.max(earliestMs, state.nextAtMs))
      if ('never' in time) return plan({ reason: time.never, untilMs: null })
      const { atMs } = time
      if (startWait?.untilMs != null && atMs >= startWait.untilMs) {
        startWait = null
        continue
      }
      const day = days.getDay(atMs)
      const quotaUsed = day === state.day || toMonth(day) === toMonth(state.day) ? state.quotaUsed : 0
      // Before the pace: it says why nothing follows.
      if (monthlyQuota !== null && quotaUsed >= monthlyQuota)
        return plan(waitFor('QUOTA_EXCEEDED', days.getNextMonthMs(atMs)))
      if (atMs > untilMs) return plan({ reason: findReason(atMs, earliestMs, state), untilMs: atMs })
      if (day !== state.day) Object.assign(state, { day, started: 0, budgetUsed: 0, quotaUsed })
      if (takesStart && dailyStartLimit !== null && state.started >= dailyStartLimit) {
        startWait = waitForNextDay('DAILY_START_LIMIT', atMs)
        continue
      }
      const isCounted = due.lastSentAtMs !== null && days.getDay(due.lastSentAtMs) === day
      if (!isCounted && dailyBudget !== null && state.budgetUsed >= dailyBudget)
        return plan(waitForNextDay('DAILY_BUDGET', atMs))
      sends.push({ ...due, atMs })
      state.nextAtMs = atMs + toGapMs(rules, due)
      if (takesStart) state.started += 1
      if (!isCounted) state.budgetUsed += 1
      state.quotaUsed += 1
      if (takesStart) start += 1
      else followUp += 1
    }
  }
}

const findReason = (atMs: number, earliestMs: number, { nextAtMs }: Pace): WaitReason =>
  atMs > Math.max(earliestMs, nextAtMs) ? 'WINDOW' : 'PACE'

const toEarliest = (one: Wait | null, other: Wait | null): Wait | null => {
  if (one === null || other === null) return one ?? other
  return (one.untilMs ?? Infinity) <= (other.untilMs ?? Infinity) ? one : other
}

/** Never shorter than the throttle's gap, so no minute has more messages than it allows. */
function toGapMs({ throttlePerMinute, seed }: PaceRules, { recipientId, step }: DueStep): number {
  if (throttlePerMinute === null) return 0
  const random = createRandom(seed, toNumber(recipientId), step)
  return Math.ceil((60_000 / throttlePerMinute) * (1 + (longestGap - 1) * random()))
}

/** The last 32 bits of a UUID, which are random. */
export const toNumber = (id: string): number => Number.parseInt(id.slice(-8), 16)
