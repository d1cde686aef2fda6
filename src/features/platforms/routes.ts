/** The HTTP routes of portals: list them, describe their filters, search their locations, validate filters. */

import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { type InputError, invalidInput, notFound } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { describeFilters } from './describe-filters.ts'
import type { PortalPlace, Portals } from './portals.ts'
import { listTroubledOrigins } from './queries.ts'
import {
  FilterValidation,
  filtersExample,
  filterValidationExample,
  Location,
  LocationSearch,
  locationExample,
  Platform,
  PlatformFilters,
  platformExample,
  platformFiltersExample,
} from './schemas.ts'
import { type PlatformsDependencies, validateFilters } from './validate-filters.ts'

const params = strictObject({ platform: Type.String({ description: 'The portal, by its `id`.' }) })

export function platformRoutes(dependencies: PlatformsDependencies): Route[] {
  const { portals } = dependencies
  return [listRoute(portals), filtersRoute(portals), locationsRoute(portals), validationRoute(dependencies)]
}

function listRoute(portals: Portals): Route {
  return route({
    method: 'GET',
    path: '/platforms',
    operation: 'listPlatforms',
    tag: 'Platforms',
    summary: 'List the portals and their status',
    scope: 'platforms:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(Platform),
    replyExample: { data: [platformExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const { tenantId, environment } = caller
      const pager = createPager('platforms', tenantId, query)
      const { page, last } = slicePage(portals.list(), pager, query.limit, ({ id }) => id)
      const origins = page.flatMap(({ id }) => portals.findOrigin(id, environment) ?? [])
      const troubled = await listTroubledOrigins(tx, origins)
      const toStatus = (id: string): Platform['status'] => {
        if (!portals.isConfigured(id, environment)) return 'unconfigured'
        return troubled.has(portals.findOrigin(id, environment) ?? '') ? 'degraded' : 'available'
      }
      const json = JSON.stringify(page.map(portal => toPlatform(portal, toStatus(portal.id))))
      return pager.reply({ json, last })
    },
  })
}

function filtersRoute(portals: Portals): Route {
  return route({
    method: 'GET',
    path: '/platforms/{platform}/filters',
    operation: 'getPlatformFilters',
    tag: 'Platforms',
    summary: 'Retrieve the filters of a portal',
    description: 'The filters as a JSON Schema for programs, and as a list for forms.',
    scope: 'platforms:read',
    params,
    status: 200,
    reply: PlatformFilters,
    replyExample: platformFiltersExample,
    async handle({ params: { platform } }) {
      const described = describeFilters(getPortal(portals, platform))
      // A form searches for locations next, at every keystroke.
      portals.preloadPlaces(platform)
      return described
    },
  })
}

function locationsRoute(portals: Portals): Route {
  return route({
    method: 'GET',
    path: '/platforms/{platform}/locations',
    operation: 'searchPlatformLocations',
    tag: 'Platforms',
    summary: 'Search the locations of a portal, best match first',
    description: 'Made for autocompletion: call it while the user types.',
    scope: 'platforms:read',
    params,
    query: LocationSearch,
    status: 200,
    reply: pageSchema(Location),
    replyExample: { data: [locationExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    check: ({ params, query }) => validateParent(portals, params.platform, query.parentId),
    async handle({ params: { platform }, query, caller }) {
      getPortal(portals, platform)
      const pager = createPager(`platforms/${platform}/locations`, caller.tenantId, query)
      // The limit decides whether misspelt names are searched, so every page is cut from the same unlimited list.
      const all = portals.searchPlaces(platform, { ...query, limit: Number.POSITIVE_INFINITY })
      const { page, last } = slicePage(all, pager, query.limit, ({ id }) => id)
      const json = JSON.stringify(page.map(place => toLocation(portals, platform, place)))
      return pager.reply({ json, last })
    },
  })
}

function validationRoute(dependencies: PlatformsDependencies): Route {
  return route({
    method: 'POST',
    path: '/platforms/{platform}/validate',
    operation: 'validatePlatformFilters',
    tag: 'Platforms',
    summary: 'Validate filters and count the results',
    description:
      'The reply is 201 for valid and for invalid filters: see `valid`. The count is requested from the portal, which can take some seconds.',
    scope: 'platforms:read',
    params,
    body: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The filters, as in `filters` of `POST /extractions`.',
    }),
    example: filtersExample,
    status: 201,
    reply: FilterValidation,
    replyExample: filterValidationExample,
    isOutgoing: true,
    async prepare({ params: { platform }, body, caller, database, signal }) {
      if (!getPortal(dependencies.portals, platform).capabilities.validate)
        throw invalidInput('/platform', 'NOT_SUPPORTED', `The filters of ${platform} cannot be validated.`)
      const { environment, tenantId } = caller
      return validateFilters(dependencies, {
        platform,
        filters: body,
        environment,
        tenantId,
        database,
        signal,
      })
    },
    handle: async ({ prepared }) => prepared,
  })
}

function validateParent(portals: Portals, platform = '', parentId?: string): InputError[] {
  if (parentId === undefined || !portals.find(platform) || portals.findPlace(platform, parentId)) return []
  const message = `${platform} has no location with this id.`
  return [{ path: '/parentId', code: 'UNKNOWN_LOCATION', message }]
}

function getPortal(portals: Portals, platform: string): PortalDefinition {
  const definition = portals.find(platform)
  if (!definition) throw notFound('platform')
  return definition
}

function toPlatform(definition: PortalDefinition, status: Platform['status']): Platform {
  const { id, name, country, language, capabilities, operations, propertyTypes, filters } = definition
  return {
    id,
    name,
    country,
    language,
    capabilities,
    operations: [...operations],
    propertyTypes: [...propertyTypes],
    filterKeys: Object.keys(filters.properties),
    status,
  }
}

function toLocation(portals: Portals, platform: string, { id, place }: PortalPlace): Location {
  const gazetteer = portals.loadGazetteer()
  const { type, latitude, longitude } = place
  const [parentId = null] = gazetteer
    .listAncestors(place)
    .flatMap(area => portals.findLocationId(platform, area) ?? [])
  return { id, label: gazetteer.formatLabel(place), type, parentId, latitude, longitude }
}
