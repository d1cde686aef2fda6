/** The portals of visitors with changed listings: each visitor has its own world on its own ports. */
import type { RequestListener, Server } from 'node:http'
import type { Portal } from './portal.ts'
import { type PortalId, portals } from './portals.ts'
import { listen, stop } from './server.ts'
import type { ListingChange, World } from './world.ts'

/** A world takes about a megabyte, so the world of the least recent visitor is evicted. */
const visitorsMax = 50

interface VisitorWorld {
  world: World
  portals: Map<PortalId, Promise<{ server: Server; address: string }>>
}

/** The address of a portal, with its credentials. */
export function withCredentials({ credentials }: Portal, origin: string): string {
  return credentials ? origin.replace('//', `//${credentials}@`) : origin
}

/** `createListener` makes the HTTP handler of a portal. */
export function createVisitorPortals(
  world: World,
  createListener: (portal: Portal, origin: string, id: PortalId) => RequestListener,
) {
  const visitorWorlds = new Map<string, VisitorWorld>()

  async function openPortal(id: PortalId, visitorWorld: World) {
    const { server, origin } = await listen(0)
    const portal = portals[id](visitorWorld, origin)
    server.on('request', createListener(portal, origin, id))
    return { server, address: withCredentials(portal, origin) }
  }
  async function closePortals(visitorWorld: VisitorWorld) {
    for (const opened of visitorWorld.portals.values()) await stop((await opened).server)
  }

  return {
    async getVisitorAddress(
      visitor: string,
      changes: readonly ListingChange[],
      portal: PortalId,
    ): Promise<string> {
      const visitorWorld = visitorWorlds.get(visitor) ?? { world: world.copy(), portals: new Map() }
      visitorWorlds.delete(visitor)
      visitorWorlds.set(visitor, visitorWorld)
      for (const change of changes) visitorWorld.world.apply(change)
      const opened = visitorWorld.portals.get(portal) ?? openPortal(portal, visitorWorld.world)
      visitorWorld.portals.set(portal, opened)
      if (visitorWorlds.size > visitorsMax) {
        const [[oldest, evicted]] = visitorWorlds as unknown as [[string, VisitorWorld]]
        visitorWorlds.delete(oldest)
        void closePortals(evicted)
      }
      return (await opened).address
    },
    async close(): Promise<void> {
      await Promise.all([...visitorWorlds.values()].map(closePortals))
    },
  }
}
