/** Handles unstated facts: which ones they are, and what replaces them. */
import { type AmenitySet, amenities, type Characteristics, facts, toAmenitySet } from './property.ts'

const allAmenities = toAmenitySet(amenities)

/** Amenities that are neither stated as present nor as absent. */
export function getUnstatedAmenities({ amenities: set, amenitiesUnknown }: Characteristics): AmenitySet {
  return set === null ? allAmenities : (amenitiesUnknown ?? 0)
}

/** Copies to `property` the amenities in `mask` that `source` states. Returns the same object if nothing changes. */
export function copyAmenities(
  property: Characteristics,
  source: Characteristics,
  mask: AmenitySet = allAmenities,
): Characteristics {
  const copied = mask & ~getUnstatedAmenities(source)
  const unstated = getUnstatedAmenities(property) & ~copied
  const set = ((property.amenities ?? 0) & ~copied) | ((source.amenities ?? 0) & copied)
  if (set === (property.amenities ?? 0) && unstated === getUnstatedAmenities(property)) return property
  return { ...property, amenities: set, amenitiesUnknown: unstated }
}

/**
 * Fills in the unknown facts of a partly described subject from a comparable. Returns the same object if nothing
 * changes.
 */
export function fillUnknowns(subject: Characteristics, comparable: Characteristics): Characteristics {
  if (!subject.isPartiallyDescribed) return subject
  let filled = subject
  for (const name of facts)
    if (subject[name] === null && comparable[name] !== null) filled = { ...filled, [name]: comparable[name] }
  const unstated = getUnstatedAmenities(subject)
  if ((unstated & ~getUnstatedAmenities(comparable)) === 0) return filled
  const merged = copyAmenities(comparable, subject)
  return { ...filled, amenities: merged.amenities, amenitiesUnknown: getUnstatedAmenities(merged) }
}
