/** Recognizes the URL of a listing, and the portal that it belongs to. */
import { findListingId, toListingPath } from '../../domain/listing/listing-path.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import type { Portals, PortalTenant } from '../platforms/service.ts'

export interface ListingAddress {
  platform: string
  listingId: string
  /** With the query only if the id is in it. */
  path: string
}

/** The portals from whose listings sheets can be made. */
export function listFichaPortals(portals: Portals): PortalDefinition[] {
  return portals.list().filter(({ capabilities, details }) => capabilities.ficha && details !== null)
}

/** The name of the second URL field: `portal_a` → `portalAUrl`. */
export function toUrlField({ id }: PortalDefinition): string {
  return `${id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Url`
}

/** The portal and the listing of a URL; null if it is no listing of these portals in the environment. */
export function parseListingUrl(
  url: string,
  definitions: PortalDefinition[],
  portals: Portals,
  { environment }: Pick<PortalTenant, 'environment'>,
): ListingAddress | null {
  const address = URL.parse(url.trim())
  if (!address || !/^https?:$/.test(address.protocol)) return null
  for (const definition of definitions) {
    const listingId = findListingId(definition.listingPath, address)
    if (listingId && isHostOf(definition, address, portals, environment))
      return { platform: definition.id, listingId, path: toListingPath(definition.listingPath, address) }
  }
  return null
}

function isHostOf(
  definition: PortalDefinition,
  { hostname }: URL,
  portals: Portals,
  environment: PortalTenant['environment'],
): boolean {
  const isSame = (origin: string | null) =>
    origin !== null && toBareHost(new URL(origin).hostname) === toBareHost(hostname)
  if (environment === 'live') return isSame(portals.findOrigin(definition.id, 'live'))
  // The simulator's ports change, and clients test with the URLs of the real portal or of the documentation.
  return (
    /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ||
    hostname === toExampleHost(definition) ||
    isSame(portals.findOrigin(definition.id, 'live'))
  )
}

const toBareHost = (hostname: string) => hostname.replace(/^(www|m)\./, '')

/** The host of the portal in examples; the simulator reads its listings in test. */
const toExampleHost = ({ id }: PortalDefinition) => `${id.replaceAll('_', '-')}.example`

/** Says which URLs are accepted: `a listing of Portal A, such as https://…`. */
export function describeListingUrls(
  definitions: PortalDefinition[],
  portals: Portals,
  { environment }: Pick<PortalTenant, 'environment'>,
): string {
  const described = definitions.flatMap(definition => {
    const origin =
      environment === 'live'
        ? portals.findOrigin(definition.id, 'live')
        : `https://${toExampleHost(definition)}`
    if (origin === null) return []
    const { listingExample } = definition
    return [`${definition.name}${listingExample ? `, such as ${origin}${listingExample}` : ` (${origin})`}`]
  })
  return described.join('; ')
}
