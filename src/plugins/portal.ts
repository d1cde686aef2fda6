/**
 * The contract of a portal: plain data and pure functions, so that a portal can be listed, documented and tested in a
 * loop.
 */
import type { Static, TObject } from 'typebox'
import type { Operation, PropertyType } from '../domain/listing/listing.ts'
import type { ParsedListing } from '../domain/listing/parse-listing.ts'
import type { PageListing } from '../domain/listing/reader/page-listing.ts'
import type { Place, PlaceCountry, PlaceType } from '../domain/location/place.ts'

export interface PortalDefinition<
  Filters extends TObject = TObject,
  Search = PagedSearch<Static<Filters>> | FeedSearch<Static<Filters>>,
> {
  /** Lower-case identifier in paths and bodies. */
  id: string
  name: string
  /** ISO 3166-1 alpha-2. Phone numbers without a prefix are of this country too. */
  country: PlaceCountry
  /** Language of its pages, BCP 47. */
  language: string
  /** Currency of its prices, ISO 4217. */
  currency: string
  /** Time zone of its dates, an IANA name. */
  timezone: string
  /**
   * `extract`: `POST /extractions` can read it; `validate`: filters can be validated and results counted; `campaign`:
   * campaigns can read it; `ficha`: property sheets can be made from its listings.
   */
  capabilities: { extract: boolean; validate: boolean; campaign: boolean; ficha: boolean }
  operations: readonly Operation[]
  propertyTypes: readonly PropertyType[]
  /** Paths of listings on this portal, with a named group `listingId`. */
  listingPath: RegExp
  /** A path that `listingPath` matches, for error messages. */
  listingExample?: string
  /** Schema of `filters`, for validation and documentation. It must refuse unknown keys. */
  filters: Filters
  locations: PortalLocations
  /**
   * How it authenticates clients; absent: it needs no credentials. The credentials come from the operator's
   * configuration.
   */
  authentication?: Authentication
  /** Limits for all processes together. */
  politeness: { requestsPerSecond: number; concurrency: number; requestsPerHour?: number }
  search: Search
  /** The detail pages of listings; null: the search returns all facts. */
  details: DetailReader | null
}

/** Maps places of the gazetteer to the portal's ids. */
export interface PortalLocations {
  countries: readonly PlaceCountry[]
  types: readonly PlaceType[]
  /** The portal's unique id of a place; null if it has none. */
  toPortalId(place: SearchPlace): string | null
}

export interface SearchPlace extends Place {
  /** Its province; the place itself if it is one; null for larger places. */
  province: Place | null
  /** True if a more populous place of this type and country has the same name. */
  isNamesake: boolean
}

/**
 * `oauth2`: client credentials (RFC 6749, section 4.4) at `tokenPath`, id and secret sent as HTTP Basic; `bearer`: a
 * fixed token. The operator writes them into the portal's address: `https://id:secret@host`, `https://:token@host`.
 */
export type Authentication = { kind: 'oauth2'; tokenPath: string; scope?: string } | { kind: 'bearer' }

/** A request to a portal. Plain JSON, because the extraction stores it in its cursor. */
export interface PortalRequest {
  /** Path and query, or an absolute URL of the portal's origin. */
  path: string
  /** Sent by POST as `application/x-www-form-urlencoded`. The request must be safe to repeat. */
  form?: Record<string, string>
  /** The `Accept` header; default: a web page. */
  accept?: string
}

/** The decoded reply of the portal. */
export interface PortalDocument {
  text: string
  /** The absolute URL of the reply, after redirects. */
  url: string
}

/** The context of a search, beside its filters. */
export interface SearchContext {
  /** The place of `filters.location`. */
  place: Place
  /** In an incremental run: start of the last run that covered everything, ISO 8601. Using it is optional. */
  since: string | null
}

/** A search with pages: web pages, JSON, sitemaps, alerts. */
export interface PagedSearch<Filters> {
  kind: 'pages'
  /**
   * What the pages of a search contain together. `all`: every listing of the search. `changes`: the same, but with
   * `since` only what changed after it. `latest`: only the newest, so that a missing listing means nothing.
   */
  coverage: 'all' | 'changes' | 'latest'
  /** `facts`: a card has enough facts for a lead. `addresses`: a card only has the address of the listing. */
  cards: 'facts' | 'addresses'
  /** The first page. */
  start(filters: Filters, context: SearchContext): PortalRequest
  /** Parses a page of the search. Never throws. */
  read(page: PortalDocument, filters: Filters, context: SearchContext): SearchPageReading
}

/** A search in one streamed document that holds every listing of the portal; `matches` filters it. */
export interface FeedSearch<Filters> {
  kind: 'feed'
  request(filters: Filters, context: SearchContext): PortalRequest
  /** Creates a parser for the document at `url`. Its text arrives in chunks, cut at any character. */
  createReader(url: string): FeedReader
  /** True if a listing of the feed matches the filters. */
  matches(card: FactsCard, filters: Filters, context: SearchContext): boolean
}

export interface FeedReader {
  /** Returns the listings that this chunk of text completes. Never throws. */
  push(text: string): FeedItem[]
  /** Call it after the last chunk. Returns null if the document was complete. */
  end(): UnreadablePage | null
}

/** A listing of a feed. `card` is null if it could not be parsed. */
export type FeedItem = { listingId: string; card: FactsCard | null }
/** A card with the facts of its listing. */
export type FactsCard = Card & ParsedListing

/** Why a page could not be parsed: a robot check, a login, or an unknown layout. */
export interface UnreadablePage {
  kind: 'unreadable'
  reason: 'challenge' | 'layout' | 'login'
  /** What was missing, for the log. */
  detail: string
}

export type SearchPageReading =
  | {
      kind: 'page'
      /** The portal's count for the whole search; null if the page has none. */
      total: number | null
      cards: Card[]
      /** Ids of listings that the page reports as gone. */
      withdrawnIds?: string[]
      /** Further requests of the search, in order: the next page, or the parts of an index. Empty at the end. */
      next: PortalRequest[]
    }
  | UnreadablePage

/** One listing on a page of results. */
export interface Card extends Partial<ParsedListing> {
  listingId: string
  /** Path of the detail page, or an absolute URL of the same origin. */
  path: string
  /** When the listing last changed, ISO 8601, if the portal states it. */
  changedAt?: string | null
}

export interface DetailReader {
  /** The request for the facts of the detail page; default: the card's path. */
  request?(card: Card): PortalRequest
  /** Parses the detail page of a listing. Never throws. */
  read(page: PortalDocument): ListingReading
  /**
   * The same, from what the general reader finds on the page; null: no listing. For definitions that stand on that
   * reader, so that a page is not parsed twice.
   */
  fromGeneral?(page: PortalDocument, general: PageListing | null): ListingReading
  /** Facts that need a second request, such as a phone number. */
  followUp?: FollowUp
}

export interface FollowUp {
  /** Null: no second request is needed. */
  request(page: PortalDocument, found: ParsedListing): PortalRequest | null
  /** Returns the listing with the facts of the reply, or unchanged if the reply cannot be parsed. Never throws. */
  read(answer: PortalDocument, found: ParsedListing): ParsedListing
}

export type ListingReading = ({ kind: 'listing' } & ParsedListing) | { kind: 'gone' } | UnreadablePage
