/** Until when a person's data are kept: a workspace says for how many months after the last dealing with the person. */

/** The dealings with a person that keep their data current. Null or missing: there was none. */
export interface LeadActivity {
  createdAt: Temporal.Instant
  lastContactedAt: Temporal.Instant | null
  lastReplyAt: Temporal.Instant | null
  /** When the person's advert was last seen on a portal: as long as it stands there, they invite contact. */
  lastSeenAt?: Temporal.Instant | null
  /** When somebody last wrote a note on the lead: calls and visits leave no other trace. */
  lastNoteAt?: Temporal.Instant | null
  /** When somebody last moved the lead on, from contacted to qualified, say. */
  statusChangedAt?: Temporal.Instant | null
}

export interface RetentionRule {
  /** Whole months, at least 1. */
  months: number
}

/**
 * When retention ends (art. 5(1)(e) GDPR): the same day of the month and time of day in UTC so many months after the last
 * dealing, or the month's last day if it has no such day. Null if the workspace has set no rule. A rule of its own for
 * the leads that were won, whose contract is kept longer, is the caller's choice. RangeError if `months` is not a whole
 * number from 1, or so large that no date is left.
 */
export function computeRetentionEnd(
  activity: LeadActivity,
  rule: RetentionRule | null,
): Temporal.Instant | null {
  if (rule === null) return null
  if (!Number.isInteger(rule.months) || rule.months < 1)
    throw new RangeError(`retention of ${rule.months} months`)
  const { createdAt, ...later } = activity
  const last = Object.values(later).reduce<Temporal.Instant>(
    (latest, instant) => (instant && Temporal.Instant.compare(instant, latest) > 0 ? instant : latest),
    createdAt,
  )
  return last.toZonedDateTimeISO('UTC').add({ months: rule.months }).toInstant()
}
