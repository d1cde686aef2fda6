/**
 * Baseline effects of features on the price (a hedonic regression: Rosen, "Hedonic prices and implicit markets", 1974).
 * The values are rounded from regressions within small neighbourhoods of Barcelona, Valencia, King County and fifteen
 * Polish cities. Fitting them for each market did not make estimates better there.
 */
import { type Amenity, amenities, type Characteristics, toAmenitySet } from './property.ts'
import { getUnstatedAmenities } from './unstated.ts'

/** The effect of each amenity on the logarithm of the price: 0.05 is 5 %. */
const amenityEffects: Partial<Record<Amenity, number>> = {
  lift: 0.05,
  terrace: 0.05,
  balcony: 0.02,
  parking: 0.05,
  pool: 0.1,
  garden: 0.03,
  air_conditioning: 0.05,
  storage_room: 0.01,
  concierge: 0.03,
  view: 0.1,
  waterfront: 0.3,
  security: 0.02,
  sea_view: 0.1,
}
/** An unstated amenity counts as 10 % present. */
const unstatedShare = 0.1
/** Upper limit of the sum of all amenity effects: each further amenity adds less. */
const amenitiesMax = 0.5
const conditionEffects = { new: 0.15, good: 0, to_renovate: -0.12 }
/** Twice the area costs less than twice the price. */
const areaElasticity = 0.8
const plotElasticity = 0.1
/** The plot counts from `from` times the area of the home, up to `to` times. */
const plotFactors = { from: 2, to: 20 }
const bathroomEffect = 0.07
const bathroomsMax = 4
/** Used to estimate the number of bathrooms if it is not stated. */
const squareMetersPerBathroom = 80
const groundFloorEffect = -0.08
/** Per floor, up to the sixth. */
const floorEffects = { withLift: 0.01, withoutLift: -0.02 }
const yearEffect = 0.001
const lift = toAmenitySet(['lift'])

/** The logarithm of the baseline price, without the constant of the place. Unknown facts count as ordinary. */
export function computeBaselineLogPrice(property: Characteristics): number {
  const { squareMeters, plotSquareMeters, bathrooms, condition, yearBuilt } = property
  return (
    areaElasticity * Math.log(squareMeters) +
    computePlotEffect(squareMeters, plotSquareMeters ?? 0) +
    bathroomEffect * Math.min(bathroomsMax, bathrooms ?? estimateBathrooms(property)) +
    (condition === null ? 0 : conditionEffects[condition]) +
    computeFloorEffect(property) +
    computeAmenityEffect(property) +
    yearEffect * (Math.max(1950, yearBuilt ?? 1975) - 1975)
  )
}

/** Properties without bedrooms (garages, offices) count as having one bathroom. */
function estimateBathrooms({ bedrooms, squareMeters }: Characteristics): number {
  return bedrooms === null ? 1 : Math.max(1, squareMeters / squareMetersPerBathroom)
}

/** The effect of a small plot is zero, so that a small plot and an unstated one are the same. */
function computePlotEffect(squareMeters: number, plotSquareMeters: number): number {
  const factor = plotSquareMeters / (plotFactors.from * squareMeters)
  return plotElasticity * Math.log(Math.max(1, Math.min(plotFactors.to / plotFactors.from, factor)))
}

function computeFloorEffect(property: Characteristics): number {
  const { floor, amenities: set } = property
  if (floor === null) return 0
  if (floor <= 0) return groundFloorEffect
  if (getUnstatedAmenities(property) & lift) return 0
  return Math.min(6, floor) * ((set ?? 0) & lift ? floorEffects.withLift : floorEffects.withoutLift)
}

function computeAmenityEffect(property: Characteristics): number {
  const set = property.amenities ?? 0
  const unstated = getUnstatedAmenities(property)
  const sum = amenities.reduce((sum, name, index) => {
    const share = set & (1 << index) ? 1 : unstated & (1 << index) ? unstatedShare : 0
    return sum + share * (amenityEffects[name] ?? 0)
  }, 0)
  return amenitiesMax * Math.tanh(sum / amenitiesMax)
}
