/**
 * Predicts the price of a property at a place and time. There are several models, each fitted without one fold of the
 * neighbourhoods (cross-fitting). So for each listed property one model has not seen its price, nor that of the flat
 * next door, which may be the same flat listed twice.
 */
import { metersBetween, metersPerDegree } from '../geo.ts'
import { mixBits } from '../random.ts'
import { computeBaselineLogPrice } from './baseline-prices.ts'
import { type BoostedTrees, predictRows } from './boosted-trees.ts'
import { defaultBoosting, fitTrees } from './fit-trees.ts'
import { upperMedian } from './median.ts'
import { toCell } from './place-cells.ts'
import { amenities, type Characteristics, type Comparable, type Place } from './property.ts'
import { msPerMonth } from './time.ts'

export interface PriceModel {
  regions: Region[]
  /** Kinds of homes, by ascending price. */
  subtypes: string[]
  /** By fold: trees for the log price relative to the baseline, fitted without that fold. Empty: not fitted yet. */
  folds: BoostedTrees[]
}

/** A town and its surroundings. */
export interface Region extends Place {
  /** The median log price relative to the baseline. */
  level: number
  /** The median log price. */
  middle: number
}

export const defaultPriceModel: PriceModel = { regions: [], subtypes: [], folds: [] }

export const foldCount = 5
/** A neighbourhood is in one fold as a whole: cells of about 300 by 500 metres. */
const cellsPerNeighbourhood = 4 ** 10
const regionRadiusMeters = 30_000
const regionsMax = 500
const kilometersPerDegree = metersPerDegree / 1000
/** Additional axes besides north and east, so that trees can split along them. */
const directions = [15, 30, 45, 60, 75, 105, 120, 135, 150, 165].map(degrees => {
  const radians = (degrees * Math.PI) / 180
  return { east: Math.cos(radians), north: Math.sin(radians) }
})
const conditionRanks = { to_renovate: 0, good: 1, new: 2 }

/** The fold of a place. Its model has not seen the properties there. */
export function toFold(place: Place): number {
  const neighbourhood = Math.floor(toCell(place) / cellsPerNeighbourhood)
  return (mixBits(neighbourhood ^ Math.floor(neighbourhood / 2 ** 32)) >>> 0) % foldCount
}

/** A property at a point in time. */
export interface PropertyAtTime {
  property: Characteristics
  at: Temporal.Instant
}

/**
 * For each property: the learnt difference from the baseline, by the model of this fold, as a logarithm; 0 without a
 * fit.
 */
export function predictLogCorrections(
  model: PriceModel,
  fold: number,
  propertiesAtTime: PropertyAtTime[],
): Float64Array {
  const trees = model.folds[fold]
  if (!trees) return new Float64Array(propertiesAtTime.length)
  return predictRows(
    trees,
    propertiesAtTime.map(({ property, at }) => toFeatureVector(model, property, at)),
  )
}

/** Needs some hundred properties or more. The same input gives the same model. */
export function fitPriceModel(comparables: Comparable[]): PriceModel {
  const logRatios = Float64Array.from(
    comparables,
    property => Math.log(property.price) - computeBaselineLogPrice(property),
  )
  const model: PriceModel = {
    regions: findRegions(comparables, logRatios),
    subtypes: rankSubtypes(comparables, logRatios),
    folds: [],
  }
  const rows = comparables.map(property => toFeatureVector(model, property, property.seenAt))
  const rowFolds = comparables.map(toFold)
  for (let fold = 0; fold < foldCount; fold++) {
    const seen = rows.flatMap((_, index) => (rowFolds[index] === fold ? [] : [index]))
    const columns = rows[0]!.map((_, feature) => Float64Array.from(seen, index => rows[index]![feature]!))
    const targets = Float64Array.from(seen, index => logRatios[index]!)
    // With few properties, many trees would overfit.
    const trees = Math.min(defaultBoosting.trees, 100 + Math.ceil(targets.length / 10))
    model.folds.push(fitTrees(columns, targets, { ...defaultBoosting, trees, seed: fold + 1 }))
  }
  return model
}

/** Unknown facts are NaN. */
function toFeatureVector(model: PriceModel, property: Characteristics, at: Temporal.Instant): number[] {
  const { latitude, longitude, squareMeters, bedrooms, amenities: set } = property
  const region = findRegion(model.regions, property)
  const shrink = Math.cos((region.latitude * Math.PI) / 180)
  const north = (latitude - region.latitude) * kilometersPerDegree
  const east = (longitude - region.longitude) * kilometersPerDegree * shrink
  const features = [
    latitude,
    longitude,
    region.level,
    north,
    east,
    Math.log(squareMeters),
    bedrooms ?? Number.NaN,
    property.bathrooms ?? Number.NaN,
    bedrooms === null ? Number.NaN : squareMeters / Math.max(1, bedrooms),
    property.condition === null ? Number.NaN : conditionRanks[property.condition],
    property.floor ?? Number.NaN,
    property.yearBuilt ?? Number.NaN,
    at.epochMilliseconds / msPerMonth,
    property.plotSquareMeters ?? Number.NaN,
    getSubtypeRank(model.subtypes, property.subtype),
  ]
  for (const direction of directions) features.push(direction.north * north + direction.east * east)
  let count = 0
  for (let index = 0; index < amenities.length; index++) {
    const has = set === null ? 0 : (set >> index) & 1
    count += has
    features.push(has)
  }
  features.push(count)
  return features
}

function getSubtypeRank(subtypes: string[], subtype: string | null): number {
  const rank = subtype === null ? -1 : subtypes.indexOf(subtype)
  return rank < 0 ? Number.NaN : rank
}

/** Returns the nearest region. */
export function findRegion(regions: Region[], place: Place): Region {
  let best = regions[0]!
  let bestDistance = Number.POSITIVE_INFINITY
  const shrink = Math.cos((place.latitude * Math.PI) / 180)
  for (const region of regions) {
    const distance =
      (region.latitude - place.latitude) ** 2 + ((region.longitude - place.longitude) * shrink) ** 2
    if (distance < bestDistance) {
      best = region
      bestDistance = distance
    }
  }
  return best
}

/** Takes the square with most listings, then the next one that is far enough from it, and so on. */
function findRegions(comparables: Comparable[], logRatios: Float64Array): Region[] {
  const squares = new Map<number, { count: number; latitude: number; longitude: number }>()
  for (const property of comparables) {
    const square = Math.floor(toCell(property) / 4 ** 13)
    const sum = squares.get(square) ?? { count: 0, latitude: 0, longitude: 0 }
    sum.count++
    sum.latitude += property.latitude
    sum.longitude += property.longitude
    squares.set(square, sum)
  }
  const regions: Region[] = []
  const densest = [...squares.values()].sort((a, b) => b.count - a.count)
  for (const { count, latitude, longitude } of densest) {
    const centre = { latitude: latitude / count, longitude: longitude / count }
    const isFar = regions.every(region => metersBetween(region, centre) > regionRadiusMeters)
    if (isFar) regions.push({ ...centre, level: 0, middle: 0 })
    if (regions.length === regionsMax) break
  }
  const indexes = [...comparables.keys()]
  const byRegion = Map.groupBy(indexes, index => findRegion(regions, comparables[index]!))
  return regions.flatMap(region => {
    const members = byRegion.get(region)
    if (!members) return []
    const level = upperMedian(members.map(index => logRatios[index]!))
    return [
      { ...region, level, middle: upperMedian(members.map(index => Math.log(comparables[index]!.price))) },
    ]
  })
}

function rankSubtypes(comparables: Comparable[], logRatios: Float64Array): string[] {
  const sums = new Map<string, { count: number; sum: number }>()
  for (const [index, { subtype }] of comparables.entries()) {
    if (subtype === null) continue
    const total = sums.get(subtype) ?? { count: 0, sum: 0 }
    total.count++
    total.sum += logRatios[index]!
    sums.set(subtype, total)
  }
  return [...sums]
    .filter(([, { count }]) => count >= 20)
    .sort(([, a], [, b]) => a.sum / a.count - b.sum / b.count)
    .map(([subtype]) => subtype)
}
