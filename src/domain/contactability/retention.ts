/** Computes how long a person's data are kept: a number of months, set by the workspace, after the last interaction. */

/** The interactions that extend retention. Null or missing: there was none. */
export interface LeadActivity {
  createdAt: Temporal.Instant
  lastContactedAt: Temporal.Instant | null
  lastReplyAt: Temporal.Instant | null
  /** When the person's listing was last seen on a portal: while it is online, the person invites contact. */
  lastSeenAt?: Temporal.Instant | null
  /** When a user last wrote a note on the lead: calls and visits leave no other trace. */
  lastNoteAt?: Temporal.Instant | null
  /** When a user last changed the status, for example from contacted to qualified. */
  statusChangedAt?: Temporal.Instant | null
}

export interface RetentionRule {
  /** Whole months, at least 1. */
  months: number
}

/**
 * The end of retention (art. 5(1)(e) GDPR): `months` after the last interaction, on the same day and time in UTC, or on
 * the last day of a month without that day. Null if there is no rule. A longer rule for won leads, whose contract is
 * kept longer, is up to the caller. Throws RangeError if `months` is not a whole number of at least 1, or the date is
 * out of range.
 */
export function computeRetentionEnd(
  activity: LeadActivity,
  rule: RetentionRule | null,
): Temporal.Instant | null {
  if (rule === null) return null
  if (!Number.isInteger(rule.months) || rule.months < 1)
    throw new RangeError(`retention must be a whole number of months, at least 1, not ${rule.months}`)
  const { createdAt, ...later } = activity
  const last = Object.values(later).reduce<Temporal.Instant>(
    (latest, instant) => (instant && Temporal.Instant.compare(instant, latest) > 0 ? instant : latest),
    createdAt,
  )
  return last.toZonedDateTimeISO('UTC').add({ months: rule.months }).toInstant()
}
