/**
 * Chooses one value per field from the candidates of all sources. Equal values support each other. If two differing
 * values are trusted equally, the field stays empty: a wrong value is worse than a missing one.
 */
import { metersBetween } from '../../geo.ts'
import { toPlainWords } from '../../plain-words.ts'
import type {
  Candidate,
  Evidence,
  FieldEvidence,
  ListingField,
  ListingValues,
  ReaderSource,
} from './page-listing.ts'

/** Candidates of one field beyond these are ignored: a hostile page may have any number. */
const candidatesMax = 300
const othersMax = 5
/** A value wins if its score exceeds that of every other value by this. */
const marginMin = 0.05
/** Points with a lower score need to be the only one. */
const weakPoint = 0.5
/** Points of one property: two geocoders differ by this much. */
const samePointMeters = 30

/** Fields in which every good value is right, so that the best candidate wins without a margin. */
const textFields = new Set<ListingField>([
  'title',
  'description',
  'reference',
  'floorText',
  'advertiserName',
  'advertiserPhone',
  'publishedAt',
  'updatedAt',
])
/** Fields with names, which sources write with more or less detail. */
const nameFields = new Set<ListingField>([
  'address',
  'neighbourhood',
  'municipality',
  'province',
  'advertiserName',
  'title',
])
const listFields = new Set<ListingField>(['features', 'featureLabels', 'images'])

interface Group {
  value: unknown
  candidates: Candidate[]
  score: number
}

/** The values without any candidate. */
export function emptyValues(): ListingValues {
  return {
    title: null,
    description: null,
    operation: null,
    propertyType: null,
    subtype: null,
    price: null,
    currency: null,
    pricePeriod: null,
    priceMin: null,
    priceMax: null,
    squareMeters: null,
    usableSquareMeters: null,
    plotSquareMeters: null,
    rooms: null,
    bedrooms: null,
    bathrooms: null,
    floor: null,
    floorText: null,
    yearBuilt: null,
    condition: null,
    energyRating: null,
    emissionsRating: null,
    energyConsumptionKwhM2: null,
    emissionsKgM2: null,
    features: [],
    featureLabels: [],
    address: null,
    neighbourhood: null,
    municipality: null,
    province: null,
    postcode: null,
    country: null,
    latitude: null,
    longitude: null,
    images: [],
    advertiserName: null,
    advertiserPhone: null,
    advertiserType: null,
    status: null,
    reference: null,
    publishedAt: null,
    updatedAt: null,
  }
}

/** Chooses the values. Coordinates are chosen as pairs: a latitude belongs to the longitude of the same `where`. */
export function reconcile(candidates: readonly Candidate[]): { values: ListingValues; evidence: Evidence } {
  const values = emptyValues()
  const evidence: Evidence = {}
  const target: Record<string, unknown> = { ...values }
  const byField = Map.groupBy(candidates, candidate => candidate.field)
  for (const [field, all] of byField) {
    if (field === 'latitude' || field === 'longitude') continue
    const found = all.toSorted((a, b) => b.weight - a.weight).slice(0, candidatesMax)
    if (listFields.has(field)) {
      const chosen = chooseList(field, found)
      target[field] = chosen.value
      evidence[field] = chosen.evidence
      continue
    }
    const groups = groupValues(found, (a, b) => isSameValue(field, a, b))
    const { value, fieldEvidence } = chooseGroup(groups, textFields.has(field) ? 0 : marginMin)
    target[field] = value
    evidence[field] = fieldEvidence
  }
  const point = choosePoint(byField.get('latitude') ?? [], byField.get('longitude') ?? [])
  if (point !== null) {
    target.latitude = point.value?.latitude ?? null
    target.longitude = point.value?.longitude ?? null
    evidence.latitude = point.fieldEvidence
    evidence.longitude = point.fieldEvidence
  }
  return { values: Object.assign(values, target), evidence }
}

function groupValues(candidates: readonly Candidate[], isSame: (a: unknown, b: unknown) => boolean): Group[] {
  const groups: Group[] = []
  for (const candidate of candidates) {
    const group = groups.find(({ value }) => isSame(value, candidate.value))
    if (group) group.candidates.push(candidate)
    else groups.push({ value: candidate.value, candidates: [candidate], score: 0 })
  }
  for (const group of groups) group.score = computeScore(group.candidates)
  return groups.toSorted((a, b) => b.score - a.score)
}

/** Sources are independent; several statements of one source count once, at their highest weight. */
function computeScore(candidates: readonly Candidate[]): number {
  const best = new Map<ReaderSource, number>()
  for (const { source, weight } of candidates) best.set(source, Math.max(best.get(source) ?? 0, weight))
  return 1 - [...best.values()].reduce((doubt, weight) => doubt * (1 - Math.min(weight, 0.99)), 1)
}

function chooseGroup(
  groups: readonly Group[],
  margin: number,
): { value: unknown; fieldEvidence: FieldEvidence } {
  const [first, second] = groups
  const best = first!.candidates[0]!
  const isCertain = second === undefined || first!.score - second.score >= margin
  const losers = isCertain ? groups.slice(1) : groups
  return {
    value: isCertain ? first!.value : null,
    fieldEvidence: {
      source: best.source,
      where: best.where,
      confidence: isCertain ? Math.round(first!.score * 100) / 100 : 0,
      others: losers.slice(0, othersMax).map(({ candidates: [other] }) => toOther(other!)),
    },
  }
}

function toOther({ value, source, where }: Candidate): FieldEvidence['others'][number] {
  return { value, source, where }
}

/** Features are collected from all sources; photos and labels come from one, in the order of the page. */
function chooseList(
  field: ListingField,
  candidates: readonly Candidate[],
): { value: unknown[]; evidence: FieldEvidence } {
  const lists = candidates.filter(({ value }) => Array.isArray(value) && value.length > 0)
  const toSize = (candidate: Candidate) => (candidate.value as unknown[]).length
  // A source with one photo (the share image) does not hide a gallery of another.
  const best = lists.reduce((a, b) => (field === 'images' && toSize(a) < 3 && toSize(b) > toSize(a) ? b : a))
  const value =
    field === 'images'
      ? (best.value as unknown[])
      : [...new Set(lists.flatMap(candidate => candidate.value as unknown[]))].slice(0, candidatesMax)
  const { source, where, weight } = best
  return { value, evidence: { source, where, confidence: weight, others: [] } }
}

function isSameValue(field: ListingField, a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a === 'number' && typeof b === 'number') {
    // One source rounds the area, or converts it from square feet.
    if (field.endsWith('Meters')) return Math.abs(a - b) <= Math.max(1, 0.01 * Math.max(a, b)) - 1e-9
    return false
  }
  if (typeof a !== 'string' || typeof b !== 'string') return false
  if (field === 'advertiserPhone') return toPhoneKey(a) === toPhoneKey(b)
  if (field === 'publishedAt' || field === 'updatedAt') return a.slice(0, 10) === b.slice(0, 10)
  const [one, other] = [toWords(a), toWords(b)]
  if (one === other) return true
  return nameFields.has(field) && (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `))
}

/** The last eight digits: one source may write the prefix of the country. */
export function toPhoneKey(phone: string): string {
  return phone.replace(/\D/g, '').slice(-8)
}

function toWords(text: string): string {
  return toPlainWords(text.slice(0, 500))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

interface PointCandidate {
  latitude: Candidate
  point: { latitude: number; longitude: number }
}

function choosePoint(
  latitudes: readonly Candidate[],
  longitudes: readonly Candidate[],
): { value: { latitude: number; longitude: number } | null; fieldEvidence: FieldEvidence } | null {
  const toKey = ({ source, where }: Candidate) => `${source} ${where}`
  const longitudeByKey = new Map(longitudes.map(candidate => [toKey(candidate), candidate.value as number]))
  const points = latitudes
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, candidatesMax)
    .flatMap((latitude): PointCandidate[] => {
      const longitude = longitudeByKey.get(toKey(latitude))
      if (longitude === undefined) return []
      return [{ latitude, point: { latitude: latitude.value as number, longitude } }]
    })
  if (points.length === 0) return null
  const groups = groupValues(
    points.map(({ latitude, point }) => ({ ...latitude, value: point }) as unknown as Candidate),
    (a, b) => metersBetween(a as PointCandidate['point'], b as PointCandidate['point']) <= samePointMeters,
  )
  // One of several points that are not in the listing's data may be the middle of the map.
  const isVague = groups.length > 1 && groups[0]!.score < weakPoint
  const { value, fieldEvidence } = chooseGroup(groups, isVague ? 1 : marginMin)
  return { value: value as { latitude: number; longitude: number } | null, fieldEvidence }
}
