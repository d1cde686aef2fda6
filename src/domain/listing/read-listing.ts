// Any page of one advert, read into a listing that says of each value where it was found.
import { readEmail } from '../contact/email.ts'
import { toE164 } from '../contact/phone.ts'
import { readFloor } from './floor.ts'
import { elementOf, textOf } from './html.ts'
import { arePropertyNodes, findAdvertNodes, readJsonLdBlocks } from './json-ld.ts'
import { readJsonLdFacts } from './json-ld-facts.ts'
import type { Listing, ListingFacts, Provenance, Source } from './listing.ts'
import { findMarkedNodes } from './microdata.ts'
import { currencyOfSign, readSharedSign } from './money.ts'
import { municipalityIn } from './municipality.ts'
import { readMetaTags, readOpenGraphFacts } from './opengraph.ts'
import { readPathWords, readTitleWords } from './vocabulary.ts'

/** What is true of a page before it is read. */
export interface PageContext {
  /** Absolute address of the advert. */
  url: string
  /** ISO 3166-1 alpha-2: where telephone numbers without a prefix belong. */
  country: string
  /** ISO 4217: what the portal's prices are in, for a page that does not say. */
  currency: string
}

export interface ListingPage extends PageContext {
  html: string
  /** What the portal's own definition found in places that only it knows. */
  markup?: ListingFacts
}

export interface FoundListing {
  listing: Listing
  provenance: Provenance
}

// No price, area or count of an advert comes near it: what does is a slip of the page.
const MAX_NUMBER = 1e10

/** What a property has, and hardly anything else that is sold. */
const PROPERTY_FACTS = ['squareMeters', 'rooms', 'bedrooms', 'bathrooms', 'floorText'] as const
const PLACE_FACTS = ['address', 'municipality', 'postcode', 'latitude'] as const

/**
 * Reads a page of one advert. For each field the first source that has it counts: JSON-LD, microdata, the portal's
 * markup, OpenGraph, the words of the title, those of the address. Null if the page tells of no property: nothing on it is
 * said of properties alone (books and tickets have a price and a place too), or not even one of price, size, rooms, address or
 * coordinates. Never throws, whatever the text.
 */
export function readListing(page: ListingPage): FoundListing | null {
  const nodes = findAdvertNodes(readJsonLdBlocks(page.html), page.url)
  const jsonLd = nodes === null ? {} : readJsonLdFacts(nodes, page.url)
  const marked = findMarkedNodes(page.html, page.url)
  const microdata = marked === null ? {} : readJsonLdFacts(marked, page.url)
  const openGraph = readOpenGraphFacts(readMetaTags(page.html), page.url)
  const title =
    jsonLd.title ?? microdata.title ?? page.markup?.title ?? openGraph.title ?? readTitle(page.html)
  const sources: [Source, ListingFacts][] = [
    ['json-ld', jsonLd],
    ['microdata', microdata],
    ['markup', page.markup ?? {}],
    ['opengraph', openGraph],
    ['markup', title === null ? {} : { title }],
  ]
  const isTold = (name: keyof ListingFacts) => sources.some(([, facts]) => facts[name] !== undefined)
  // All that words can tell: most pages say both better, and to understand words takes its time.
  if (!isTold('operation') || !isTold('propertyType'))
    sources.push(
      ['text', readTitleWords(title ?? '')],
      ['url', readPathWords(URL.parse(page.url)?.pathname ?? '')],
    )
  const isProperty =
    Object.keys(page.markup ?? {}).length > 0 ||
    [nodes, marked].some(found => found !== null && arePropertyNodes(found)) ||
    PROPERTY_FACTS.some(isTold) ||
    // A word may be part of a name: the House of Leaves is a book, but it stands nowhere and is not to let.
    (isTold('propertyType') && (isTold('operation') || PLACE_FACTS.some(isTold)))
  return isProperty ? joinFacts(page, sources) : null
}

/** A listing of what several sources say, the most trusted first; null if they tell of no property. */
export function joinFacts(
  context: PageContext,
  sources: readonly [Source, ListingFacts][],
): FoundListing | null {
  const provenance: Provenance = {}
  const tellerOf = (name: keyof ListingFacts) =>
    sources.findIndex(
      ([, facts]) => isKnown(facts[name]) && !(name === 'municipality' && isNoMunicipality(facts)),
    )
  /** The value of the first source that has it, if that is not past the one that tells `whole`. */
  const take: Take = (name, whole = name) => {
    const teller = tellerOf(name)
    const [source, facts] = sources[teller] ?? []
    const last = whole === name ? teller : tellerOf(whole)
    if (source === undefined || (last !== -1 && teller > last)) return null
    provenance[name] = source
    return facts?.[name] ?? null
  }
  const listing = listingOf(take, context.url)
  const { price, squareMeters, rooms, bedrooms, address, latitude, contact } = listing
  if ([price, squareMeters, rooms, bedrooms, address, latitude].every(value => value === null)) return null
  const sign = readSharedSign(listing.currency)
  if (sign !== null) listing.currency = currencyOfSign(sign, context.currency)
  else if (price !== null && listing.currency === null) {
    listing.currency = context.currency
    provenance.currency = 'portal'
  }
  if (listing.currency === null) delete provenance.currency
  listing.floor = listing.floorText === null ? null : readFloor(listing.floorText)
  if (listing.floor !== null && provenance.floorText) provenance.floor = provenance.floorText
  contact.phone = contact.phoneRaw === null ? null : toE164(contact.phoneRaw, context.country)
  if (contact.phone !== null && provenance['contact.phoneRaw'])
    provenance['contact.phone'] = provenance['contact.phoneRaw']
  contact.email = contact.email === null ? null : readEmail(contact.email)
  if (contact.email === null) delete provenance['contact.email']
  provenance.url = 'url'
  return { listing, provenance }
}

type Take = <Name extends keyof ListingFacts>(
  name: Name,
  whole?: keyof ListingFacts,
) => NonNullable<ListingFacts[Name]> | null

function isNoMunicipality({ municipality }: ListingFacts): boolean {
  return municipality !== undefined && municipalityIn(municipality) === null
}

function isKnown(value: ListingFacts[keyof ListingFacts]): boolean {
  return value !== undefined && !(typeof value === 'number' && !(Math.abs(value) < MAX_NUMBER))
}

function readTitle(html: string): string | null {
  const title = elementOf(html, 'title')
  return title === null ? null : textOf(title.inner) || null
}

function listingOf(take: Take, url: string): Listing {
  return {
    operation: take('operation'),
    propertyType: take('propertyType'),
    title: take('title'),
    description: take('description'),
    price: take('price'),
    // A price is one value: an amount from one source is not in the currency of another.
    currency: take('currency', 'price'),
    squareMeters: take('squareMeters'),
    rooms: take('rooms'),
    bedrooms: take('bedrooms'),
    bathrooms: take('bathrooms'),
    floor: null,
    floorText: take('floorText'),
    condition: take('condition'),
    features: take('features') ?? [],
    address: take('address'),
    municipality: municipalityIn(take('municipality') ?? '') || null,
    province: take('province'),
    postcode: take('postcode'),
    latitude: take('latitude'),
    // So is a point: latitude from one source and longitude from another would be a third place.
    longitude: take('longitude', 'latitude'),
    images: take('images') ?? [],
    url,
    publishedAt: take('publishedAt'),
    contact: {
      name: take('contact.name'),
      phone: null,
      phoneRaw: take('contact.phoneRaw'),
      email: take('contact.email'),
      advertiserType: take('contact.advertiserType'),
    },
  }
}
