/** Names of the reference whose features have not come yet: keys and quotas may have them already. The feature that comes takes its own. */
import type { Quota } from '../../kit/quota.ts'
import type { Scope } from '../../kit/scope.ts'

const groups = ['campaigns', 'messaging', 'templates', 'accounts', 'fichas', 'scheduling']

export const reservedScopes = groups.flatMap((group): Scope[] => [`${group}:read`, `${group}:write`])

export const reservedQuotas: Quota[] = [{ name: 'maxMessagesPerMonth' }, { name: 'maxFichasPerMonth' }]
