// Do two adverts offer the same property?
import { slugOf } from '../location/slug.ts'

/** What tells one property from another. Null is "not stated". */
export interface PropertyFacts {
  /** E.164. */
  phone: string | null
  operation: string | null
  propertyType: string | null
  squareMeters: number | null
  price: number | null
  bedrooms: number | null
  bathrooms: number | null
  floor: string | null
  /** Degrees, WGS 84. */
  latitude: number | null
  longitude: number | null
  address: string | null
  municipality: string | null
  postcode: string | null
}

/** Why two adverts are taken for one property, in words, and how unlike they are all the same (0: alike in all). */
export interface Sameness {
  reason: string
  unlikeness: number
}

/** Portals round prices and areas, and blur the pin of an address. */
export const PRICE_TOLERANCE = 0.03
export const AREA_TOLERANCE = 0.03
export const AREA_TOLERANCE_SQUARE_METERS = 2
const PIN_TOLERANCE_METERS = 250

/**
 * The same telephone, size, price and place, and nothing that speaks against it: an agency's telephone stands on hundreds
 * of adverts, and two flats of one building differ in floor or rooms. Null: not the same, or not told enough to say so.
 */
export function sameProperty(one: PropertyFacts, other: PropertyFacts): Sameness | null {
  if (one.phone === null || one.phone !== other.phone) return null
  if (differs(one.operation, other.operation) || differs(one.propertyType, other.propertyType)) return null
  if (differs(one.bedrooms, other.bedrooms) || differs(one.bathrooms, other.bathrooms)) return null
  if (differs(one.floor, other.floor)) return null
  const area = ratio(one.squareMeters, other.squareMeters)
  const price = ratio(one.price, other.price)
  if (area === null || price === null || price > PRICE_TOLERANCE) return null
  const areaGap = Math.abs(one.squareMeters! - other.squareMeters!)
  if (area > AREA_TOLERANCE && areaGap > AREA_TOLERANCE_SQUARE_METERS) return null
  const place = samePlace(one, other)
  return (
    place && {
      reason: `same telephone, ${place.reason}, ${percent(area)} apart in size and ${percent(price)} in price`,
      unlikeness: area / AREA_TOLERANCE + price / PRICE_TOLERANCE + place.unlikeness,
    }
  )
}

function samePlace(one: PropertyFacts, other: PropertyFacts): Sameness | null {
  const meters = metersBetween(one, other)
  if (meters !== null) {
    if (meters > PIN_TOLERANCE_METERS) return null
    return { reason: `${Math.round(meters)} m apart`, unlikeness: meters / PIN_TOLERANCE_METERS }
  }
  if (isSameText(one.postcode, other.postcode) && isSameText(one.address, other.address))
    return { reason: 'same address', unlikeness: 0 }
  if (isSameText(one.municipality, other.municipality) && isSameText(one.address, other.address))
    return { reason: 'same address and town', unlikeness: 0 }
  return null
}

/** Both stated, and not alike. */
function differs<T>(one: T | null, other: T | null): boolean {
  return one !== null && other !== null && one !== other
}

function isSameText(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  const slug = slugOf(one)
  return slug !== '' && slug === slugOf(other)
}

/** The gap between two amounts, as a part of the larger; null if one of them is not stated. */
function ratio(one: number | null, other: number | null): number | null {
  if (!one || !other) return null
  return Math.abs(one - other) / Math.max(one, other)
}

/** Flat-earth distance: exact enough within a few kilometres. */
function metersBetween(one: PropertyFacts, other: PropertyFacts): number | null {
  if (one.latitude === null || one.longitude === null) return null
  if (other.latitude === null || other.longitude === null) return null
  const north = (one.latitude - other.latitude) * 111_200
  const east = (one.longitude - other.longitude) * 111_200 * Math.cos((one.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`
}
