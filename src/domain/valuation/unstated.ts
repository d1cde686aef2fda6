/** What nobody told of a property, and what is put in its place. */
import { type AmenitySet, amenities, type Characteristics, facts, toAmenitySet } from './property.ts'

const allAmenities = toAmenitySet(amenities)

/** Those of which nobody said whether there are any. */
export function unstatedAmenities({ amenities: set, amenitiesUnknown }: Characteristics): AmenitySet {
  return set === null ? allAmenities : (amenitiesUnknown ?? 0)
}

/** With those amenities of another that are told of it and stand in `mask`. The same object if nothing changes. */
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

/** A subject that is partly told; what is not is as in a comparable. The same object if nothing is filled in. */
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
