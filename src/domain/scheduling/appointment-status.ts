/** The statuses of an appointment, and what can be done with it in each. */

export const appointmentStatuses = ['pending', 'confirmed', 'cancelled', 'completed', 'no_show'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

export const appointmentActions = [
  'confirm',
  'reschedule',
  'assign',
  'cancel',
  'no-show',
  'outcome',
  'expire',
  'complete',
] as const
export type AppointmentAction = (typeof appointmentActions)[number]

export interface AppointmentState {
  status: AppointmentStatus
  startMs: number
  endMs: number
}

/** What the clock does by itself. No caller can request it. */
const automatic: readonly AppointmentAction[] = ['expire', 'complete']

type Condition = (state: AppointmentState, nowMs: number) => boolean

const always: Condition = () => true
const beforeStart: Condition = ({ startMs }, nowMs) => nowMs < startMs
const sinceStart: Condition = ({ startMs }, nowMs) => nowMs >= startMs
const beforeEnd: Condition = ({ endMs }, nowMs) => nowMs < endMs

/** An agent often records that nobody came after the appointment has ended and is `completed`. */
const moves: Record<AppointmentStatus, Partial<Record<AppointmentAction, Condition>>> = {
  pending: {
    confirm: beforeStart,
    reschedule: beforeEnd,
    assign: beforeEnd,
    cancel: always,
    expire: always,
  },
  confirmed: {
    reschedule: beforeEnd,
    assign: beforeEnd,
    cancel: beforeEnd,
    'no-show': sinceStart,
    outcome: sinceStart,
    complete: (state, nowMs) => !beforeEnd(state, nowMs),
  },
  completed: { 'no-show': always, outcome: always },
  // It was a mistake: the visitor came.
  no_show: { outcome: always },
  cancelled: {},
}

export function isAllowed(action: AppointmentAction, state: AppointmentState, nowMs: number): boolean {
  return moves[state.status][action]?.(state, nowMs) ?? false
}

/** What a caller can do with the appointment now. */
export function listAllowedActions(state: AppointmentState, nowMs: number): AppointmentAction[] {
  return appointmentActions.filter(action => !automatic.includes(action) && isAllowed(action, state, nowMs))
}

/**
 * When an appointment that nobody confirms is cancelled: at the latest when it begins. `expiresAfterMin`: null: not
 * earlier than that.
 */
export function toExpiry(nowMs: number, startMs: number, expiresAfterMin: number | null): number {
  return expiresAfterMin === null ? startMs : Math.min(startMs, nowMs + expiresAfterMin * 60_000)
}
