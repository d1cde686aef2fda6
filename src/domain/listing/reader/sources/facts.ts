/** Converts the facts of the existing parsers (JSON-LD, microdata, OpenGraph) to candidates. */
import type { ListingFacts } from '../../listing.ts'
import type { Candidate, ReaderSource } from '../page-listing.ts'

const fieldsByFact = {
  title: 'title',
  description: 'description',
  operation: 'operation',
  propertyType: 'propertyType',
  price: 'price',
  currency: 'currency',
  squareMeters: 'squareMeters',
  rooms: 'rooms',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  floorText: 'floorText',
  condition: 'condition',
  features: 'features',
  address: 'address',
  municipality: 'municipality',
  province: 'province',
  postcode: 'postcode',
  latitude: 'latitude',
  longitude: 'longitude',
  images: 'images',
  publishedAt: 'publishedAt',
  'contact.name': 'advertiserName',
  'contact.phoneRaw': 'advertiserPhone',
  'contact.advertiserType': 'advertiserType',
} as const satisfies Partial<Record<keyof ListingFacts, Candidate['field']>>

/** `weights` overrides the weight of single facts. */
export function toCandidates(
  facts: ListingFacts,
  source: ReaderSource,
  weight: number,
  weights: Partial<Record<keyof ListingFacts, number>> = {},
): Candidate[] {
  const candidates: Candidate[] = []
  for (const [name, field] of Object.entries(fieldsByFact)) {
    const fact = name as keyof typeof fieldsByFact
    const value = facts[fact]
    if (value === undefined || value === null) continue
    candidates.push({ field, value, source, where: source, weight: weights[fact] ?? weight } as Candidate)
  }
  return candidates
}
