/** Decides which step of its sequence a recipient gets next, and when it is due. */
import type { Sequence } from './types.ts'

const minuteMs = 60_000

export interface RecipientHistory {
  joinedAtMs: number
  /** Steps that were sent or skipped. */
  doneSteps: number
  /** When the last of them was sent, or was due and skipped; null: none. */
  lastStepAtMs: number | null
  /** When the recipient first replied after joining; null: not yet. */
  repliedAtMs: number | null
  /** What ends the sequence besides a reply; null: nothing. */
  stop: 'OPTED_OUT' | 'BOOKED' | 'CLOSED' | null
}

/** `CLOSED`: the lead is won, lost or discarded. `COMPLETED`: no step is left. */
export type EndReason = 'OPTED_OUT' | 'BOOKED' | 'CLOSED' | 'REPLIED' | 'COMPLETED'

export type NextStep = { end: EndReason } | { end: null; step: number; dueAtMs: number }

/** A skipped step takes the time that it would have taken, so that later steps keep their distance. */
export function findNextStep({ steps, stopOnReply }: Sequence, history: RecipientHistory): NextStep {
  if (history.stop) return { end: history.stop }
  const hasReplied = history.repliedAtMs !== null
  if (hasReplied && stopOnReply) return { end: 'REPLIED' }
  let dueAtMs = history.lastStepAtMs ?? history.joinedAtMs
  for (const [step, { delayMin, onlyIfNoReply }] of steps.entries()) {
    if (step < history.doneSteps) continue
    dueAtMs += delayMin * minuteMs
    if (!(onlyIfNoReply && hasReplied)) return { end: null, step, dueAtMs }
  }
  return { end: 'COMPLETED' }
}
