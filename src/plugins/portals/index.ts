/** The built-in portals, in the order of the API. */
import { registerModule } from '../portal-modules.ts'
import { portalA } from './portal-a.ts'
import { portalB } from './portal-b.ts'
import { portalC } from './portal-c.ts'
import { portalD } from './portal-d.ts'
import { portalE } from './portal-e.ts'
import { portalF } from './portal-f.ts'
import { portalG } from './portal-g.ts'
import { portalH } from './portal-h.ts'

export const builtInPortals = [portalA, portalB, portalC, portalD, portalE, portalF, portalG, portalH]
for (const portal of builtInPortals) registerModule(portal, import.meta.url)
