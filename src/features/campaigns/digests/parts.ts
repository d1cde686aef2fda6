/** Digests of saved searches: their routes, jobs, page, and the personal data of those who get them. */
import { on } from '../../../kit/hook.ts'
import { erasePersonData } from '../../privacy/service.ts'
import type { FeaturePart } from '../parts.ts'
import { digestSchedule, sendDigest, sendDueDigests } from './jobs.ts'
import { digestRoute } from './page.ts'
import { digestPersonData } from './person-data.ts'
import { eraseSubscribers } from './privacy.ts'
import { digestRoutes } from './routes.ts'
import { type DigestDependencies, sendDigestMail } from './send.ts'

export const digestParts = (dependencies: DigestDependencies): FeaturePart => ({
  routes: digestRoutes,
  publicRoutes: [digestRoute],
  jobs: [sendDigest(dependencies.cipher), sendDigestMail(dependencies)],
  deploymentJobs: [sendDueDigests],
  scheduledTasks: [digestSchedule(dependencies.cipher)],
  personData: digestPersonData,
  hooks: [on(erasePersonData, eraseSubscribers)],
})
