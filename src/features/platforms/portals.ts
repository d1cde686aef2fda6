/** Which portals there are, where each is reached in live and in test, and what it calls the places of the gazetteer. */
import type { OpenPortal } from '../../crawl/open-portal.ts'
import { editDistance, exceedsByLetters, getEditsMax, letterBits } from '../../domain/location/edits.ts'
import type { Gazetteer } from '../../domain/location/gazetteer.ts'
import type { Place } from '../../domain/location/place.ts'
import type { Environment } from '../../kit/db/index.ts'
import type { PortalDefinition, SearchPlace } from '../../plugins/portal.ts'

/** A place by the name that a portal knows it by. */
export interface PortalPlace {
  /** The portal's own id: what `filters.location.id` holds. */
  id: string
  place: Place
}

export interface PlaceSearch {
  q: string
  limit: number
  /** The portal's id of a place that holds those searched for. */
  parentId?: string | undefined
}

/** Whose portals are meant. */
export interface PortalTenant {
  tenantId: string
  environment: Environment
}

export interface Portals {
  list(): PortalDefinition[]
  find(platform: string): PortalDefinition | undefined
  /** What keeps the portal from being read in this environment, in a sentence for people; null if nothing does. */
  findUnavailableReason(platform: string, environment: Environment): string | null
  /** Whether the portal has an address in this environment, and the credentials that it asks for. */
  isConfigured(platform: string, environment: Environment): boolean
  /** As the tenant sees it; null if it is unconfigured. */
  open(platform: string, tenant: PortalTenant): Promise<OpenPortal | null>
  /** The `baseUrl` of what is open; null if it is unconfigured or, in test, if nobody has opened it here yet. */
  findOrigin(platform: string, environment: Environment): string | null
  /** The place that a portal means by an id of its own. */
  findPlace(platform: string, locationId: string): Place | undefined
  /** Places as this portal calls them, the best first. */
  searchPlaces(platform: string, search: PlaceSearch): PortalPlace[]
  /** Places whose ids `typed` may be a misspelling of: the nearest first, and of equally near ones the more important. */
  findNearestPlaces(platform: string, typed: string, limit: number): PortalPlace[]
  /** Reads the places of a portal once this moment's work is done: a tenth of a second, the first time. */
  preloadPlaces(platform: string): void
  /** What the portal calls a place, or null. */
  findLocationId(platform: string, place: Place): string | null
  /** The places that all portals have their own names for. */
  gazetteer(): Gazetteer
}

export interface PortalsOptions {
  definitions: PortalDefinition[]
  /** Base addresses in live, by portal; credentials stand before the host, as in `https://id:secret@host`. */
  urls: Record<string, string>
  /** Portals that the simulator serves: in test there are no others. */
  simulated: readonly string[]
  /** Address of a portal in the simulator as a tenant sees it; the simulator starts when first asked. */
  simulatedUrl(platform: string, tenantId: string): Promise<string>
  /** Read when first asked for. */
  gazetteer(): Gazetteer
}

/** Time for the reply to leave first. */
const preloadDelayMs = 10

/** The portals of this deployment. */
export function createPortals(options: PortalsOptions): Portals {
  const { definitions, urls, simulated } = options
  const byId = new Map(definitions.map(definition => [definition.id, definition]))
  if (byId.size < definitions.length) throw new Error('Two portal definitions have the same id.')
  const placesByPortal = new Map<string, PortalPlaces>()
  const simulatedOrigins = new Map<string, string>()
  const loadPlaces = (platform: string): PortalPlaces | undefined => {
    const definition = byId.get(platform)
    if (!definition) return undefined
    const known = placesByPortal.get(platform) ?? indexPlaces(definition, options.gazetteer())
    placesByPortal.set(platform, known)
    return known
  }
  return {
    list: () => definitions,
    find: platform => byId.get(platform),
    findUnavailableReason(platform, environment) {
      const definition = byId.get(platform)
      if (!definition) return `There is no portal ${platform}.`
      if (environment === 'test')
        return simulated.includes(platform)
          ? null
          : `In test only the simulated portals can be read, and ${platform} is none of them. Use a key for live.`
      const url = urls[platform]
      if (url === undefined)
        return `The portal ${platform} has no address in live yet. The operator sets it with PORTAL_URLS.`
      if (definition.authentication && !parseAddress(url).credentials)
        return `The portal ${platform} has no credentials in live yet. The operator sets them with PORTAL_URLS.`
      return null
    },
    isConfigured(platform, environment) {
      return this.findUnavailableReason(platform, environment) === null
    },
    async open(platform, { environment, tenantId }) {
      const definition = byId.get(platform)
      if (!definition || !this.isConfigured(platform, environment)) return null
      if (environment === 'test') {
        const address = parseAddress(await options.simulatedUrl(platform, tenantId))
        if (!simulatedOrigins.has(platform)) simulatedOrigins.set(platform, address.baseUrl)
        return { definition, ...address, isLocal: true }
      }
      const address = parseAddress(urls[platform]!)
      return { definition, ...address, isLocal: isLoopback(address.baseUrl) }
    },
    findOrigin(platform, environment) {
      if (environment === 'test') return simulatedOrigins.get(platform) ?? null
      return this.isConfigured(platform, environment) ? parseAddress(urls[platform]!).baseUrl : null
    },
    findPlace: (platform, locationId) => loadPlaces(platform)?.byLocationId.get(locationId),
    searchPlaces(platform, { q, limit, parentId }) {
      const definition = byId.get(platform)
      const places = loadPlaces(platform)
      if (!definition || !places) return []
      const parent = parentId === undefined ? undefined : places.byLocationId.get(parentId)
      if (parentId !== undefined && !parent) return []
      const { countries, types } = definition.locations
      return options
        .gazetteer()
        .search({ q, limit, countries, types, ...(parent ? { parentId: parent.id } : {}) })
        .flatMap(place => {
          const id = places.locationIds.get(place.id)
          return id === undefined ? [] : [{ id, place }]
        })
    },
    findNearestPlaces: (platform, typed, limit) =>
      nearestIds(typed, loadPlaces(platform)?.byLocationId ?? new Map()).slice(0, limit),
    preloadPlaces(platform) {
      setTimeout(() => {
        try {
          loadPlaces(platform)
        } catch {
          // A definition that names its places wrongly: whoever asks for one is told.
        }
      }, preloadDelayMs).unref()
    },
    findLocationId: (platform, place) => loadPlaces(platform)?.locationIds.get(place.id) ?? null,
    gazetteer: options.gazetteer,
  }
}

interface PortalPlaces {
  byLocationId: Map<string, Place>
  /** By the id of the place. */
  locationIds: Map<string, string>
}

/** Every place that the portal has a name for. Throws if two have the same: the definition is wrong then. */
function indexPlaces({ id: platform, locations }: PortalDefinition, gazetteer: Gazetteer): PortalPlaces {
  const byLocationId = new Map<string, Place>()
  const locationIds = new Map<string, string>()
  for (const place of gazetteer.all()) {
    if (!locations.countries.includes(place.country) || !locations.types.includes(place.type)) continue
    const locationId = locations.toPortalId(toKnownPlace(place, gazetteer))
    if (locationId === null) continue
    const other = byLocationId.get(locationId)
    if (other) throw new Error(`${platform} calls both ${place.id} and ${other.id} ${locationId}`)
    byLocationId.set(locationId, place)
    locationIds.set(place.id, locationId)
  }
  return { byLocationId, locationIds }
}

/** Nobody mistypes a longer id; comparing one would take time that the caller chooses. */
const idLengthMax = 64

function nearestIds(typed: string, byLocationId: ReadonlyMap<string, Place>): PortalPlace[] {
  if (typed.length > idLengthMax) return []
  const plain = typed.toLowerCase()
  const bits = letterBits(plain)
  const editsMax = getEditsMax(plain)
  const near: (PortalPlace & { edits: number })[] = []
  for (const [id, place] of byLocationId) {
    const known = id.toLowerCase()
    if (exceedsByLetters(bits, letterBits(known), editsMax)) continue
    const edits = editDistance(plain, known, editsMax).whole
    if (edits <= editsMax) near.push({ id, place, edits })
  }
  return near.sort((one, other) => one.edits - other.edits)
}

/** A place with what a portal may need to tell it from others. */
function toKnownPlace(place: Place, gazetteer: Gazetteer): SearchPlace {
  const ancestry = [place, ...gazetteer.ancestors(place)]
  return {
    ...place,
    province: ancestry.find(({ type }) => type === 'province') ?? null,
    isNamesake: gazetteer.isNamesake(place),
  }
}

function parseAddress(url: string): Pick<OpenPortal, 'baseUrl' | 'credentials'> {
  const { origin, username, password } = new URL(url)
  const credentials = { id: decodeURIComponent(username), secret: decodeURIComponent(password) }
  return { baseUrl: origin, credentials: password === '' ? null : credentials }
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
