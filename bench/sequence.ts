/**
 * The planner of sequences: a campaign of 100,000 recipients and four steps, all due at one instant, planned to its end. The limit is a bare
 * loop that adds the delays, without windows, limits, gaps and queues.
 */
import { simulate } from '../src/domain/sequence/simulate.ts'
import type { DueStep, PaceRules } from '../src/domain/sequence/types.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-11-27T09:00Z')
const steps = [0, 1440, 2880, 4320].map(delayMin => ({ delayMin, onlyIfNoReply: false }))
const timezone = 'Europe/Madrid'
const rules: PaceRules = {
  window: { timezone, days: [1, 2, 3, 4, 5], from: '09:00', to: '19:00', closedDates: ['2026-12-08'] },
  timezone,
  throttlePerMinute: null,
  dailyStartLimit: null,
  dailyBudget: null,
  monthlyQuota: null,
  startAtMs: null,
  endAtMs: null,
  seed: 3,
}
const campaigns: Record<string, Partial<PaceRules>> = {
  'no limits': {},
  '60 a minute': { throttlePerMinute: 60 },
  '20 a minute, 200 new a day': { throttlePerMinute: 20, dailyStartLimit: 200 },
}

export async function run(): Promise<void> {
  const due = createDue(100_000)
  const rows = Object.entries(campaigns).map(
    ([name, changes]) => [name, time(() => plan(due, changes).sends.length)] as const,
  )
  console.table({ ...Object.fromEntries(rows), 'bare loop': time(() => addDelays(due)) })
}

/** Short form: decisions per second relative to the bare loop. */
export async function short(): Promise<Ratios> {
  const due = createDue(20_000)
  const bare = time(() => addDelays(due))
  const planned = time(() => plan(due, { throttlePerMinute: 60 }).sends.length)
  return { 'decisions/s of the bare loop': planned['decisions/s'] / bare['decisions/s'] }
}

const createDue = (count: number): DueStep[] =>
  Array.from({ length: count }, (_, index) => ({
    recipientId: `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    step: 0,
    dueAtMs: nowMs,
    lastSentAtMs: null,
  }))

const plan = (due: DueStep[], changes: Partial<PaceRules>) =>
  simulate({
    steps,
    rules: { ...rules, ...changes },
    pace: { nextAtMs: 0, day: 0, started: 0, budgetUsed: 0, quotaUsed: 0 },
    due,
    nowMs,
    untilMs: nowMs + 4000 * dayMs,
  })

function addDelays(due: DueStep[]): number {
  const sends: { recipientId: string; step: number; atMs: number }[] = []
  for (const { recipientId, dueAtMs } of due) {
    let atMs = dueAtMs
    for (const [step, { delayMin }] of steps.entries()) {
      atMs += delayMin * 60_000
      sends.push({ recipientId, step, atMs })
    }
  }
  return sends.length
}

/** `work` returns how many decisions it has made. */
function time(work: () => number): { 'median ms': number; 'decisions/s': number } {
  let decisions = 0
  const durations = Array.from({ length: 5 }, () => {
    const startedMs = performance.now()
    decisions = work()
    return performance.now() - startedMs
  })
  const medianMs = median(durations)
  return {
    'median ms': Math.round(medianMs * 10) / 10,
    'decisions/s': Math.round((decisions / medianMs) * 1000),
  }
}
