/** How long a person who wrote may be answered without another lawful basis. */

/** Days after the person's last message. */
export const answerDays = 30

/** The end of the period in which the person may be answered. */
export function getAnswerEnd(lastMessageAt: Temporal.Instant): Temporal.Instant {
  return lastMessageAt.add({ hours: 24 * answerDays })
}

/** True if the person wrote lately. `lastMessageAt`: null if they never wrote. */
export function isWithinAnswerPeriod(lastMessageAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  return lastMessageAt !== null && Temporal.Instant.compare(now, getAnswerEnd(lastMessageAt)) < 0
}
