/** Handles unstated facts: which ones they are, and what replaces them. */
import { type AmenitySet, amenities, type Characteristics, facts, toAmenitySet } from './property.ts'

const allAmenities = toAmenitySet(amenities)

/** Amenities that are neither stated as present nor as absent. */
export function getUnstatedAmenities({ amenities: set, amenitiesUnknown }: Characteristics): AmenitySet {
  return set === null ? allAmenities : (amenitiesUnknown ?? 0)
}

/** Copies the amenities in `mask` that `to` states to `from`. Returns the same object if nothing changes. */
export function copyAmenities(
  from: Characteristics,
  to: Characteristics,
  mask: AmenitySet = allAmenities,
): Characteristics {
  const copied = mask & ~getUnstatedAmenities(to)
  const unstated = getUnstatedAmenities(from) & ~copied
  const set = ((from.amenities ?? 0) & ~copied) | ((to.amenities ?? 0) & copied)
  if (set === (from.amenities ?? 0) && unstated === getUnstatedAmenities(from)) return from
  return { ...from, amenities: set, amenitiesUnknown: unstated }
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
