/** The contract of a portal: plain data and pure functions, so that a portal can be listed, documented and tested in a loop. */
import type { Static, TObject } from 'typebox'
import type { Operation, PropertyType } from '../domain/listing/listing.ts'
import type { ParsedListing } from '../domain/listing/parse-listing.ts'
import type { Place, PlaceCountry, PlaceType } from '../domain/location/place.ts'

export interface PortalDefinition<
  Filters extends TObject = TObject,
  Search = PagedSearch<Static<Filters>> | FeedSearch<Static<Filters>>,
> {
  /** Lower-case identifier in paths and bodies. */
  id: string
  name: string
  /** ISO 3166-1 alpha-2: also where phone numbers without a prefix belong. */
  country: PlaceCountry
  /** BCP 47, of its pages. */
  language: string
  /** ISO 4217, of its prices. */
  currency: string
  /** IANA name, of its days. */
  timezone: string
  /** `extract`: by `POST /extractions`; `campaign`: by campaigns; `ficha`: sheets are made of its listings. */
  capabilities: { extract: boolean; validate: boolean; campaign: boolean; ficha: boolean }
  operations: readonly Operation[]
  propertyTypes: readonly PropertyType[]
  /** Paths of listings on this portal, with a named group `listingId`. */
  listingPath: RegExp
  /** What `filters` may hold: the very schema that validates and documents. What is not in it is refused by name. */
  filters: Filters
  locations: PortalLocations
  /** How it knows its partners; none: it is open to everybody. The operator's secrets come with its address. */
  authentication?: Authentication
  /** At most this much of the portal's attention, all processes together. */
  politeness: { requestsPerSecond: number; concurrency: number; requestsPerHour?: number }
  search: Search
  /** The listings' own pages; null: the search tells all there is. */
  details: DetailReader | null
}

/** How the places of the gazetteer are called on this portal. */
export interface PortalLocations {
  countries: readonly PlaceCountry[]
  types: readonly PlaceType[]
  /** The portal's own id of a place, unlike that of every other; null where it has none. */
  toPortalId(place: SearchPlace): string | null
}

export interface SearchPlace extends Place {
  /** The province that it lies in, or is; null above. */
  province: Place | null
  /** Whether a more populous place of this type and country has the same name. */
  isNamesake: boolean
}

/**
 * `oauth2`: client credentials (RFC 6749, section 4.4) at `tokenPath`, id and secret sent as HTTP Basic; `bearer`: a fixed
 * token. The operator writes them into the portal's address: `https://id:secret@host`, `https://:token@host`.
 */
export type Authentication = { kind: 'oauth2'; tokenPath: string; scope?: string } | { kind: 'bearer' }

/** What to ask a portal for. It is kept with the extraction as the place to go on from, so it is plain JSON. */
export interface PortalRequest {
  /** Path and query; an absolute address of the portal's own origin is taken as well. */
  path: string
  /** Sent as `application/x-www-form-urlencoded` by POST: only what may be asked twice without harm. */
  form?: Record<string, string>
  /** Media type asked for; default a web page. */
  accept?: string
}

/** What the portal answered, as text, whatever the encoding it came in. */
export interface PortalDocument {
  text: string
  /** The absolute address that answered. */
  url: string
}

/** What a search is read with, beside its filters. */
export interface SearchContext {
  /** The place that `filters.location` names. */
  place: Place
  /** In an incremental run: when the last run began that covered everything, ISO 8601. Use it or leave it. */
  since: string | null
}

/** A search that is read page by page: web pages, JSON, sitemaps, alerts. */
export interface PagedSearch<Filters> {
  kind: 'pages'
  /**
   * `all`: who reaches the end has been shown every listing of the search; `changes`: likewise, but only what changed since
   * `since` where it was given; `latest`: the newest only, so that nothing follows from what is missing.
   */
  coverage: 'all' | 'changes' | 'latest'
  /** `facts`: a card is a listing already, enough for a lead; `addresses`: it only says where the listing is. */
  cards: 'facts' | 'addresses'
  /** The first page. */
  start(filters: Filters, context: SearchContext): PortalRequest
  /** Reads a page of the search; never throws. */
  read(page: PortalDocument, filters: Filters, context: SearchContext): SearchPageReading
}

/** A search in one document that holds every listing of the portal and is filtered here, read as it streams. */
export interface FeedSearch<Filters> {
  kind: 'feed'
  request(filters: Filters, context: SearchContext): PortalRequest
  /** Reads the document piece by piece, however it is cut. */
  open(url: string): FeedReader
  /** Whether a listing of the feed is one of those searched for. */
  matches(card: FactsCard, filters: Filters, context: SearchContext): boolean
}

export interface FeedReader {
  /** The listings that this piece of text completes; never throws. */
  push(text: string): FeedItem[]
  /** After the last piece: null if the document was whole. */
  end(): UnreadablePage | null
}

/** A listing of a feed; without `card` it could not be understood. */
export type FeedItem = { listingId: string; card: FactsCard | null }
/** A card that is a listing already. */
export type FactsCard = Card & ParsedListing

/** Why a page could not be read: a robot check, a login, or a layout that the definition does not know. */
export interface UnreadablePage {
  kind: 'unreadable'
  reason: 'challenge' | 'layout' | 'login'
  /** For the log: what was missing. */
  detail: string
}

export type SearchPageReading =
  | {
      kind: 'page'
      /** The portal's own count for the whole search; null if this page does not tell it. */
      total: number | null
      cards: Card[]
      /** Listings that the page says are gone. */
      withdrawnIds?: string[]
      /** What else belongs to the search, in order: the next page, or the parts of an index. Empty at the end. */
      next: PortalRequest[]
    }
  | UnreadablePage

/** One listing on a page of results. */
export interface Card extends Partial<ParsedListing> {
  listingId: string
  /** Path of the listing's own page, or an absolute address of the same origin. */
  path: string
  /** When the listing last changed, if the portal says so, ISO 8601. */
  changedAt?: string | null
}

export interface DetailReader {
  /** Where what the listing's own page says is asked for; default the card's path. */
  request?(card: Card): PortalRequest
  /** Reads the page of one listing; never throws. */
  read(page: PortalDocument): ListingReading
  /** What the portal gives on a second request, such as a phone number. */
  followUp?: FollowUp
}

export interface FollowUp {
  /** Null: nothing more to ask for. */
  request(page: PortalDocument, found: ParsedListing): PortalRequest | null
  /** The listing with what the answer adds to it; as it was, if the answer was not understood. Never throws. */
  read(answer: PortalDocument, found: ParsedListing): ParsedListing
}

export type ListingReading = ({ kind: 'listing' } & ParsedListing) | { kind: 'gone' } | UnreadablePage
