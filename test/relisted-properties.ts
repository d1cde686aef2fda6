/** Simulated listings with known duplicates: properties are listed again as portals and agencies do. */
import type { PropertyFacts } from '../src/domain/dedupe/property-facts.ts'
import { createRandom, type Random, randomInteger } from '../src/domain/random.ts'
import { pickAgency } from '../src/simulator/advertisers.ts'
import { generateAttributes } from '../src/simulator/attributes.ts'
import { formatDescription } from '../src/simulator/descriptions.ts'
import type { ListingAttributes, SimulatedListing } from '../src/simulator/listing.ts'
import { toListing } from '../src/simulator/listings.ts'
import { countries } from '../src/simulator/places.ts'
import { createWorld } from '../src/simulator/world.ts'

export interface LabelledListing {
  facts: PropertyFacts
  /** The same for all listings of one property. */
  property: string
  /** Its origin: `first`, or a name of `relistings` or `otherProperties`. */
  kind: string
}

/** A listing with the data needed to list it again. */
interface FirstListing {
  facts: PropertyFacts
  attributes: ListingAttributes
  listing: SimulatedListing
}

type Change = (first: FirstListing, random: Random) => Partial<PropertyFacts>

/** Changes that list the same property again. */
const relistings: Record<string, Change> = {
  unchanged: () => ({}),
  'price rounded': ({ facts }) => ({ price: roundPrice(facts.price!) }),
  'price ±4 %': ({ facts }, random) => ({ price: varyNumber(facts.price!, 0.04, random) }),
  'pin up to 250 m off': ({ facts }, random) => moveLocation(facts, 250, random),
  'size ±3 %': ({ facts }, random) => ({ squareMeters: varyNumber(facts.squareMeters!, 0.03, random) }),
  'other wording': (first, random) => rewordTexts(first, random, true),
  'address shortened': ({ facts }) => ({ address: shortenAddress(facts.address!) }),
  'address without number': ({ facts }) => ({ address: facts.address!.split(',')[0]! }),
  'no address': () => ({ address: null, postcode: null }),
  'no floor, no bathrooms': () => ({ floor: null, bathrooms: null }),
  'no pin': () => ({ latitude: null, longitude: null }),
  'all of it': (first, random) => ({ ...rewordTexts(first, random, true), ...blurFacts(first, random) }),
  'other agency': (first, random) => ({
    ...changeAgency(first, random),
    ...moveLocation(first.facts, 100, random),
    price: varyNumber(first.facts.price!, 0.02, random),
  }),
  'private, then agency': (first, random) => ({
    ...changeAgency(first, random),
    price: varyNumber(first.facts.price!, 0.04, random),
  }),
  'other agency, no number': (first, random) => ({
    ...changeAgency(first, random),
    ...moveLocation(first.facts, 250, random),
    address: first.facts.address!.split(',')[0]!,
    price: varyNumber(first.facts.price!, 0.04, random),
  }),
  'other agency, all of it': (first, random) => ({
    ...changeAgency(first, random),
    ...blurFacts(first, random),
  }),
  "new building's unit": () => ({}),
}

/** Changes that make a similar property. */
const otherProperties: Record<string, Change> = {
  'flat above, same agency': (first, random) => ({
    ...rewordTexts(first, random, false),
    ...moveUpstairs(first, random),
  }),
  'flat above, other agency': (first, random) => ({
    ...changeAgency(first, random),
    ...moveUpstairs(first, random),
  }),
  'flat above, floor unstated': (first, random) => ({
    ...changeAgency(first, random),
    ...moveUpstairs(first, random),
    floor: null,
  }),
  'same floor, other agency': (first, random) => ({
    ...changeAgency(first, random),
    ...moveUpstairs(first, random),
    squareMeters: varyNumber(first.facts.squareMeters!, 0.04, random),
    floor: first.facts.floor,
  }),
  'next house, same agency': (first, random) => ({
    ...rewordTexts(first, random, false),
    ...moveLocation(first.facts, 60, random),
    address: toNextHouse(first.facts.address!),
    price: varyNumber(first.facts.price!, 0.05, random),
    squareMeters: varyNumber(first.facts.squareMeters!, 0.03, random),
    floor: random() < 0.3 ? null : randomInteger(random, 0, 6),
  }),
  "new building's twin above": ({ facts }) => ({ floor: (facts.floor ?? 0) + 1 }),
  "new building's twin, no floor": () => ({ floor: null }),
  "new building's twin": () => ({}),
}

/**
 * Share of listings for each kind of relisting, and half of it for each kind of similar property. In total a third are
 * listed again, as in Barcelona (15,486 of 46,729 listings of idealista18).
 */
const shareOfEach = 0.02

const asOf = Date.parse('2026-11-01T00:00:00Z')

/** Generates listings of a seed in every second city (`half` 0 or 1), with their relistings. Deterministic. */
export async function makeLabelledListings(options: {
  seed: number
  half: 0 | 1
  listings: number
}): Promise<LabelledListing[]> {
  const { seed, half, listings } = options
  const world = await createWorld({ seed, asOf, listings })
  const indexes = countries.flatMap(country => [...world.published(country)])
  const cities = [...new Set(indexes.map(index => world.attributes(index).city))]
  const taken = indexes.filter(index => cities.indexOf(world.attributes(index).city) % 2 === half)
  const changes = [...repeatTwice(Object.entries(relistings)), ...Object.entries(otherProperties)]
  return taken.flatMap((index, order) => {
    const random = createRandom(seed, order, 77)
    const listing = world.listing(index)
    const first = { facts: toPropertyFacts(listing), attributes: world.attributes(index), listing }
    const [kind, change] = changes[Math.floor((2 * random()) / shareOfEach)] ?? ['first', undefined]
    if (kind in otherProperties || kind.startsWith('new ')) first.facts = asAgency(first, kind, random)
    if (kind.startsWith('private')) first.facts = { ...first.facts, advertiserType: 'private' }
    const made: LabelledListing[] = [{ facts: first.facts, property: listing.id, kind: 'first' }]
    if (change) {
      const facts = { ...first.facts, images: keepPhotos(first, kind, random), ...change(first, random) }
      made.push({ facts, property: kind in relistings ? listing.id : `${listing.id} too`, kind })
    }
    return made
  })
}

/** Generates this number of listings in the simulator's Barcelona, each of another property. */
export function makeCrowdedCity(listings: number): LabelledListing[] {
  const made: LabelledListing[] = []
  for (let number = 0; made.length < listings; number += 1) {
    const attributes = generateAttributes(3, asOf, number)
    if (attributes.city.slug !== 'barcelona') continue
    const facts = toPropertyFacts(toListing(3, number, attributes))
    made.push({ facts, property: attributes.id, kind: 'first' })
  }
  return made
}

/** The facts of a listing's detail page. */
export function toPropertyFacts(listing: SimulatedListing): PropertyFacts {
  return {
    phone: listing.advertiser.phone,
    advertiserType: listing.advertiser.type,
    operation: listing.operation,
    propertyType: listing.propertyType,
    squareMeters: listing.squareMeters,
    price: listing.price,
    bedrooms: listing.bedrooms,
    bathrooms: listing.bathrooms,
    floor: listing.floor,
    latitude: listing.latitude,
    longitude: listing.longitude,
    address: listing.address,
    municipality: listing.city,
    postcode: listing.postcode,
    condition: listing.condition,
    features: listing.features,
    title: listing.title,
    description: listing.description,
    images: toPhotos(listing.id, listing.photoCount),
  }
}

function toPhotos(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, order) => `https://fotos.example/${name}/${name}-${order + 1}.jpg`)
}

/**
 * Photos of a relisting. A third of portals keep the agency's file names; units of a new building share photos, and
 * sometimes an agency reuses the photos of another flat.
 */
function keepPhotos(first: FirstListing, kind: string, random: Random): string[] {
  const isKept = kind.startsWith('new ') || random() < (kind in relistings ? 0.33 : 0.1)
  return isKept ? [...first.facts.images!] : toPhotos(`${first.listing.id}-${kind.length}`, 5)
}

/** Only agencies have several similar properties. */
function asAgency({ facts, attributes }: FirstListing, kind: string, random: Random): PropertyFacts {
  const { phone } = pickAgency(random, attributes.city)
  const made: PropertyFacts = { ...facts, phone, advertiserType: 'agency' }
  return kind.startsWith('new ') ? { ...made, condition: 'new', floor: facts.floor ?? 2 } : made
}

function moveUpstairs({ facts }: FirstListing, random: Random): Partial<PropertyFacts> {
  const floor = (facts.floor ?? 1) + randomInteger(random, 1, 2)
  return { floor, price: varyNumber(facts.price!, 0.06, random) }
}

function blurFacts({ facts }: FirstListing, random: Random): Partial<PropertyFacts> {
  return {
    ...moveLocation(facts, 250, random),
    price: varyNumber(facts.price!, 0.04, random),
    squareMeters: varyNumber(facts.squareMeters!, 0.03, random),
    address: random() < 0.5 ? null : facts.address!.split(',')[0]!,
    floor: random() < 0.5 ? null : facts.floor,
    bathrooms: random() < 0.5 ? null : facts.bathrooms,
  }
}

function changeAgency(first: FirstListing, random: Random): Partial<PropertyFacts> {
  const { phone } = pickAgency(random, first.attributes.city)
  return {
    ...rewordTexts(first, random, false),
    phone,
    advertiserType: 'agency',
    images: toPhotos(phone.slice(1) + first.listing.id, 7),
  }
}

/** Other sentences with fewer facts; an agency keeps its reference number. */
function rewordTexts(first: FirstListing, random: Random, isSameAgency: boolean): Partial<PropertyFacts> {
  const { attributes, listing, facts } = first
  const featureBits = attributes.featureBits & randomInteger(random, 0, 2 ** 13 - 1)
  const place = { street: facts.address!.split(',')[0]!, neighbourhood: listing.neighbourhood }
  const text = formatDescription({ ...attributes, featureBits }, place, false, random)
  const reference = /Ref\. [\d-]+/.exec(facts.description!)?.[0]
  const description = isSameAgency ? text.replace(/Ref\. [\d-]+/, reference ?? '') : text
  return { description, features: facts.features!.filter((_, order) => order % 3 !== 0) }
}

/** A uniformly distributed point in a circle. */
export function moveLocation(
  { latitude, longitude }: Pick<PropertyFacts, 'latitude' | 'longitude'>,
  radiusMeters: number,
  random: Random,
  fromMeters = 0,
): { latitude: number; longitude: number } {
  const meters = fromMeters + (radiusMeters - fromMeters) * Math.sqrt(random())
  const angle = 2 * Math.PI * random()
  const north = (meters * Math.cos(angle)) / 111_200
  const east = (meters * Math.sin(angle)) / (111_200 * Math.cos((latitude! * Math.PI) / 180))
  return { latitude: latitude! + north, longitude: longitude! + east }
}

/** A whole number that differs by up to the share `part`. */
function varyNumber(value: number, part: number, random: Random): number {
  const low = Math.ceil(value * (1 - part))
  return Math.min(low + Math.floor(random() * (value * 2 * part + 1)), Math.floor(value * (1 + part)))
}

function roundPrice(price: number): number {
  const step = price > 20_000 ? 5000 : 50
  return Math.round(price / step) * step || price
}

function shortenAddress(address: string): string {
  const [street = '', number = ''] = address.split(', ')
  const short = street
    .replace(/^(Calle|Carrer) (de la |de los |de las |del |de |)?/, 'C/ ')
    .replace(/^Avenida/, 'Avda.')
    .replace(/^Rua/, 'R.')
  return `${short} ${number}`
}

function toNextHouse(address: string): string {
  const [street = '', number = '1'] = address.split(', ')
  return `${street}, ${Number(number) + 2}`
}

function repeatTwice<T>(list: T[]): T[] {
  return [...list, ...list]
}
