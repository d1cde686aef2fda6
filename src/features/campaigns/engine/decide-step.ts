/** Decides what a recipient gets next, from what has happened since it joined. Pure. */
import { type EndReason, findNextStep } from '../../../domain/sequence/next-step.ts'
import type { Sequence } from '../../../domain/sequence/types.ts'
import type { CampaignSettings } from '../campaigns/settings-schemas.ts'
import { booked, closed, leadDeleted, optedOut, type Reason, replied } from '../recipients/reasons.ts'

/** What the decision depends on. */
export interface RecipientState {
  leadId: string | null
  /** The next step. */
  step: number
  joinedAt: Date
  lastStepAt: Date | null
  lastSentAt: Date | null
  /** When the person last replied, after joining; null: not yet. */
  repliedAt: Date | null
  hasBooked: boolean
  /** Null: the lead was deleted. */
  leadStatus: string | null
}

export type EndStatus = 'completed' | 'stopped' | 'skipped' | 'failed'

export interface End {
  status: EndStatus
  /** Null: it got every step. */
  reason: Reason | null
}

/** `skipped`: the steps that are left out before it. */
export type StepDecision =
  | { end: End; skipped: number[] }
  | { end: null; skipped: number[]; step: number; dueAt: Date }

const endReasons: Record<Exclude<EndReason, 'COMPLETED'>, Reason> = {
  OPTED_OUT: optedOut,
  BOOKED: booked,
  CLOSED: closed,
  REPLIED: replied,
}

export const toSequence = ({
  steps,
  stopOnReply,
}: Pick<CampaignSettings, 'steps' | 'stopOnReply'>): Sequence => ({
  steps: steps.map(({ delayMinutes, onlyIfNoReply }) => ({ delayMin: delayMinutes, onlyIfNoReply })),
  stopOnReply,
})

export function decideStep(sequence: Sequence, recipient: RecipientState): StepDecision {
  const { step: doneSteps, leadId, lastSentAt } = recipient
  if (leadId === null) return { end: { status: 'stopped', reason: leadDeleted }, skipped: [] }
  const next = findNextStep(sequence, {
    joinedAtMs: recipient.joinedAt.getTime(),
    doneSteps,
    lastStepAtMs: recipient.lastStepAt?.getTime() ?? null,
    repliedAtMs: recipient.repliedAt?.getTime() ?? null,
    stop: findStop(recipient),
  })
  if (next.end === null) {
    const { step, dueAtMs } = next
    return { end: null, step, dueAt: new Date(dueAtMs), skipped: toRange(doneSteps, step) }
  }
  if (next.end === 'COMPLETED')
    return {
      end: { status: 'completed', reason: null },
      skipped: toRange(doneSteps, sequence.steps.length),
    }
  // Nobody wrote to the person, and the status of the lead may change again.
  const status = next.end === 'CLOSED' && lastSentAt === null ? 'skipped' : 'stopped'
  return { end: { status, reason: endReasons[next.end] }, skipped: [] }
}

/** When the step is due: not before its delay, which may have been changed since, nor before it was retried. */
export const toDue = (stored: Date, { skipped, dueAt }: Extract<StepDecision, { end: null }>): Date =>
  skipped.length === 0 && stored > dueAt ? stored : dueAt

/** A discarded lead to whom nobody wrote is not contactable, which says more. */
function findStop({ hasBooked, leadStatus, lastSentAt }: RecipientState): 'BOOKED' | 'CLOSED' | null {
  if (hasBooked) return 'BOOKED'
  if (leadStatus === 'discarded') return lastSentAt === null ? null : 'CLOSED'
  return leadStatus === 'won' || leadStatus === 'lost' ? 'CLOSED' : null
}

const toRange = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
