/** What people do after messages of campaigns. */
import type { FeaturePart } from '../parts.ts'
import { recordBookings, recordOptOuts, recordReplies, watchFailures } from './jobs.ts'

export const outcomeParts: FeaturePart = {
  subscribers: [recordReplies, recordBookings, recordOptOuts, watchFailures],
}
