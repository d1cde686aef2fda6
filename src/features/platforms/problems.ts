/** The errors of portals. */
import type { ProblemType } from '../../kit/problem.ts'

export const portalUnconfigured: ProblemType = {
  code: 'PORTAL_UNCONFIGURED',
  status: 422,
  meaning: 'The portal has no address or no credentials in live, or is not simulated in test.',
  action: 'In live, the operator sets them with `PORTAL_URLS`. In test, use a simulated portal.',
  example: 'The portal portal_a has no address in live yet. The operator sets it with PORTAL_URLS.',
}
