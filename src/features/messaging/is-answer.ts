/** Which messages answer a person. */
import { isWithinAnswerPeriod } from '../../domain/contactability/answers.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { toInstant } from './identities.ts'
import type { Nature } from './message-types.ts'

/**
 * True if the person wrote lately, or booked the appointment that the message is about: it needs no other basis (decision 62).
 * Never true for a campaign.
 */
export const isAnswerTo = (
  tx: Tx,
  {
    campaignId,
    nature,
    lastInboundAt,
  }: { campaignId: string | null; nature: Nature; lastInboundAt: Date | null },
): boolean =>
  campaignId === null &&
  (nature === 'appointment' || isWithinAnswerPeriod(toInstant(lastInboundAt), getInstant(tx)))
