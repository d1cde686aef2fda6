/** What the API takes, answers and tells by webhook. Made from openapi.json by `npm run generate`. */

export type WebhookEvent =
  | ExtractionStartedEvent
  | ExtractionProgressEvent
  | ExtractionCompletedEvent
  | ExtractionFailedEvent
  | ExtractionCancelledEvent
  | LeadsImportedEvent
  | LeadPriceChangedEvent
  | LeadWithdrawnEvent
  | LeadDeletedEvent

export interface Operations {
  /** The current workspace, key and usage. */
  getMe: {
    reply: Me
  }
  /** The portals, and how each is doing. */
  listPlatforms: {
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Platform[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** What a portal can be searched by. */
  getPlatformFilters: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    reply: PlatformFilters
  }
  /** Locations of a portal, the best first. */
  searchPlatformLocations: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    query?: {
      /** What was typed so far, accents and small mistakes forgiven. Without it, the first locations there are. */
      q?: string
      /** Only those inside this location of the portal. */
      parentId?: string
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Location[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Check filters before an extraction, and how much they would find. */
  validatePlatformFilters: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    /** As `filters` in the start of an extraction. */
    body: Record<string, unknown>
    reply: FilterValidation
  }
  /** Start an extraction. */
  startExtraction: {
    body: NewExtraction
    reply: Extraction
  }
  /** Extractions, the newest first. */
  listExtractions: {
    query?: {
      /** Only those in this state. */
      status?: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
      /** Only those of this portal. */
      platform?: string
      /** Only those that this campaign started. */
      campaignId?: string
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Extraction[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** An extraction and its progress. */
  getExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    query?: {
      /** Answer when it has ended, or after so many seconds, whatever comes first. */
      waitSeconds?: number
    }
    reply: Extraction
  }
  /** The leads that an extraction brought or met again. */
  listExtractionLeads: {
    params: {
      /** The extraction. */
      id: string
    }
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Lead[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Cancel an extraction. */
  cancelExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    reply: Extraction
  }
  /** Go on with an extraction that failed or was cancelled. */
  retryExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    reply: Extraction
  }
  /** Leads, newest first. */
  listLeads: {
    query?: {
      /** Searches name, phone, address, title and description. */
      q?: string
      status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
      /** Found on this portal. */
      platform?: string
      /** Belongs to this campaign. */
      campaignId?: string
      /** Found by this extraction. */
      extractionId?: string
      /** Carries this tag. */
      tag?: string
      /** Looked after by this user. */
      ownerUserId?: string
      /** Who advertises. */
      advertiserType?: 'private' | 'agency'
      operation?: 'sale' | 'rent'
      propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
      minPrice?: number
      maxPrice?: number
      /** Town, upper and lower case alike. */
      municipality?: string
      /** Area as `west,south,east,north` in degrees. */
      bbox?: string
      /** With a valid phone, or without. */
      hasPhone?: boolean
      /** Created after. ISO 8601, UTC. */
      createdAfter?: string
      /** Changed after. ISO 8601, UTC. */
      updatedAfter?: string
      sort?: '-createdAt' | '-updatedAt' | 'price' | '-price'
      /** Whether to count all leads that fit, up to 10,000. */
      count?: boolean
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Lead[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
      count: {
        /** How many leads fit, at most 10,000. */
        value: number
        /** False: there are more. */
        isExact: boolean
      } | null
    }
  }
  /** A lead. */
  getLead: {
    params: {
      /** The lead. */
      id: string
    }
    reply: Lead
  }
  /** Delete a lead. */
  deleteLead: {
    params: {
      /** The lead. */
      id: string
    }
    reply: undefined
  }
  /** Notes of a lead, newest first. */
  listNotes: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Note[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Write a note. */
  createNote: {
    params: {
      /** The lead. */
      id: string
    }
    body: NewNote
    reply: Note
  }
  /** A note. */
  getNote: {
    params: {
      /** The lead. */
      id: string
      /** The note. */
      noteId: string
    }
    reply: Note
  }
  /** Change a note. */
  updateNote: {
    params: {
      /** The lead. */
      id: string
      /** The note. */
      noteId: string
    }
    body: NewNote
    reply: Note
  }
  /** Delete a note. */
  deleteNote: {
    params: {
      /** The lead. */
      id: string
      /** The note. */
      noteId: string
    }
    reply: undefined
  }
  /** Subscribe to events. */
  createWebhook: {
    body: NewWebhook
    reply: CreatedWebhook
  }
  /** Subscriptions, newest first. */
  listWebhooks: {
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Webhook[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** A subscription. */
  getWebhook: {
    params: {
      /** The subscription. */
      id: string
    }
    reply: Webhook
  }
  /** End a subscription. */
  deleteWebhook: {
    params: {
      /** The subscription. */
      id: string
    }
    reply: undefined
  }
}

export interface Me {
  workspace: {
    /** The workspace. */
    id: string
    name: string
    slug: string
    /** IANA name. */
    timezone: string
    /** ISO 3166-1 alpha-2. */
    country: string
    /** ISO 4217. */
    currency: string
    plan: string
  }
  key: Key
  usage: {
    period: {
      /** First moment of the month, in the time zone of the workspace. ISO 8601, UTC. */
      start: string
      /** First moment of the next. ISO 8601, UTC. */
      end: string
    }
    quotas: {
      name:
        | 'maxExtractionsPerMonth'
        | 'maxLeadsPerMonth'
        | 'maxMessagesPerMonth'
        | 'maxValuationsPerMonth'
        | 'maxFichasPerMonth'
      /** Null: unlimited. */
      limit: number | null
      used: number
      remaining: number | null
      /** Renewed. ISO 8601, UTC. */
      resetsAt: string
    }[]
    rateLimit: {
      /** Requests in the window. */
      limit: number
      windowSeconds: number
    }
  }
}

export interface Key {
  /** The key. */
  id: string
  name: string
  environment: 'live' | 'test'
  /** Empty: full access. */
  scopes: string[]
  /** How its value begins. */
  prefix: string
  /** How its value ends. */
  last4: string
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** The user who created it. */
  createdBy: string | null
  /** When it stops working. ISO 8601, UTC. */
  expiresAt: string | null
  /** Last used, to the minute. ISO 8601, UTC. */
  lastUsedAt: string | null
  /** When it was revoked. ISO 8601, UTC. */
  revokedAt: string | null
}

export interface Platform {
  /** Names the portal in paths and bodies. */
  id: string
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** Of its adverts, BCP 47. */
  language: string
  capabilities: {
    /** Whether `POST /extractions` reads it. */
    extract: boolean
    /** Whether its filters can be checked beforehand. */
    validate: boolean
    /** Whether campaigns read it. */
    campaign: boolean
    /** Whether sheets are made of its adverts. */
    ficha: boolean
  }
  operations: ('sale' | 'rent')[]
  propertyTypes: ('homes' | 'offices' | 'premises' | 'garages')[]
  /** The filters that it honours. */
  filterKeys: string[]
  /** `degraded`: its last run failed within the hour, or it has asked for rest and is read slowly; `unconfigured`: it has no address, or no credentials, in the key's environment. */
  status: 'available' | 'degraded' | 'unconfigured'
}

export interface PlatformFilters {
  platform: string
  /** Another one as soon as anything of the schema is. */
  version: string
  required: string[]
  /** JSON Schema 2020-12, the very one that filters are held against. */
  schema: Record<string, unknown>
  filters: FilterField[]
}

export interface FilterField {
  key: string
  /** For people. */
  label: string
  /** JSON type of the value. */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  required: boolean
  description: string | null
  /** What holds if it is left out; null: nothing is narrowed. */
  default: string | number | boolean | unknown[] | {} | null
  examples: unknown[]
  /** The values to choose from, of an array for each of its items; null: any of the type. */
  options:
    | {
        value: string | number
        label: string
      }[]
    | null
  minimum: number | null
  maximum: number | null
  maxItems: number | null
  maxLength: number | null
}

export interface Location {
  /** The portal's own: goes into `filters.location.id`. */
  id: string
  /** For people: goes into `filters.location.label`. */
  label: string
  type: 'country' | 'region' | 'province' | 'municipality'
  /** The nearest location around it that the portal has. */
  parentId: string | null
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
}

export interface FilterValidation {
  /** Whether an extraction would be accepted with these filters. */
  valid: boolean
  /** What makes them invalid, all at once. */
  errors: {
    /** JSON pointer into the filters; empty: all of them together. */
    path: string
    code: string
    message: string
  }[]
  /** What is allowed and hardly meant, or can not be told. */
  warnings: {
    /** JSON pointer into the filters; empty: all of them together. */
    path: string
    code: string
    message: string
  }[]
  /** With defaults filled in; null if they are invalid. */
  normalizedFilters: Record<string, unknown> | null
  /** Where the portal is asked first; null if they are invalid or the portal is unconfigured. */
  searchUrl: string | null
  /** The portal's own count, as of now; null if it tells none: `warnings` say why. */
  expectedResults: number | null
}

export interface NewExtraction {
  /** The portal to extract from. */
  platform: 'portal_a' | 'portal_b' | 'portal_c' | 'portal_d' | 'portal_e' | 'portal_f' | 'portal_g'
  /** The portal's own filters. */
  filters: Record<string, unknown>
  /** A hard cap on leads. */
  maxResults?: number
  options?: {
    /** Read each advert's own page; without it a lead has what the search page shows. */
    includeDetails?: boolean
    /** Whose adverts. */
    advertiserType?: 'private' | 'agency' | 'any'
    /** Only adverts of the last days. */
    publishedWithinDays?: number
    /** Only adverts that are new or have changed since the last run with the same filters; those that vanished meanwhile are noticed if the run was shown every advert of the search. */
    incremental?: boolean
    /** Whether a known lead takes over what has changed in its advert. */
    updateExisting?: boolean
    /**
     * Put on new leads.
     *
     * @maxItems 50
     */
    tags?: string[]
  }
}

export interface Extraction {
  /** The extraction. */
  extractionId: string
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  platform: string
  filters: Record<string, unknown>
  maxResults: number
  options: {
    /** Read each advert's own page; without it a lead has what the search page shows. */
    includeDetails?: boolean
    /** Whose adverts. */
    advertiserType?: 'private' | 'agency' | 'any'
    /** Only adverts of the last days; null: of any age. */
    publishedWithinDays: number | null
    /** Only adverts that are new or have changed since the last run with the same filters; those that vanished meanwhile are noticed if the run was shown every advert of the search. */
    incremental?: boolean
    /** Whether a known lead takes over what has changed in its advert. */
    updateExisting?: boolean
    /**
     * Put on new leads.
     *
     * @maxItems 50
     */
    tags?: string[]
  }
  /** The campaign that started it. */
  campaignId: string | null
  environment: 'live' | 'test'
  outcome: ('full' | 'partial') | null
  progress: {
    /** Search pages read. */
    pagesFetched: number
    /** Adverts met on them. */
    listingsFound: number
    /** Adverts understood. */
    listingsRead: number
    /** New leads. */
    leadsCreated: number
    /** Known leads whose advert has changed. */
    leadsUpdated: number
    /** Adverts that brought nothing new. */
    duplicates: number
    /** Adverts left out; skippedByReason tells why. */
    skipped: number
    /** Adverts that could not be read. */
    failed: number
    percent: number
  }
  skippedByReason: Record<string, number>
  error: {
    code:
      | 'BLOCKED'
      | 'LAYOUT_CHANGED'
      | 'ROBOTS_DISALLOWED'
      | 'PORTAL_UNAVAILABLE'
      | 'CREDENTIALS_INVALID'
      | 'TIMEOUT'
      | 'INTERNAL'
    message: string
  } | null
  /** Asked for. ISO 8601, UTC. */
  createdAt: string
  /** Begun. ISO 8601, UTC. */
  startedAt: string | null
  /** Ended. ISO 8601, UTC. */
  finishedAt: string | null
}

export interface Lead {
  /** The lead. */
  id: string
  status: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  contact: {
    /** Name in the advert. */
    name: string | null
    /** E.164; null if the advert shows none that is valid. */
    phone: string | null
    /** As written in the advert. */
    phoneRaw: string | null
    /** Address in the advert. */
    email: string | null
    advertiserType: ('private' | 'agency') | null
  }
  property: {
    operation: ('sale' | 'rent') | null
    propertyType: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** Title of the advert. */
    title: string | null
    /** Text of the advert. */
    description: string | null
    /** Major units of `currency`; per month for rent. */
    price: number | null
    /** ISO 4217. */
    currency: string | null
    /** Floor area. */
    squareMeters: number | null
    /** Rooms. */
    rooms: number | null
    /** Bedrooms. */
    bedrooms: number | null
    /** Bathrooms. */
    bathrooms: number | null
    /** Floor; `0` is the ground floor. */
    floor: string | null
    condition: ('new' | 'good' | 'to_renovate') | null
    /** What the advert says is there; a missing name means "not stated". */
    features: string[]
    /** Street and number. */
    address: string | null
    /** Town. */
    municipality: string | null
    /** Province. */
    province: string | null
    /** Postcode. */
    postcode: string | null
    /** Degrees, WGS 84. */
    latitude: number | null
    /** Degrees, WGS 84. */
    longitude: number | null
    /** Addresses of the photos. */
    images: string[]
    /** Address of the advert. */
    url: string | null
    /** When it was advertised. ISO 8601, UTC. */
    publishedAt: string | null
  }
  /** Every price seen, oldest first. */
  priceHistory: {
    price: number
    /** When this price was first seen. ISO 8601, UTC. */
    at: string
  }[]
  /** Where it was found: the provenance of what is known of a person. */
  sources: {
    /** The portal. */
    platform: string
    /** The portal's id of the advert. */
    listingId: string
    url: string
    /** The extraction that found it. */
    extractionId: string | null
    /** The campaign that found it. */
    campaignId: string | null
    /** First seen. ISO 8601, UTC. */
    firstSeenAt: string
    /** Last seen. ISO 8601, UTC. */
    lastSeenAt: string
    /** When its portal no longer had it. ISO 8601, UTC. */
    withdrawnAt: string | null
  }[]
  /** The campaign it belongs to. */
  campaignId: string | null
  /** The user who looks after it. */
  ownerUserId: string | null
  tags: string[]
  customFields: Record<string, unknown>
  contactability: {
    /** Whether this person may be written to. */
    allowed: boolean
    /** Why not. */
    reason: string | null
    /** The recorded basis for contacting the person. */
    lawfulBasis: string | null
    /** When consent was given. ISO 8601, UTC. */
    consentAt: string | null
    /** When the person was told of the processing. ISO 8601, UTC. */
    noticeSentAt: string | null
  }
  notesCount: number
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
  /** Last written to. ISO 8601, UTC. */
  lastContactedAt: string | null
  /** Last answer. ISO 8601, UTC. */
  lastReplyAt: string | null
}

export interface Note {
  /** The note. */
  id: string
  /** Its text; not blank. */
  body: string
  /** Who wrote it; null if it was a key of nobody in particular. */
  authorUserId: string | null
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
  /** When its text was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface NewNote {
  /** Its text; not blank. */
  body: string
}

export interface NewWebhook {
  /** Where to send them. */
  url: string
  /**
   * Kinds of events to be told of; `*` is all of them.
   *
   * @minItems 1
   * @maxItems 50
   */
  events?: (
    | '*'
    | 'extraction.started'
    | 'extraction.progress'
    | 'extraction.completed'
    | 'extraction.failed'
    | 'extraction.cancelled'
    | 'leads.imported'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.deleted'
  )[]
  /** For people. */
  description?: string | null
}

export interface CreatedWebhook {
  /** The subscription. */
  id: string
  url: string
  events: string[]
  /** For people. */
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
  /** Verifies signatures. Shown this once. */
  secret: string
}

export interface Webhook {
  /** The subscription. */
  id: string
  url: string
  events: string[]
  /** For people. */
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface Problem {
  statusCode: number
  /** Stable, for programs. */
  code: string
  /** For people: what is wrong and what to do. */
  message: string
  /** Name it when you ask for help. */
  requestId: string
  errors?: {
    /** JSON pointer into the body, or `/name` of a parameter. */
    path: string
    code: string
    message: string
  }[]
}

/** An extraction began. */
export interface ExtractionStartedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'extraction.started'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
  }
}

/** An extraction goes on: told every ten seconds at most. */
export interface ExtractionProgressEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'extraction.progress'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
    progress: {
      /** Search pages read. */
      pagesFetched: number
      /** Adverts met on them. */
      listingsFound: number
      /** Adverts understood. */
      listingsRead: number
      /** New leads. */
      leadsCreated: number
      /** Known leads whose advert has changed. */
      leadsUpdated: number
      /** Adverts that brought nothing new. */
      duplicates: number
      /** Adverts left out; skippedByReason tells why. */
      skipped: number
      /** Adverts that could not be read. */
      failed: number
      percent: number
    }
  }
}

/** An extraction ended well. */
export interface ExtractionCompletedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'extraction.completed'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
    outcome: 'full' | 'partial'
    progress: {
      /** Search pages read. */
      pagesFetched: number
      /** Adverts met on them. */
      listingsFound: number
      /** Adverts understood. */
      listingsRead: number
      /** New leads. */
      leadsCreated: number
      /** Known leads whose advert has changed. */
      leadsUpdated: number
      /** Adverts that brought nothing new. */
      duplicates: number
      /** Adverts left out; skippedByReason tells why. */
      skipped: number
      /** Adverts that could not be read. */
      failed: number
      percent: number
    }
    skippedByReason: Record<string, number>
  }
}

/** An extraction failed; what it had read until then is kept. */
export interface ExtractionFailedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'extraction.failed'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
    outcome: ('full' | 'partial') | null
    error: {
      code:
        | 'BLOCKED'
        | 'LAYOUT_CHANGED'
        | 'ROBOTS_DISALLOWED'
        | 'PORTAL_UNAVAILABLE'
        | 'CREDENTIALS_INVALID'
        | 'TIMEOUT'
        | 'INTERNAL'
      message: string
    }
    progress: {
      /** Search pages read. */
      pagesFetched: number
      /** Adverts met on them. */
      listingsFound: number
      /** Adverts understood. */
      listingsRead: number
      /** New leads. */
      leadsCreated: number
      /** Known leads whose advert has changed. */
      leadsUpdated: number
      /** Adverts that brought nothing new. */
      duplicates: number
      /** Adverts left out; skippedByReason tells why. */
      skipped: number
      /** Adverts that could not be read. */
      failed: number
      percent: number
    }
  }
}

/** An extraction was cancelled; what it had read until then is kept. */
export interface ExtractionCancelledEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'extraction.cancelled'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
    progress: {
      /** Search pages read. */
      pagesFetched: number
      /** Adverts met on them. */
      listingsFound: number
      /** Adverts understood. */
      listingsRead: number
      /** New leads. */
      leadsCreated: number
      /** Known leads whose advert has changed. */
      leadsUpdated: number
      /** Adverts that brought nothing new. */
      duplicates: number
      /** Adverts left out; skippedByReason tells why. */
      skipped: number
      /** Adverts that could not be read. */
      failed: number
      percent: number
    }
  }
}

/** A batch of leads came in. */
export interface LeadsImportedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'leads.imported'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The extraction that brought them. */
    extractionId: string | null
    /** The portal they were found on. */
    platform: string | null
    /** Leads that are new, in the whole batch. */
    created: number
    /** Leads that were known and have changed, in the whole batch. */
    updated: number
    /** New and changed leads, at most 1000 in an event. */
    leadIds: string[]
    /** Which part of the batch this event tells. */
    part: number
    /** How many events tell the batch. */
    parts: number
  }
}

/** The price in the advert of a lead has changed. */
export interface LeadPriceChangedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'lead.price_changed'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the advert. */
    platform: string
    /** The portal's id of the advert. */
    listingId: string
    /** Major units of the currency. */
    previousPrice: number
    /** Major units of the currency. */
    price: number
    /** ISO 4217. */
    currency: string | null
  }
}

/** The property of a lead is advertised nowhere any more. */
export interface LeadWithdrawnEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'lead.withdrawn'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the advert. */
    platform: string
    /** The portal's id of the advert. */
    listingId: string
  }
}

/** A lead was deleted. */
export interface LeadDeletedEvent {
  /** The event; the same in every attempt. */
  id: string
  type: 'lead.deleted'
  timestamp: string
  environment: 'live' | 'test'
  workspaceId: string
  data: {
    /** The lead that was. */
    leadId: string
  }
}

/** Below the base address, before every path. */
export const apiPrefix = '/public/v1'

/** Where each operation is found. */
export const operations = {
  getMe: { method: 'GET', path: '/me' },
  listPlatforms: { method: 'GET', path: '/platforms' },
  getPlatformFilters: { method: 'GET', path: '/platforms/{platform}/filters' },
  searchPlatformLocations: { method: 'GET', path: '/platforms/{platform}/locations' },
  validatePlatformFilters: { method: 'POST', path: '/platforms/{platform}/validate' },
  startExtraction: { method: 'POST', path: '/extractions' },
  listExtractions: { method: 'GET', path: '/extractions' },
  getExtraction: { method: 'GET', path: '/extractions/{id}' },
  listExtractionLeads: { method: 'GET', path: '/extractions/{id}/leads' },
  cancelExtraction: { method: 'POST', path: '/extractions/{id}/cancel' },
  retryExtraction: { method: 'POST', path: '/extractions/{id}/retry' },
  listLeads: { method: 'GET', path: '/leads' },
  getLead: { method: 'GET', path: '/leads/{id}' },
  deleteLead: { method: 'DELETE', path: '/leads/{id}' },
  listNotes: { method: 'GET', path: '/leads/{id}/notes' },
  createNote: { method: 'POST', path: '/leads/{id}/notes' },
  getNote: { method: 'GET', path: '/leads/{id}/notes/{noteId}' },
  updateNote: { method: 'PATCH', path: '/leads/{id}/notes/{noteId}' },
  deleteNote: { method: 'DELETE', path: '/leads/{id}/notes/{noteId}' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>
