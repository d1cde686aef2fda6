/** The recipients of campaigns: their routes, personal data, and what happens to their leads. */
import { on } from '../../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../../leads/service.ts'
import { erasePersonData } from '../../privacy/service.ts'
import type { FeaturePart } from '../parts.ts'
import { deleteRecipientsJob } from './delete-recipients.ts'
import { eraseRecipients } from './erasure.ts'
import { followJobs } from './follow-campaign.ts'
import { detachRecipients, moveRecipients, restoreRecipients } from './lead-references.ts'
import { recipientPersonData } from './person-data.ts'
import { recipientRoutes } from './routes.ts'

export const recipientParts: FeaturePart = {
  routes: recipientRoutes,
  jobs: [...followJobs, deleteRecipientsJob],
  personData: recipientPersonData,
  hooks: [
    on(erasePersonData, eraseRecipients),
    on(leadsDeleted, detachRecipients),
    on(leadsMerged, moveRecipients),
    on(mergeUndone, restoreRecipients),
  ],
}
