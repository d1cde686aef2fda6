/** Identity: workspaces, users, API keys, sessions, settings and usage. */
import type { Cipher } from '../../kit/crypto.ts'
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { findNextReplyExpiry } from '../../kit/idempotency.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import { type Quota, quotasReached } from '../../kit/quota.ts'
import type { Setting } from '../../kit/settings/setting.ts'
import { sessionRoutes, signInRoutes } from './dashboard-routes.ts'
import { emitQuotaThresholds, quotaThresholdReached } from './events.ts'
import { deleteExpiredIdempotencyKeys, deleteExpiredSignIns } from './jobs.ts'
import { identityRoutes } from './routes.ts'
import { settings as ownSettings } from './settings.ts'
import { settingsRoutes } from './settings-routes.ts'
import { usersRoute } from './users-route.ts'

export interface IdentityDependencies {
  cipher: Cipher
  publicUrl: string
  /** The quotas of the other features. */
  quotas: Quota[]
  /** The settings of the other features. */
  settings: Setting[]
}

export function identity({ cipher, publicUrl, quotas, settings }: IdentityDependencies): Feature {
  return {
    name: 'identity',
    tags: { Identity: 'The current workspace and its usage.' },
    settings: ownSettings,
    routes: [...identityRoutes(quotas), usersRoute],
    anonymousRoutes: signInRoutes({ cipher, publicUrl }),
    dashboardRoutes: [...sessionRoutes({ publicUrl }), ...settingsRoutes([...ownSettings, ...settings])],
    dashboardTags: {
      Sessions: 'Signing in and out.',
      Settings: 'Settings of the workspace and of its environments.',
    },
    jobs: [deleteExpiredIdempotencyKeys],
    deploymentJobs: [deleteExpiredSignIns],
    scheduledTasks: [jobSchedule(deleteExpiredIdempotencyKeys, findNextReplyExpiry)],
    events: [quotaThresholdReached(quotas)],
    hooks: [on(quotasReached, emitQuotaThresholds(quotas))],
  }
}
