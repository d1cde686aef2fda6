/** Adverts that are known to be of one property or of two: simulated ones, advertised again as portals and agencies do it. */
import type { PropertyFacts } from '../src/domain/dedupe/property-facts.ts'
import { between, type Random, randomOf } from '../src/domain/random.ts'
import type { Advert, Figures } from '../src/simulator/advert.ts'
import { agencyAdvertiser } from '../src/simulator/advertisers.ts'
import { advertOf } from '../src/simulator/adverts.ts'
import { figuresAt } from '../src/simulator/figures.ts'
import { COUNTRIES } from '../src/simulator/places.ts'
import { descriptionOf } from '../src/simulator/wording.ts'
import { createWorld } from '../src/simulator/world.ts'

export interface Labelled {
  facts: PropertyFacts
  /** Adverts of one property have the same. */
  property: string
  /** How it came to be: `first`, or a name of `AGAIN` or `OTHERS`. */
  kind: string
}

/** An advert, with what is needed to advertise it in another way. */
interface First {
  facts: PropertyFacts
  figures: Figures
  advert: Advert
}

type Change = (first: First, random: Random) => Partial<PropertyFacts>

/** The same property once more. */
const AGAIN: Record<string, Change> = {
  'as it was': () => ({}),
  'price rounded': ({ facts }) => ({ price: roundedPrice(facts.price!) }),
  'price ±4 %': ({ facts }, random) => ({ price: scaled(facts.price!, 0.04, random) }),
  'pin up to 250 m off': ({ facts }, random) => moved(facts, 250, random),
  'size ±3 %': ({ facts }, random) => ({ squareMeters: scaled(facts.squareMeters!, 0.03, random) }),
  'other wording': (first, random) => reworded(first, random, true),
  'address shortened': ({ facts }) => ({ address: shortAddress(facts.address!) }),
  'address without number': ({ facts }) => ({ address: facts.address!.split(',')[0]! }),
  'no address': () => ({ address: null, postcode: null }),
  'no floor, no bathrooms': () => ({ floor: null, bathrooms: null }),
  'no pin': () => ({ latitude: null, longitude: null }),
  'all of it': (first, random) => ({ ...reworded(first, random, true), ...blurred(first, random) }),
  'other agency': (first, random) => ({
    ...otherAgency(first, random),
    ...moved(first.facts, 100, random),
    price: scaled(first.facts.price!, 0.02, random),
  }),
  'private, then agency': (first, random) => ({
    ...otherAgency(first, random),
    price: scaled(first.facts.price!, 0.04, random),
  }),
  'other agency, no number': (first, random) => ({
    ...otherAgency(first, random),
    ...moved(first.facts, 250, random),
    address: first.facts.address!.split(',')[0]!,
    price: scaled(first.facts.price!, 0.04, random),
  }),
  'other agency, all of it': (first, random) => ({
    ...otherAgency(first, random),
    ...blurred(first, random),
  }),
  "new building's unit": () => ({}),
}

/** Another property that is much like it. */
const OTHERS: Record<string, Change> = {
  'flat above, same agency': (first, random) => ({
    ...reworded(first, random, false),
    ...flatAbove(first, random),
  }),
  'flat above, other agency': (first, random) => ({
    ...otherAgency(first, random),
    ...flatAbove(first, random),
  }),
  'flat above, floor unstated': (first, random) => ({
    ...otherAgency(first, random),
    ...flatAbove(first, random),
    floor: null,
  }),
  'same floor, other agency': (first, random) => ({
    ...otherAgency(first, random),
    ...flatAbove(first, random),
    squareMeters: scaled(first.facts.squareMeters!, 0.04, random),
    floor: first.facts.floor,
  }),
  'next house, same agency': (first, random) => ({
    ...reworded(first, random, false),
    ...moved(first.facts, 60, random),
    address: nextHouse(first.facts.address!),
    price: scaled(first.facts.price!, 0.05, random),
    squareMeters: scaled(first.facts.squareMeters!, 0.03, random),
    floor: random() < 0.3 ? null : between(random, 0, 6),
  }),
  "new building's twin above": ({ facts }) => ({ floor: (facts.floor ?? 0) + 1 }),
  "new building's twin, no floor": () => ({ floor: null }),
  "new building's twin": () => ({}),
}

/**
 * Each way of advertising again is tried on this share of the adverts, and each kind of neighbour on half of it: in all a
 * third are advertised again, as in Barcelona (15,486 of the 46,729 adverts of idealista18), the others once.
 */
const SHARE_OF_EACH = 0.02

const asOf = Date.parse('2026-11-01T00:00:00Z')

/** Adverts of a seed, of every second city (`half` 0 or 1), and those made of them: always the same. */
export async function labelledAdverts(options: {
  seed: number
  half: 0 | 1
  adverts: number
}): Promise<Labelled[]> {
  const { seed, half, adverts } = options
  const world = await createWorld({ seed, asOf, adverts })
  const indexes = COUNTRIES.flatMap(country => [...world.published(country)])
  const cities = [...new Set(indexes.map(index => world.figures(index).city))]
  const taken = indexes.filter(index => cities.indexOf(world.figures(index).city) % 2 === half)
  const ways = [...twice(Object.entries(AGAIN)), ...Object.entries(OTHERS)]
  return taken.flatMap((index, at) => {
    const random = randomOf(seed, at, 77)
    const advert = world.advert(index)
    const first = { facts: factsOf(advert), figures: world.figures(index), advert }
    const [kind, change] = ways[Math.floor((2 * random()) / SHARE_OF_EACH)] ?? ['first', undefined]
    if (kind in OTHERS || kind.startsWith('new ')) first.facts = ofAgency(first, kind, random)
    if (kind.startsWith('private')) first.facts = { ...first.facts, advertiserType: 'private' }
    const made: Labelled[] = [{ facts: first.facts, property: advert.id, kind: 'first' }]
    if (change) {
      const facts = { ...first.facts, images: kept(first, kind, random), ...change(first, random) }
      made.push({ facts, property: kind in AGAIN ? advert.id : `${advert.id} too`, kind })
    }
    return made
  })
}

/** The simulator's Barcelona with as many adverts as are asked for, each of a property of its own. */
export function crowdedCity(adverts: number): Labelled[] {
  const made: Labelled[] = []
  for (let number = 0; made.length < adverts; number += 1) {
    const figures = figuresAt(3, asOf, number)
    if (figures.city.slug !== 'barcelona') continue
    const facts = factsOf(advertOf(3, number, figures))
    made.push({ facts, property: figures.id, kind: 'first' })
  }
  return made
}

/** What a reader finds on the page of an advert. */
export function factsOf(advert: Advert): PropertyFacts {
  return {
    phone: advert.advertiser.phone,
    advertiserType: advert.advertiser.type,
    operation: advert.operation,
    propertyType: advert.propertyType,
    squareMeters: advert.squareMeters,
    price: advert.price,
    bedrooms: advert.bedrooms,
    bathrooms: advert.bathrooms,
    floor: advert.floor,
    latitude: advert.latitude,
    longitude: advert.longitude,
    address: advert.address,
    municipality: advert.city,
    postcode: advert.postcode,
    condition: advert.condition,
    features: advert.features,
    title: advert.title,
    description: advert.description,
    images: photosOf(advert.id, advert.photoCount),
  }
}

function photosOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `https://fotos.example/${name}/${name}-${at + 1}.jpg`)
}

/**
 * A third of portals keep the names of the files that an agency sends them; a new building's units share theirs, and now
 * and then an agency shows one flat's photos with another.
 */
function kept(first: First, kind: string, random: Random): string[] {
  const isKept = kind.startsWith('new ') || random() < (kind in AGAIN ? 0.33 : 0.1)
  return isKept ? [...first.facts.images!] : photosOf(`${first.advert.id}-${kind.length}`, 5)
}

/** Only agencies have several properties that are alike. */
function ofAgency({ facts, figures }: First, kind: string, random: Random): PropertyFacts {
  const { phone } = agencyAdvertiser(random, figures.city)
  const made: PropertyFacts = { ...facts, phone, advertiserType: 'agency' }
  return kind.startsWith('new ') ? { ...made, condition: 'new', floor: facts.floor ?? 2 } : made
}

function flatAbove({ facts }: First, random: Random): Partial<PropertyFacts> {
  const floor = (facts.floor ?? 1) + between(random, 1, 2)
  return { floor, price: scaled(facts.price!, 0.06, random) }
}

function blurred({ facts }: First, random: Random): Partial<PropertyFacts> {
  return {
    ...moved(facts, 250, random),
    price: scaled(facts.price!, 0.04, random),
    squareMeters: scaled(facts.squareMeters!, 0.03, random),
    address: random() < 0.5 ? null : facts.address!.split(',')[0]!,
    floor: random() < 0.5 ? null : facts.floor,
    bathrooms: random() < 0.5 ? null : facts.bathrooms,
  }
}

function otherAgency(first: First, random: Random): Partial<PropertyFacts> {
  const { phone } = agencyAdvertiser(random, first.figures.city)
  return {
    ...reworded(first, random, false),
    phone,
    advertiserType: 'agency',
    images: photosOf(phone.slice(1) + first.advert.id, 7),
  }
}

/** In other sentences, and with less of what is there; an agency keeps the number by which it files the property. */
function reworded(first: First, random: Random, isSame: boolean): Partial<PropertyFacts> {
  const { figures, advert, facts } = first
  const featureBits = figures.featureBits & between(random, 0, 2 ** 13 - 1)
  const place = { street: facts.address!.split(',')[0]!, neighbourhood: advert.neighbourhood }
  const text = descriptionOf({ ...figures, featureBits }, place, false, random)
  const reference = /Ref\. [\d-]+/.exec(facts.description!)?.[0]
  const description = isSame ? text.replace(/Ref\. [\d-]+/, reference ?? '') : text
  return { description, features: facts.features!.filter((_, at) => at % 3 !== 0) }
}

/** Within a circle, each place as likely as any other. */
export function moved(
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

/** A whole number up to `part` less or more. */
function scaled(value: number, part: number, random: Random): number {
  const low = Math.ceil(value * (1 - part))
  return Math.min(low + Math.floor(random() * (value * 2 * part + 1)), Math.floor(value * (1 + part)))
}

function roundedPrice(price: number): number {
  const step = price > 20_000 ? 5000 : 50
  return Math.round(price / step) * step || price
}

function shortAddress(address: string): string {
  const [street = '', number = ''] = address.split(', ')
  const short = street
    .replace(/^(Calle|Carrer) (de la |de los |de las |del |de |)?/, 'C/ ')
    .replace(/^Avenida/, 'Avda.')
    .replace(/^Rua/, 'R.')
  return `${short} ${number}`
}

function nextHouse(address: string): string {
  const [street = '', number = '1'] = address.split(', ')
  return `${street}, ${Number(number) + 2}`
}

function twice<T>(list: T[]): T[] {
  return [...list, ...list]
}
