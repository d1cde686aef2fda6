/** What is understood of an advert's address, texts and photos, kept beside its facts: candidates are compared many times. */
import type { Level } from './evidence.ts'
import type { PropertyFacts } from './property-facts.ts'
import { compareStreets, parseStreetAddress, type StreetAddress } from './street-address.ts'
import {
  computeOverlap,
  findAdvertiserReference,
  findCadastralReference,
  toPhotoKeys,
  toShingles,
} from './text-similarity.ts'

interface Texts {
  shingles: ReadonlySet<number>
  cadastral: string | null
  reference: string | null
  photos: ReadonlySet<string>
}

/** References stand at the end of texts, but not behind the end of any that people write. */
const charactersMax = 20_000

const streets = new WeakMap<PropertyFacts, { street: StreetAddress | null }>()
const texts = new WeakMap<PropertyFacts, Texts>()

/** Null where an address is missing, or names no street. `unit` tells the doors of one house apart. */
export function compareStreetAddresses(
  one: PropertyFacts,
  other: PropertyFacts,
): { level: Level | null; unit: 'same' | 'other' | null } {
  if (one.address === null || other.address === null) return unknownStreet
  const [a, b] = [getStreet(one), getStreet(other)]
  if (a === null || b === null) return unknownStreet
  const verdict = compareStreets(a, b)
  if (verdict === 'like') return unknownStreet
  if (verdict !== 'same house') return streetCache[verdict]
  if (a.unit === null || b.unit === null) return streetCache[verdict]
  return { level: 'same address', unit: a.unit === b.unit ? 'same' : 'other' }
}

const unknownStreet = { level: null, unit: null } as const
const streetCache = {
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
  return part >= 0.5 ? 'like wording' : null
}

export function comparePhotos(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (!one.images?.length || !other.images?.length) return null
  const [a, b] = [getTexts(one).photos, getTexts(other).photos]
  let common = 0
  for (const key of a) if (b.has(key)) common += 1
  if (common === 0) return null
  // One may be the advertiser's sign, or the house from the street.
  return common > 1 && common * 2 >= Math.min(a.size, b.size) ? 'same photos' : 'one photo in common'
}

/** `cadastral`: the numbers of the land register contradict each other. An advertiser's reference is unique among its own alone. */
export function compareReferences(one: PropertyFacts, other: PropertyFacts): Level | 'cadastral' | null {
  const [a, b] = [getTexts(one), getTexts(other)]
  if (a.cadastral !== null && b.cadastral !== null)
    return a.cadastral === b.cadastral ? 'same land register number' : 'cadastral'
  if (one.phone === null || one.phone !== other.phone || a.reference === null || b.reference === null)
    return null
  return a.reference === b.reference ? 'same reference' : 'other reference'
}

function getStreet(facts: PropertyFacts): StreetAddress | null {
  let known = streets.get(facts)
  if (!known) {
    known = { street: facts.address === null ? null : parseStreetAddress(facts.address) }
    streets.set(facts, known)
  }
  return known.street
}

function getTexts(facts: PropertyFacts): Texts {
  let known = texts.get(facts)
  if (!known) {
    const text = `${facts.title ?? ''}\n${facts.description ?? ''}`.slice(0, charactersMax)
    known = {
      shingles: toShingles(facts.description ?? ''),
      cadastral: findCadastralReference(text),
      reference: findAdvertiserReference(text),
      photos: toPhotoKeys(facts.images ?? []),
    }
    texts.set(facts, known)
  }
  return known
}
