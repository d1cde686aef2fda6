/** The time in which a person's message may be answered with a free text. */

/**
 * Returns when the window closes; null: the provider has none, or the person has never written with the identity to which
 * messages go. `hours`: the provider's `replyWindowHours`.
 */
export function getWindowEnd(lastInboundAt: Date | null, hours: number | null): Date | null {
  if (hours === null || !lastInboundAt) return null
  return new Date(lastInboundAt.getTime() + hours * 3_600_000)
}

/** True if a free text may be sent at `now`. */
export function isWindowOpen(lastInboundAt: Date | null, hours: number | null, now: Date): boolean {
  if (hours === null) return true
  const end = getWindowEnd(lastInboundAt, hours)
  return end !== null && now < end
}

/** Providers without a window: the hours within which an answer is recent. */
const answerHours = 24

/** True if a message at `now` answers what the person wrote lately, so that it needs no budget for first contacts. */
export const isRecentAnswer = (lastInboundAt: Date | null, hours: number | null, now: Date): boolean =>
  isWindowOpen(lastInboundAt, hours ?? answerHours, now)
