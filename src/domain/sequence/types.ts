/** What the sequence planner reads and returns. Times are milliseconds since 1970. */

export interface SequenceStep {
  /** After the step before; the first step: after the recipient joined the campaign. */
  delayMin: number
  /** Skipped for recipients who have replied. */
  onlyIfNoReply: boolean
}

export interface Sequence {
  steps: SequenceStep[]
  /** A reply ends the sequence for its recipient. */
  stopOnReply: boolean
}

/** Hours of the wall clock in which messages may be sent. */
export interface SendWindow {
  timezone: string
  /** 1 Monday … 7 Sunday. */
  days: number[]
  /** `HH:MM`. */
  from: string
  /** `HH:MM`, after `from`; `24:00` is the end of the day. */
  to: string
  /** ISO dates on which nothing is sent. */
  closedDates: string[]
}

export interface PaceRules {
  /** Null: at any hour. */
  window: SendWindow | null
  /** The IANA zone whose days the limits count. */
  timezone: string
  /** At most so many messages in any minute; null: no limit. */
  throttlePerMinute: number | null
  /** Recipients who get their first message on a day; null: no limit. */
  dailyStartLimit: number | null
  /** People to whom the account may write first on a day; null: no limit. */
  dailyBudget: number | null
  /** Messages of the workspace in a month; null: no limit. */
  monthlyQuota: number | null
  /** Nothing is sent before; null: messages begin at once. */
  startAtMs: number | null
  /** Nothing is sent from then on; null: no end. */
  endAtMs: number | null
  /** An integer. The same seed spaces the same messages alike. */
  seed: number
}

/** How far a campaign has come. Days are counted since 1970, by the local date. */
export interface Pace {
  /** No message before it. */
  nextAtMs: number
  day: number
  /** Recipients who got their first message on `day`. */
  started: number
  /** People whom the account's budget has counted on `day`, by other campaigns too. */
  budgetUsed: number
  /** Messages that the quota has counted in the month of `day`, those of others too. */
  quotaUsed: number
}

/** A step that is due. */
export interface DueStep {
  recipientId: string
  /** From 0. */
  step: number
  dueAtMs: number
  /** When the recipient got the last message; null: none yet. */
  lastSentAtMs: number | null
}

export interface PlannedSend extends DueStep {
  atMs: number
}

export const waitReasons = [
  'NOT_BEGUN',
  'WINDOW',
  'PACE',
  'DAILY_START_LIMIT',
  'DAILY_BUDGET',
  'QUOTA_EXCEEDED',
  'NO_WINDOW',
  'ENDED',
] as const

/**
 * Why due messages wait. `PACE`: they are sent one after the other. `NO_WINDOW`: the window does not open within a year. `ENDED`: the
 * campaign ends before they may be sent.
 */
export type WaitReason = (typeof waitReasons)[number]

export interface Wait {
  reason: WaitReason
  /** When the next message may be sent; null: never. */
  untilMs: number | null
}
