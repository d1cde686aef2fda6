/** Any page of one advert, read into a listing that says of each value where it was found. */
import { parseEmail } from '../contact/email.ts'
import { toE164 } from '../contact/phone.ts'
import { parseFloor } from './floor.ts'
import { extractText, findElement } from './html.ts'
import { arePropertyNodes, findListingNodes, parseJsonLdBlocks } from './json-ld.ts'
import { parseJsonLdFacts } from './json-ld-facts.ts'
import type { Listing, ListingFacts, Provenance, Source } from './listing.ts'
import { parseMarkedNodes } from './microdata.ts'
import { parseSharedSign, resolveSharedSign } from './money.ts'
import { parseMunicipality } from './municipality.ts'
import { parseMetaTags, parseOpenGraphFacts } from './opengraph.ts'
import { parsePathWords, parseTitleWords } from './vocabulary.ts'

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

export interface ParsedListing {
  listing: Listing
  provenance: Provenance
}

// No price, area or count of an advert comes near it: what does is a slip of the page.
const numberMax = 1e10

/** What a property has, and hardly anything else that is sold. */
const propertyFacts = ['squareMeters', 'rooms', 'bedrooms', 'bathrooms', 'floorText'] as const
const placeFacts = ['address', 'municipality', 'postcode', 'latitude'] as const

/**
 * Reads a page of one advert. For each field the first source that has it counts: JSON-LD, microdata, the portal's
 * markup, OpenGraph, the words of the title, those of the address. Null if the page tells of no property: nothing on it is
 * said of properties alone (books and tickets have a price and a place too), or not even one of price, size, rooms, address or
 * coordinates. Never throws, whatever the text.
 */
export function parseListing(page: ListingPage): ParsedListing | null {
  const nodes = findListingNodes(parseJsonLdBlocks(page.html), page.url)
  const jsonLd = nodes === null ? {} : parseJsonLdFacts(nodes, page.url)
  const marked = parseMarkedNodes(page.html, page.url)
  const microdata = marked === null ? {} : parseJsonLdFacts(marked, page.url)
  const openGraph = parseOpenGraphFacts(parseMetaTags(page.html), page.url)
  const title =
    jsonLd.title ?? microdata.title ?? page.markup?.title ?? openGraph.title ?? parseTitle(page.html)
  const sources: [Source, ListingFacts][] = [
    ['json-ld', jsonLd],
    ['microdata', microdata],
    ['markup', page.markup ?? {}],
    ['opengraph', openGraph],
    ['markup', title === null ? {} : { title }],
  ]
  const isStated = (name: keyof ListingFacts) => sources.some(([, facts]) => facts[name] !== undefined)
  // All that words can tell: most pages say both better, and to understand words takes its time.
  if (!isStated('operation') || !isStated('propertyType'))
    sources.push(
      ['text', parseTitleWords(title ?? '')],
      ['url', parsePathWords(URL.parse(page.url)?.pathname ?? '')],
    )
  const isProperty =
    Object.keys(page.markup ?? {}).length > 0 ||
    [nodes, marked].some(found => found !== null && arePropertyNodes(found)) ||
    propertyFacts.some(isStated) ||
    // A word may be part of a name: the House of Leaves is a book, but it stands nowhere and is not to let.
    (isStated('propertyType') && (isStated('operation') || placeFacts.some(isStated)))
  return isProperty ? mergeFacts(page, sources) : null
}

/** A listing of what several sources say, the most trusted first; null if they tell of no property. */
export function mergeFacts(
  context: PageContext,
  sources: readonly [Source, ListingFacts][],
): ParsedListing | null {
  const provenance: Provenance = {}
  const findSourceIndex = (name: keyof ListingFacts) =>
    sources.findIndex(
      ([, facts]) => isKnown(facts[name]) && !(name === 'municipality' && isNoMunicipality(facts)),
    )
  /** The value of the first source that has it, if that is not past the one that tells `whole`. */
  const takeFact: FactTaker = (name, whole = name) => {
    const sourceIndex = findSourceIndex(name)
    const [source, facts] = sources[sourceIndex] ?? []
    const last = whole === name ? sourceIndex : findSourceIndex(whole)
    if (source === undefined || (last !== -1 && sourceIndex > last)) return null
    provenance[name] = source
    return facts?.[name] ?? null
  }
  const listing = buildListing(takeFact, context.url)
  const { price, squareMeters, rooms, bedrooms, address, latitude, contact } = listing
  if ([price, squareMeters, rooms, bedrooms, address, latitude].every(value => value === null)) return null
  const sign = parseSharedSign(listing.currency)
  if (sign !== null) listing.currency = resolveSharedSign(sign, context.currency)
  else if (price !== null && listing.currency === null) {
    listing.currency = context.currency
    provenance.currency = 'portal'
  }
  if (listing.currency === null) delete provenance.currency
  listing.floor = listing.floorText === null ? null : parseFloor(listing.floorText)
  if (listing.floor !== null && provenance.floorText) provenance.floor = provenance.floorText
  contact.phone = contact.phoneRaw === null ? null : toE164(contact.phoneRaw, context.country)
  if (contact.phone !== null && provenance['contact.phoneRaw'])
    provenance['contact.phone'] = provenance['contact.phoneRaw']
  contact.email = contact.email === null ? null : parseEmail(contact.email)
  if (contact.email === null) delete provenance['contact.email']
  provenance.url = 'url'
  return { listing, provenance }
}

type FactTaker = <Name extends keyof ListingFacts>(
  name: Name,
  whole?: keyof ListingFacts,
) => NonNullable<ListingFacts[Name]> | null

function isNoMunicipality({ municipality }: ListingFacts): boolean {
  return municipality !== undefined && parseMunicipality(municipality) === null
}

function isKnown(value: ListingFacts[keyof ListingFacts]): boolean {
  return value !== undefined && !(typeof value === 'number' && !(Math.abs(value) < numberMax))
}

function parseTitle(html: string): string | null {
  const title = findElement(html, 'title')
  return title === null ? null : extractText(title.inner) || null
}

function buildListing(takeFact: FactTaker, url: string): Listing {
  return {
    operation: takeFact('operation'),
    propertyType: takeFact('propertyType'),
    title: takeFact('title'),
    description: takeFact('description'),
    price: takeFact('price'),
    // A price is one value: an amount from one source is not in the currency of another.
    currency: takeFact('currency', 'price'),
    squareMeters: takeFact('squareMeters'),
    rooms: takeFact('rooms'),
    bedrooms: takeFact('bedrooms'),
    bathrooms: takeFact('bathrooms'),
    floor: null,
    floorText: takeFact('floorText'),
    condition: takeFact('condition'),
    features: takeFact('features') ?? [],
    address: takeFact('address'),
    municipality: parseMunicipality(takeFact('municipality') ?? '') || null,
    province: takeFact('province'),
    postcode: takeFact('postcode'),
    latitude: takeFact('latitude'),
    // So is a point: latitude from one source and longitude from another would be a third place.
    longitude: takeFact('longitude', 'latitude'),
    images: takeFact('images') ?? [],
    url,
    publishedAt: takeFact('publishedAt'),
    contact: {
      name: takeFact('contact.name'),
      phone: null,
      phoneRaw: takeFact('contact.phoneRaw'),
      email: takeFact('contact.email'),
      advertiserType: takeFact('contact.advertiserType'),
    },
  }
}
