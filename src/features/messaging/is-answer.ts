/** Which messages answer a person. */
import { isWithinAnswerPeriod } from '../../domain/contactability/answers.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { toInstant } from './identities.ts'

/** True if the person wrote lately, and may be answered without another basis. Never true for a campaign. */
export const isAnswerTo = (
  tx: Tx,
  { campaignId, lastInboundAt }: { campaignId: string | null; lastInboundAt: Date | null },
): boolean => campaignId === null && isWithinAnswerPeriod(toInstant(lastInboundAt), getInstant(tx))
