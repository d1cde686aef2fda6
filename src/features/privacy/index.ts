/** Privacy: contactability, the suppression list, erasure and retention. */
import { reasonCodes } from '../../domain/contactability/reasons.ts'
import type { Feature } from '../../kit/feature.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import { oneOf } from '../../kit/schema.ts'
import { eraseExpiredLeads, reviewSuppressedLeads } from './jobs.ts'
import { suppressionPersonData } from './person-data.ts'
import { findNextLeadExpiry } from './retention.ts'
import { suppressionRoutes } from './routes.ts'
import { settings } from './settings.ts'

export const privacy: Feature = {
  name: 'privacy',
  tags: {
    Suppressions:
      'People who must not be contacted: opt-outs, exclusion lists, and people the workspace excludes.',
  },
  routes: suppressionRoutes,
  problemFields: {
    reason: oneOf(reasonCodes, {
      description: 'Why the person may not be contacted. Only on `NOT_CONTACTABLE`.',
    }),
  },
  jobs: [reviewSuppressedLeads, eraseExpiredLeads],
  events: [],
  scheduledTasks: [jobSchedule(eraseExpiredLeads, findNextLeadExpiry)],
  personData: suppressionPersonData,
  settings,
}
