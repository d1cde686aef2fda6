// Any page of one advert, read into a listing that says of each value where it was found.
import { elementOf, textOf } from './html.ts'
import { findAdvertNodes, readJsonLdBlocks } from './json-ld.ts'
import { readJsonLdFacts } from './json-ld-facts.ts'
import type { Listing, ListingFacts, Provenance, Source } from './listing.ts'
import { readMicrodataFacts } from './microdata.ts'
import { readMetaTags, readOpenGraphFacts } from './opengraph.ts'
import { toE164 } from './phone.ts'
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

/**
 * Reads a page of one advert. For each field the first source that has it counts: JSON-LD, microdata, the portal's
 * markup, OpenGraph, the words of the title, those of the address. Null if the page tells of no property: not even one of
 * price, size, rooms, address or coordinates. Never throws, whatever the text.
 */
export function readListing(page: ListingPage): FoundListing | null {
  const nodes = findAdvertNodes(readJsonLdBlocks(page.html), page.url)
  const jsonLd = nodes === null ? {} : readJsonLdFacts(nodes, page.url)
  const microdata = readMicrodataFacts(page.html, page.url)
  const openGraph = readOpenGraphFacts(readMetaTags(page.html), page.url)
  const title =
    jsonLd.title ?? microdata.title ?? page.markup?.title ?? openGraph.title ?? readTitle(page.html)
  return joinFacts(page, [
    ['json-ld', jsonLd],
    ['microdata', microdata],
    ['markup', page.markup ?? {}],
    ['opengraph', openGraph],
    ['markup', title === null ? {} : { title }],
    ['text', readTitleWords(title ?? '')],
    ['url', readPathWords(URL.parse(page.url)?.pathname ?? '')],
  ])
}

/** A listing of what several sources say, the most trusted first; null if they tell of no property. */
export function joinFacts(
  context: PageContext,
  sources: readonly [Source, ListingFacts][],
): FoundListing | null {
  const facts: ListingFacts = {}
  const provenance: Provenance = {}
  for (const [source, found] of sources) add(facts, provenance, source, found)
  const told = [facts.price, facts.squareMeters, facts.rooms, facts.bedrooms, facts.address, facts.latitude]
  if (told.every(value => value === undefined)) return null
  if (facts.price !== undefined) add(facts, provenance, 'portal', { currency: context.currency })
  const phoneRaw = facts['contact.phoneRaw']
  const phone = phoneRaw === undefined ? null : toE164(phoneRaw, context.country)
  if (phone !== null && provenance['contact.phoneRaw'])
    provenance['contact.phone'] = provenance['contact.phoneRaw']
  provenance.url = 'url'
  return { listing: listingOf(facts, context.url, phone), provenance }
}

function add(facts: ListingFacts, provenance: Provenance, source: Source, found: ListingFacts): void {
  // A point is one value: latitude from one source and longitude from another would be a third place.
  const hasPoint = facts.latitude !== undefined
  // So is a price: an amount from one source is not in the currency of another.
  const hasPrice = facts.price !== undefined
  const known: Record<string, unknown> = facts
  for (const name of Object.keys(found) as (keyof ListingFacts)[]) {
    if (facts[name] !== undefined || (hasPoint && (name === 'latitude' || name === 'longitude'))) continue
    if (name === 'currency' && hasPrice && source !== 'portal') continue
    if (typeof found[name] === 'number' && !(Math.abs(found[name]) < MAX_NUMBER)) continue
    known[name] = found[name]
    provenance[name] = source
  }
}

function readTitle(html: string): string | null {
  const title = elementOf(html, 'title')
  return title === null ? null : textOf(title.inner) || null
}

function listingOf(facts: ListingFacts, url: string, phone: string | null): Listing {
  return {
    operation: facts.operation ?? null,
    propertyType: facts.propertyType ?? null,
    title: facts.title ?? null,
    description: facts.description ?? null,
    price: facts.price ?? null,
    currency: facts.currency ?? null,
    squareMeters: facts.squareMeters ?? null,
    rooms: facts.rooms ?? null,
    bedrooms: facts.bedrooms ?? null,
    bathrooms: facts.bathrooms ?? null,
    floor: facts.floor ?? null,
    condition: facts.condition ?? null,
    features: facts.features ?? [],
    address: facts.address ?? null,
    municipality: facts.municipality ?? null,
    province: facts.province ?? null,
    postcode: facts.postcode ?? null,
    latitude: facts.latitude ?? null,
    longitude: facts.longitude ?? null,
    images: facts.images ?? [],
    url,
    publishedAt: facts.publishedAt ?? null,
    contact: {
      name: facts['contact.name'] ?? null,
      phone,
      phoneRaw: facts['contact.phoneRaw'] ?? null,
      email: facts['contact.email'] ?? null,
      advertiserType: facts['contact.advertiserType'] ?? null,
    },
  }
}
