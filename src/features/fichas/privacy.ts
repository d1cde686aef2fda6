/** Reduces the property of a sheet to what its privacy allows. */
import { metersPerDegree } from '../../domain/geo.ts'
import { type HiddenPlace, hideStreets, toStreet } from '../../domain/streets/hide-streets.ts'
import type { FichaProperty, Privacy } from './sheet-schemas.ts'

/** How far an approximate point is from the exact one, in metres. */
const shiftMeters = { min: 300, max: 500 }

/**
 * `seed`: at least eight secret bytes, always the same for a listing, so that the points of several sheets do not show
 * the exact one.
 */
export function applyPrivacy(property: FichaProperty, privacy: Privacy, seed: Uint8Array): FichaProperty {
  return { ...property, ...reduceAddress(property, privacy), ...reducePoint(property, privacy, seed) }
}

/** Reduces the field `address`. */
export function reduceAddressLine(address: string | null, level: Privacy['address']): string | null {
  if (level === 'full' || address === null) return address
  return (level === 'street' && toStreet(address)) || null
}

function reduceAddress(property: FichaProperty, { address: level }: Privacy): Partial<FichaProperty> {
  if (level === 'full') return {}
  const { title, description, address, postcode, neighbourhood } = property
  const reduce = createTextReducer(property, level)
  return {
    title: reduce(title),
    description: reduce(description),
    neighbourhood: reduce(neighbourhood),
    address: reduceAddressLine(address, level),
    postcode: level === 'hidden' ? null : postcode,
  }
}

/** Reduces a text about the property, such as a caption, to what `level` allows of its address. */
export function createTextReducer(
  { address, postcode, neighbourhood, municipality, province }: FichaProperty,
  level: Privacy['address'],
): (text: string | null) => string | null {
  if (level === 'full') return text => text
  const place: HiddenPlace = {
    street: address && toStreet(address).split(',', 1)[0]!,
    places: [neighbourhood, municipality, province].filter(place => place !== null),
    hides: level === 'hidden' ? 'street' : 'number',
  }
  return text => {
    const isPostcodeHidden = text !== null && level === 'hidden' && postcode !== null
    const reduced = isPostcodeHidden ? text.replaceAll(postcode, '').replaceAll(/ {2,}/g, ' ') : text
    return reduced === null ? null : hideStreets(reduced, place)
  }
}

function reducePoint(
  { latitude, longitude }: FichaProperty,
  { coordinates }: Privacy,
  seed: Uint8Array,
): Partial<FichaProperty> {
  if (coordinates === 'exact' || latitude === null || longitude === null) return {}
  if (coordinates === 'hidden') return { latitude: null, longitude: null }
  const view = new DataView(seed.buffer, seed.byteOffset)
  const angle = (view.getUint32(0) / 2 ** 32) * 2 * Math.PI
  const meters = shiftMeters.min + (view.getUint32(4) / 2 ** 32) * (shiftMeters.max - shiftMeters.min)
  const north = (meters * Math.cos(angle)) / metersPerDegree
  const east =
    (meters * Math.sin(angle)) / (metersPerDegree * Math.max(0.01, Math.cos((latitude * Math.PI) / 180)))
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4
  return { latitude: round(latitude + north), longitude: round(longitude + east) }
}
