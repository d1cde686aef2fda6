/**
 * Scopes and quotas of the API reference whose features do not exist yet. Keys and quotas may use them already. A new
 * feature moves its names from here.
 */
import type { Quota } from '../../kit/quota.ts'
import type { Scope } from '../../kit/scope.ts'

const groups = ['campaigns']

export const reservedScopes = groups.flatMap((group): Scope[] => [`${group}:read`, `${group}:write`])

export const reservedQuotas: Quota[] = []
