/** Runs a campaign's sequence in advance: who gets which step when, if nobody replies. */
import { createPlanSends, planAheadMs } from './plan-sends.ts'
import type { DueStep, Pace, PaceRules, PlannedSend, SequenceStep, Wait } from './types.ts'

const minuteMs = 60_000
/** Due messages that are planned together. */
const chunkMax = 500

export interface SimulationInput {
  steps: SequenceStep[]
  rules: PaceRules
  pace: Pace
  /** The next step of each recipient, in any order. */
  due: DueStep[]
  nowMs: number
  /** Messages after it are left out. */
  untilMs: number
}

export interface Simulation {
  /** In order of their time. */
  sends: PlannedSend[]
  /** Why those that were not reached wait; null: all were reached, or are due later. */
  wait: Wait | null
}

/**
 * Every step has a queue. Messages are sent in the order of time, and each step has one delay, so the queues stay in order by
 * appending.
 */
export function simulate({ steps, rules, pace, due, nowMs, untilMs }: SimulationInput): Simulation {
  const planSends = createPlanSends(rules)
  const starts = new StepQueue(due.filter(isStart))
  const followUps = steps.map(
    (_, step) => new StepQueue(due.filter(each => each.step === step && !isStart(each))),
  )
  const chunkSize = Math.min(chunkMax, (rules.throttlePerMinute ?? chunkMax) + 1)
  const sends: PlannedSend[] = []
  let state = pace
  let timeMs = nowMs
  for (;;) {
    const plan = planSends(
      state,
      {
        starts: starts.peek(timeMs, chunkSize),
        followUps: followUps.flatMap(queue => queue.peek(timeMs, chunkSize)).sort(byTime),
      },
      { nowMs: timeMs, untilMs: Math.min(timeMs + planAheadMs, untilMs) },
    )
    state = plan.pace
    for (const send of plan.sends) {
      sends.push(send)
      ;(isStart(send) ? starts : followUps[send.step]!).take()
      const following = toFollowing(steps, send)
      if (following) followUps[following.step]!.append(following)
    }
    timeMs = Math.max(timeMs, findNextTime(plan.wait, starts, followUps))
    if (timeMs > untilMs) return { sends, wait: plan.wait }
  }
}

const isStart = ({ lastSentAtMs }: DueStep): boolean => lastSentAtMs === null

function toFollowing(steps: SequenceStep[], { recipientId, step, atMs }: PlannedSend): DueStep | null {
  const following = steps[step + 1]
  if (!following) return null
  return { recipientId, step: step + 1, dueAtMs: atMs + following.delayMin * minuteMs, lastSentAtMs: atMs }
}

const byTime = (one: DueStep, other: DueStep): number => one.dueAtMs - other.dueAtMs

const byTimeAndId = (one: DueStep, other: DueStep): number =>
  byTime(one, other) || (one.recipientId < other.recipientId ? -1 : 1)

/** When the next plan is made. The limit of first messages holds back no others. */
function findNextTime(wait: Wait | null, starts: StepQueue, followUps: StepQueue[]): number {
  const waitMs = wait ? (wait.untilMs ?? Infinity) : Infinity
  if (wait && wait.reason !== 'DAILY_START_LIMIT') return waitMs
  const queues = wait ? followUps : [starts, ...followUps]
  return Math.min(waitMs, ...queues.map(queue => queue.nextDueMs))
}

/** Due steps in their order. */
class StepQueue {
  private readonly list: DueStep[]
  private head = 0

  constructor(list: DueStep[]) {
    this.list = list.sort(byTimeAndId)
  }

  get nextDueMs(): number {
    return this.list[this.head]?.dueAtMs ?? Infinity
  }

  append(due: DueStep): void {
    this.list.push(due)
  }

  take(): void {
    this.head += 1
  }

  /** The first ones that are due, at most `max`. */
  peek(timeMs: number, max: number): DueStep[] {
    const end = Math.min(this.list.length, this.head + max)
    let last = this.head
    while (last < end && this.list[last]!.dueAtMs <= timeMs) last += 1
    return this.list.slice(this.head, last)
  }
}
