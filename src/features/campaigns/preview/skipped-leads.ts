/** Leads that get no message, by their reason. */
import type { Reason } from '../recipients/reasons.ts'

/** The leads that are listed for a reason. */
export const leadsMax = 10

export interface SkippedLeads {
  reason: Reason
  count: number
  /** The first ones. */
  leadIds: string[]
}
