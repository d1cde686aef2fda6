/** When a digest is due: at a time of the wall clock, on some days of the week. */

export interface DigestTimes {
  /** `HH:MM`. */
  at: string
  /** 1 Monday … 7 Sunday; at least one. */
  days: readonly number[]
  /** IANA. */
  timezone: string
}

/**
 * Returns the first time after `from`. A time that a clock change skips is due after the gap; one that it repeats, the first time
 * only.
 */
export function findNextDigest({ at, days, timezone }: DigestTimes, from: Date): Date {
  const today = from.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate()
  // The last one is the same day of the week, if its time has passed today.
  for (let ahead = 0; ahead <= 7; ahead++) {
    const day = today.add({ days: ahead })
    if (!days.includes(day.dayOfWeek)) continue
    const due = day.toZonedDateTime({ timeZone: timezone, plainTime: at }).epochMilliseconds
    if (due > from.getTime()) return new Date(due)
  }
  throw new Error('a digest needs a day of the week')
}
