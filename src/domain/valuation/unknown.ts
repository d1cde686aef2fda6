/** What nobody told of a property, and what is put in its place. */
import { type AmenitySet, amenities, amenitySet, type Characteristics, facts } from './property.ts'

const allAmenities = amenitySet(amenities)

/** Those of which nobody said whether there are any. */
export function untoldAmenities({ amenities: set, amenitiesUnknown }: Characteristics): AmenitySet {
  return set === null ? allAmenities : (amenitiesUnknown ?? 0)
}

/** With those amenities of another that are told of it and stand in `mask`. The same object if nothing changes. */
export function withAmenities(
  from: Characteristics,
  to: Characteristics,
  mask: AmenitySet = allAmenities,
): Characteristics {
  const told = mask & ~untoldAmenities(to)
  const untold = untoldAmenities(from) & ~told
  const set = ((from.amenities ?? 0) & ~told) | ((to.amenities ?? 0) & told)
  if (set === (from.amenities ?? 0) && untold === untoldAmenities(from)) return from
  return { ...from, amenities: set, amenitiesUnknown: untold }
}

/** A subject that is partly told; what is not is as in a comparable. The same object if nothing is filled in. */
export function filledFrom(subject: Characteristics, comparable: Characteristics): Characteristics {
  if (!subject.isPartlyTold) return subject
  let filled = subject
  for (const name of facts)
    if (subject[name] === null && comparable[name] !== null) filled = { ...filled, [name]: comparable[name] }
  const untold = untoldAmenities(subject)
  if ((untold & ~untoldAmenities(comparable)) === 0) return filled
  const told = withAmenities(comparable, subject)
  return { ...filled, amenities: told.amenities, amenitiesUnknown: untoldAmenities(told) }
}
