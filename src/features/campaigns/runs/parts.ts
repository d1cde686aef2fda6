/** The runs of campaigns at their portals. */
import { on } from '../../../kit/hook.ts'
import { campaignExtractionEnded, campaignExtractionRetried } from '../../extractions/service.ts'
import type { Portals } from '../../platforms/service.ts'
import type { FeaturePart } from '../parts.ts'
import { finishRunJob, finishRunOf, runSchedule, startDueRuns, startRun } from './jobs.ts'
import { retryRun } from './retry.ts'
import { runRoutes } from './routes.ts'

export const runParts = ({ portals }: { portals: Portals }): FeaturePart => ({
  routes: runRoutes,
  jobs: [startRun(portals), finishRunJob(portals)],
  deploymentJobs: [startDueRuns],
  scheduledTasks: [runSchedule(portals)],
  hooks: [on(campaignExtractionEnded, finishRunOf), on(campaignExtractionRetried, retryRun)],
})
