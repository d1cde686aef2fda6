/** The registry of portals: their addresses in live and in test, and their own ids of the gazetteer's places. */
import type { ResolvedPortal } from '../../crawl/resolved-portal.ts'
import { editDistance, exceedsByLetters, getEditsMax, letterBits } from '../../domain/location/edits.ts'
import type { Gazetteer } from '../../domain/location/gazetteer.ts'
import type { Place } from '../../domain/location/place.ts'
import type { Environment } from '../../kit/db/index.ts'
import type { PortalDefinition, SearchPlace } from '../../plugins/portal.ts'

/** A place of the gazetteer with a portal's id of it. */
export interface PortalPlace {
  /** The portal's own id, as in `filters.location.id`. */
  id: string
  place: Place
}

export interface PlaceSearch {
  q: string
  limit: number
  /** The portal's id of a place; only places inside it are found. */
  parentId?: string | undefined
}

/** The tenant and environment for which a portal is resolved. */
export interface PortalTenant {
  tenantId: string
  environment: Environment
}

export interface Portals {
  list(): PortalDefinition[]
  find(platform: string): PortalDefinition | undefined
  /** Why the portal can't be read in this environment, as a sentence for people; null: it can. */
  findUnavailableReason(platform: string, environment: Environment): string | null
  /** Returns true if the portal has an address in this environment, and the credentials that it needs. */
  isConfigured(platform: string, environment: Environment): boolean
  /** Resolves the portal's address and credentials for the tenant; null: it is unconfigured. */
  resolve(platform: string, tenant: PortalTenant): Promise<ResolvedPortal | null>
  /** The `baseUrl` of the portal; null: it is unconfigured or, in test, not yet resolved by this process. */
  findOrigin(platform: string, environment: Environment): string | null
  /** Finds a place by the portal's own id. */
  findPlace(platform: string, locationId: string): Place | undefined
  /** Searches the places for which the portal has an id; the best match comes first. */
  searchPlaces(platform: string, search: PlaceSearch): PortalPlace[]
  /** Places whose ids resemble `typed`; fewest edits first, then in the order of the gazetteer (most important first). */
  findNearestPlaces(platform: string, typed: string, limit: number): PortalPlace[]
  /** Indexes the places of a portal after the current reply is sent; the first time takes about 0.1 s. */
  preloadPlaces(platform: string): void
  /** Finds the portal's own id of a place; null: it has none. */
  findLocationId(platform: string, place: Place): string | null
  /** The places that all portals share. The first call reads them. */
  loadGazetteer(): Gazetteer
}

export interface PortalsOptions {
  definitions: PortalDefinition[]
  /** Base URLs in live, by portal id; credentials are part of the URL, as in `https://id:secret@host`. */
  urls: Record<string, string>
  /** Ids of the portals that the simulator serves; no others can be read in test. */
  simulated: readonly string[]
  /** Finds the URL of a simulated portal for a tenant. The first call starts the simulator. */
  findSimulatedUrl(platform: string, tenantId: string): Promise<string>
  /** The first call reads the gazetteer. */
  loadGazetteer(): Gazetteer
}

/** Lets the reply be sent first. */
const preloadDelayMs = 10

/** Creates the registry of this deployment's portals. Throws if two definitions have the same id. */
export function createPortals(options: PortalsOptions): Portals {
  const { definitions, urls, simulated } = options
  const byId = new Map(definitions.map(definition => [definition.id, definition]))
  if (byId.size < definitions.length) throw new Error('Two portal definitions have the same id.')
  const placesByPortal = new Map<string, PortalPlaces>()
  const simulatedOrigins = new Map<string, string>()
  const loadPlaces = (platform: string): PortalPlaces | undefined => {
    const definition = byId.get(platform)
    if (!definition) return undefined
    const known = placesByPortal.get(platform) ?? indexPlaces(definition, options.loadGazetteer())
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
          : `${platform} is not simulated, and test keys can read only simulated portals. Use a key of the live environment.`
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
    async resolve(platform, { environment, tenantId }) {
      const definition = byId.get(platform)
      if (!definition || !this.isConfigured(platform, environment)) return null
      if (environment === 'test') {
        const address = parseAddress(await options.findSimulatedUrl(platform, tenantId))
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
        .loadGazetteer()
        .search({ q, limit, countries, types, ...(parent ? { parentId: parent.id } : {}) })
        .flatMap(place => {
          const id = places.locationIds.get(place.id)
          return id === undefined ? [] : [{ id, place }]
        })
    },
    findNearestPlaces: (platform, typed, limit) =>
      findNearestIds(typed, loadPlaces(platform)?.byLocationId ?? new Map()).slice(0, limit),
    preloadPlaces(platform) {
      setTimeout(() => {
        try {
          loadPlaces(platform)
        } catch {
          // The definition gives two places the same id: the next request for a place reports it.
        }
      }, preloadDelayMs).unref()
    },
    findLocationId: (platform, place) => loadPlaces(platform)?.locationIds.get(place.id) ?? null,
    loadGazetteer: options.loadGazetteer,
  }
}

interface PortalPlaces {
  byLocationId: Map<string, Place>
  /** The portal's ids, by the gazetteer's id of the place. */
  locationIds: Map<string, string>
}

/** Indexes every place for which the portal has an id. Throws if the definition gives two places the same id. */
function indexPlaces({ id: platform, locations }: PortalDefinition, gazetteer: Gazetteer): PortalPlaces {
  const byLocationId = new Map<string, Place>()
  const locationIds = new Map<string, string>()
  for (const place of gazetteer.listPlaces()) {
    if (!locations.countries.includes(place.country) || !locations.types.includes(place.type)) continue
    const locationId = locations.toPortalId(toSearchPlace(place, gazetteer))
    if (locationId === null) continue
    const other = byLocationId.get(locationId)
    if (other) throw new Error(`${platform} calls both ${place.id} and ${other.id} ${locationId}`)
    byLocationId.set(locationId, place)
    locationIds.set(place.id, locationId)
  }
  return { byLocationId, locationIds }
}

/** The longest text that is compared with ids; a longer one would make the comparison slow. */
const idLengthMax = 64

function findNearestIds(typed: string, byLocationId: ReadonlyMap<string, Place>): PortalPlace[] {
  if (typed.length > idLengthMax) return []
  const wanted = typed.toLowerCase()
  const bits = letterBits(wanted)
  const editsMax = getEditsMax(wanted)
  const near: (PortalPlace & { edits: number })[] = []
  for (const [id, place] of byLocationId) {
    const known = id.toLowerCase()
    if (exceedsByLetters(bits, letterBits(known), editsMax)) continue
    const edits = editDistance(wanted, known, editsMax).whole
    if (edits <= editsMax) near.push({ id, place, edits })
  }
  return near.sort((one, other) => one.edits - other.edits)
}

/** Adds the province and whether other places share the name: portals need both to distinguish namesakes. */
function toSearchPlace(place: Place, gazetteer: Gazetteer): SearchPlace {
  const ancestry = [place, ...gazetteer.listAncestors(place)]
  return {
    ...place,
    province: ancestry.find(({ type }) => type === 'province') ?? null,
    isNamesake: gazetteer.isNamesake(place),
  }
}

function parseAddress(url: string): Pick<ResolvedPortal, 'baseUrl' | 'credentials'> {
  const { origin, username, password } = new URL(url)
  const credentials = { id: decodeURIComponent(username), secret: decodeURIComponent(password) }
  return { baseUrl: origin, credentials: password === '' ? null : credentials }
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
