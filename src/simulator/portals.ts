/** The simulated portals, all over the same listings. */
import type { Portal } from './portal.ts'
import { createPortalA } from './portal-a/index.ts'
import { createPortalB } from './portal-b/index.ts'
import { createPortalC } from './portal-c/index.ts'
import { createPortalD } from './portal-d/index.ts'
import { createPortalE } from './portal-e/index.ts'
import { createPortalF } from './portal-f/index.ts'
import { createPortalG } from './portal-g/index.ts'
import { createPortalH } from './portal-h/index.ts'
import type { World } from './world.ts'

/** `origin` is the portal's own address, without a slash at the end. */
type CreatePortal = (world: World, origin: string) => Portal

export const portals = {
  portal_a: createPortalA,
  portal_b: createPortalB,
  portal_c: createPortalC,
  portal_d: createPortalD,
  portal_e: createPortalE,
  portal_f: createPortalF,
  portal_g: createPortalG,
  portal_h: createPortalH,
} satisfies Record<string, CreatePortal>

export type PortalId = keyof typeof portals
export const portalIds = Object.keys(portals) as PortalId[]
