/** Reduces the property of a sheet to what its privacy allows. */
import { metersPerDegree } from '../../domain/geo.ts'
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

function reduceAddress(
  { title, description, address, postcode }: FichaProperty,
  { address: level }: Privacy,
): Partial<FichaProperty> {
  if (level === 'full' || address === null) return level === 'hidden' ? { postcode: null } : {}
  const street = toStreet(address)
  const reduce = (text: string | null) => {
    if (text === null) return null
    const withoutNumber = text.replaceAll(address, street)
    return level === 'street' || street === '' ? withoutNumber : removeStreet(withoutNumber, street)
  }
  return {
    title: reduce(title),
    description: reduce(description),
    address: level === 'hidden' || street === '' ? null : street,
    postcode: level === 'hidden' ? null : postcode,
  }
}

/** `Piso en Carrer de Mallorca, Barcelona` → `Piso, Barcelona`. */
function removeStreet(text: string, street: string): string | null {
  const pattern = new RegExp(`(?:\\s(?:en|in|em|na|no|a|à|at))?\\s*${RegExp.escape(street)}`, 'giu')
  return text.replace(pattern, '').trim() || null
}

/** `Carrer de Mallorca, 214, 3r` → `Carrer de Mallorca`; numbers within the name stay: `Calle 8 de Marzo, 5`. */
export function toStreet(address: string): string {
  return address
    .replace(/,\s*(?:n[.ºo°]{0,2}\s*)?(?:\d|s\/n).*$/isu, '')
    .replace(/\s+(?:n[.ºo°]{0,2}\s*)?\d{1,5}(?:\s?[/-]?\s?(?:bis|ter|[a-z]|\d{1,3}))?$/iu, '')
    .replace(/^\d{1,5}[a-z]?,?\s+(?!de\b)/iu, '')
    .trim()
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
