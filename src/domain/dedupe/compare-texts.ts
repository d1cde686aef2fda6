/**
 * Compares addresses, texts and photos of two listings. The analysis is cached per listing, because candidates are
 * compared many times.
 */
import type { Level } from './evidence.ts'
import type { PropertyFacts } from './property-facts.ts'
import { compareStreets, parseStreetAddress, type StreetAddress } from './street-address.ts'
import {
  computeOverlap,
  findAdvertiserReference,
  findCadastralNumber,
  toPhotoKeys,
  toShingles,
} from './text-similarity.ts'

interface Texts {
  shingles: ReadonlySet<number>
  cadastralNumber: string | null
  reference: string | null
  photos: ReadonlySet<string>
}

/** Maximum length that is searched for references, which are usually at the end of a text. */
const charactersMax = 20_000

const streetsByFacts = new WeakMap<PropertyFacts, { street: StreetAddress | null }>()
const textsByFacts = new WeakMap<PropertyFacts, Texts>()

/**
 * `level` is null if an address is missing or names no street, or if the streets are only similar. `unit` compares the
 * doors of one house.
 */
export function compareStreetAddresses(
  one: PropertyFacts,
  other: PropertyFacts,
): { level: Level | null; unit: 'same' | 'other' | null } {
  if (one.address === null || other.address === null) return unknownStreet
  const [a, b] = [getStreet(one), getStreet(other)]
  if (a === null || b === null) return unknownStreet
  const verdict = compareStreets(a, b)
  if (verdict === 'similar street') return unknownStreet
  if (verdict !== 'same house') return streetResults[verdict]
  if (a.unit === null || b.unit === null) return streetResults[verdict]
  return { level: 'same address', unit: a.unit === b.unit ? 'same' : 'other' }
}

const unknownStreet = { level: null, unit: null } as const
const streetResults = {
  'same house': { level: 'same address', unit: null },
  'same street': { level: 'same street', unit: null },
  'other number': { level: 'other number', unit: null },
  'other street': { level: 'other street', unit: null },
} as const

export function compareTexts(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (!one.description || !other.description) return null
  const part = computeOverlap(getTexts(one).shingles, getTexts(other).shingles)
  if (part === null) return null
  if (part >= 0.8) return 'same wording'
  return part >= 0.5 ? 'similar wording' : null
}

export function comparePhotos(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (!one.images?.length || !other.images?.length) return null
  const [a, b] = [getTexts(one).photos, getTexts(other).photos]
  let common = 0
  for (const key of a) if (b.has(key)) common += 1
  if (common === 0) return null
  // A single common photo may be the advertiser's logo, or the house from the street.
  return common > 1 && common * 2 >= Math.min(a.size, b.size) ? 'same photos' : 'one photo in common'
}

/**
 * `contradiction`: the cadastral numbers differ. Advertiser references are unique per advertiser only.
 */
export function compareReferences(one: PropertyFacts, other: PropertyFacts): Level | 'contradiction' | null {
  const [a, b] = [getTexts(one), getTexts(other)]
  if (a.cadastralNumber !== null && b.cadastralNumber !== null)
    return a.cadastralNumber === b.cadastralNumber ? 'same cadastral number' : 'contradiction'
  if (one.phone === null || one.phone !== other.phone || a.reference === null || b.reference === null)
    return null
  return a.reference === b.reference ? 'same reference' : 'other reference'
}

function getStreet(facts: PropertyFacts): StreetAddress | null {
  let cached = streetsByFacts.get(facts)
  if (!cached) {
    cached = { street: facts.address === null ? null : parseStreetAddress(facts.address) }
    streetsByFacts.set(facts, cached)
  }
  return cached.street
}

function getTexts(facts: PropertyFacts): Texts {
  let cached = textsByFacts.get(facts)
  if (!cached) {
    const text = `${facts.title ?? ''}\n${facts.description ?? ''}`.slice(0, charactersMax)
    cached = {
      shingles: toShingles(facts.description ?? ''),
      cadastralNumber: findCadastralNumber(text),
      reference: findAdvertiserReference(text),
      photos: toPhotoKeys(facts.images ?? []),
    }
    textsByFacts.set(facts, cached)
  }
  return cached
}
