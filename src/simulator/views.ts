// The portals as single visitors see them, who have changed adverts: each over a world of its own, on ports of its own.
import type { RequestListener, Server } from 'node:http'
import type { Portal } from './portal.ts'
import { PORTALS, type PortalId } from './portals.ts'
import { listen, stop } from './server.ts'
import type { ListingChange, World } from './world.ts'

/** The longest unused is forgotten: a world takes about a megabyte. */
const VISITORS = 50

interface View {
  world: World
  portals: Map<PortalId, Promise<{ server: Server; address: string }>>
}

/** The address of a portal, with the credentials that it asks for. */
export function addressOf({ credentials }: Portal, origin: string): string {
  return credentials ? origin.replace('//', `//${credentials}@`) : origin
}

/** `listenerOf`: what carries a portal over HTTP. */
export function createViews(
  world: World,
  listenerOf: (portal: Portal, origin: string, id: PortalId) => RequestListener,
) {
  const views = new Map<string, View>()

  async function open(id: PortalId, seen: World) {
    const { server, origin } = await listen(0)
    const portal = PORTALS[id](seen, origin)
    server.on('request', listenerOf(portal, origin, id))
    return { server, address: addressOf(portal, origin) }
  }
  async function close(view: View) {
    for (const opened of view.portals.values()) await stop((await opened).server)
  }

  return {
    async addressFor(visitor: string, changes: readonly ListingChange[], portal: PortalId): Promise<string> {
      const view = views.get(visitor) ?? { world: world.copy(), portals: new Map() }
      views.delete(visitor)
      views.set(visitor, view)
      for (const change of changes) view.world.apply(change)
      const opened = view.portals.get(portal) ?? open(portal, view.world)
      view.portals.set(portal, opened)
      if (views.size > VISITORS) {
        const [[oldest, forgotten]] = views as unknown as [[string, View]]
        views.delete(oldest)
        void close(forgotten)
      }
      return (await opened).address
    },
    async close(): Promise<void> {
      await Promise.all([...views.values()].map(close))
    },
  }
}
