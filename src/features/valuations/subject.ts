/** Validates the property and the search area of a request, and converts them to the domain's types. */

import { metersBetween } from '../../domain/geo.ts'
import { parseFeatureName, parseFeatureNames } from '../../domain/listing/features.ts'
import {
  type Amenity,
  amenities,
  type Characteristics,
  type Place,
  toAmenitySet,
} from '../../domain/valuation/property.ts'
import type { InputError } from '../../kit/problem.ts'
import { yearsAheadMax } from '../market/service.ts'
import { findPolygonError, toCorners } from './polygon.ts'
import { type Flag, flags, type Subject } from './property-schemas.ts'
import { maxDistanceKm, type NewValuation, radiusKmDefault } from './schemas.ts'

export type Area = { radiusKm: number } | { polygon: Place[] }

/** All errors that the JSON Schema cannot express. Skips checks whose fields are missing. */
export function validateBody(body: Partial<NewValuation>, now: Temporal.Instant): InputError[] {
  const errors = [...validateHome(body), ...validateYear(body, now), ...validatePolygon(body)]
  return [...errors, ...validateAmenities(body), ...validateChoice(body)]
}

function validateHome({ propertyType, ...body }: Partial<NewValuation>): InputError[] {
  if (propertyType !== 'homes') return []
  return (['bedrooms', 'bathrooms'] as const)
    .filter(name => (body[name] ?? null) === null)
    .map(name => ({ path: `/${name}`, code: 'REQUIRED', message: 'is required for homes' }))
}

function validateYear({ yearBuilt }: Partial<NewValuation>, now: Temporal.Instant): InputError[] {
  const last = now.toZonedDateTimeISO('UTC').year + yearsAheadMax
  if ((yearBuilt ?? 0) <= last) return []
  return [{ path: '/yearBuilt', code: 'TOO_LARGE', message: `must be <= ${last}` }]
}

function validatePolygon({ polygon, latitude, longitude }: Partial<NewValuation>): InputError[] {
  if (!polygon?.every(corner => 'latitude' in corner && 'longitude' in corner)) return []
  const error = (code: string, message: string) => [{ path: '/polygon', code, message }]
  const corners = toCorners(polygon)
  const fault = findPolygonError(corners)
  if (fault) return error(fault.code, fault.message)
  if (latitude === undefined || longitude === undefined) return []
  const subject = { latitude, longitude }
  const isFar = corners.some(corner => metersBetween(subject, corner) > maxDistanceKm * 1000)
  return isFar ? error('TOO_FAR', `has a corner more than ${maxDistanceKm} km from the property`) : []
}

function validateAmenities(body: Partial<NewValuation>): InputError[] {
  const { features, unknown } = parseFeatureNames(body.amenities ?? [])
  const present = new Set<Amenity>(features)
  const contradictions = (Object.keys(flags) as Flag[])
    .filter(flag => body[flag] === false && present.has(flags[flag]))
    .map(flag => ({
      path: `/${flag}`,
      code: 'CONTRADICTION',
      message: `is false, but amenities contains ${flags[flag]}`,
    }))
  return [
    ...unknown.map(({ index, message }) => ({ path: `/amenities/${index}`, code: 'NOT_ALLOWED', message })),
    ...contradictions,
  ]
}

/** The errors of a choice of comparables that need no look into the market. */
export function validateChoice(body: {
  includedComparableIds?: string[] | null
  excludedComparableIds?: string[] | null
}): InputError[] {
  const included = new Set((body.includedComparableIds ?? []).map(id => id.toLowerCase()))
  return (body.excludedComparableIds ?? []).flatMap((id, index) =>
    included.has(id.toLowerCase())
      ? [
          {
            path: `/excludedComparableIds/${index}`,
            code: 'CONTRADICTION',
            message: `must not be included and excluded at the same time: ${id}`,
          },
        ]
      : [],
  )
}

/** The ids without duplicates, in lower case as the database returns them. */
export function normalizeIds(ids: string[] | null = null): string[] {
  return [...new Set((ids ?? []).map(id => id.toLowerCase()))]
}

/** Amenities of earlier valuations that are no known feature: reports show them, estimates ignore them. */
export function otherAmenities({ amenities: names }: Subject): string[] {
  return (names ?? []).filter(name => parseFeatureName(name) === null)
}

export function toArea({ polygon, radiusKm }: NewValuation): Area {
  return polygon ? { polygon: toCorners(polygon) } : { radiusKm: radiusKm ?? radiusKmDefault }
}

/** The property as the request describes it; omitted fields are null. */
export function toSubject(body: NewValuation): Subject {
  const { latitude, longitude, squareMeters, plotSquareMeters = null, bedrooms = null } = body
  const { bathrooms = null, condition = null, floor = null, yearBuilt = null, amenities = null } = body
  return {
    latitude,
    longitude,
    squareMeters,
    plotSquareMeters,
    bedrooms,
    bathrooms,
    condition,
    floor,
    yearBuilt,
    amenities: amenities && parseFeatureNames(amenities).features,
    ...(Object.fromEntries((Object.keys(flags) as Flag[]).map(flag => [flag, body[flag] ?? null])) as Record<
      Flag,
      boolean | null
    >),
  }
}

export function toCharacteristics(subject: Subject): Characteristics {
  const { latitude, longitude, squareMeters, plotSquareMeters, bedrooms, bathrooms } = subject
  const { condition, floor, yearBuilt } = subject
  return {
    latitude,
    longitude,
    squareMeters,
    plotSquareMeters,
    bedrooms,
    bathrooms,
    condition,
    floor,
    yearBuilt,
    subtype: null,
    ...toAmenities(subject),
    isPartiallyDescribed: true,
  }
}

/** A list names all amenities, so the others are absent; a boolean field makes no statement about other amenities. */
function toAmenities({
  amenities: names,
  ...subject
}: Subject): Pick<Characteristics, 'amenities' | 'amenitiesUnknown'> {
  const stated = (Object.keys(flags) as Flag[]).filter(flag => subject[flag] !== null)
  const present = stated.filter(flag => subject[flag]).map(flag => flags[flag])
  if (names) return { amenities: toAmenitySet([...names, ...present]) }
  if (stated.length === 0) return { amenities: null }
  const known = new Set<Amenity>(stated.map(flag => flags[flag]))
  return {
    amenities: toAmenitySet(present),
    amenitiesUnknown: toAmenitySet(amenities.filter(name => !known.has(name))),
  }
}
