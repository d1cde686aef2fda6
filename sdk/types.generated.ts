/** What the API takes, answers and tells by webhook. Made from openapi.json by `npm run generate`. */

export type WebhookEvent =
  | QuotaThresholdReachedEvent
  | ExtractionStartedEvent
  | ExtractionProgressEvent
  | ExtractionCompletedEvent
  | ExtractionFailedEvent
  | ExtractionCancelledEvent
  | LeadsImportedEvent
  | LeadCreatedEvent
  | LeadUpdatedEvent
  | LeadPriceChangedEvent
  | LeadWithdrawnEvent
  | LeadOptedOutEvent
  | LeadDeletedEvent
  | ValuationCreatedEvent
  | WebhookDisabledEvent
  | WebhookTestEvent

export interface Operations {
  /** The current workspace, key and usage, and what somebody should look at. */
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
  /** Watch an extraction: its progress as it happens. */
  watchExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    event:
      | {
          event: 'progress'
          data: Extraction
          id?: string
        }
      | {
          event: 'end'
          data: Extraction
          id?: string
        }
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
      /** With this external id. */
      externalId?: string
      /** In this status, or in one of several by commas: new, contacted, replied, qualified, won, lost, discarded. */
      status?: string
      /** Found on this portal, or on one of several by commas. */
      platform?: string
      /** Belongs to this campaign. */
      campaignId?: string
      /** Found by this extraction. */
      extractionId?: string
      /** Carries this tag, or one of several by commas. */
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
      /** Province, upper and lower case alike. */
      province?: string
      /** Area as `west,south,east,north` in degrees. */
      bbox?: string
      /** With a valid phone, or without. */
      hasPhone?: boolean
      /** Whether it was advertised and no portal has an advert of it any more; false: all others, those that never were among them. */
      withdrawn?: boolean
      /** Created after. ISO 8601, UTC. */
      createdAfter?: string
      /** Changed after. ISO 8601, UTC. */
      updatedAfter?: string
      sort?: '-createdAt' | '-updatedAt' | 'updatedAt' | 'price' | '-price'
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
  /** Write a lead. */
  createLead: {
    body: NewLead
    reply: Lead
  }
  /** Change many leads. */
  updateLeads: {
    body: BulkChange
    reply: LeadOperation
  }
  /** Delete many leads. */
  deleteLeads: {
    body: BulkDeletion
    reply: LeadOperation
  }
  /** A lead. */
  getLead: {
    params: {
      /** The lead. */
      id: string
    }
    reply: Lead
  }
  /** Change a lead. */
  updateLead: {
    params: {
      /** The lead. */
      id: string
    }
    body: LeadChanges
    reply: Lead
  }
  /** Delete a lead. */
  deleteLead: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** Whether to erase the person everywhere (art. 17 GDPR): every lead with the same telephone, e-mail address or chat, and all that tells of them. Nobody is followed by what stands on a lead of an agency, or on more than 20 leads: of an agency, this lead goes alone. */
      erase?: boolean
    }
    reply: undefined
  }
  /** Create or change a lead by its external id. */
  upsertLead: {
    params: {
      /** The external id, percent-encoded: `a/b` is `a%2Fb`. */
      externalId: string
    }
    body: UpsertedLead
    reply: Lead
  }
  /** A lead by its external id. */
  getLeadByExternalId: {
    params: {
      /** The external id, percent-encoded: `a/b` is `a%2Fb`. */
      externalId: string
    }
    reply: Lead
  }
  /** Delete a lead by its external id. */
  deleteLeadByExternalId: {
    params: {
      /** The external id, percent-encoded: `a/b` is `a%2Fb`. */
      externalId: string
    }
    query?: {
      /** Whether to erase the person everywhere (art. 17 GDPR): every lead with the same telephone, e-mail address or chat, and all that tells of them. Nobody is followed by what stands on a lead of an agency, or on more than 20 leads: of an agency, this lead goes alone. */
      erase?: boolean
    }
    reply: undefined
  }
  /** Create or change many leads. */
  writeLeads: {
    body: LeadBatch
    reply: LeadBatchResult
  }
  /** How far a change of many leads is. */
  getLeadOperation: {
    params: {
      /** The operation. */
      operationId: string
    }
    reply: LeadOperation
  }
  /** Cancel a change of many leads. */
  cancelLeadOperation: {
    params: {
      /** The operation. */
      operationId: string
    }
    reply: LeadOperation
  }
  /** What happened to a lead, newest first. */
  getLeadTimeline: {
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
      data: TimelineItem[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Make another lead one with this. */
  mergeLead: {
    params: {
      /** The lead. */
      id: string
    }
    body: MergeRequest
    reply: Merge
  }
  /** Part two leads that were made one. */
  undoMerge: {
    params: {
      /** The lead. */
      id: string
      /** The merge. */
      mergeId: string
    }
    reply: Merge
  }
  /** Why the person of a lead may be contacted, with its proof. */
  getLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    reply: LawfulBasis
  }
  /** Record why the person of a lead may be contacted. */
  recordLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    body: NewLawfulBasis
    reply: LawfulBasis
  }
  /** Withdraw the lawful basis. */
  withdrawLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    reply: undefined
  }
  /** Everything held on the person of a lead. */
  getPersonData: {
    params: {
      /** The lead. */
      id: string
    }
    reply: PersonData
  }

  /** Export leads. */
  exportLeads: {
    query?: {
      /** Searches name, phone, address, title and description. */
      q?: string
      /** With this external id. */
      externalId?: string
      /** In this status, or in one of several by commas: new, contacted, replied, qualified, won, lost, discarded. */
      status?: string
      /** Found on this portal, or on one of several by commas. */
      platform?: string
      /** Belongs to this campaign. */
      campaignId?: string
      /** Found by this extraction. */
      extractionId?: string
      /** Carries this tag, or one of several by commas. */
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
      /** Province, upper and lower case alike. */
      province?: string
      /** Area as `west,south,east,north` in degrees. */
      bbox?: string
      /** With a valid phone, or without. */
      hasPhone?: boolean
      /** Whether it was advertised and no portal has an advert of it any more; false: all others, those that never were among them. */
      withdrawn?: boolean
      /** Created after. ISO 8601, UTC. */
      createdAfter?: string
      /** Changed after. ISO 8601, UTC. */
      updatedAfter?: string
      /** A table, or a line of JSON per lead. */
      format?: 'csv' | 'ndjson'
      /** Of a table: between its columns. Excel expects `;` where numbers have a decimal comma. */
      separator?: ',' | ';' | 'tab'
    }
    reply: ReadableStream<Uint8Array>
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
  /** Leads that may be of the same property, likest first. */
  listDuplicates: {
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
      data: Duplicate[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Say that two leads are of two properties. */
  dismissDuplicate: {
    params: {
      /** The lead. */
      id: string
      /** The lead that it may be. */
      otherLeadId: string
    }
    reply: undefined
  }
  /** Import leads from a file. */
  importLeads: {
    query?: {
      /** For people, such as the name of the file. */
      name?: string
      /** Tell what would become of each row, and change nothing. The file is kept for 24 hours. */
      dryRun?: boolean
      /** What becomes of a lead that is known already: the row is laid over it, or it stays as it is. */
      onMatch?: 'update' | 'skip'
      /** Keep columns that are no field of a lead as custom fields. */
      keepUnknown?: boolean
      /** Whether the first row of a table is its headings; without, the columns are `column 1`, `column 2`, …. Told by the rows themselves if left out. */
      hasHeadings?: boolean
      /** ISO 3166-1: where its telephones and postcodes are written. The country of the workspace if left out. */
      country?: string
      /** What shows the lawful bases of rows that state one without its date and proof, such as the words of a consent and where it was given. Recorded with them as your word; without it they are not recorded. */
      attestation?: string
      /** JSON, such as `{"Teléfono": "contact.phone", "Notas": null}`: for the columns it names, in place of what is guessed. */
      mapping?: string
    }
    body: Blob
    reply: Import
  }
  /** Imports, the newest first. */
  listImports: {
    query?: {
      /** Only those in this state. */
      status?: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: ImportSummary[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** An import and its progress. */
  getImport: {
    params: {
      /** The import. */
      id: string
    }
    query?: {
      /** Answer when it has ended, or after so many seconds, whatever comes first. */
      waitSeconds?: number
    }
    reply: Import
  }
  /** Remove an import and its rows. */
  deleteImport: {
    params: {
      /** The import. */
      id: string
    }
    reply: undefined
  }
  /** What became of each row, in the order of the file. */
  listImportRows: {
    params: {
      /** The import. */
      id: string
    }
    query?: {
      /** Only rows of which this became. */
      result?: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: ImportRow[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Import in earnest what a dry run has tried. */
  startImport: {
    params: {
      /** The import. */
      id: string
    }
    body: ImportStart
    reply: Import
  }
  /** Cancel an import. */
  cancelImport: {
    params: {
      /** The import. */
      id: string
    }
    reply: Import
  }
  /** Undo an import. */
  undoImport: {
    params: {
      /** The import. */
      id: string
    }
    reply: Import
  }
  /** Entries of the suppression list, newest first. */
  listSuppressions: {
    query?: {
      /** `opt_out` and `erased` are final; `exclusion_list` was imported; `manual` is the workspace’s own. */
      kind?: 'opt_out' | 'erased' | 'exclusion_list' | 'manual'
      /** Name of the exclusion list. */
      listName?: string
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: Suppression[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** Put somebody on the suppression list. */
  addSuppressions: {
    body: NewSuppression
    reply: {
      data: Suppression[]
    }
  }
  /** Import an exclusion list, up to 10000 identifiers at a time. */
  importSuppressions: {
    body: SuppressionImport
    reply: {
      /** When they were put on the list. ISO 8601, UTC. */
      importedAt: string
      /** Entries that are new. */
      added: number
      /** Entries that stood on this list already. */
      known: number
      /** Entries that are no longer on it. */
      removed: number
      /** Identifiers that are no telephone, address or chat: nothing was added for them. */
      invalid: {
        /** Its place in `identifiers`, from 0. */
        index: number
      }[]
    }
  }
  /** Import an exclusion list from a file. */
  importSuppressionFile: {
    query?: {
      /** Name of the exclusion list. */
      listName?: string
      /** The channel it forbids. */
      channel?: 'chat' | 'phone' | 'email'
      /** Whether the file is the whole list: entries that it does not bring are removed. */
      replace?: boolean
    }
    body: Blob
    reply: {
      /** When they were put on the list. ISO 8601, UTC. */
      importedAt: string
      /** Rows of the file that are not blank, without headings. */
      rows: number
      /** Entries that are new. */
      added: number
      /** Entries that stood on this list already. */
      known: number
      /** Entries that are no longer on it. */
      removed: number
      /** Rows without a telephone, address or chat that can be read. */
      unreadable: number
      /** The first 100 of these, as a spreadsheet counts. */
      unreadRows: number[]
    }
  }
  /** Which of these are on the suppression list. */
  checkSuppressions: {
    body: SuppressionCheck
    reply: {
      /** One answer for each identifier, in their order. */
      data: {
        /** Whether it can be read as a telephone, address or chat. */
        isValid: boolean
        /** Whether anything stands against it. */
        suppressed: boolean
        suppressions: {
          /** `opt_out` and `erased` are final; `exclusion_list` was imported; `manual` is the workspace’s own. */
          kind: 'opt_out' | 'erased' | 'exclusion_list' | 'manual'
          channel: ('chat' | 'phone' | 'email') | null
          source: string
          /** When it was added. ISO 8601, UTC. */
          addedAt: string
        }[]
      }[]
    }
  }
  /** An entry of the suppression list. */
  getSuppression: {
    params: {
      /** The entry. */
      id: string
    }
    reply: Suppression
  }
  /** Remove an entry. */
  removeSuppression: {
    params: {
      /** The entry. */
      id: string
    }
    reply: undefined
  }
  /** Value a property by comparable ones. */
  createValuation: {
    body: NewValuation
    reply: Valuation
  }
  /** Valuations without their comparables, newest first. */
  listValuations: {
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Rents are per month. */
      operation?: 'sale' | 'rent'
      propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
      /** Part of the name or of the address, without regard to accents and case. */
      q?: string
    }
    reply: {
      data: ValuationSummary[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** How good estimates are, by market. */
  getValuationAccuracy: {
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: MarketAccuracy[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** A valuation. */
  getValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: Valuation
  }
  /** Change a valuation, or which comparables it is made of. */
  updateValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    body: ValuationChanges
    reply: Valuation
  }
  /** Delete a valuation. */
  deleteValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: undefined
  }
  /** The report of a valuation, as a page. */
  getValuationReport: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** The report of a valuation, as a PDF. */
  getValuationPdf: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Make a link to a report, for whoever has it. */
  shareValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    body: NewValuationShare
    reply: ValuationShare
  }
  /** Revoke the link to a report. */
  revokeValuationShare: {
    params: {
      /** The valuation. */
      id: string
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
  /** Every kind of event, with the schema and an example of what is sent. */
  listEventTypes: {
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    reply: {
      data: EventType[]
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
  /** Change, disable or enable a subscription. */
  updateWebhook: {
    params: {
      /** The subscription. */
      id: string
    }
    body: WebhookChanges
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
  /** Sign with a new secret. */
  rotateWebhookSecret: {
    params: {
      /** The subscription. */
      id: string
    }
    body: SecretRotation
    reply: RotatedSecret
  }
  /** Send an example. */
  testWebhook: {
    params: {
      /** The subscription. */
      id: string
    }
    body: WebhookTest
    reply: WebhookDelivery
  }
  /** What was sent, or is to be: that of the newest events first. */
  listWebhookDeliveries: {
    params: {
      /** The subscription. */
      id: string
    }
    query?: {
      /** How many to return at most. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'pending' | 'delivered' | 'failed'
      eventType?:
        | 'extraction.started'
        | 'extraction.progress'
        | 'extraction.completed'
        | 'extraction.failed'
        | 'extraction.cancelled'
        | 'quota.threshold_reached'
        | 'leads.imported'
        | 'lead.created'
        | 'lead.updated'
        | 'lead.price_changed'
        | 'lead.withdrawn'
        | 'lead.opted_out'
        | 'lead.deleted'
        | 'valuation.created'
        | 'webhook.disabled'
        | 'webhook.test'
    }
    reply: {
      data: WebhookDelivery[]
      /** Pass it as `cursor` for the next page; null: this was the last. */
      nextCursor: string | null
    }
  }
  /** A delivery, its attempts and what is sent. */
  getWebhookDelivery: {
    params: {
      /** The subscription. */
      id: string
      /** The delivery. */
      deliveryId: string
    }
    query?: {
      /** Answer when it has ended, or after so many seconds, whatever comes first. */
      waitSeconds?: number
    }
    reply: WebhookDeliveryWithEvent
  }
  /** Send it once more, whatever became of it. */
  resendWebhookDelivery: {
    params: {
      /** The subscription. */
      id: string
      /** The delivery. */
      deliveryId: string
    }
    reply: WebhookDelivery
  }
  /** Send all that failed since a moment. */
  recoverWebhook: {
    params: {
      /** The subscription. */
      id: string
    }
    body: WebhookRecovery
    reply: WebhookRecovered
  }
  /** How a subscription fares. */
  getWebhookStats: {
    params: {
      /** The subscription. */
      id: string
    }
    query?: {
      /** Of events in so many hours. */
      hours?: number
    }
    reply: WebhookStats
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
  /** What somebody should look at, newest first; gone once it is seen to. */
  notices: {
    code: 'WEBHOOK_DISABLED'
    /** What happened and what to do, for people. */
    message: string
    /** What it is about. */
    objectId: string
    /** When it happened. ISO 8601, UTC. */
    at: string
  }[]
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
  /** A hard cap on leads. Default: `50`. */
  maxResults?: number
  /** Default: `{}`. */
  options?: {
    /** Read each advert's own page; without it a lead has what the search page shows. Default: `true`. */
    includeDetails?: boolean
    /** Whose adverts. Default: `"any"`. */
    advertiserType?: 'private' | 'agency' | 'any'
    /** Only adverts of the last days. */
    publishedWithinDays?: number
    /** Only adverts that are new or have changed since the last run with the same filters; those that vanished meanwhile are noticed if the run was shown every advert of the search. Default: `false`. */
    incremental?: boolean
    /** Whether a known lead takes over what has changed in its advert. Default: `true`. */
    updateExisting?: boolean
    /**
     * Put on new leads. Default: `[]`.
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
    includeDetails: boolean
    /** Whose adverts. */
    advertiserType: 'private' | 'agency' | 'any'
    /** Only adverts of the last days; null: of any age. */
    publishedWithinDays: number | null
    /** Only adverts that are new or have changed since the last run with the same filters; those that vanished meanwhile are noticed if the run was shown every advert of the search. */
    incremental: boolean
    /** Whether a known lead takes over what has changed in its advert. */
    updateExisting: boolean
    /**
     * Put on new leads.
     *
     * @maxItems 50
     */
    tags: string[]
  }
  /** The campaign that started it. */
  campaignId: string | null
  environment: 'live' | 'test'
  outcome: ('full' | 'partial') | null
  /** It stopped at `maxResults` while the portal had more listings: see `portalTotal`. */
  capped: boolean
  /** How many listings the portal reports for these filters; null: it has not, or never does. */
  portalTotal: number | null
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
  /** The id that your own system gave it; no other lead of the environment has it. */
  externalId: string | null
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
    /** Further telephones (E.164), e-mail addresses and chats (`whatsapp:34612345678`) of the person. */
    identifiers: string[]
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
    /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
    floor: number | null
    /** The floor as it was stated. */
    floorText: string | null
    condition: ('new' | 'good' | 'to_renovate') | null
    /** What is stated to be there; a missing name means "not stated". */
    features: (
      | 'lift'
      | 'terrace'
      | 'balcony'
      | 'parking'
      | 'pool'
      | 'garden'
      | 'air_conditioning'
      | 'storage_room'
      | 'fitted_wardrobes'
      | 'concierge'
      | 'exterior'
      | 'interior'
      | 'top_floor'
      | 'security'
      | 'waterfront'
      | 'view'
      | 'basement'
      | 'renovated'
      | 'heating'
      | 'fireplace'
      | 'furnished'
      | 'accessible'
      | 'sea_view'
    )[]
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
    /** Address of the advert; null if it was written or imported. */
    url: string | null
    /** The extraction that found it. */
    extractionId: string | null
    /** The import that brought it. */
    importId: string | null
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
    /** Whether the person may be contacted, through any channel. */
    allowed: boolean
    reason:
      | (
          | 'ERASED'
          | 'OPTED_OUT'
          | 'SUPPRESSED'
          | 'AGENCIES_ABSTAIN'
          | 'RETENTION_EXPIRED'
          | 'DISCARDED'
          | 'NO_LAWFUL_BASIS'
          | 'BASIS_EXPIRED'
          | 'BASIS_NOT_PROVEN'
          | 'CHANNEL_NOT_COVERED'
          | 'NO_CHANNEL'
        )
      | null
    /** The reason as a sentence for people; null if allowed. */
    message: string | null
    /** What holds for each channel by itself. */
    channels: {
      chat: {
        /** Whether the person may be contacted. */
        allowed: boolean
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'AGENCIES_ABSTAIN'
              | 'RETENTION_EXPIRED'
              | 'DISCARDED'
              | 'NO_LAWFUL_BASIS'
              | 'BASIS_EXPIRED'
              | 'BASIS_NOT_PROVEN'
              | 'CHANNEL_NOT_COVERED'
              | 'NO_CHANNEL'
            )
          | null
      }
      phone: {
        /** Whether the person may be contacted. */
        allowed: boolean
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'AGENCIES_ABSTAIN'
              | 'RETENTION_EXPIRED'
              | 'DISCARDED'
              | 'NO_LAWFUL_BASIS'
              | 'BASIS_EXPIRED'
              | 'BASIS_NOT_PROVEN'
              | 'CHANNEL_NOT_COVERED'
              | 'NO_CHANNEL'
            )
          | null
      }
      email: {
        /** Whether the person may be contacted. */
        allowed: boolean
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'AGENCIES_ABSTAIN'
              | 'RETENTION_EXPIRED'
              | 'DISCARDED'
              | 'NO_LAWFUL_BASIS'
              | 'BASIS_EXPIRED'
              | 'BASIS_NOT_PROVEN'
              | 'CHANNEL_NOT_COVERED'
              | 'NO_CHANNEL'
            )
          | null
      }
    }
    /** What the next message has to do; `INCLUDE_NOTICE`: tell of the processing (art. 14 GDPR), of which the person was never told. */
    obligations: 'INCLUDE_NOTICE'[]
    /** Whether an advert of the person asks agencies not to call. */
    agenciesAbstain: boolean
    lawfulBasis: ('consent' | 'contract' | 'legitimate_interest') | null
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

export interface NewLead {
  /** The id that your own system gives it. One that another lead has is refused. */
  externalId?: string | null
  contact?: {
    /** Name of the person. */
    name?: string | null
    /** A telephone number in any writing, read as in the country of the workspace. */
    phone?: string | null
    /** An e-mail address. */
    email?: string | null
    /**
     * Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), in place of those that were.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    advertiserType?: ('private' | 'agency') | null
  }
  property?: {
    operation?: ('sale' | 'rent') | null
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** Title. */
    title?: string | null
    /** Text. */
    description?: string | null
    /** Major units; per month for rent. */
    price?: number | null
    /** ISO 4217. */
    currency?: string | null
    /** Floor area. */
    squareMeters?: number | null
    /** Rooms. */
    rooms?: number | null
    /** Bedrooms. */
    bedrooms?: number | null
    /** Bathrooms. */
    bathrooms?: number | null
    /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. Left out, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. Left out, it is `floor` as text. */
    floorText?: string | null
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * What is there. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). Anything else is refused by name, with the nearest.
     *
     * @maxItems 50
     */
    features?: string[]
    /** Street and number. */
    address?: string | null
    /** Town. */
    municipality?: string | null
    /** Province. */
    province?: string | null
    /** Postcode. */
    postcode?: string | null
    /** Degrees, WGS 84. */
    latitude?: number | null
    /** Degrees, WGS 84. */
    longitude?: number | null
    /**
     * Addresses of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** Its advert. */
    url?: string | null
    /** When it was advertised. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to. */
  campaignId?: string | null
  /** The user who looks after it. */
  ownerUserId?: string | null
  /** @maxItems 100 */
  tags?: string[]
  /** Fields of your own: text, numbers, yes or no. Null takes one away. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface BulkChange {
  /**
   * These leads; or give a filter.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: A lead.
   */
  ids?: string[]
  /** All leads that the list shows with these filters. */
  filter?: {
    /** Searches name, phone, address, title and description. */
    q?: string
    /** With this external id. */
    externalId?: string
    /** In this status, or in one of several by commas: new, contacted, replied, qualified, won, lost, discarded. */
    status?: string
    /** Found on this portal, or on one of several by commas. */
    platform?: string
    /** Belongs to this campaign. */
    campaignId?: string
    /** Found by this extraction. */
    extractionId?: string
    /** Carries this tag, or one of several by commas. */
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
    /** Province, upper and lower case alike. */
    province?: string
    /** Area as `west,south,east,north` in degrees. */
    bbox?: string
    /** With a valid phone, or without. */
    hasPhone?: boolean
    /** Whether it was advertised and no portal has an advert of it any more; false: all others, those that never were among them. */
    withdrawn?: boolean
    /** Created after. ISO 8601, UTC. */
    createdAfter?: string
    /** Changed after. ISO 8601, UTC. */
    updatedAfter?: string
  }
  changes: {
    status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
    /** The campaign it belongs to. */
    campaignId?: string | null
    /** The user who looks after it. */
    ownerUserId?: string | null
    /** @maxItems 100 */
    addTags?: string[]
    /** @maxItems 100 */
    removeTags?: string[]
    /** Fields of your own: text, numbers, yes or no. Null takes one away. */
    customFields?: Record<string, string | number | boolean | null>
    lawfulBasis?: NewLawfulBasis
  }
}

export interface NewLawfulBasis {
  /** Art. 6(1) GDPR. `contract` is also what the person asked for before one: a visit, a valuation, a call back. */
  kind: 'consent' | 'contract' | 'legitimate_interest'
  /** From when it holds: for consent, when it was given. Not to come; now, if left out. ISO 8601, UTC. */
  recordedAt?: string
  /** What shows it: the words of the consent and where they were given, who attested it. Consent without it counts for nothing. */
  proof?: string | null
  /**
   * Those it was given or weighed for. Null: those its kind covers by itself, which for legitimate interest is the telephone alone.
   *
   * @minItems 1
   * @maxItems 3
   */
  channels?: ('chat' | 'phone' | 'email')[] | null
  /** From when it holds no longer. ISO 8601, UTC. */
  expiresAt?: string | null
  /** When the person was told of the processing; as it was recorded, if left out. ISO 8601, UTC. */
  noticeSentAt?: string | null
}

export interface LeadOperation {
  /** The operation. */
  id: string
  kind: 'update' | 'delete' | 'erase'
  /** Up to 1,000 leads are done at once; more by a job. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** Ids that were given, each once: those of no lead are not matched. */
  asked: number | null
  /** Leads that it is about; null: not counted yet. */
  matched: number | null
  /** Leads that were dealt with. */
  processed: number
  /** Leads that are not as they were. */
  changed: number
  /** Why it failed. */
  message: string | null
  /** When it was asked for. ISO 8601, UTC. */
  createdAt: string
  /** When it ended. ISO 8601, UTC. */
  finishedAt: string | null
}

export interface BulkDeletion {
  /**
   * These leads; or give a filter.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: A lead.
   */
  ids?: string[]
  /** All leads that the list shows with these filters. */
  filter?: {
    /** Searches name, phone, address, title and description. */
    q?: string
    /** With this external id. */
    externalId?: string
    /** In this status, or in one of several by commas: new, contacted, replied, qualified, won, lost, discarded. */
    status?: string
    /** Found on this portal, or on one of several by commas. */
    platform?: string
    /** Belongs to this campaign. */
    campaignId?: string
    /** Found by this extraction. */
    extractionId?: string
    /** Carries this tag, or one of several by commas. */
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
    /** Province, upper and lower case alike. */
    province?: string
    /** Area as `west,south,east,north` in degrees. */
    bbox?: string
    /** With a valid phone, or without. */
    hasPhone?: boolean
    /** Whether it was advertised and no portal has an advert of it any more; false: all others, those that never were among them. */
    withdrawn?: boolean
    /** Created after. ISO 8601, UTC. */
    createdAfter?: string
    /** Changed after. ISO 8601, UTC. */
    updatedAfter?: string
  }
  /** Whether to erase the persons everywhere, as `DELETE /leads/{id}?erase=true`. */
  erase?: boolean
}

/** What is missing stays as it is; null takes away; lists are replaced, customFields field by field. */
export interface LeadChanges {
  /** The id that your own system gives it. One that another lead has is refused. */
  externalId?: string | null
  contact?: {
    /** Name of the person. */
    name?: string | null
    /** A telephone number in any writing, read as in the country of the workspace. */
    phone?: string | null
    /** An e-mail address. */
    email?: string | null
    /**
     * Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), in place of those that were.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    advertiserType?: ('private' | 'agency') | null
  }
  property?: {
    operation?: ('sale' | 'rent') | null
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** Title. */
    title?: string | null
    /** Text. */
    description?: string | null
    /** Major units; per month for rent. */
    price?: number | null
    /** ISO 4217. */
    currency?: string | null
    /** Floor area. */
    squareMeters?: number | null
    /** Rooms. */
    rooms?: number | null
    /** Bedrooms. */
    bedrooms?: number | null
    /** Bathrooms. */
    bathrooms?: number | null
    /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. Left out, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. Left out, it is `floor` as text. */
    floorText?: string | null
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * What is there. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). Anything else is refused by name, with the nearest.
     *
     * @maxItems 50
     */
    features?: string[]
    /** Street and number. */
    address?: string | null
    /** Town. */
    municipality?: string | null
    /** Province. */
    province?: string | null
    /** Postcode. */
    postcode?: string | null
    /** Degrees, WGS 84. */
    latitude?: number | null
    /** Degrees, WGS 84. */
    longitude?: number | null
    /**
     * Addresses of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** Its advert. */
    url?: string | null
    /** When it was advertised. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to. */
  campaignId?: string | null
  /** The user who looks after it. */
  ownerUserId?: string | null
  /** @maxItems 100 */
  tags?: string[]
  /** Fields of your own: text, numbers, yes or no. Null takes one away. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface UpsertedLead {
  contact?: {
    /** Name of the person. */
    name?: string | null
    /** A telephone number in any writing, read as in the country of the workspace. */
    phone?: string | null
    /** An e-mail address. */
    email?: string | null
    /**
     * Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), in place of those that were.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    advertiserType?: ('private' | 'agency') | null
  }
  property?: {
    operation?: ('sale' | 'rent') | null
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** Title. */
    title?: string | null
    /** Text. */
    description?: string | null
    /** Major units; per month for rent. */
    price?: number | null
    /** ISO 4217. */
    currency?: string | null
    /** Floor area. */
    squareMeters?: number | null
    /** Rooms. */
    rooms?: number | null
    /** Bedrooms. */
    bedrooms?: number | null
    /** Bathrooms. */
    bathrooms?: number | null
    /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. Left out, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. Left out, it is `floor` as text. */
    floorText?: string | null
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * What is there. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). Anything else is refused by name, with the nearest.
     *
     * @maxItems 50
     */
    features?: string[]
    /** Street and number. */
    address?: string | null
    /** Town. */
    municipality?: string | null
    /** Province. */
    province?: string | null
    /** Postcode. */
    postcode?: string | null
    /** Degrees, WGS 84. */
    latitude?: number | null
    /** Degrees, WGS 84. */
    longitude?: number | null
    /**
     * Addresses of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** Its advert. */
    url?: string | null
    /** When it was advertised. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to. */
  campaignId?: string | null
  /** The user who looks after it. */
  ownerUserId?: string | null
  /** @maxItems 100 */
  tags?: string[]
  /** Fields of your own: text, numbers, yes or no. Null takes one away. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface LeadBatch {
  /**
   * Each is written by itself.
   *
   * @minItems 1
   * @maxItems 500
   */
  leads: BatchLead[]
}

export interface BatchLead {
  /** The lead to change. Left out: the lead of `externalId`, or a new one. */
  id?: string
  /** The id that your own system gives it. One that another lead has is refused. */
  externalId?: string | null
  contact?: {
    /** Name of the person. */
    name?: string | null
    /** A telephone number in any writing, read as in the country of the workspace. */
    phone?: string | null
    /** An e-mail address. */
    email?: string | null
    /**
     * Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), in place of those that were.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    advertiserType?: ('private' | 'agency') | null
  }
  property?: {
    operation?: ('sale' | 'rent') | null
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** Title. */
    title?: string | null
    /** Text. */
    description?: string | null
    /** Major units; per month for rent. */
    price?: number | null
    /** ISO 4217. */
    currency?: string | null
    /** Floor area. */
    squareMeters?: number | null
    /** Rooms. */
    rooms?: number | null
    /** Bedrooms. */
    bedrooms?: number | null
    /** Bathrooms. */
    bathrooms?: number | null
    /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. Left out, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. Left out, it is `floor` as text. */
    floorText?: string | null
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * What is there. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). Anything else is refused by name, with the nearest.
     *
     * @maxItems 50
     */
    features?: string[]
    /** Street and number. */
    address?: string | null
    /** Town. */
    municipality?: string | null
    /** Province. */
    province?: string | null
    /** Postcode. */
    postcode?: string | null
    /** Degrees, WGS 84. */
    latitude?: number | null
    /** Degrees, WGS 84. */
    longitude?: number | null
    /**
     * Addresses of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** Its advert. */
    url?: string | null
    /** When it was advertised. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to. */
  campaignId?: string | null
  /** The user who looks after it. */
  ownerUserId?: string | null
  /** @maxItems 100 */
  tags?: string[]
  /** Fields of your own: text, numbers, yes or no. Null takes one away. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface LeadBatchResult {
  /** In the order of the batch. */
  data: {
    /** Its place in the batch, from 0. */
    index: number
    result: 'created' | 'updated' | 'unchanged' | 'failed'
    lead: Lead | null
    error: {
      /** As a refusal of the lead by itself would have it. */
      code: string
      /** What is wrong, and what to do. */
      message: string
      /** Of `LEAD_EXISTS`: the lead that it is already. */
      existingLeadId: string | null
      /** Of `NOT_FOUND`: the lead that it was merged into. */
      mergedIntoLeadId: string | null
      /** What is wrong with its input. */
      errors: {
        /** JSON pointer into the lead. */
        path: string
        code: string
        message: string
      }[]
    } | null
  }[]
}

export interface TimelineItem {
  /** Of the event, the note or the source. */
  id: string
  /** `lead.seen` (found by an extraction), `lead.imported`, `lead.noted`, or the type of an event: `lead.created`, `lead.updated`, `lead.price_changed`, `lead.withdrawn` … What an import changed in a known lead, and a note that was changed or deleted, are `lead.updated`. */
  type: string
  /** When it happened. ISO 8601, UTC. */
  at: string
  /** The lead, or one that it was merged with. */
  leadId: string
  /** As the event has it. */
  data: Record<string, unknown>
}

export interface MergeRequest {
  /** The lead that is to go. */
  leadId: string
}

export interface Merge {
  /** To undo it by. */
  mergeId: string
  lead: Lead
}

export interface LawfulBasis {
  /** Art. 6(1) GDPR. `contract` is also what the person asked for before one: a visit, a valuation, a call back. */
  kind: 'consent' | 'contract' | 'legitimate_interest'
  /** From when it holds: for consent, when it was given. ISO 8601, UTC. */
  recordedAt: string
  /** What shows it: the words of the consent and where they were given, who attested it. Consent without it counts for nothing. */
  proof: string | null
  /**
   * Those it was given or weighed for. Null: those its kind covers by itself, which for legitimate interest is the telephone alone.
   *
   * @minItems 1
   * @maxItems 3
   */
  channels: ('chat' | 'phone' | 'email')[] | null
  /** From when it holds no longer. ISO 8601, UTC. */
  expiresAt: string | null
  /** When the person was told of the processing. ISO 8601, UTC. */
  noticeSentAt: string | null
  /** Who made the key that it was recorded with. */
  recordedBy: string | null
}

export interface PersonData {
  /** When this was put together. ISO 8601, UTC. */
  exportedAt: string
  /** Telephones, e-mail addresses and chats that the person is known by. */
  identifiers: string[]
  /** Every lead of the person, oldest first; where it was found is in its sources. */
  leads: {
    lead: Lead
    lawfulBasis: LawfulBasis | null
    notes: Note[]
  }[]
  /** Leads that were made one with these, oldest first, as they are kept so that they can be parted again. */
  absorbed: {
    lead: Lead
    lawfulBasis: LawfulBasis | null
    /** The lead that has its sources and notes now. */
    mergedIntoLeadId: string
  }[]
  /** What subscribers were told of these leads, oldest first. */
  events: {
    /** The event. */
    id: string
    type: string
    /** When it happened. ISO 8601, UTC. */
    at: string
    data: Record<string, unknown>
  }[]
  /** What stands against contacting the person. */
  suppressions: Suppression[]
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

export interface Suppression {
  /** The entry. */
  id: string
  /** `opt_out` and `erased` are final; `exclusion_list` was imported; `manual` is the workspace’s own. */
  kind: 'opt_out' | 'erased' | 'exclusion_list' | 'manual'
  /** What the keyed hash is of; `advert`: one of an erased person, which is not read in again. */
  identifierKind: 'phone' | 'email' | 'chat' | 'advert'
  channel: ('chat' | 'phone' | 'email') | null
  /** Name of the exclusion list. */
  listName: string | null
  /** For people; not the place for what tells who it is. */
  note: string | null
  /** When it was added; of an exclusion list, when an import last brought it. ISO 8601, UTC. */
  createdAt: string
  /** Who made the key that it was added with. */
  createdBy: string | null
}

export interface NewNote {
  /** Its text; not blank. */
  body: string
}

export interface Duplicate {
  /** The lead that may be of the same property. */
  lead: {
    /** The other lead. */
    id: string
    /** Title of its advert. */
    title: string | null
    /** Street and number. */
    address: string | null
    /** Major units of its currency. */
    price: number | null
  }
  /** Bits of evidence: the higher, the likelier. */
  score: number
  /** What speaks for it and what against it, in words. */
  reason: string
  /** When it was noticed. ISO 8601, UTC. */
  createdAt: string
}

export interface Import {
  /** The import. */
  id: string
  name: string | null
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  dryRun: boolean
  onMatch: 'update' | 'skip'
  keepUnknown: boolean
  format: {
    kind: 'csv' | 'ndjson'
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'
    /** Between the columns; null: there are none. */
    separator: string | null
    /** Whether the table has headings; without, they are `column 1`, … */
    hasHeader: boolean | null
    /** The row of the headings, the first one being 1. */
    headerRow: number | null
  }
  /** What of the file may not be as its owner means it. Told before a row is read: look at it after a dry run. */
  warnings: {
    /** Stable, for programs. */
    code: string
    /** For people: what may be wrong, and what to do. */
    message: string
  }[]
  /** What shows the lawful bases of rows that do not prove them themselves. */
  attestation: string | null
  /** The user who says so. */
  attestedBy: string | null
  /** Where it was written; null: where the workspace is. */
  country: string | null
  /** The file is there until then, for `start`; null: it is gone, or in use. ISO 8601, UTC. */
  fileKeptUntil: string | null
  progress: {
    /** Rows of the file; null: it has not been read to its end. */
    rowsTotal: number | null
    /** Rows dealt with. */
    rowsRead: number
    /** New leads. */
    created: number
    /** Leads that were known and have changed. */
    updated: number
    /** Leads that were known as the row says. */
    unchanged: number
    /** Rows left out; each says why. */
    skipped: number
    /** Rows that could not be read; each says why. */
    failed: number
    /** Rows that were undone. */
    undone: number
    /** Rows that could not be undone, as somebody has changed the lead since. */
    kept: number
    percent: number
  }
  error: {
    code: string
    message: string
  } | null
  /** Sent. ISO 8601, UTC. */
  createdAt: string
  /** Begun. ISO 8601, UTC. */
  startedAt: string | null
  /** Ended. ISO 8601, UTC. */
  finishedAt: string | null
  /** Undone. ISO 8601, UTC. */
  undoneAt: string | null
  /** The columns; of NDJSON the names that its first lines have, such as `contact.phone`. Once the file is gone, those alone of which it was guessed what they are: what nobody knows may be the name of a person. */
  headings: string[]
  /** What each column is, by its heading; null: it is passed over. Fields: `aldabaId`, `contact.name`, `contact.firstName`, `contact.lastName`, `contact.phone`, `contact.email`, `contact.identifiers`, `contact.advertiserType`, `property.operation`, `property.propertyType`, `property.title`, `property.description`, `property.price`, `property.currency`, `property.squareMeters`, `property.rooms`, `property.bedrooms`, `property.bathrooms`, `property.floor`, `property.floorText`, `property.condition`, `property.features`, `property.address`, `property.municipality`, `property.province`, `property.postcode`, `property.latitude`, `property.longitude`, `property.images`, `property.url`, `property.publishedAt`, `status`, `tags`, `note`, `externalId`, `customFields`, `lawfulBasis.kind`, `lawfulBasis.at`, `lawfulBasis.proof`, `lawfulBasis.channels`, `lawfulBasis.expiresAt` and `customFields.<name>`. */
  mapping: Record<string, string | null>
  /** What each column is, by its heading; null: it is passed over. Fields: `aldabaId`, `contact.name`, `contact.firstName`, `contact.lastName`, `contact.phone`, `contact.email`, `contact.identifiers`, `contact.advertiserType`, `property.operation`, `property.propertyType`, `property.title`, `property.description`, `property.price`, `property.currency`, `property.squareMeters`, `property.rooms`, `property.bedrooms`, `property.bathrooms`, `property.floor`, `property.floorText`, `property.condition`, `property.features`, `property.address`, `property.municipality`, `property.province`, `property.postcode`, `property.latitude`, `property.longitude`, `property.images`, `property.url`, `property.publishedAt`, `status`, `tags`, `note`, `externalId`, `customFields`, `lawfulBasis.kind`, `lawfulBasis.at`, `lawfulBasis.proof`, `lawfulBasis.channels`, `lawfulBasis.expiresAt` and `customFields.<name>`. */
  guessedMapping: Record<string, string | null>
}

/** Without its columns, which `GET /leads/imports/{id}` has. */
export interface ImportSummary {
  /** The import. */
  id: string
  name: string | null
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  dryRun: boolean
  onMatch: 'update' | 'skip'
  keepUnknown: boolean
  format: {
    kind: 'csv' | 'ndjson'
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'
    /** Between the columns; null: there are none. */
    separator: string | null
    /** Whether the table has headings; without, they are `column 1`, … */
    hasHeader: boolean | null
    /** The row of the headings, the first one being 1. */
    headerRow: number | null
  }
  /** What of the file may not be as its owner means it. Told before a row is read: look at it after a dry run. */
  warnings: {
    /** Stable, for programs. */
    code: string
    /** For people: what may be wrong, and what to do. */
    message: string
  }[]
  /** What shows the lawful bases of rows that do not prove them themselves. */
  attestation: string | null
  /** The user who says so. */
  attestedBy: string | null
  /** Where it was written; null: where the workspace is. */
  country: string | null
  /** The file is there until then, for `start`; null: it is gone, or in use. ISO 8601, UTC. */
  fileKeptUntil: string | null
  progress: {
    /** Rows of the file; null: it has not been read to its end. */
    rowsTotal: number | null
    /** Rows dealt with. */
    rowsRead: number
    /** New leads. */
    created: number
    /** Leads that were known and have changed. */
    updated: number
    /** Leads that were known as the row says. */
    unchanged: number
    /** Rows left out; each says why. */
    skipped: number
    /** Rows that could not be read; each says why. */
    failed: number
    /** Rows that were undone. */
    undone: number
    /** Rows that could not be undone, as somebody has changed the lead since. */
    kept: number
    percent: number
  }
  error: {
    code: string
    message: string
  } | null
  /** Sent. ISO 8601, UTC. */
  createdAt: string
  /** Begun. ISO 8601, UTC. */
  startedAt: string | null
  /** Ended. ISO 8601, UTC. */
  finishedAt: string | null
  /** Undone. ISO 8601, UTC. */
  undoneAt: string | null
}

export interface ImportRow {
  /** As a spreadsheet counts; of NDJSON the line. */
  rowNumber: number
  /** Of a dry run: what it would be. */
  result: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
  /** Why a row was skipped, failed, or was not undone. Stable, for programs. */
  reason: string | null
  /** The reason, for people. */
  message: string | null
  /** Values that could not be read; the rest of the row stands. */
  problems: {
    /** The heading; null: the row as a whole. */
    column: string | null
    /** Stable, for programs. */
    code: string
    /** For people. */
    message: string
  }[]
  /** The lead it is of; null: none, or it is no more. */
  leadId: string | null
  /** false: it stays as somebody has changed the lead since; null: not asked for. */
  undone: boolean | null
}

export interface ImportStart {
  /** For the columns it names, in place of what the import has. */
  mapping?: Record<string, string | null>
  /** What becomes of a lead that is known already: the row is laid over it, or it stays as it is. */
  onMatch?: 'update' | 'skip'
  /** What shows the lawful bases of rows that state one without its date and proof, such as the words of a consent and where it was given. Recorded with them as your word; without it they are not recorded. */
  attestation?: string
}

export interface NewSuppression {
  /**
   * Telephones, e-mail addresses and chats of one person, or of several.
   *
   * @minItems 1
   * @maxItems 100
   */
  identifiers: {
    kind: 'phone' | 'email' | 'chat'
    /** As people write it; a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
  /** Default: `"manual"`. */
  kind?: 'opt_out' | 'manual'
  channel?: ('chat' | 'phone' | 'email') | null
  /** For people; not the place for what tells who it is. */
  note?: string | null
}

export interface SuppressionImport {
  /** Name of the exclusion list. */
  listName: string
  /** @maxItems 10000 */
  identifiers: {
    kind: 'phone' | 'email' | 'chat'
    /** As people write it; a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
  channel?: ('chat' | 'phone' | 'email') | null
  /** Afterwards, entries of this list are removed that no import has brought since then: `importedAt` of a former reply, for the clock here may not be yours. ISO 8601, UTC. */
  removeBefore?: string
}

export interface SuppressionCheck {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  identifiers: {
    kind: 'phone' | 'email' | 'chat'
    /** As people write it; a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
}

export interface NewValuation {
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
  /** Usable floor area. */
  squareMeters: number
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  /** Rents are per month. */
  operation: 'sale' | 'rent'
  /** 0: a studio. Required for `homes`. */
  bedrooms?: number | null
  /** Required for `homes`. */
  bathrooms?: number | null
  /** What you call it; the title of its report. */
  name?: string | null
  /** How far comparables may be. A polygon takes its place. Default: `5`. */
  radiusKm?: number | null
  /**
   * Corners, in order, of the area in which comparables are looked for; the property may lie outside.
   *
   * @minItems 3
   * @maxItems 500
   */
  polygon?: Place[] | null
  condition?: ('new' | 'good' | 'to_renovate') | null
  /** For display. */
  address?: string | null
  /**
   * What is there, and nothing else; left out: unknown. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). Anything else is refused by name, with the nearest.
   *
   * @maxItems 50
   */
  amenities?: string[] | null
  /** `true` is as the amenity `lift`; `false`: there is none. */
  hasLift?: boolean | null
  /** `true` is as the amenity `parking`; `false`: there is none. */
  hasParking?: boolean | null
  /** `true` is as the amenity `terrace`; `false`: there is none. */
  hasTerrace?: boolean | null
  /** `true` is as the amenity `pool`; `false`: there is none. */
  hasPool?: boolean | null
  /** `true` is as the amenity `garden`; `false`: there is none. */
  hasGarden?: boolean | null
  /** `true` is as the amenity `storage_room`; `false`: there is none. */
  hasStorage?: boolean | null
  /** `true` is as the amenity `air_conditioning`; `false`: there is none. */
  hasAirConditioning?: boolean | null
  /** `true` is as the amenity `exterior`; `false`: there is none. */
  isExterior?: boolean | null
  /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor?: number | null
  /** Up to six years ahead. */
  yearBuilt?: number | null
  /** Of the land. */
  plotSquareMeters?: number | null
  /**
   * If there are any, these alone are weighed, in the area or up to 100 km away: at least 3.
   *
   * @maxItems 20
   */
  includedComparableIds?: string[] | null
  /**
   * These are left out.
   *
   * @maxItems 200
   */
  excludedComparableIds?: string[] | null
  /** Id of a location of a portal; kept as it is. */
  portalLocationId?: string | null
  reportConfig?: NewReportConfig | null
}

export interface Place {
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
}

export interface NewReportConfig {
  /** Of all words, numbers and dates in the report. Default: `"es"`. */
  language?: 'es' | 'ca' | 'en' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'pl'
  /**
   * What the report shows, in this order. It always says that it is no official appraisal. Default: `["summary","map","comparables","adjustments","distribution","trend","method"]`.
   *
   * @minItems 1
   * @maxItems 7
   */
  sections?: ('summary' | 'map' | 'comparables' | 'adjustments' | 'distribution' | 'trend' | 'method')[]
  /** Whether the address of the property is printed. Default: `true`. */
  showAddress?: boolean
}

export interface Valuation {
  /** The valuation. */
  id: string
  /** What you call it; the title of its report. */
  name: string | null
  /** For display. */
  address: string | null
  /** Rents are per month. */
  operation: 'sale' | 'rent'
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  subject: ValuedProperty
  area: {
    radiusKm: number | null
    polygon: Place[] | null
  }
  portalLocationId: string | null
  estimate: {
    /** The sum of adjusted prices by their weights. Whole units of the currency; for rent, per month. */
    value: number
    /** The price lies between this … Whole units of the currency; for rent, per month. */
    low: number
    /** … and this in `coverage` of cases. Whole units of the currency; for rent, per month. */
    high: number
    /** 0 to 1. */
    coverage: number
    /** ISO 4217: that of most comparables. */
    currency: string
    pricePerSquareMeter: number
  }
  confidence: {
    level: 'high' | 'medium' | 'low'
    /** 0 to 100: what is left of 100 after twice the fsd in percent. */
    score: number
    /** Forecast standard deviation, as a share of the value. */
    fsd: number
  }
  /** The moment that the value is for. ISO 8601, UTC. */
  asOf: string
  /** Whether the value is a price asked, or one paid. */
  priceBasis: 'asking' | 'closed'
  comparablesUsed: number
  /** How many were looked at: up to 200, and those chosen from elsewhere. */
  comparablesConsidered: number
  /** How the value came about, in words. */
  method: string
  /** Id of what was learnt of the market: another each time it is learnt anew. With `-usual` at its end: nothing was, or nothing of this place, and usual prices stand in. */
  modelVersion: string
  /** Items: A comparable. */
  includedComparableIds: string[]
  /** Items: A comparable. */
  excludedComparableIds: string[]
  reportConfig: ReportConfig
  links: {
    /** As a page; it takes a key. */
    report: string
    /** As a PDF; it takes a key. */
    pdf: string
    /** The page for whoever has this address. */
    share: string | null
  }
  share: ValuationShare | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
  /** Up to 20 that are weighed, by falling weight; then those left out, by reason and the likest first, 30 or more if there are as many: all that were excluded, are the property itself or of an unlikely price, and at least 20 of the others to choose from. */
  comparables: Comparable[]
  /** How many of those considered were left out for each reason, shown or not. */
  leftOutCounts: {
    excluded_by_request?: number
    same_property?: number
    unlikely_price?: number
    not_chosen?: number
    less_alike?: number
  }
}

export interface ValuedProperty {
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
  /** Usable floor area. */
  squareMeters: number
  /** Of the land. */
  plotSquareMeters: number | null
  /** 0: a studio. Required for `homes`. */
  bedrooms: number | null
  /** Required for `homes`. */
  bathrooms: number | null
  condition: ('new' | 'good' | 'to_renovate') | null
  /** 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor: number | null
  /** Up to six years ahead. */
  yearBuilt: number | null
  /** Names of features; words of your own in valuations of earlier versions. */
  amenities: string[] | null
  /** `true` is as the amenity `lift`; `false`: there is none. */
  hasLift: boolean | null
  /** `true` is as the amenity `parking`; `false`: there is none. */
  hasParking: boolean | null
  /** `true` is as the amenity `terrace`; `false`: there is none. */
  hasTerrace: boolean | null
  /** `true` is as the amenity `pool`; `false`: there is none. */
  hasPool: boolean | null
  /** `true` is as the amenity `garden`; `false`: there is none. */
  hasGarden: boolean | null
  /** `true` is as the amenity `storage_room`; `false`: there is none. */
  hasStorage: boolean | null
  /** `true` is as the amenity `air_conditioning`; `false`: there is none. */
  hasAirConditioning: boolean | null
  /** `true` is as the amenity `exterior`; `false`: there is none. */
  isExterior: boolean | null
}

export interface ReportConfig {
  /** Of all words, numbers and dates in the report. */
  language: 'es' | 'ca' | 'en' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'pl'
  /**
   * What the report shows, in this order. It always says that it is no official appraisal.
   *
   * @minItems 1
   * @maxItems 7
   */
  sections: ('summary' | 'map' | 'comparables' | 'adjustments' | 'distribution' | 'trend' | 'method')[]
  /** Whether the address of the property is printed. */
  showAddress: boolean
}

export interface ValuationShare {
  /** The page, for whoever has this address. Its PDF: `/report.pdf` behind it. */
  url: string
  /** Made. ISO 8601, UTC. */
  createdAt: string
  /** When it ceases to work; null: when it is revoked. ISO 8601, UTC. */
  expiresAt: string | null
  /** How often the page was opened. */
  views: number
  /** Last opened. ISO 8601, UTC. */
  lastViewedAt: string | null
}

export interface Comparable {
  /** The comparable. */
  id: string
  distanceMeters: number
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
  /** Asked or paid. Whole units of the currency; for rent, per month. */
  price: number
  squareMeters: number
  plotSquareMeters: number | null
  bedrooms: number | null
  bathrooms: number | null
  condition: ('new' | 'good' | 'to_renovate') | null
  floor: number | null
  yearBuilt: number | null
  /** Kind of home, such as `flat`. */
  subtype: string | null
  /** Null: nothing was said of any. */
  amenities:
    | (
        | 'lift'
        | 'terrace'
        | 'balcony'
        | 'parking'
        | 'pool'
        | 'garden'
        | 'air_conditioning'
        | 'storage_room'
        | 'fitted_wardrobes'
        | 'concierge'
        | 'exterior'
        | 'interior'
        | 'top_floor'
        | 'security'
        | 'waterfront'
        | 'view'
        | 'basement'
        | 'renovated'
        | 'heating'
        | 'fireplace'
        | 'furnished'
        | 'accessible'
        | 'sea_view'
      )[]
    | null
  /** When the price last stood: last advertised, or sold. ISO 8601, UTC. */
  seenAt: string
  /** Days from then to `asOf`. */
  ageDays: number
  /** In the order in which they are made. */
  adjustments: Adjustment[]
  /** `price` and all amounts. Null for what is left out. Whole units of the currency; for rent, per month. */
  adjustedPrice: number | null
  /** Its share in the estimate, 0 to 1. All of them are 1. */
  weight: number
  included: boolean
  exclusionReason:
    | ('excluded_by_request' | 'same_property' | 'unlikely_price' | 'not_chosen' | 'less_alike')
    | null
}

export interface Adjustment {
  /** What sets the comparable apart. */
  factor:
    | 'time'
    | 'place'
    | 'size'
    | 'plot'
    | 'bedrooms'
    | 'bathrooms'
    | 'condition'
    | 'floor'
    | 'lift'
    | 'amenities'
    | 'yearBuilt'
    | 'subtype'
    | 'unexplained'
  /** Of the comparable; null: unknown. */
  from: number | string | boolean | null
  /** Of the property that is valued. */
  to: number | string | boolean | null
  /** Added to the price of the comparable. Whole units of the currency; for rent, per month. */
  amount: number
}

export interface ValuationSummary {
  /** The valuation. */
  id: string
  /** What you call it; the title of its report. */
  name: string | null
  /** For display. */
  address: string | null
  /** Rents are per month. */
  operation: 'sale' | 'rent'
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  subject: ValuedProperty
  area: {
    radiusKm: number | null
    polygon: Place[] | null
  }
  portalLocationId: string | null
  estimate: {
    /** The sum of adjusted prices by their weights. Whole units of the currency; for rent, per month. */
    value: number
    /** The price lies between this … Whole units of the currency; for rent, per month. */
    low: number
    /** … and this in `coverage` of cases. Whole units of the currency; for rent, per month. */
    high: number
    /** 0 to 1. */
    coverage: number
    /** ISO 4217: that of most comparables. */
    currency: string
    pricePerSquareMeter: number
  }
  confidence: {
    level: 'high' | 'medium' | 'low'
    /** 0 to 100: what is left of 100 after twice the fsd in percent. */
    score: number
    /** Forecast standard deviation, as a share of the value. */
    fsd: number
  }
  /** The moment that the value is for. ISO 8601, UTC. */
  asOf: string
  /** Whether the value is a price asked, or one paid. */
  priceBasis: 'asking' | 'closed'
  comparablesUsed: number
  /** How many were looked at: up to 200, and those chosen from elsewhere. */
  comparablesConsidered: number
  /** How the value came about, in words. */
  method: string
  /** Id of what was learnt of the market: another each time it is learnt anew. With `-usual` at its end: nothing was, or nothing of this place, and usual prices stand in. */
  modelVersion: string
  /** Items: A comparable. */
  includedComparableIds: string[]
  /** Items: A comparable. */
  excludedComparableIds: string[]
  reportConfig: ReportConfig
  links: {
    /** As a page; it takes a key. */
    report: string
    /** As a PDF; it takes a key. */
    pdf: string
    /** The page for whoever has this address. */
    share: string | null
  }
  share: ValuationShare | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface MarketAccuracy {
  /** Rents are per month. */
  operation: 'sale' | 'rent'
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  /** ISO 4217. */
  currency: string
  priceBasis: 'asking' | 'closed'
  /** From how many it was learnt; before that, how many are known. */
  properties: number
  /** Id of what was learnt of the market: another each time it is learnt anew. With `-usual` at its end: nothing was, or nothing of this place, and usual prices stand in. */
  modelVersion: string
  /** When it was last learnt from; null: never yet. ISO 8601, UTC. */
  fittedAt: string | null
  accuracy: {
    /** Properties that were valued without their price being known. */
    count: number
    /** Of estimate to price. 1: neither too high nor too low. */
    medianRatio: number
    /** Coefficient of dispersion: mean distance of ratios from their median. In percent. */
    cod: number
    /** Price-related differential. Above 1: what is dear is valued too low. */
    prd: number
    /** Median absolute percentage error. In percent. */
    mdape: number
    /** Standard error of the former, from a bootstrap. In percent. */
    mdapeError: number
    /** Estimates that are off by at most 5 %. In percent. */
    within5: number
    /** Estimates that are off by at most 10 %. In percent. */
    within10: number
    /** Estimates that are off by at most 20 %. In percent. */
    within20: number
    /** Prices that lie in the range of 80 %. In percent. */
    intervalCoverage: number
    /** Median of half the range. In percent. */
    medianHalfWidth: number
  } | null
  /** The same in words. */
  summary: string
}

export interface ValuationChanges {
  /** What you call it; the title of its report. */
  name?: string | null
  /** For display. */
  address?: string | null
  reportConfig?: NewReportConfig | null
  /**
   * If there are any, these alone are weighed, in the area or up to 100 km away: at least 3.
   *
   * @maxItems 20
   */
  includedComparableIds?: string[] | null
  /**
   * These are left out.
   *
   * @maxItems 200
   */
  excludedComparableIds?: string[] | null
}

export interface NewValuationShare {
  /** When the link ceases to work. Left out: when it is revoked. ISO 8601, UTC. */
  expiresAt?: string | null
}

export interface NewWebhook {
  /** Where to send them. Over `http:` anybody on the way can read them. */
  url: string
  /**
   * Kinds of events to be told of; `*` is all of them. Default: `["*"]`.
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
    | 'quota.threshold_reached'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.opted_out'
    | 'lead.deleted'
    | 'valuation.created'
    | 'webhook.disabled'
    | 'webhook.test'
  )[]
  /** For people. */
  description?: string | null
  /** Further headers to be sent, such as `Authorization`. Their values are stored encrypted and never shown. */
  headers?: Record<string, string>
}

export interface CreatedWebhook {
  /** The subscription. */
  id: string
  url: string
  events: string[]
  /** For people. */
  description: string | null
  /** Names of the further headers, in alphabetical order. */
  headerNames: string[]
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  /** Disabled. ISO 8601, UTC. */
  disabledAt: string | null
  /** Since when every attempt has failed; null: the last one did not. ISO 8601, UTC. */
  failingSince: string | null
  /** Its receiver asked not to be called before (Retry-After). ISO 8601, UTC. */
  pausedUntil: string | null
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
  /** Names of the further headers, in alphabetical order. */
  headerNames: string[]
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  /** Disabled. ISO 8601, UTC. */
  disabledAt: string | null
  /** Since when every attempt has failed; null: the last one did not. ISO 8601, UTC. */
  failingSince: string | null
  /** Its receiver asked not to be called before (Retry-After). ISO 8601, UTC. */
  pausedUntil: string | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface EventType {
  type: string
  summary: string
  /** JSON Schema 2020-12 of what is sent, `data` included. */
  schema: {}
  /** What is sent. */
  example: {}
}

export interface WebhookChanges {
  /** Where to send them. Over `http:` anybody on the way can read them. */
  url?: string
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
    | 'quota.threshold_reached'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.opted_out'
    | 'lead.deleted'
    | 'valuation.created'
    | 'webhook.disabled'
    | 'webhook.test'
  )[]
  /** For people. */
  description?: string | null
  /** Further headers to be sent, such as `Authorization`. Their values are stored encrypted and never shown. */
  headers?: Record<string, string>
  /** What a disabled subscription was still to be told has failed, and what happens meanwhile it is not told; `recover` brings both back. */
  status?: 'enabled' | 'disabled'
}

export interface SecretRotation {
  /** For so long the secrets until now sign beside the new one. 0 for a secret that leaked: none but the new one signs. Default: `24`. */
  overlapHours?: number
}

export interface RotatedSecret {
  /** The new one. Shown this once. */
  secret: string
  /** Until when the former secret signs as well; null: it does not any more. ISO 8601, UTC. */
  formerSecretUntil: string | null
}

export interface WebhookTest {
  /** The kind whose example is sent; its `sequence` is 0, as it tells of nothing. Default: `"webhook.test"`. */
  eventType?:
    | 'extraction.started'
    | 'extraction.progress'
    | 'extraction.completed'
    | 'extraction.failed'
    | 'extraction.cancelled'
    | 'quota.threshold_reached'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.opted_out'
    | 'lead.deleted'
    | 'valuation.created'
    | 'webhook.disabled'
    | 'webhook.test'
}

export interface WebhookDelivery {
  /** The delivery. */
  id: string
  /** The subscription. */
  webhookId: string
  /** The event: the `webhook-id` of every attempt. */
  eventId: string
  eventType: string
  /** An example that somebody asked for. */
  isTest: boolean
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts since it was last sent by somebody; at most 8. */
  attemptCount: number
  lastAttempt: WebhookAttempt | null
  /** The next attempt; null: there will be none. ISO 8601, UTC. */
  nextAttemptAt: string | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Delivered. ISO 8601, UTC. */
  deliveredAt: string | null
}

export interface WebhookAttempt {
  /** Begun. ISO 8601, UTC. */
  at: string
  /** Null: no reply came. */
  responseStatus: number | null
  durationMs: number | null
  /** The first 4 KB of the reply, as UTF-8; null: none came. */
  responseBody: string | null
  /** Why it is no delivery; null: it is one. */
  error: string | null
}

export interface WebhookDeliveryWithEvent {
  /** The delivery. */
  id: string
  /** The subscription. */
  webhookId: string
  /** The event: the `webhook-id` of every attempt. */
  eventId: string
  eventType: string
  /** An example that somebody asked for. */
  isTest: boolean
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts since it was last sent by somebody; at most 8. */
  attemptCount: number
  lastAttempt: WebhookAttempt | null
  /** The next attempt; null: there will be none. ISO 8601, UTC. */
  nextAttemptAt: string | null
  /** Created. ISO 8601, UTC. */
  createdAt: string
  /** Delivered. ISO 8601, UTC. */
  deliveredAt: string | null
  /** The last 20, oldest first. */
  attempts: WebhookAttempt[]
  /** What is sent. */
  event: {}
}

export interface WebhookRecovery {
  /** Of events from then on; 30 days back at most. ISO 8601, UTC. */
  since: string
}

export interface WebhookRecovered {
  /** Deliveries that are made now. */
  recovered: number
  /** There may be more: ask again with it as `since`. Null: those were all. ISO 8601, UTC. */
  nextSince: string | null
}

export interface WebhookStats {
  /** Of events from then on. ISO 8601, UTC. */
  since: string
  pending: number
  delivered: number
  /** Given up. */
  failed: number
  attempts: number
  /** Delivered, of those that are no longer pending: 0 to 1. */
  successRate: number | null
  /** Of the last attempt at each. */
  medianMs: number | null
  p95Ms: number | null
  /** The last delivery. ISO 8601, UTC. */
  lastDeliveredAt: string | null
}

export interface Problem {
  statusCode: number
  /** Stable, for programs. */
  code: string
  /** For people: what is wrong and what to do. */
  message: string
  /** Name it when you ask for help. */
  requestId: string
  /** Of `LEAD_EXISTS`: the lead that it is already. */
  existingLeadId?: string
  /** Of `NOT_FOUND`: the lead that the one of this id was merged into. */
  mergedIntoLeadId?: string
  /** What is wrong with the input, all at once; the first 100 of it. */
  errors?: {
    /** JSON pointer into the body, or `/name` of a parameter. */
    path: string
    code: string
    message: string
  }[]
  /** How many errors are not listed, if there are so many. Not more than a thousand faults each of the body and the parameters are counted. */
  moreErrors?: number
}

/** A quota is used to 80 or 100 % of its limit; each is told once a month, and anew if the limit is raised. */
export interface QuotaThresholdReachedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'quota.threshold_reached'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The quota. */
    name:
      | 'maxExtractionsPerMonth'
      | 'maxLeadsPerMonth'
      | 'maxMessagesPerMonth'
      | 'maxValuationsPerMonth'
      | 'maxFichasPerMonth'
    /** Units that may be used in the month. */
    limit: number
    /** Units that were used when this was told. */
    used: number
    /** The share of the limit that was reached. */
    percent: 80 | 100
    period: {
      /** First moment of the month, in the time zone of the workspace. ISO 8601, UTC. */
      start: string
      /** First moment of the next, when the quota is renewed. ISO 8601, UTC. */
      end: string
    }
  }
}

/** An extraction began. */
export interface ExtractionStartedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.started'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
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
  /** The kind of event. */
  type: 'extraction.progress'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
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
  /** The kind of event. */
  type: 'extraction.completed'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The extraction. */
    extractionId: string
    platform: string
    /** `full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early. */
    outcome: 'full' | 'partial'
    /** It stopped at `maxResults` while the portal had more listings: see `portalTotal`. */
    capped: boolean
    /** How many listings the portal reports for these filters; null: it has not, or never does. */
    portalTotal: number | null
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
  /** The kind of event. */
  type: 'extraction.failed'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
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
  /** The kind of event. */
  type: 'extraction.cancelled'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
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
  /** The kind of event. */
  type: 'leads.imported'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The extraction that brought them. */
    extractionId: string | null
    /** The import that brought them. */
    importId: string | null
    /** The portal they were found on. */
    platform: string | null
    /** Leads that are new, in the whole batch. */
    created: number
    /** Leads that were known and have changed, in the whole batch. */
    updated: number
    /** New and changed leads, at most 450 in an event. */
    leadIds: string[]
    /** Which part of the batch this event tells. */
    part: number
    /** How many events tell the batch. */
    parts: number
  }
}

/** A lead was written, one by itself; of those that extractions and imports bring, leads.imported tells. */
export interface LeadCreatedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.created'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead. */
    leadId: string
    /** `api`, or where else it comes from. */
    platform: string
    /** The key that it was written with; null: by the service itself. */
    keyId: string | null
    /** Who made that key. */
    userId: string | null
  }
}

/** A lead was changed by somebody. */
export interface LeadUpdatedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.updated'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead. */
    leadId: string
    /** `merged`: another lead was made one with it; `parted`: that was undone; `told_apart`: it and another are of two properties; `import_undone`: what an import changed was taken back. */
    cause:
      | 'edited'
      | 'noted'
      | 'note_changed'
      | 'note_deleted'
      | 'merged'
      | 'parted'
      | 'told_apart'
      | 'imported'
      | 'import_undone'
    /** What is not as it was. */
    changes: {
      /** Such as `status` or `contact.phone`. */
      field: string
      before: unknown
      after: unknown
    }[]
    /** The lead that it was merged with, parted from or told apart from. */
    otherLeadId: string | null
    /** The merge, by which it can be undone or was. */
    mergeId: string | null
    /** The note that was written, changed or deleted. */
    noteId: string | null
    /** The import that changed it, or that was undone. */
    importId: string | null
    /** The key that it was written with; null: by the service itself. */
    keyId: string | null
    /** Who made that key. */
    userId: string | null
  }
}

/** The price in the advert of a lead has changed. */
export interface LeadPriceChangedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.price_changed'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the advert. */
    platform: string
    /** The portal's id of the advert. */
    listingId: string
    /** The extraction that found it so; null: none did just then. */
    extractionId: string | null
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
  /** The kind of event. */
  type: 'lead.withdrawn'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the advert. */
    platform: string
    /** The portal's id of the advert. */
    listingId: string
    /** The extraction that found it so; null: none did just then. */
    extractionId: string | null
  }
}

/** The person of a lead asked not to be contacted any more. */
export interface LeadOptedOutEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.opted_out'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead. */
    leadId: string
    channel: ('chat' | 'phone' | 'email') | null
    /** The key that it was written with; null: by the service itself. */
    keyId: string | null
    /** Who made that key. */
    userId: string | null
  }
}

/** A lead was deleted. */
export interface LeadDeletedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.deleted'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The lead that was. */
    leadId: string
    /** The lead that it was made one with. */
    mergedIntoLeadId: string | null
  }
}

/** A property was valued. */
export interface ValuationCreatedEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'valuation.created'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The valuation. */
    valuationId: string
    operation: 'sale' | 'rent'
    propertyType: 'homes' | 'offices' | 'premises' | 'garages'
    /** Whether the value is a price asked, or one paid. */
    priceBasis: 'asking' | 'closed'
    /** ISO 4217. */
    currency: string
    /** Whole units of the currency; for rent, per month. */
    value: number
    /** The price lies between this … */
    low: number
    /** … and this in 80 % of cases. */
    high: number
    comparablesUsed: number
  }
}

/** A webhook subscription was disabled, because its receiver is gone or has failed for five days. */
export interface WebhookDisabledEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'webhook.disabled'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The subscription. */
    webhookId: string
    /** `gone`: the receiver answered 410; `failures`: every attempt of five days failed. */
    cause: 'gone' | 'failures'
    /** The first of the failures; null: it answered 410 at once. ISO 8601, UTC. */
    failingSince: string | null
  }
}

/** Somebody tests a subscription; sent to that one alone, whatever it is subscribed to. */
export interface WebhookTestEvent {
  /** The event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'webhook.test'
  /** When it happened. */
  timestamp: string
  /** Where it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** Its place among the events of what it tells of, such as one lead: 1, 2, 3, … One that comes after a higher one is older. 0: an example. */
  sequence: number
  data: {
    /** The subscription. */
    webhookId: string
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
  watchExtraction: { method: 'GET', path: '/extractions/{id}/events' },
  listExtractionLeads: { method: 'GET', path: '/extractions/{id}/leads' },
  cancelExtraction: { method: 'POST', path: '/extractions/{id}/cancel' },
  retryExtraction: { method: 'POST', path: '/extractions/{id}/retry' },
  listLeads: { method: 'GET', path: '/leads' },
  createLead: { method: 'POST', path: '/leads' },
  updateLeads: { method: 'PATCH', path: '/leads' },
  deleteLeads: { method: 'DELETE', path: '/leads' },
  getLead: { method: 'GET', path: '/leads/{id}' },
  updateLead: { method: 'PATCH', path: '/leads/{id}', matchesETag: true },
  deleteLead: { method: 'DELETE', path: '/leads/{id}', matchesETag: true },
  upsertLead: { method: 'PUT', path: '/leads/by-external-id/{externalId}', matchesETag: true },
  getLeadByExternalId: { method: 'GET', path: '/leads/by-external-id/{externalId}' },
  deleteLeadByExternalId: { method: 'DELETE', path: '/leads/by-external-id/{externalId}', matchesETag: true },
  writeLeads: { method: 'POST', path: '/leads/batch' },
  getLeadOperation: { method: 'GET', path: '/leads/operations/{operationId}' },
  cancelLeadOperation: { method: 'POST', path: '/leads/operations/{operationId}/cancel' },
  getLeadTimeline: { method: 'GET', path: '/leads/{id}/timeline' },
  mergeLead: { method: 'POST', path: '/leads/{id}/merge', matchesETag: true },
  undoMerge: { method: 'POST', path: '/leads/{id}/merges/{mergeId}/undo', matchesETag: true },
  getLawfulBasis: { method: 'GET', path: '/leads/{id}/lawful-basis' },
  recordLawfulBasis: { method: 'PUT', path: '/leads/{id}/lawful-basis', matchesETag: true },
  withdrawLawfulBasis: { method: 'DELETE', path: '/leads/{id}/lawful-basis', matchesETag: true },
  getPersonData: { method: 'GET', path: '/leads/{id}/data' },
  exportLeads: { method: 'GET', path: '/leads/export' },
  listNotes: { method: 'GET', path: '/leads/{id}/notes' },
  createNote: { method: 'POST', path: '/leads/{id}/notes' },
  getNote: { method: 'GET', path: '/leads/{id}/notes/{noteId}' },
  updateNote: { method: 'PATCH', path: '/leads/{id}/notes/{noteId}' },
  deleteNote: { method: 'DELETE', path: '/leads/{id}/notes/{noteId}' },
  listDuplicates: { method: 'GET', path: '/leads/{id}/duplicates' },
  dismissDuplicate: { method: 'DELETE', path: '/leads/{id}/duplicates/{otherLeadId}' },
  importLeads: { method: 'POST', path: '/leads/imports' },
  listImports: { method: 'GET', path: '/leads/imports' },
  getImport: { method: 'GET', path: '/leads/imports/{id}' },
  deleteImport: { method: 'DELETE', path: '/leads/imports/{id}' },
  listImportRows: { method: 'GET', path: '/leads/imports/{id}/rows' },
  startImport: { method: 'POST', path: '/leads/imports/{id}/start' },
  cancelImport: { method: 'POST', path: '/leads/imports/{id}/cancel' },
  undoImport: { method: 'POST', path: '/leads/imports/{id}/undo' },
  listSuppressions: { method: 'GET', path: '/suppressions' },
  addSuppressions: { method: 'POST', path: '/suppressions' },
  importSuppressions: { method: 'POST', path: '/suppressions/imports' },
  importSuppressionFile: { method: 'POST', path: '/suppressions/imports/file' },
  checkSuppressions: { method: 'POST', path: '/suppressions/check' },
  getSuppression: { method: 'GET', path: '/suppressions/{id}' },
  removeSuppression: { method: 'DELETE', path: '/suppressions/{id}' },
  createValuation: { method: 'POST', path: '/valuations' },
  listValuations: { method: 'GET', path: '/valuations' },
  getValuationAccuracy: { method: 'GET', path: '/valuations/accuracy' },
  getValuation: { method: 'GET', path: '/valuations/{id}' },
  updateValuation: { method: 'PATCH', path: '/valuations/{id}', matchesETag: true },
  deleteValuation: { method: 'DELETE', path: '/valuations/{id}', matchesETag: true },
  getValuationReport: { method: 'GET', path: '/valuations/{id}/report' },
  getValuationPdf: { method: 'GET', path: '/valuations/{id}/report.pdf' },
  shareValuation: { method: 'POST', path: '/valuations/{id}/share' },
  revokeValuationShare: { method: 'DELETE', path: '/valuations/{id}/share' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  listEventTypes: { method: 'GET', path: '/webhooks/event-types' },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  testWebhook: { method: 'POST', path: '/webhooks/{id}/test' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries' },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/{id}/deliveries/{deliveryId}' },
  resendWebhookDelivery: { method: 'POST', path: '/webhooks/{id}/deliveries/{deliveryId}/resend' },
  recoverWebhook: { method: 'POST', path: '/webhooks/{id}/recover' },
  getWebhookStats: { method: 'GET', path: '/webhooks/{id}/stats' },
} as const satisfies Record<keyof Operations, { method: string; path: string; matchesETag?: true }>
