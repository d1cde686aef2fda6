/** Identity: workspaces, users, keys and what they have used. */
import type { Cipher } from '../../kit/crypto.ts'
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { nextForgottenAt } from '../../kit/idempotency.ts'
import { jobWait } from '../../kit/jobs/job-wait.ts'
import { type Quota, quotasReached } from '../../kit/quota.ts'
import type { Setting } from '../../kit/settings/setting.ts'
import { identityEntrances, sessionRoutes } from './dashboard-routes.ts'
import { quotaThresholdReached, tellQuotasReached } from './events.ts'
import { forgetIdempotencyKeys, forgetSignIns } from './jobs.ts'
import { reservedQuotas, reservedScopes } from './reserved.ts'
import { identityRoutes } from './routes.ts'
import { settings as ownSettings } from './settings.ts'
import { settingsRoutes } from './settings-routes.ts'

export interface IdentityParts {
  cipher: Cipher
  publicUrl: string
  /** Those that the other features declare. */
  quotas: Quota[]
  settings: Setting[]
}

export function identity({ cipher, publicUrl, quotas, settings }: IdentityParts): Feature {
  const all = [...quotas, ...reservedQuotas]
  return {
    name: 'identity',
    tags: { Identity: 'The current workspace and its usage.' },
    scopes: reservedScopes,
    quotas: reservedQuotas,
    settings: ownSettings,
    routes: identityRoutes(all),
    entrances: identityEntrances({ cipher, publicUrl }),
    dashboardRoutes: [...sessionRoutes({ publicUrl }), ...settingsRoutes([...ownSettings, ...settings])],
    dashboardTags: {
      Sessions: 'Signing in and out.',
      Settings: 'Settings of the workspace and of its environments.',
    },
    jobs: [forgetIdempotencyKeys],
    deploymentJobs: [forgetSignIns],
    waits: [jobWait(forgetIdempotencyKeys, nextForgottenAt)],
    events: [quotaThresholdReached(all)],
    hooks: [on(quotasReached, tellQuotasReached(all))],
  }
}
