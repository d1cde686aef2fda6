/** What the API takes, answers and tells by webhook. Made from openapi.json by `npm run generate`. */

export type WebhookEvent =
  | ExtractionStartedEvent
  | ExtractionCompletedEvent
  | ExtractionFailedEvent
  | LeadsImportedEvent

export interface Operations {
  /** The current workspace, key and usage. */
  getMe: {
    reply: Me
  }
  /** Start an extraction. */
  startExtraction: {
    body: NewExtraction
    reply: Extraction
  }
  /** An extraction and its progress. */
  getExtraction: {
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

export interface NewExtraction {
  /** The portal to extract from. */
  platform: 'portal_a'
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
  options: Record<string, unknown>
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

export interface NewWebhook {
  /** Where to send them. */
  url: string
  /**
   * Kinds of events to be told of; `*` is all of them.
   *
   * @minItems 1
   * @maxItems 50
   */
  events?: ('*' | 'extraction.started' | 'extraction.completed' | 'extraction.failed' | 'leads.imported')[]
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

/** Below the base address, before every path. */
export const apiPrefix = '/public/v1'

/** Where each operation is found. */
export const operations = {
  getMe: { method: 'GET', path: '/me' },
  startExtraction: { method: 'POST', path: '/extractions' },
  getExtraction: { method: 'GET', path: '/extractions/{id}' },
  listLeads: { method: 'GET', path: '/leads' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>
