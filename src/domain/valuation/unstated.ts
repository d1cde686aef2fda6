/** Handles unstated facts: which ones they are, and what replaces them. */
import { type AmenitySet, amenities, type Characteristics, facts, toAmenitySet } from './property.ts'

const allAmenities = toAmenitySet(amenities)

/** Amenities that are neither stated as present nor as absent. */
export function unstatedAmenities({ amenities: set, amenitiesUnknown }: Characteristics): AmenitySet {
  return set === null ? allAmenities : (amenitiesUnknown ?? 0)
}

/** Copies the stated amenities of `to` that are in `mask`. Returns the same object if nothing changes. */
export function withAmenities(
  from: Characteristics,
  to: Characteristics,
  mask: AmenitySet = allAmenities,
): Characteristics {
  const newlyStated = mask & ~unstatedAmenities(to)
  const newlyUnstated = unstatedAmenities(from) & ~newlyStated
  const set = ((from.amenities ?? 0) & ~newlyStated) | ((to.amenities ?? 0) & newlyStated)
  if (set === (from.amenities ?? 0) && newlyUnstated === unstatedAmenities(from)) return from
  return { ...from, amenities: set, amenitiesUnknown: newlyUnstated }
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
  const newlyUnstated = unstatedAmenities(subject)
  if ((newlyUnstated & ~unstatedAmenities(comparable)) === 0) return filled
  const newlyStated = withAmenities(comparable, subject)
  return { ...filled, amenities: newlyStated.amenities, amenitiesUnknown: unstatedAmenities(newlyStated) }
}
