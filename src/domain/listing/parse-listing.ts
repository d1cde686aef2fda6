/** Parses any page of one listing, with the source of each value. */
import { parseEmail } from '../contact/email.ts'
import { toE164 } from '../contact/phone.ts'
import { parseFloor } from './floor.ts'
import { extractText, findElement } from './html.ts'
import { arePropertyNodes, findListingNodes, parseJsonLdBlocks } from './json-ld.ts'
import { parseJsonLdFacts } from './json-ld-facts.ts'
import type { Listing, ListingFacts, Provenance, Source } from './listing.ts'
import { parseMicrodataNodes } from './microdata.ts'
import { parseSharedSign, resolveSharedSign } from './money.ts'
import { parseMunicipality } from './municipality.ts'
import { parseMetaTags, parseOpenGraphFacts } from './opengraph.ts'
import { parsePathWords, parseTitleWords } from './vocabulary.ts'

/** Facts of a page that are known before it is parsed. */
export interface PageContext {
  /** Absolute URL of the listing. */
  url: string
  /** ISO 3166-1 alpha-2: the country of phones without a prefix. */
  country: string
  /** ISO 4217: the currency of the portal's prices, for a page that does not state one. */
  currency: string
}

export interface ListingPage extends PageContext {
  html: string
  /** Values that the portal's plug-in found in elements that only it knows. */
  markup?: ListingFacts
}

export interface ParsedListing {
  listing: Listing
  provenance: Provenance
}

// Larger numbers are errors of the page.
const numberMax = 1e10

/** Facts that hardly anything but real estate has. */
const propertyFacts = ['squareMeters', 'rooms', 'bedrooms', 'bathrooms', 'floorText'] as const
const placeFacts = ['address', 'municipality', 'postcode', 'latitude'] as const

/**
 * Parses a page of one listing. For each field the first source wins: JSON-LD, microdata, the portal's markup,
 * OpenGraph, the words of the title, the words of the URL. Null if the page is not about real estate: it has no fact
 * that only real estate has (books and tickets have a price and a place too), or none of price, size, rooms, address
 * and coordinates. Never throws.
 */
export function parseListing(page: ListingPage): ParsedListing | null {
  const nodes = findListingNodes(parseJsonLdBlocks(page.html), page.url)
  const jsonLd = nodes === null ? {} : parseJsonLdFacts(nodes, page.url)
  const microdataNodes = parseMicrodataNodes(page.html, page.url)
  const microdata = microdataNodes === null ? {} : parseJsonLdFacts(microdataNodes, page.url)
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
  // Words add only these two facts. Most pages state both elsewhere, and parsing words takes time.
  if (!isStated('operation') || !isStated('propertyType'))
    sources.push(
      ['text', parseTitleWords(title ?? '')],
      ['url', parsePathWords(URL.parse(page.url)?.pathname ?? '')],
    )
  const isProperty =
    Object.keys(page.markup ?? {}).length > 0 ||
    [nodes, microdataNodes].some(found => found !== null && arePropertyNodes(found)) ||
    propertyFacts.some(isStated) ||
    // A word may be part of a name: House of Leaves is a book, but it has neither a place nor an operation.
    (isStated('propertyType') && (isStated('operation') || placeFacts.some(isStated)))
  return isProperty ? mergeFacts(page, sources) : null
}

/** Merges the facts of several sources, the most trusted first. Null if they do not describe a property. */
export function mergeFacts(
  context: PageContext,
  sources: readonly [Source, ListingFacts][],
): ParsedListing | null {
  const provenance: Provenance = {}
  const findSourceIndex = (name: keyof ListingFacts) =>
    sources.findIndex(
      ([, facts]) => isUsable(facts[name]) && !(name === 'municipality' && isParishOnly(facts)),
    )
  /**
   * The value of the first source that has it. `whole` is the fact that it belongs to (the price for a currency): null
   * if an earlier source has `whole`.
   */
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

function isParishOnly({ municipality }: ListingFacts): boolean {
  return municipality !== undefined && parseMunicipality(municipality) === null
}

function isUsable(value: ListingFacts[keyof ListingFacts]): boolean {
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
    // Amount and currency come from the same source.
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
    // Latitude and longitude come from the same source.
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
