/**
 * What features are usually worth, as percentages (a hedonic regression: Rosen, "Hedonic prices and implicit markets", 1974).
 * Rounded from regressions within small neighbourhoods of Barcelona, Valencia, King County and fifteen Polish cities; learning
 * them anew for each market made estimates no better there.
 */
import { type Amenity, amenities, amenitySet, type Characteristics } from './property.ts'

/** By how much each adds to the logarithm of the price: 0.05 is 5 %. */
const amenityEffects: Partial<Record<Amenity, number>> = {
  lift: 0.05,
  terrace: 0.05,
  balcony: 0.02,
  parking: 0.05,
  pool: 0.1,
  garden: 0.03,
  airConditioning: 0.05,
  storage: 0.01,
  doorman: 0.03,
  view: 0.1,
  waterfront: 0.3,
  security: 0.02,
}
/** Where nothing is said of amenities there are some. */
const unsaidAmenitiesEffect = 0.08
const conditionEffects = { new: 0.15, good: 0, to_renovate: -0.12 }
/** Twice the area costs less than twice the price. */
const areaElasticity = 0.8
const plotElasticity = 0.1
const bathroomEffect = 0.07
const groundFloorEffect = -0.08
/** By storey, up to the sixth. */
const floorEffects = { withLift: 0.01, withoutLift: -0.02 }
const yearEffect = 0.001
const lift = amenitySet(['lift'])

/** The logarithm of the usual price, but for a constant of the place; what is unknown counts as ordinary. */
export function usualLogPrice(property: Characteristics): number {
  const { squareMeters, plotSquareMeters, bathrooms, condition, yearBuilt } = property
  return (
    areaElasticity * Math.log(squareMeters) +
    (plotSquareMeters === null ? 0 : plotElasticity * Math.log(Math.max(1, plotSquareMeters))) +
    bathroomEffect * Math.min(4, bathrooms ?? 1) +
    (condition === null ? 0 : conditionEffects[condition]) +
    floorEffect(property) +
    amenityEffect(property) +
    yearEffect * (Math.max(1950, yearBuilt ?? 1975) - 1975)
  )
}

function floorEffect({ floor, amenities: set }: Characteristics): number {
  if (floor === null || set === null) return 0
  if (floor <= 0) return groundFloorEffect
  return Math.min(6, floor) * (set & lift ? floorEffects.withLift : floorEffects.withoutLift)
}

function amenityEffect({ amenities: set }: Characteristics): number {
  if (set === null) return unsaidAmenitiesEffect
  return amenities.reduce((sum, name, at) => (set & (1 << at) ? sum + (amenityEffects[name] ?? 0) : sum), 0)
}
