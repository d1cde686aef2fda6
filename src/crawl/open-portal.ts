/** The portal that is read: its definition, and where it is. */
import type { PortalDefinition } from '../plugins/portal.ts'

/** A portal at an address. */
export interface OpenPortal {
  definition: PortalDefinition
  /** Origin without a trailing slash. */
  baseUrl: string
  /** What the operator was given by the portal; null for a portal that is open to everybody. */
  credentials: { id: string; secret: string } | null
  /** On this machine, as the simulator is: nobody is disturbed, so no pace is kept. */
  isLocal: boolean
}
