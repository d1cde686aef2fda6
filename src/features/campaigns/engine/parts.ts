/** The engine of campaigns: plans, queues and advances the steps of recipients. */
import { on } from '../../../kit/hook.ts'
import { accountLimitChanged } from '../../accounts/service.ts'
import { campaignMessagesClaimed, campaignMessagesEnded } from '../../messaging/service.ts'
import type { FeaturePart } from '../parts.ts'
import { advanceRecipients } from './advance.ts'
import { decideClaims } from './decide-claim.ts'
import type { EngineDependencies } from './dependencies.ts'
import { planWaiting } from './go-on.ts'
import {
  engineSchedule,
  planCampaigns,
  queueMessages,
  startLostWork,
  withdrawCampaign,
  withdrawMessages,
} from './jobs.ts'
import { reviveHeldUp } from './revive-held-up.ts'
import { reviewWhenBooked, reviewWhenLeadChanges, reviewWhenPersonActs } from './subscribers.ts'

export const engineParts = (dependencies: EngineDependencies): FeaturePart => ({
  jobs: [
    planCampaigns(dependencies),
    queueMessages(dependencies),
    withdrawCampaign,
    withdrawMessages,
    reviveHeldUp(dependencies),
  ],
  deploymentJobs: [startLostWork],
  scheduledTasks: [engineSchedule(dependencies)],
  subscribers: [
    reviewWhenLeadChanges(dependencies),
    reviewWhenPersonActs(dependencies),
    reviewWhenBooked(dependencies),
  ],
  hooks: [
    on(campaignMessagesClaimed, decideClaims),
    on(campaignMessagesEnded, (tx, ends) => advanceRecipients(tx, dependencies, ends)),
    on(accountLimitChanged, planWaiting),
  ],
})
