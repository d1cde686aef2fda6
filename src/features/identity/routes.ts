/** `GET /me`: the caller and its usage. */
import { listQuotas, type Quota, readCurrentPeriod } from '../../kit/quota.ts'
import { windowSeconds } from '../../kit/rate-limit.ts'
import { type Route, route } from '../../kit/route.ts'
import { getWorkspaceAndKey, listNotices } from './queries.ts'
import { meExample, meSchema } from './schemas.ts'

/** `quotas`: the quotas of all features. */
export const identityRoutes = (quotas: Quota[]): Route[] => [
  route({
    method: 'GET',
    path: '/me',
    operation: 'getMe',
    tag: 'Identity',
    summary: 'Retrieve the current workspace, key, usage and notices',
    scope: 'any',
    status: 200,
    reply: meSchema(quotas),
    replyExample: meExample,
    async handle({ caller, tx }) {
      const { workspace, key } = await getWorkspaceAndKey(tx, caller.keyId)
      const period = await readCurrentPeriod(tx)
      return {
        workspace,
        key,
        usage: {
          period: { start: period.start.toString(), end: period.end.toString() },
          quotas: await listQuotas(tx, quotas, period),
          rateLimit: { limit: caller.requestsPerMinute, windowSeconds },
        },
        notices: await listNotices(tx),
      }
    },
  }),
]
