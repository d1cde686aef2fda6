/** The portals and their filter validation, for other features. */
import { parseFeatureName } from '../../domain/listing/features.ts'
import type { InputError } from '../../kit/problem.ts'
import { findContradictions, findRanges } from '../../kit/ranges.ts'
import { compile, type Validate } from '../../kit/schema.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { explainFeatures, explainUnknownKeys, findNamedPlace, toPriceWarnings } from './filter-rules.ts'
import type { PortalPlace, Portals } from './portals.ts'

export { createPortals, type Portals, type PortalTenant } from './portals.ts'
export { portalUnconfigured } from './problems.ts'

export interface FilterCheck {
  /** Everything that makes the filters invalid; `path` is a JSON pointer into the filters. */
  errors: InputError[]
  /** Values that are allowed but probably a mistake. */
  warnings: InputError[]
  /** The filters with defaults filled in; null if there are errors. */
  normalized: Record<string, unknown> | null
}

const suggestionsMax = 3

/**
 * Validates filters with the portal's schema and with rules that no schema can express. Sends no request to the portal and
 * does not modify `filters`. Throws if there is no such portal.
 */
export function checkFilters(
  portals: Portals,
  platform: string,
  filters: Record<string, unknown>,
): FilterCheck {
  const definition = portals.find(platform)
  if (!definition) throw new Error(`there is no portal ${platform}`)
  const normalized = normalizeFeatures(structuredClone(filters))
  const schemaErrors = getValidator(definition)(normalized)
  const place = checkLocation(portals, platform, filters.location)
  const isLocationShaped = !schemaErrors.some(({ path }) => /^\/location(\/id)?$/.test(path))
  const errors = [
    ...explainFeatures(explainUnknownKeys(schemaErrors, definition), platform, filters.features),
    ...findContradictions(filters, findRanges(Object.keys(definition.filters.properties))),
    ...(isLocationShaped ? place.errors : []),
  ]
  return {
    errors,
    warnings: [...place.warnings, ...toPriceWarnings(filters)],
    normalized: errors.length === 0 ? normalized : null,
  }
}

/** Translates features to their canonical names, without duplicates. Unknown ones are left for the schema to refuse. */
function normalizeFeatures(filters: Record<string, unknown>): Record<string, unknown> {
  const { features } = filters
  if (!Array.isArray(features)) return filters
  const names = features.map(text => (typeof text === 'string' ? parseFeatureName(text) : null))
  if (!names.includes(null)) return { ...filters, features: [...new Set(names)] }
  return { ...filters, features: names.map((name, index) => name ?? features[index]) }
}

const validators = new WeakMap<PortalDefinition, Validate>()

function getValidator(definition: PortalDefinition): Validate {
  const validate = validators.get(definition) ?? compile(definition.filters)
  validators.set(definition, validate)
  return validate
}

/** Checks that the portal has the location, and that the label does not name another place. */
function checkLocation(
  portals: Portals,
  platform: string,
  location: unknown,
): Pick<FilterCheck, 'errors' | 'warnings'> {
  const { id, label } = (location ?? {}) as { id?: unknown; label?: unknown }
  const name = typeof label === 'string' ? label : ''
  if (typeof id !== 'string') return { errors: [], warnings: [] }
  const gazetteer = portals.loadGazetteer()
  const place = portals.findPlace(platform, id)
  if (!place) {
    const message = [
      `is not a location of ${platform}: use one from GET /platforms/${platform}/locations`,
      ...findSuggestions(portals, platform, { id, label: name }),
    ].join('; perhaps ')
    return { errors: [{ path: '/location/id', code: 'UNKNOWN_LOCATION', message }], warnings: [] }
  }
  const other = findNamedPlace(name, place, gazetteer)
  if (!other) return { errors: [], warnings: [] }
  const otherId = portals.findLocationId(platform, other)
  const meant = otherId ? `; did you mean ${otherId}?` : ''
  const message = `names ${gazetteer.formatLabel(other)}, but the id is that of ${gazetteer.formatLabel(place)}, which is searched${meant}`
  return { errors: [], warnings: [{ path: '/location/label', code: 'LABEL_DIFFERS', message }] }
}

/** Suggests locations: by the label, else by the spelling of the id, else by the words in the id. */
function findSuggestions(
  portals: Portals,
  platform: string,
  { id, label }: { id: string; label: string },
): string[] {
  const near = portals.findNearestPlaces(platform, id, suggestionsMax)
  const named = (q: string) =>
    q.trim() === '' ? [] : portals.searchPlaces(platform, { q, limit: suggestionsMax })
  const isNear = (found: PortalPlace) => near.some(other => other.id === found.id)
  // Among namesakes, those with a similar id come first.
  const byLabel = named(label).toSorted((one, other) => Number(isNear(other)) - Number(isNear(one)))
  const found = [byLabel, near].find(({ length }) => length > 0) ?? named(id.replaceAll(/[-_]/g, ' '))
  if (found.length === 0) return []
  return [found.map(({ id, place }) => `${id} (${portals.loadGazetteer().formatLabel(place)})`).join(', ')]
}
