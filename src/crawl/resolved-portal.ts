/** A portal to read: its definition and its address. */
import type { PortalDefinition } from '../plugins/portal.ts'

export interface ResolvedPortal {
  definition: PortalDefinition
  /** Origin without a trailing slash. */
  baseUrl: string
  /** The credentials that the portal gave to the operator; null if none are configured. */
  credentials: { id: string; secret: string } | null
  /** True for a portal on this machine, such as the simulator: requests are not throttled. */
  isLocal: boolean
}
