/** Identity: workspaces, users, keys and what they have used. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { nextForgottenAt } from '../../kit/idempotency.ts'
import { jobWait } from '../../kit/jobs/job-wait.ts'
import { type Quota, quotasReached } from '../../kit/quota.ts'
import { quotaThresholdReached, tellQuotasReached } from './events.ts'
import { forgetIdempotencyKeys } from './jobs.ts'
import { reservedQuotas, reservedScopes } from './reserved.ts'
import { identityRoutes } from './routes.ts'
import { settings } from './settings.ts'

/** `quotas`: those that the other features declare. */
export function identity({ quotas }: { quotas: Quota[] }): Feature {
  const all = [...quotas, ...reservedQuotas]
  return {
    name: 'identity',
    tags: { Identity: 'The current workspace and its usage.' },
    scopes: reservedScopes,
    quotas: reservedQuotas,
    settings,
    routes: identityRoutes(all),
    jobs: [forgetIdempotencyKeys],
    waits: [jobWait(forgetIdempotencyKeys, nextForgottenAt)],
    events: [quotaThresholdReached(all)],
    hooks: [on(quotasReached, tellQuotasReached(all))],
  }
}
