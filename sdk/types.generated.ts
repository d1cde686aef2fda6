/** The inputs, replies and webhooks of the API. Generated from openapi.json by `npm run generate`. */

/** A message of a conversation, in or out, or an internal note. Its `kind` says which parts its `content` has. */
export type Message = {
  /** The message. */
  id: string
  /** Its conversation. */
  conversationId: string
  /** The account of the conversation. */
  accountId: string
  /** The lead that it is about; null: the conversation has none, see its `leadAbsence`. A person has one conversation, even if they have several leads; what they write is about the lead of the message that they quote, else of the last message. */
  leadId: string | null
  /** Its number in the conversation, from 1. */
  sequence: number
  /** `in`: from the person; `note`: an internal note. */
  direction: 'in' | 'out' | 'note'
  /** What it is. */
  kind:
    | 'text'
    | 'template'
    | 'media'
    | 'buttons'
    | 'list'
    | 'location'
    | 'contacts'
    | 'choice'
    | 'reaction'
    | 'unsupported'
  /** What people read: the text, the rendered template, the caption, the place; null: none. */
  text: string | null
  content: MessageContent
  /** Its files. */
  media: Media[]
  /** The template it was sent with; null: none, or deleted. */
  templateId: string | null
  /** The version of the template it was sent with; null: none. */
  templateVersionId: string | null
  /** The campaign that sent it; null: none. */
  campaignId: string | null
  /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
  campaignStep: number | null
  /** The message that it answers; null: none. */
  replyToId: string | null
  /** The message that somebody sent again as this one; null: none. */
  retryOfId: string | null
  /** `auto_reply`: written by a machine of the person. `opt_out_confirmation`: the last message after an opt-out. `appointment`: a notice about an appointment that the person booked. `ai`: written by AI; with an `authorUserId` it was a draft that the user sent. */
  nature: 'person' | 'auto_reply' | 'opt_out_confirmation' | 'appointment' | 'ai'
  /** The user who wrote it; null: the person, a program, or a campaign. */
  authorUserId: string | null
  /** Outgoing messages move forward: `queued`, `sent`, `delivered`, `read`; or `failed`. `unknown`: it may have been sent; it is never sent again by itself. `received`: it came in. `noted`: it is a note. */
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' | 'received' | 'noted'
  failure: MessageFailure | null
  waiting: MessageWaiting | null
  /** When it was stored. ISO 8601, UTC. */
  createdAt: string
  /** When it was sent; null: it was not. ISO 8601, UTC. */
  sentAt: string | null
  /** When the person received it; null: not known. ISO 8601, UTC. */
  deliveredAt: string | null
  /** When the person read it; null: not known. ISO 8601, UTC. */
  readAt: string | null
  /** When it failed; null: it has not. ISO 8601, UTC. */
  failedAt: string | null
  /** When the person changed it; null: never. ISO 8601, UTC. */
  editedAt: string | null
  /** When the person deleted it; null: never. ISO 8601, UTC. */
  deletedAt: string | null
} & (
  | {
      /** A text, a rendered template, or files with a caption. */
      kind: 'text' | 'template' | 'media'
    }
  | {
      /** A text with buttons. */
      kind: 'buttons'
      content: ButtonsContent
    }
  | {
      /** A text with a list of options. */
      kind: 'list'
      content: ListContent
    }
  | {
      /** A place. */
      kind: 'location'
      content: LocationContent
    }
  | {
      /** Contacts. */
      kind: 'contacts'
      content: ContactsContent
    }
  | {
      /** A button or an option that the person chose. */
      kind: 'choice'
      content: ChoiceContent
    }
  | {
      /** A reaction, sent or to an unknown message. */
      kind: 'reaction'
      content: ReactionContent
    }
  | {
      /** A message that can’t be shown. */
      kind: 'unsupported'
      content: UnsupportedContent
    }
)

export type WebhookEvent =
  | QuotaThresholdReachedEvent
  | ExtractionStartedEvent
  | ExtractionProgressEvent
  | ExtractionCompletedEvent
  | ExtractionFailedEvent
  | ExtractionCancelledEvent
  | ValuationCreatedEvent
  | FichaCreatedEvent
  | AccountStatusChangedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageReadEvent
  | MessageFailedEvent
  | MessageReceivedEvent
  | AppointmentBookedEvent
  | AppointmentConfirmedEvent
  | AppointmentRescheduledEvent
  | AppointmentAssignedEvent
  | AppointmentCancelledEvent
  | AppointmentCompletedEvent
  | AppointmentNoShowEvent
  | AppointmentOutcomeRecordedEvent
  | AppointmentAnsweredEvent
  | AppointmentUpdatedEvent
  | CalendarStatusChangedEvent
  | CampaignStartedEvent
  | CampaignPausedEvent
  | CampaignCompletedEvent
  | CampaignSearchChangedEvent
  | ConversationHandedOffEvent
  | AiReplyDraftedEvent
  | AdConnectionStatusChangedEvent
  | LeadsImportedEvent
  | LeadCreatedEvent
  | LeadUpdatedEvent
  | LeadPriceChangedEvent
  | LeadWithdrawnEvent
  | LeadRepliedEvent
  | LeadOptedOutEvent
  | LeadOptedInEvent
  | LeadDeletedEvent
  | WebhookDisabledEvent
  | WebhookTestEvent

export interface Operations {
  /** Retrieve the current workspace, key, usage and notices. */
  getMe: {
    reply: Me
  }
  /** List the users of the workspace, by name. */
  listUsers: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Assignee[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the portals and their status. */
  listPlatforms: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Platform[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve the filters of a portal. */
  getPlatformFilters: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    reply: PlatformFilters
  }
  /** Search the locations of a portal, best match first. */
  searchPlatformLocations: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    query?: {
      /** The text typed so far; accents and small typing errors do not matter. If it is omitted, the first locations are returned. */
      q?: string
      /** Only locations inside this location of the portal. */
      parentId?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Location[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Validate filters and count the results. */
  validatePlatformFilters: {
    params: {
      /** The portal, by its `id`. */
      platform: string
    }
    /** The filters, as in `filters` of `POST /extractions`. */
    body: Record<string, unknown>
    reply: FilterValidation
  }
  /** Start an extraction. */
  startExtraction: {
    body: NewExtraction
    reply: Extraction
  }
  /** List extractions, newest first. */
  listExtractions: {
    query?: {
      /** Only extractions with this status. */
      status?: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
      /** Only extractions from this portal. */
      platform?: string
      /** Only extractions started by this campaign. */
      campaignId?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Extraction[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an extraction and its progress. */
  getExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    query?: {
      /** Wait until it has ended, for at most this number of seconds. 0: do not wait. */
      waitSeconds?: number
    }
    reply: Extraction
  }
  /** Stream the progress of an extraction. */
  watchExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    event:
      | {
          /** The name of the event. */
          event: 'progress'
          data: Extraction
          id?: string
        }
      | {
          /** The name of the event. */
          event: 'end'
          data: Extraction
          id?: string
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
  /** List the leads that an extraction created or found again. */
  listExtractionLeads: {
    params: {
      /** The extraction. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Return only these fields of each lead, separated by commas: fields of `Lead`, or fields of `contact`, `property` and `contactability` with a dot. All other fields are missing from the reply, even those that the schema requires; `id` is always returned. An unknown name is refused. `fields` may change between two pages of a list. */
      fields?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Lead[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Resume an extraction that failed or was cancelled. */
  retryExtraction: {
    params: {
      /** The extraction. */
      id: string
    }
    reply: Extraction
  }
  /** Import leads from a file. */
  importLeads: {
    query?: {
      /** Your name for the import, such as the name of the file. */
      name?: string
      /** Report the result that each row would have, and change nothing. The file is kept for 24 hours. */
      dryRun?: boolean
      /** `update`: a row updates the known lead; `skip`: known leads keep their values. */
      onMatch?: 'update' | 'skip'
      /** Keep columns that match no field of a lead as custom fields. */
      keepUnknown?: boolean
      /** The first row of a table is its headings. If false, the columns are `column 1`, `column 2`, …. If omitted, the rows decide. */
      hasHeadings?: boolean
      /** The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2. If omitted, the country of the workspace. */
      country?: string
      /** The proof of lawful bases that rows state without a date and a proof, such as the words of a consent and where it was given. It is recorded with them as your statement; without it, they are not recorded. */
      attestation?: string
      /** JSON, such as `{"Teléfono": "contact.phone", "Notas": null}`: the fields of the columns it names. The other columns keep the guessed field. */
      mapping?: string
    }
    body: Blob
    reply: Import
  }
  /** List imports, newest first. */
  listImports: {
    query?: {
      /** Only imports with this status. */
      status?: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ImportSummary[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an import and its progress. */
  getImport: {
    params: {
      /** The import. */
      id: string
    }
    query?: {
      /** Wait until it has ended, for at most this number of seconds. 0: do not wait. */
      waitSeconds?: number
    }
    reply: Import
  }
  /** Delete an import and its rows. */
  deleteImport: {
    params: {
      /** The import. */
      id: string
    }
    reply: undefined
  }
  /** Stream the progress of an import. */
  watchImport: {
    params: {
      /** The import. */
      id: string
    }
    event:
      | {
          /** The name of the event. */
          event: 'progress'
          data: Import
          id?: string
        }
      | {
          /** The name of the event. */
          event: 'end'
          data: Import
          id?: string
        }
  }
  /** Cancel an import. */
  cancelImport: {
    params: {
      /** The import. */
      id: string
    }
    reply: Import
  }
  /** List the results of the rows, in the order of the file. */
  listImportRows: {
    params: {
      /** The import. */
      id: string
    }
    query?: {
      /** Only rows with this result. */
      result?: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ImportRow[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Import the file of a dry run. */
  startImport: {
    params: {
      /** The import. */
      id: string
    }
    body: ImportStart
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
  /** List the entries of the suppression list, newest first. */
  listSuppressions: {
    query?: {
      /** Why the person is on the list. `opt_out` and `erased` are final; `exclusion_list`: it was imported; `manual`: the workspace added it; `marketing`: the person refused marketing with the provider, and may only be answered, until they accept it there again. */
      kind?: 'opt_out' | 'erased' | 'exclusion_list' | 'manual' | 'marketing'
      /** The name of the exclusion list. */
      listName?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Suppression[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Add people to the suppression list. */
  addSuppressions: {
    body: NewSuppression
    reply: {
      /** The entries for these identifiers, old and new. */
      data: Suppression[]
    }
  }
  /** Import an exclusion list, up to 10000 identifiers per request. */
  importSuppressions: {
    body: SuppressionImport
    reply: {
      /** When the entries were added. ISO 8601, UTC. */
      importedAt: string
      /** The number of new entries. */
      added: number
      /** The number of entries that were on this list already. */
      existing: number
      /** The number of entries removed from the list. */
      removed: number
      /** The identifiers that could not be read. Nothing was added for them. */
      invalid: {
        /** The index in `identifiers`, from 0. */
        index: number
      }[]
    }
  }
  /** Import an exclusion list from a file. */
  importSuppressionFile: {
    query?: {
      /** The name of the exclusion list. */
      listName?: string
      /** The channel that must not be used; if omitted, none may be used. */
      channel?: 'chat' | 'phone' | 'email'
      /** The file is the whole list: entries that it does not contain are removed. */
      replace?: boolean
    }
    body: Blob
    reply: {
      /** When the entries were added. ISO 8601, UTC. */
      importedAt: string
      /** The number of rows with text, headings not counted. */
      rows: number
      /** The number of new entries. */
      added: number
      /** The number of entries that were on this list already. */
      existing: number
      /** The number of entries removed from the list. */
      removed: number
      /** The number of rows without a phone number, e-mail address or chat that can be read. */
      unreadable: number
      /** The numbers of the first 100 of these rows, from 1. */
      unreadableRows: number[]
    }
  }
  /** Check identifiers against the suppression list. */
  checkSuppressions: {
    body: SuppressionCheck
    reply: {
      /** One result for each identifier, in the order of the request. */
      data: {
        /** It can be read as a phone number, e-mail address or chat. */
        isValid: boolean
        /** It is on the suppression list. */
        suppressed: boolean
        /** The entries for this identifier. */
        suppressions: {
          /** Why the person is on the list. `opt_out` and `erased` are final; `exclusion_list`: it was imported; `manual`: the workspace added it; `marketing`: the person refused marketing with the provider, and may only be answered, until they accept it there again. */
          kind: 'opt_out' | 'erased' | 'exclusion_list' | 'manual' | 'marketing'
          /** The channel that must not be used; null: no channel may be used. */
          channel: ('chat' | 'phone' | 'email') | null
          /** Where the entry comes from, such as the exclusion list. */
          source: string
          /** When it was added. ISO 8601, UTC. */
          addedAt: string
        }[]
      }[]
    }
  }
  /** Retrieve an entry of the suppression list. */
  getSuppression: {
    params: {
      /** The entry. */
      id: string
    }
    reply: Suppression
  }
  /** Remove an entry from the suppression list. */
  removeSuppression: {
    params: {
      /** The entry. */
      id: string
    }
    reply: undefined
  }
  /** Value a property from comparables. */
  createValuation: {
    body: NewValuation
    reply: Valuation
  }
  /** List valuations without their comparables, newest first. */
  listValuations: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** `sale`: a price to buy; `rent`: a rent per month. */
      operation?: 'sale' | 'rent'
      /** The type of property. */
      propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
      /** Only valuations with this text in the name or the address; accents and case do not matter. */
      q?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ValuationSummary[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the accuracy of estimates by market. */
  getValuationAccuracy: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: MarketAccuracy[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a valuation. */
  getValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: Valuation
  }
  /** Update a valuation or its choice of comparables. */
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
  /** Retrieve the report of a valuation as a page. */
  getValuationReport: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Retrieve the report of a valuation as a PDF. */
  getValuationPdf: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Create a public link to a report. */
  shareValuation: {
    params: {
      /** The valuation. */
      id: string
    }
    body: NewValuationShare
    reply: ValuationShare
  }
  /** Revoke the public link to a report. */
  revokeValuationShare: {
    params: {
      /** The valuation. */
      id: string
    }
    reply: undefined
  }
  /** Make a property sheet from a listing. */
  generateFicha: {
    body: NewFicha
    reply: Ficha
  }
  /** List property sheets, newest first. */
  listFichas: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** `generating`: the listing is being read; `ready`; `failed`: see `error`. */
      status?: 'generating' | 'ready' | 'failed'
      /** Only the sheets of this lead. */
      leadId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Ficha[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a property sheet. */
  getFicha: {
    params: {
      /** The sheet. */
      id: string
    }
    query?: {
      /** Wait until it has ended, for at most this number of seconds. 0: do not wait. */
      waitSeconds?: number
    }
    reply: Ficha
  }
  /** Change a property sheet. */
  updateFicha: {
    params: {
      /** The sheet. */
      id: string
    }
    body: FichaChanges
    reply: Ficha
  }
  /** Delete a property sheet. */
  deleteFicha: {
    params: {
      /** The sheet. */
      id: string
    }
    reply: undefined
  }
  /** List the versions of a property sheet, newest first. */
  listFichaVersions: {
    params: {
      /** The sheet. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: FichaVersion[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a property sheet as a page. */
  getFichaSheet: {
    params: {
      /** The sheet. */
      id: string
    }
    query?: {
      /** Default: the language of the sheet. */
      language?: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Retrieve a property sheet as a PDF. */
  getFichaPdf: {
    params: {
      /** The sheet. */
      id: string
    }
    query?: {
      /** Default: the language of the sheet. */
      language?: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Retrieve a QR code of the public link to a property sheet. */
  getFichaQr: {
    params: {
      /** The sheet. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Create a public link to a property sheet. */
  shareFicha: {
    params: {
      /** The sheet. */
      id: string
    }
    body: NewFichaShare
    reply: FichaShare
  }
  /** Revoke the public link to a property sheet. */
  revokeFichaShare: {
    params: {
      /** The sheet. */
      id: string
    }
    reply: undefined
  }
  /** Retrieve a photo of a property sheet. */
  getFichaPhoto: {
    params: {
      /** The sheet. */
      id: string
      /** The number of the photo. */
      photo: string
    }
    query?: {
      /** The width in pixels: the reply is the smallest stored photo that has it, or the largest. */
      width?: number
    }
    reply: ReadableStream<Uint8Array>
  }
  /** List the chat providers, with what an account of each requires and can do. */
  listChatProviders: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ChatProvider[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Connect a chat account. */
  createAccount: {
    body: NewChatAccount
    reply: ChatAccount
  }
  /** List chat accounts, newest first. */
  listAccounts: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only accounts of this provider. */
      provider?: string
      /** Only accounts with these statuses, separated by commas: `CONNECTED`, `DEGRADED`, `LOGGED_OUT`, `RESTRICTED`, `BANNED`, `DISCONNECTED`. */
      status?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ChatAccount[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a chat account. */
  getAccount: {
    params: {
      /** The account. */
      id: string
    }
    reply: ChatAccount
  }
  /** Rename, limit, pause or resume an account, or replace its credentials. */
  updateAccount: {
    params: {
      /** The account. */
      id: string
    }
    body: ChatAccountChanges
    reply: ChatAccount
  }
  /** Disconnect an account. */
  disconnectAccount: {
    params: {
      /** The account. */
      id: string
    }
    reply: undefined
  }
  /** Check an account with its provider now. */
  testAccount: {
    params: {
      /** The account. */
      id: string
    }
    reply: ChatAccount
  }
  /** Create a template. */
  createTemplate: {
    body: NewTemplate
    reply: Template
  }
  /** List templates, newest first. */
  listTemplates: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only templates with a text in this language. */
      language?: string
      /** What the text is for. Providers price and limit categories differently, and may change it. */
      category?: 'marketing' | 'utility' | 'authentication'
      /** true: only deleted templates; default: only the others. */
      archived?: boolean
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Template[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the variables that every template may use. */
  listTemplateVariables: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** The language of the examples and values; default: es. */
      language?: string
      /** A lead: its values are in `value`. */
      leadId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: TemplateCatalogueVariable[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a template. */
  getTemplate: {
    params: {
      /** The template. */
      id: string
    }
    reply: Template
  }
  /** Update a template. */
  updateTemplate: {
    params: {
      /** The template. */
      id: string
    }
    body: TemplateChanges
    reply: Template
  }
  /** Delete a template. */
  deleteTemplate: {
    params: {
      /** The template. */
      id: string
    }
    reply: undefined
  }
  /** List the versions of a template, newest first. */
  listTemplateVersions: {
    params: {
      /** The template. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only this language. */
      language?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: TemplateVersion[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Preview a template. */
  previewTemplate: {
    params: {
      /** The template. */
      id: string
    }
    body: NewTemplatePreview
    reply: TemplatePreview
  }
  /** Submit a text to the provider of an account. */
  submitTemplate: {
    params: {
      /** The template. */
      id: string
    }
    body: TemplateSubmission
    reply: Template
  }
  /** Synchronize the templates of an account with its provider. */
  syncTemplates: {
    body: NewTemplateSync
    reply: TemplateSync
  }
  /** Open a conversation with a lead. */
  openConversation: {
    body: NewConversation
    reply: Conversation
  }
  /** List conversations, those with the newest messages first. */
  listConversations: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Words of the messages (an e-mail with its subject), or of the lead (name, phone, property), without regard to accents and case; or the beginning of a number, an address or an id of the person. All words of one message or of the lead must match; the last may be incomplete. With common words a page may be short although `nextCursor` is set. */
      q?: string
      /** Only those with these statuses, separated by commas: `open`, `pending`, `closed`. `pending`: it waits for somebody else. `closed`: it is done. A message of the person makes it `open`. */
      status?: string
      /** true: with unread messages; false: without. */
      unread?: boolean
      /** Only those with the person of this lead, also if they have another one as `leadId`. */
      leadId?: string
      /** Only those of this account. */
      accountId?: string
      /** Only those of this user; `none`: only those of nobody. */
      assignedUserId?: string
      /** Only those with this label. */
      label?: string
      /** true: only those that are put off; false: without them. Default: a `status` of `open` leaves them out. */
      snoozed?: boolean
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ListedConversation[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the labels that conversations have, in alphabetical order. */
  listConversationLabels: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /**
       * The items of this page, in the order of the list.
       *
       * Items: A label.
       */
      data: string[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a conversation. */
  getConversation: {
    params: {
      /** The conversation. */
      id: string
    }
    reply: Conversation
  }
  /** Change a conversation. */
  updateConversation: {
    params: {
      /** The conversation. */
      id: string
    }
    body: ConversationChanges
    reply: Conversation
  }
  /** Show the person that somebody is typing. */
  showTyping: {
    params: {
      /** The conversation. */
      id: string
    }
    reply: undefined
  }
  /** List the messages of a conversation. */
  listMessages: {
    params: {
      /** The conversation. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only messages with all these words, an e-mail with its subject, without regard to accents and case; the last may be incomplete. */
      q?: string
      /** `newest`: from the end of the conversation; `oldest`: from its beginning. */
      order?: 'newest' | 'oldest'
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Message[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Send a message. */
  sendMessage: {
    params: {
      /** The conversation. */
      id: string
    }
    body: NewMessage
    reply: Message
  }
  /** List the messages that wait, failed, or may not have been sent, the newest first. */
  listUnsentMessages: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** `queued`, `failed`, `unknown`, or several, separated by commas. Default: `failed,unknown`, which a person decides about. */
      status?: string
      /** Only those of this account. */
      accountId?: string
      /** Only those about this lead. */
      leadId?: string
      /** Only those of this campaign. */
      campaignId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Message[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a message. */
  getMessage: {
    params: {
      /** The message. */
      id: string
    }
    reply: Message
  }
  /** Withdraw a queued message. */
  withdrawMessage: {
    params: {
      /** The message. */
      id: string
    }
    reply: Message
  }
  /** Send a failed or unknown message again. */
  retryMessage: {
    params: {
      /** The message. */
      id: string
    }
    reply: Message
  }
  /** Stream what changes in the inbox. */
  watchConversations: {
    event:
      | {
          /** The name of the event. */
          event: 'ready'
          /** The start of the stream. */
          data: {
            /** True: the events since the last one follow. False: load the inbox now, then apply events. */
            isResumed: boolean
          }
          id?: string
        }
      | {
          /** The name of the event. */
          event: 'message'
          /** `message` is null if it is too large for a stream: retrieve it. */
          data: {
            /** The message. */
            messageId: string
            /** Its conversation. */
            conversationId: string
            message: Message | null
          }
          id?: string
        }
      | {
          /** The name of the event. */
          event: 'conversation'
          /** The conversation as it is now. */
          data: {
            conversation: Conversation
          }
          id?: string
        }
  }
  /** List the messages that people send by hand, the oldest first. */
  listMessageTasks: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only those with this status. Omitted: those still to be done. */
      status?: 'open' | 'opened' | 'done' | 'expired' | 'skipped'
      /** Only those of this user. */
      assignedUserId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: MessageTask[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Assign a task, or tick it off. */
  updateMessageTask: {
    params: {
      /** The task. */
      id: string
    }
    body: MessageTaskChanges
    reply: MessageTask
  }
  /** Get the link of a task. */
  openMessageTask: {
    params: {
      /** The task. */
      id: string
    }
    reply: OpenedMessageTask
  }
  /** Upload a file to send it. */
  uploadMedia: {
    query?: {
      /** The name that the person sees. Control characters, marks of direction and slashes are removed or replaced. */
      fileName?: string
    }
    body: Blob
    reply: Media
  }
  /** Retrieve the content of a file. */
  getMedia: {
    params: {
      /** The file. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** Retrieve a small image of a file. */
  getMediaPreview: {
    params: {
      /** The file. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** List quick replies, by shortcut. */
  listQuickReplies: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: QuickReply[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Create a quick reply. */
  createQuickReply: {
    body: NewQuickReply
    reply: QuickReply
  }
  /** Change a quick reply. */
  updateQuickReply: {
    params: {
      /** The quick reply. */
      id: string
    }
    body: QuickReplyChanges
    reply: QuickReply
  }
  /** Delete a quick reply. */
  deleteQuickReply: {
    params: {
      /** The quick reply. */
      id: string
    }
    reply: undefined
  }
  /** Take an opt-out back, because the person asked for messages again. */
  optIn: {
    params: {
      /** The message in which the person asks for messages again. */
      id: string
    }
    reply: Message
  }
  /** Create an event type. */
  createSchedulingEventType: {
    body: NewSchedulingEventType
    reply: SchedulingEventType
  }
  /** List event types, newest first. */
  listSchedulingEventTypes: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** `agent_private`: of one agent. `workspace_template`: every agent may copy it. Default: agent_private. */
      visibility?: 'agent_private' | 'workspace_template'
      /** Only those of this agent. */
      ownerAgentUserId?: string
      /** Only those of this agenda. */
      agendaId?: string
      /** Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent. */
      slug?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: SchedulingEventType[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an event type. */
  getSchedulingEventType: {
    params: {
      /** The event type. */
      id: string
    }
    reply: SchedulingEventType
  }
  /** Update an event type. */
  updateSchedulingEventType: {
    params: {
      /** The event type. */
      id: string
    }
    body: SchedulingEventTypeChanges
    reply: SchedulingEventType
  }
  /** Delete an event type. */
  deleteSchedulingEventType: {
    params: {
      /** The event type. */
      id: string
    }
    reply: undefined
  }
  /** Copy an event type for an agent. */
  copySchedulingEventType: {
    params: {
      /** The event type. */
      id: string
    }
    body: SchedulingEventTypeCopy
    reply: SchedulingEventType
  }
  /** Create a public link to the booking page of an event type. */
  shareBookingPage: {
    params: {
      /** The event type. */
      id: string
    }
    body: NewBookingPageShare
    reply: BookingPageShare
  }
  /** Revoke the public link to the booking page of an event type. */
  revokeBookingPage: {
    params: {
      /** The event type. */
      id: string
    }
    reply: undefined
  }
  /** Create an agenda. */
  createAgenda: {
    body: NewAgenda
    reply: Agenda
  }
  /** List agendas, newest first. */
  listAgendas: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only those of this agent. */
      agentUserId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Agenda[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an agenda. */
  getAgenda: {
    params: {
      /** The agenda. */
      id: string
    }
    reply: Agenda
  }
  /** Update an agenda. */
  updateAgenda: {
    params: {
      /** The agenda. */
      id: string
    }
    body: AgendaChanges
    reply: Agenda
  }
  /** Delete an agenda. */
  deleteAgenda: {
    params: {
      /** The agenda. */
      id: string
    }
    reply: undefined
  }
  /** Retrieve the route of a day. */
  getDayRoute: {
    params: {
      /** The agenda. */
      id: string
    }
    query?: {
      /** The day in the time zone of the agenda. Default: today. */
      date?: string
    }
    reply: DayRoute
  }
  /** List the free slots of an event type, by day. */
  listSlots: {
    params: {
      /** The event type. */
      id: string
    }
    query?: {
      /** From this day in `timezone`, or from this time (ISO 8601); default: now. */
      from?: string
      /** To the end of this day, or to this time; default: 7 days after `from`. At most 62 days, with the first and the last one. */
      to?: string
      /** The time zone of the days, by its IANA name; default: that of the event type. */
      timezone?: string
      /** The lead whose property is visited: it decides which agents go there, and how long the way is. Without it, the place of the event type counts; if there is none, areas and travel do not count, and a booking of a lead may be refused with `slotReason` `TRAVEL` or `NO_AGENDA`. */
      leadId?: string
    }
    reply: SlotList
  }
  /** Hold a slot for five minutes. */
  createHold: {
    params: {
      /** The event type. */
      id: string
    }
    body: NewHold
    reply: Hold
  }
  /** Release a hold. */
  deleteHold: {
    params: {
      /** The hold. */
      id: string
    }
    reply: undefined
  }
  /** Book an appointment. */
  bookAppointment: {
    body: NewAppointment
    reply: Appointment
  }
  /** List appointments by their beginning. */
  listAppointments: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only these statuses, separated by commas: pending, confirmed, cancelled, completed, no_show. */
      status?: string
      /** Only of this event type. */
      eventTypeId?: string
      /** Only of this agenda. */
      agendaId?: string
      /** Only of this agent. */
      agentUserId?: string
      /** Only of this lead. */
      leadId?: string
      /** Only those that begin then or later. ISO 8601, UTC. */
      from?: string
      /** Only those that begin before. ISO 8601, UTC. */
      to?: string
      /** By their beginning; `-start`: the latest first. */
      sort?: 'start' | '-start'
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Appointment[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an appointment. */
  getAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    reply: Appointment
  }
  /** Change the visitor, the answers or the notes of an appointment. */
  updateAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    body: AppointmentChanges
    reply: Appointment
  }
  /** Confirm a pending appointment. */
  confirmAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    reply: Appointment
  }
  /** Move an appointment to another time. */
  rescheduleAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    body: AppointmentReschedule
    reply: Appointment
  }
  /** Assign an appointment to another agent. */
  assignAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    body: AppointmentAssign
    reply: Appointment
  }
  /** Cancel an appointment. */
  cancelAppointment: {
    params: {
      /** The appointment. */
      id: string
    }
    body: AppointmentCancel
    reply: Appointment
  }
  /** Record that the visitor did not come. */
  recordNoShow: {
    params: {
      /** The appointment. */
      id: string
    }
    reply: Appointment
  }
  /** Record what came of an appointment. */
  recordOutcome: {
    params: {
      /** The appointment. */
      id: string
    }
    body: NewAppointmentOutcome
    reply: Appointment
  }
  /** List the notices of an appointment to the visitor and the agent, oldest first. */
  listAppointmentNotices: {
    params: {
      /** The appointment. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: AppointmentNotice[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Download an appointment as an iCalendar file. */
  downloadInvitation: {
    params: {
      /** The appointment. */
      id: string
    }
    reply: ReadableStream<Uint8Array>
  }
  /** List the calendar providers, with what a calendar of each requires and can do. */
  listCalendarProviders: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: CalendarProvider[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Connect a calendar of an agent to an agenda. */
  createCalendar: {
    body: NewCalendar
    reply: Calendar
  }
  /** List calendars, newest first. */
  listCalendars: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only calendars of this agenda. */
      agendaId?: string
      /** Only calendars with these statuses, separated by commas: `AUTHORIZING`, `CONNECTED`, `FAILING`, `EXPIRED`. */
      status?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Calendar[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a calendar, with its health. */
  getCalendar: {
    params: {
      /** The calendar. */
      id: string
    }
    reply: Calendar
  }
  /** Rename a calendar, choose another one, or replace its credentials. */
  updateCalendar: {
    params: {
      /** The calendar. */
      id: string
    }
    body: CalendarChanges
    reply: Calendar
  }
  /** Disconnect a calendar. */
  deleteCalendar: {
    params: {
      /** The calendar. */
      id: string
    }
    reply: undefined
  }
  /** List the calendars that the credentials give access to. */
  listExternalCalendars: {
    params: {
      /** The calendar. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: ExternalCalendar[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Read a calendar now. */
  readCalendar: {
    params: {
      /** The calendar. */
      id: string
    }
    reply: Calendar
  }
  /** Create a link with which the agent agrees again. */
  authorizeCalendar: {
    params: {
      /** The calendar. */
      id: string
    }
    reply: Calendar
  }
  /** Create the link of a calendar feed of an agenda. */
  createAgendaFeed: {
    params: {
      /** The agenda. */
      id: string
    }
    reply: AgendaFeed
  }
  /** Revoke the link of the calendar feed of an agenda. */
  revokeAgendaFeed: {
    params: {
      /** The agenda. */
      id: string
    }
    reply: undefined
  }
  /** Create a campaign. */
  createCampaign: {
    body: NewCampaign
    reply: Campaign
  }
  /** List campaigns, newest first. */
  listCampaigns: {
    query?: {
      /** Only campaigns with one of these statuses: `draft`, `running`, `paused`, `completed`. */
      status?: string
      /** Only campaigns of one of these sources: a portal, `csv_import`, `widget`, `social_ads`. */
      platform?: string
      /** Only campaigns in this mode. */
      mode?: 'extract_only' | 'extract_and_contact'
      /** Only campaigns whose name contains this text. Case and accents do not matter. */
      q?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Campaign[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a campaign. */
  getCampaign: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: Campaign
  }
  /** Update a campaign. */
  updateCampaign: {
    params: {
      /** The campaign. */
      id: string
    }
    body: CampaignChanges
    reply: Campaign
  }
  /** Delete a campaign. */
  deleteCampaign: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: undefined
  }
  /** Start, pause or resume a campaign. */
  changeCampaignStatus: {
    params: {
      /** The campaign. */
      id: string
    }
    body: CampaignStatusChange
    reply: Campaign
  }
  /** List the recipients of a campaign, in the order in which they joined. */
  listCampaignRecipients: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** Only recipients with one of these statuses, separated by commas: waiting, queued, completed, stopped, skipped, failed. */
      status?: string
      /** Only recipients with one of these codes of their reason, separated by commas. */
      reason?: string
      /** Only the recipient of this lead. */
      leadId?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: CampaignRecipient[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Add people to a campaign. */
  addCampaignRecipients: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** Your name for the import, such as the name of the file. */
      name?: string
      /** `update`: a row updates the known lead; `skip`: known leads keep their values. */
      onMatch?: 'update' | 'skip'
      /** Keep columns that match no field of a lead as custom fields. */
      keepUnknown?: boolean
      /** The first row of a table is its headings. If false, the columns are `column 1`, `column 2`, …. If omitted, the rows decide. */
      hasHeadings?: boolean
      /** The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2. If omitted, the country of the workspace. */
      country?: string
      /** The proof of lawful bases that rows state without a date and a proof, such as the words of a consent and where it was given. It is recorded with them as your statement; without it, they are not recorded. */
      attestation?: string
      /** JSON, such as `{"Teléfono": "contact.phone", "Notas": null}`: the fields of the columns it names. The other columns keep the guessed field. */
      mapping?: string
      /** The reply waits so long for the rows of the file. Those of a larger file go on joining afterwards. */
      waitSeconds?: number
    }
    body: RecipientLeads | Blob
    reply: RecipientUpload
  }
  /** Send the next step to recipients that were skipped or have failed. */
  retryCampaignRecipients: {
    params: {
      /** The campaign. */
      id: string
    }
    body: {
      /**
       * These recipients.
       *
       * @minItems 1
       * @maxItems 500
       *
       * Items: A recipient.
       */
      recipientIds?: string[]
      /** Only those with this status. */
      status?: 'skipped' | 'failed'
      /** Only those with this code of their reason. */
      reason?: string
      /** Only those who joined after this recipient: the `lastId` of the reply before. */
      after?: string
    }
    reply: RecipientRetry
  }
  /** Take a person out of a campaign. */
  removeCampaignRecipient: {
    params: {
      /** The campaign. */
      id: string
      /** The recipient. */
      recipientId: string
    }
    reply: undefined
  }

  /** Export the recipients of a campaign, with every message and its lawful basis. */
  exportCampaignRecipients: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** Only recipients with one of these statuses, separated by commas: waiting, queued, completed, stopped, skipped, failed. */
      status?: string
      /** Only recipients with one of these codes of their reason, separated by commas. */
      reason?: string
      /** `csv`: a table; `ndjson`: a line of JSON per row. */
      format?: 'csv' | 'ndjson'
      /** The character between the columns of a table. Excel expects `;` in countries with a decimal comma. */
      separator?: ',' | ';' | 'tab'
    }
    reply: ReadableStream<Uint8Array>
  }
  /** List the runs of a campaign at its portal, newest first. */
  listCampaignRuns: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: CampaignRun[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the listing URLs that a run has still to check. */
  listPendingUrls: {
    params: {
      /** The campaign. */
      id: string
      /** The run. */
      runId: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: PendingUrl[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List what is new, cheaper or gone in the search of a campaign, newest first. */
  listCampaignChanges: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** Only changes of one of these types, separated by commas: new, cheaper, gone. */
      type?: string
      /** Only changes that this run has found. */
      runId?: string
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: CampaignChange[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the digests of a saved search, newest first. */
  listCampaignDigests: {
    params: {
      /** The campaign. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: CampaignDigest[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a digest of a saved search with its text. */
  getCampaignDigest: {
    params: {
      /** The campaign. */
      id: string
      /** The digest. */
      digestId: string
    }
    reply: WrittenCampaignDigest
  }
  /** Retrieve the widget of a campaign. */
  getWidget: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: Widget
  }
  /** Configure the widget of a campaign. */
  configureWidget: {
    params: {
      /** The campaign. */
      id: string
    }
    body: WidgetSettings
    reply: Widget
  }
  /** Replace the key of a widget. */
  replaceWidgetKey: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: Widget
  }
  /** Revoke the key of a widget. */
  revokeWidgetKey: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: undefined
  }
  /** Retrieve what a campaign has reached. */
  getCampaignNumbers: {
    params: {
      /** The campaign. */
      id: string
    }
    reply: CampaignNumbers
  }
  /** List AI replies, the newest first. */
  listAiReplies: {
    query?: {
      /** Only of this conversation. */
      conversationId?: string
      /** Only of this campaign. */
      campaignId?: string
      /** Only with this status. */
      status?: 'draft' | 'sent' | 'discarded' | 'handed_off'
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: AiReply[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve an AI reply with the input of the model. */
  getAiReply: {
    params: {
      /** The AI reply. */
      id: string
    }
    reply: LoggedAiReply
  }
  /** Discard a draft of the AI. */
  discardAiReply: {
    params: {
      /** The AI reply. */
      id: string
    }
    reply: undefined
  }
  /** Send a draft of the AI. */
  sendAiReply: {
    params: {
      /** The AI reply. */
      id: string
    }
    body: SentDraft
    reply: LoggedAiReply
  }
  /** Retrieve who answers a conversation: AI or people. */
  getConversationAi: {
    params: {
      /** The conversation. */
      id: string
    }
    reply: ConversationAi
  }
  /** Take a conversation over from the AI, or let it answer again. */
  updateConversationAi: {
    params: {
      /** The conversation. */
      id: string
    }
    body: ConversationAiChange
    reply: ConversationAi
  }
  /** Preview a campaign. */
  previewCampaign: {
    params: {
      /** The campaign. */
      id: string
    }
    body: CampaignPreviewRequest
    reply: CampaignPreview
  }
  /** List the ad networks, with what a connection with each requires. */
  listAdNetworks: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: AdNetwork[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Connect a page whose lead ads are read. */
  createAdConnection: {
    body: NewAdConnection
    reply: AdConnection
  }
  /** List connections with ad networks, newest first. */
  listAdConnections: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: AdConnection[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a connection, with its health and its webhook address. */
  getAdConnection: {
    params: {
      /** The connection. */
      id: string
    }
    reply: AdConnection
  }
  /** Rename a connection, or replace its credentials. */
  updateAdConnection: {
    params: {
      /** The connection. */
      id: string
    }
    body: AdConnectionChanges
    reply: AdConnection
  }
  /** Disconnect a page. */
  deleteAdConnection: {
    params: {
      /** The connection. */
      id: string
    }
    reply: undefined
  }
  /** Verify a connection now, and list its forms and leads. */
  testAdConnection: {
    params: {
      /** The connection. */
      id: string
    }
    reply: AdConnection
  }
  /** List the forms of a page, and how their answers become leads. */
  listLeadForms: {
    params: {
      /** The connection. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: LeadForm[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Set the fields of a lead that answers are written to, and which boxes mean consent. */
  updateLeadForm: {
    params: {
      /** The connection. */
      id: string
      /** The network's id of the form. */
      formId: string
    }
    body: LeadFormChanges
    reply: LeadForm
  }
  /** List what people submitted, newest first, with its lead or the reason why there is none. */
  listAdLeads: {
    params: {
      /** The connection. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only submissions with these statuses, separated by commas: `waiting`, `taken`, `skipped`, `failed`. */
      status?: string
      /** The network's id of the form. */
      formId?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: AdLead[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Read those submissions again that wait or failed. */
  retryAdLeads: {
    params: {
      /** The connection. */
      id: string
    }
    reply: {
      /** How many are read again. */
      retried: number
    }
  }
  /** List leads, newest first. */
  listLeads: {
    query?: {
      /** Only leads with one of these ids, separated by commas; 200 at most. */
      ids?: string
      /** Only leads with this text in the name, phone, address, title or description. */
      q?: string
      /** Only the lead with this external id. */
      externalId?: string
      /** Only leads with this status, or with one of several separated by commas: new, contacted, replied, qualified, won, lost, discarded. */
      status?: string
      /** Only leads from this portal, or from one of several separated by commas. */
      platform?: string
      /** Only leads with this `campaignId`: the campaign that found them. Everybody to whom a campaign writes is in `GET /campaigns/{id}/recipients`. */
      campaignId?: string
      /** Only leads found by this extraction. */
      extractionId?: string
      /** Only leads with this tag, or with one of several separated by commas. A comma within a tag has a backslash before it: `Eixample\, Dreta`. */
      tag?: string
      /** Only leads that this user is responsible for. */
      ownerUserId?: string
      /** The kind of advertiser. */
      advertiserType?: 'private' | 'agency'
      /** The property is for sale, or to let. */
      operation?: 'sale' | 'rent'
      /** The type of property. */
      propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
      /** The lowest price, in major units. */
      minPrice?: number
      /** The highest price, in major units. */
      maxPrice?: number
      /** Only leads in this town; case does not matter. */
      municipality?: string
      /** Only leads in this province; case does not matter. */
      province?: string
      /** Only leads in this area: `west,south,east,north` in degrees, WGS 84. */
      bbox?: string
      /** true: only leads with a valid phone number; false: only leads without one. */
      hasPhone?: boolean
      /** true: only leads that may be contacted; false: only leads that may not. See `contactability.allowed`. */
      contactable?: boolean
      /** true: only leads whose listings are all withdrawn; false: all others, also those never listed. */
      withdrawn?: boolean
      /** Only leads created after this time. ISO 8601, UTC. */
      createdAfter?: string
      /** Only leads changed after this time. ISO 8601, UTC. */
      updatedAfter?: string
      /** The order of the list; `-` before a field: the highest or newest first. */
      sort?: '-createdAt' | '-updatedAt' | 'updatedAt' | 'price' | '-price'
      /** Return the number of matching leads as `count`, up to 10,000. */
      count?: boolean
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Return only these fields of each lead, separated by commas: fields of `Lead`, or fields of `contact`, `property` and `contactability` with a dot. All other fields are missing from the reply, even those that the schema requires; `id` is always returned. An unknown name is refused. `fields` may change between two pages of a list. */
      fields?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Lead[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
      /** How many leads match the filters; null: `count` was not sent. */
      count: {
        /** The number of matching leads, at most 10,000. */
        value: number
        /** false: there are more. */
        isExact: boolean
      } | null
    }
  }
  /** Create a lead. */
  createLead: {
    body: NewLead
    reply: Lead
  }
  /** Update many leads. */
  updateLeads: {
    body: BulkChange
    reply: LeadOperation
  }
  /** Delete many leads. */
  deleteLeads: {
    body: BulkDeletion
    reply: LeadOperation
  }
  /** Retrieve a lead. */
  getLead: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** Return only these fields of each lead, separated by commas: fields of `Lead`, or fields of `contact`, `property` and `contactability` with a dot. All other fields are missing from the reply, even those that the schema requires; `id` is always returned. An unknown name is refused. `fields` may change between two pages of a list. */
      fields?: string
    }
    reply: Lead
  }
  /** Update a lead. */
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
      /** Erase the person everywhere (art. 17 GDPR): every lead with the same phone number, e-mail address or chat, and all data about them. Identifiers of an agency, or of more than 20 leads, do not lead to other leads: for an agency, only this lead is erased. */
      erase?: boolean
    }
    reply: undefined
  }
  /** Create or update a lead by its external id. */
  upsertLead: {
    params: {
      /** The external id, percent-encoded: `a/b` is `a%2Fb`. */
      externalId: string
    }
    body: UpsertedLead
    reply: Lead
  }
  /** Retrieve a lead by its external id. */
  getLeadByExternalId: {
    params: {
      /** The external id, percent-encoded: `a/b` is `a%2Fb`. */
      externalId: string
    }
    query?: {
      /** Return only these fields of each lead, separated by commas: fields of `Lead`, or fields of `contact`, `property` and `contactability` with a dot. All other fields are missing from the reply, even those that the schema requires; `id` is always returned. An unknown name is refused. `fields` may change between two pages of a list. */
      fields?: string
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
      /** Erase the person everywhere (art. 17 GDPR): every lead with the same phone number, e-mail address or chat, and all data about them. Identifiers of an agency, or of more than 20 leads, do not lead to other leads: for an agency, only this lead is erased. */
      erase?: boolean
    }
    reply: undefined
  }
  /** Create or update many leads. */
  writeLeads: {
    body: LeadBatch
    reply: LeadBatchResult
  }
  /** Retrieve an operation and its progress. */
  getLeadOperation: {
    params: {
      /** The operation. */
      id: string
    }
    query?: {
      /** Wait until it has ended, for at most this number of seconds. 0: do not wait. */
      waitSeconds?: number
    }
    reply: LeadOperation
  }
  /** Stream the progress of an operation. */
  watchLeadOperation: {
    params: {
      /** The operation. */
      id: string
    }
    event:
      | {
          /** The name of the event. */
          event: 'progress'
          data: LeadOperation
          id?: string
        }
      | {
          /** The name of the event. */
          event: 'end'
          data: LeadOperation
          id?: string
        }
  }
  /** Cancel an operation. */
  cancelLeadOperation: {
    params: {
      /** The operation. */
      id: string
    }
    reply: LeadOperation
  }
  /** List what happened to a lead, newest first. */
  getLeadTimeline: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: TimelineItem[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Merge another lead into this one. */
  mergeLead: {
    params: {
      /** The lead. */
      id: string
    }
    body: MergeRequest
    reply: Merge
  }
  /** Undo a merge. */
  undoMerge: {
    params: {
      /** The lead. */
      id: string
      /** The merge. */
      mergeId: string
    }
    reply: Merge
  }
  /** Retrieve the lawful basis of a lead, with its proof. */
  getLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    reply: LawfulBasis
  }
  /** Record the lawful basis of a lead. */
  recordLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    body: NewLawfulBasis
    reply: LawfulBasis
  }
  /** Withdraw the lawful basis of a lead. */
  withdrawLawfulBasis: {
    params: {
      /** The lead. */
      id: string
    }
    reply: undefined
  }
  /** Retrieve all data about the person of a lead. */
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
      /** Only leads with one of these ids, separated by commas; 200 at most. */
      ids?: string
      /** Only leads with this text in the name, phone, address, title or description. */
      q?: string
      /** Only the lead with this external id. */
      externalId?: string
      /** Only leads with this status, or with one of several separated by commas: new, contacted, replied, qualified, won, lost, discarded. */
      status?: string
      /** Only leads from this portal, or from one of several separated by commas. */
      platform?: string
      /** Only leads with this `campaignId`: the campaign that found them. Everybody to whom a campaign writes is in `GET /campaigns/{id}/recipients`. */
      campaignId?: string
      /** Only leads found by this extraction. */
      extractionId?: string
      /** Only leads with this tag, or with one of several separated by commas. A comma within a tag has a backslash before it: `Eixample\, Dreta`. */
      tag?: string
      /** Only leads that this user is responsible for. */
      ownerUserId?: string
      /** The kind of advertiser. */
      advertiserType?: 'private' | 'agency'
      /** The property is for sale, or to let. */
      operation?: 'sale' | 'rent'
      /** The type of property. */
      propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
      /** The lowest price, in major units. */
      minPrice?: number
      /** The highest price, in major units. */
      maxPrice?: number
      /** Only leads in this town; case does not matter. */
      municipality?: string
      /** Only leads in this province; case does not matter. */
      province?: string
      /** Only leads in this area: `west,south,east,north` in degrees, WGS 84. */
      bbox?: string
      /** true: only leads with a valid phone number; false: only leads without one. */
      hasPhone?: boolean
      /** true: only leads that may be contacted; false: only leads that may not. See `contactability.allowed`. */
      contactable?: boolean
      /** true: only leads whose listings are all withdrawn; false: all others, also those never listed. */
      withdrawn?: boolean
      /** Only leads created after this time. ISO 8601, UTC. */
      createdAfter?: string
      /** Only leads changed after this time. ISO 8601, UTC. */
      updatedAfter?: string
      /** `csv`: a table; `ndjson`: a line of JSON per lead. */
      format?: 'csv' | 'ndjson'
      /** The character between the columns of a table. Excel expects `;` in countries with a decimal comma. */
      separator?: ',' | ';' | 'tab'
    }
    reply: ReadableStream<Uint8Array>
  }
  /** List the notes of a lead, newest first. */
  listNotes: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Note[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Add a note to a lead. */
  createNote: {
    params: {
      /** The lead. */
      id: string
    }
    body: NewNote
    reply: Note
  }
  /** Retrieve a note. */
  getNote: {
    params: {
      /** The lead. */
      id: string
      /** The note. */
      noteId: string
    }
    reply: Note
  }
  /** Update a note. */
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
  /** List possible duplicates of a lead, most similar first. */
  listDuplicates: {
    params: {
      /** The lead. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Duplicate[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Dismiss a possible duplicate. */
  dismissDuplicate: {
    params: {
      /** The lead. */
      id: string
      /** The lead that may show the same property. */
      otherLeadId: string
    }
    reply: undefined
  }
  /** Subscribe to events. */
  createSubscription: {
    body: NewSubscription
    reply: CreatedSubscription
  }
  /** List subscriptions, newest first. */
  listSubscriptions: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: Subscription[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** List the types of events, with the schema and an example of each message. */
  listEventTypes: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: EventType[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a subscription. */
  getSubscription: {
    params: {
      /** The subscription. */
      id: string
    }
    reply: Subscription
  }
  /** Update, disable or enable a subscription. */
  updateSubscription: {
    params: {
      /** The subscription. */
      id: string
    }
    body: SubscriptionChanges
    reply: Subscription
  }
  /** Delete a subscription. */
  deleteSubscription: {
    params: {
      /** The subscription. */
      id: string
    }
    reply: undefined
  }
  /** Rotate the signing secret. */
  rotateSubscriptionSecret: {
    params: {
      /** The subscription. */
      id: string
    }
    body: SecretRotation
    reply: RotatedSecret
  }
  /** Send a test event. */
  testSubscription: {
    params: {
      /** The subscription. */
      id: string
    }
    body: WebhookTest
    reply: WebhookDelivery
  }
  /** List deliveries, newest events first. */
  listWebhookDeliveries: {
    params: {
      /** The subscription. */
      id: string
    }
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** `pending`: an attempt will follow; `failed`: no attempt will follow. */
      status?: 'pending' | 'delivered' | 'failed'
      /** Only deliveries of this type of event. */
      eventType?:
        | 'quota.threshold_reached'
        | 'extraction.started'
        | 'extraction.progress'
        | 'extraction.completed'
        | 'extraction.failed'
        | 'extraction.cancelled'
        | 'valuation.created'
        | 'ficha.created'
        | 'account.status_changed'
        | 'message.sent'
        | 'message.delivered'
        | 'message.read'
        | 'message.failed'
        | 'message.received'
        | 'appointment.booked'
        | 'appointment.confirmed'
        | 'appointment.rescheduled'
        | 'appointment.assigned'
        | 'appointment.cancelled'
        | 'appointment.completed'
        | 'appointment.no_show'
        | 'appointment.outcome_recorded'
        | 'appointment.answered'
        | 'appointment.updated'
        | 'calendar.status_changed'
        | 'campaign.started'
        | 'campaign.paused'
        | 'campaign.completed'
        | 'campaign.search_changed'
        | 'conversation.handed_off'
        | 'ai_reply.drafted'
        | 'ad_connection.status_changed'
        | 'leads.imported'
        | 'lead.created'
        | 'lead.updated'
        | 'lead.price_changed'
        | 'lead.withdrawn'
        | 'lead.replied'
        | 'lead.opted_out'
        | 'lead.opted_in'
        | 'lead.deleted'
        | 'webhook.disabled'
        | 'webhook.test'
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: WebhookDelivery[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Retrieve a delivery, its attempts and its message. */
  getWebhookDelivery: {
    params: {
      /** The subscription. */
      id: string
      /** The delivery. */
      deliveryId: string
    }
    query?: {
      /** Wait until it has ended, for at most this number of seconds. 0: do not wait. */
      waitSeconds?: number
    }
    reply: WebhookDeliveryWithEvent
  }
  /** Send a delivery again. */
  resendWebhookDelivery: {
    params: {
      /** The subscription. */
      id: string
      /** The delivery. */
      deliveryId: string
    }
    reply: WebhookDelivery
  }
  /** Resend all failed deliveries since a time. */
  recoverDeliveries: {
    params: {
      /** The subscription. */
      id: string
    }
    body: WebhookRecovery
    reply: WebhookRecovered
  }
  /** Retrieve the statistics of a subscription. */
  getSubscriptionStats: {
    params: {
      /** The subscription. */
      id: string
    }
    query?: {
      /** The number of hours to look back. */
      hours?: number
    }
    reply: WebhookStats
  }
  /** List all events in a fixed order. */
  listEvents: {
    query?: {
      /** The `nextAfter` of the previous page; `latest`: only events from now on. If omitted, the feed starts with the oldest event of the last 30 days. */
      after?: string
      /** Return only events of these types, separated by commas. */
      types?: string
      /** The largest number of items to return. */
      limit?: number
    }
    reply: {
      /** The messages, the same as webhooks send, in the order of the feed. */
      data: (
        | QuotaThresholdReachedEvent
        | ExtractionStartedEvent
        | ExtractionProgressEvent
        | ExtractionCompletedEvent
        | ExtractionFailedEvent
        | ExtractionCancelledEvent
        | ValuationCreatedEvent
        | FichaCreatedEvent
        | AccountStatusChangedEvent
        | MessageSentEvent
        | MessageDeliveredEvent
        | MessageReadEvent
        | MessageFailedEvent
        | MessageReceivedEvent
        | AppointmentBookedEvent
        | AppointmentConfirmedEvent
        | AppointmentRescheduledEvent
        | AppointmentAssignedEvent
        | AppointmentCancelledEvent
        | AppointmentCompletedEvent
        | AppointmentNoShowEvent
        | AppointmentOutcomeRecordedEvent
        | AppointmentAnsweredEvent
        | AppointmentUpdatedEvent
        | CalendarStatusChangedEvent
        | CampaignStartedEvent
        | CampaignPausedEvent
        | CampaignCompletedEvent
        | CampaignSearchChangedEvent
        | ConversationHandedOffEvent
        | AiReplyDraftedEvent
        | AdConnectionStatusChangedEvent
        | LeadsImportedEvent
        | LeadCreatedEvent
        | LeadUpdatedEvent
        | LeadPriceChangedEvent
        | LeadWithdrawnEvent
        | LeadRepliedEvent
        | LeadOptedOutEvent
        | LeadOptedInEvent
        | LeadDeletedEvent
        | WebhookDisabledEvent
      )[]
      /** The position after this page: send it as `after` of the next request, at once or later. An empty page has one too. */
      nextAfter: string
      /** true: more events can be read now. */
      hasMore: boolean
    }
  }
  /** Retrieve the time of the test environment. */
  getSandboxClock: {
    reply: {
      /** The time of the environment. ISO 8601, UTC. */
      now: string
    }
  }
  /** Move the clock of the test environment forward. */
  moveSandboxClock: {
    body: {
      /** The time of the environment. ISO 8601, UTC. */
      now: string
    }
    reply: {
      /** The time of the environment. ISO 8601, UTC. */
      now: string
    }
  }
  /** Change a listing of the simulated portals. */
  changeSandboxListing: {
    params: {
      /** The id of the listing. */
      listingId: string
    }
    body: {
      /** The new price, in the currency of the listing. */
      price?: number
      /** true: withdrawn from the portals; false: listed again. */
      withdrawn?: boolean
    }
    reply: {
      /** The id of the listing, as in `sources` of leads. */
      listingId: string
      /** The price on the portals, in the currency of the listing. */
      price: number
      /** It is withdrawn from the portals. */
      withdrawn: boolean
    }
  }
  /** Write to an account as the lead. */
  sendSandboxMessage: {
    body: {
      /** The account that the lead writes to. */
      accountId: string
      /** The lead as the provider of the account names them: a phone number (without a prefix, one of the country of the workspace), an e-mail address, or another id. */
      from: string
      /** What the lead writes; with files, the caption. */
      text?: string
      /**
       * Files of the message.
       *
       * @minItems 1
       * @maxItems 5
       */
      media?: {
        /** The media type, such as image/png. */
        mediaType: string
        /** The name of the file. */
        fileName?: string
        /** The content in Base64. */
        data: string
      }[]
    }
    reply: {
      /** Its id at the provider. */
      providerMessageId: string
      /** The message; null: it has not been read. */
      id: string | null
      /** Its conversation. */
      conversationId: string | null
      /** The lead of the conversation; null: it has none. */
      leadId: string | null
    }
  }
  /** List what leads have received, oldest first. */
  listSandboxMessages: {
    query?: {
      /** The largest number of items to return. */
      limit?: number
      /** The `nextCursor` of the previous page. */
      cursor?: string
      /** Only messages to this lead, see `from`. */
      to?: string
    }
    reply: {
      /** The items of this page, in the order of the list. */
      data: {
        /** The message. */
        id: string
        /** The lead who received it, by the number, address or id to which it went. */
        to: string
        /** What they read; null: no text. */
        text: string | null
        /** Its files. */
        media: Media[]
        /** The template that it was sent with; null: none. */
        templateId: string | null
        /** When it was sent. ISO 8601, UTC. */
        at: string
      }[]
      /** Send it as `cursor` to get the next page; null: this is the last page. */
      nextCursor: string | null
    }
  }
  /** Create a page on which somebody chats as a lead. */
  createSandboxPhone: {
    body: {
      /** The chat account with which the person chats. */
      accountId: string
      /** The person: a phone (without a prefix, one of the country of the workspace), an address, the number of a Telegram chat, a WhatsApp user id, or a name of the sandbox. A lead has one of them. */
      from: string
      /** The name that the person gives themselves. */
      name?: string
    }
    reply: {
      /** The page. It needs no key: anybody who has the URL can write. */
      url: string
      /** When the URL stops working, by the clock of the environment. ISO 8601, UTC. */
      expiresAt: string
    }
  }
  /** Submit the form of a lead ad, as a person does. */
  submitSandboxLeadForm: {
    body: {
      /** The connection whose page has the form. */
      connectionId: string
      /** The form. Default: that of the sandbox. */
      formId?: string
      /** The answers by the key of the question, such as `full_name`, `phone_number` and `email`. The form of the sandbox refuses keys that it does not have. */
      answers: Record<string, string>
      /** Which boxes of the consent text are ticked. Default: `{ "contacto": true }`. */
      boxes?: Record<string, boolean>
      /** The network made it up. Default: false. */
      isTest?: boolean
    }
    reply: {
      /** The network's id of the lead. */
      externalId: string
      /** What became of it, see `GET /ads/connections/{id}/leads`. */
      status: 'waiting' | 'taken' | 'skipped' | 'failed'
      /** The lead; null: none. */
      leadId: string | null
    }
  }
}

export interface Me {
  /** The workspace of the request. */
  workspace: {
    /** The workspace. */
    id: string
    /** The name of the agency. */
    name: string
    /** The short name that commands use. */
    slug: string
    /** The time zone, by its IANA name. */
    timezone: string
    /** The country, ISO 3166-1 alpha-2. */
    country: string
    /** The currency, ISO 4217. */
    currency: string
    /** The plan of the workspace. */
    plan: string
  }
  key: Key | null
  /** The usage and limits of the workspace. */
  usage: {
    /** The month that the quotas count. */
    period: {
      /** The start of the month, in the time zone of the workspace. ISO 8601, UTC. */
      start: string
      /** The start of the next month. ISO 8601, UTC. */
      end: string
    }
    /** The monthly quotas of the environment. */
    quotas: {
      /** The quota. */
      name:
        | 'maxExtractionsPerMonth'
        | 'maxValuationsPerMonth'
        | 'maxFichasPerMonth'
        | 'maxMessagesPerMonth'
        | 'maxLeadsPerMonth'
      /** The units allowed in a month; null: unlimited. */
      limit: number | null
      /** The units used in this month. */
      used: number
      /** The units left in this month; null: unlimited. */
      remaining: number | null
      /** When the quota is renewed. ISO 8601, UTC. */
      resetsAt: string
    }[]
    /** The rate limit of the key. */
    rateLimit: {
      /** The requests allowed in the window. */
      limit: number
      /** The length of the window, in seconds. */
      windowSeconds: number
    }
  }
  /** What needs attention, newest first. A notice goes away once its cause is solved. */
  notices: {
    /** The type of the notice; stable, for programs. */
    code: 'WEBHOOK_DISABLED'
    /** What happened and what to do, for people. */
    message: string
    /** The object of the notice: for `WEBHOOK_DISABLED`, the subscription. */
    objectId: string
    /** When it happened. ISO 8601, UTC. */
    at: string
  }[]
}

/** The API key of the request, without its value; null: the request has a session instead. */
export interface Key {
  /** The key. */
  id: string
  /** The name of the key. */
  name: string
  /** The environment of the key: the key can access only its data. */
  environment: 'live' | 'test'
  /** The scopes of the key; empty: all scopes. */
  scopes: string[]
  /** The first characters of the value. */
  prefix: string
  /** The last four characters of the value. */
  last4: string
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** The user who created it; null: it was created on the command line. */
  createdBy: string | null
  /** When it stops working; null: never. ISO 8601, UTC. */
  expiresAt: string | null
  /** When it was last used, to the minute; null: never. ISO 8601, UTC. */
  lastUsedAt: string | null
  /** When it was revoked; null: it is not revoked. ISO 8601, UTC. */
  revokedAt: string | null
}

/** A user of the workspace, without the address and the role. */
export interface Assignee {
  /** The user. */
  id: string
  /** The name. */
  name: string
  /** False: their access was revoked. They get no e-mails. */
  active: boolean
}

export interface Platform {
  /** The id of the portal, as `platform` in paths and bodies. */
  id: string
  /** The name of the portal, for people. */
  name: string
  /** The country of the portal, ISO 3166-1 alpha-2. */
  country: string
  /** The language of its listings, BCP 47. */
  language: string
  /** What Aldaba can do with the portal. */
  capabilities: {
    /** `POST /extractions` can read it. */
    extract: boolean
    /** Its filters can be validated before an extraction. */
    validate: boolean
    /** Campaigns can read it. */
    campaign: boolean
    /** Property sheets can be made from its listings. */
    ficha: boolean
  }
  /** The operations that the portal lists. */
  operations: ('sale' | 'rent')[]
  /** The types of property that the portal lists. */
  propertyTypes: ('homes' | 'offices' | 'premises' | 'garages')[]
  /** The filters that the portal supports. */
  filterKeys: string[]
  /** `available`: it can be read; `degraded`: the last run failed within the hour, or the portal has throttled us and is read slowly; `unconfigured`: its address or its credentials are missing in the key's environment. */
  status: 'available' | 'degraded' | 'unconfigured'
}

export interface PlatformFilters {
  /** The portal. */
  platform: string
  /** The version of the schema; it changes with every change of the schema. */
  version: string
  /** The filters that must be sent. */
  required: string[]
  /** The schema that filters are validated with, JSON Schema 2020-12. */
  schema: Record<string, unknown>
  /** The same filters as a list, for building a form. */
  filters: FilterField[]
}

export interface FilterField {
  /** The name of the field in `filters`. */
  key: string
  /** The name of the filter, for people. */
  label: string
  /** The JSON type of the value. */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** The filter must be sent. */
  required: boolean
  /** What the filter does, for people; null: see `label`. */
  description: string | null
  /** The value of an omitted filter; null: it does not narrow the search. */
  default: string | number | boolean | unknown[] | {} | null
  /** Values that the filter accepts. */
  examples: unknown[]
  /** The allowed values; for an array, those of each item; null: any value of the type. */
  options:
    | {
        /** The value to send. */
        value: string | number
        /** The name of the value, for people. */
        label: string
      }[]
    | null
  /** The lowest number allowed; null: no limit. */
  minimum: number | null
  /** The highest number allowed; null: no limit. */
  maximum: number | null
  /** The most items that an array may have; null: no limit. */
  maxItems: number | null
  /** The most characters that a string may have; null: no limit. */
  maxLength: number | null
}

export interface Location {
  /** The portal's own id of the location: send it as `filters.location.id`. */
  id: string
  /** The name of the location: send it as `filters.location.label`. */
  label: string
  /** The kind of location. */
  type: 'country' | 'region' | 'province' | 'municipality'
  /** The smallest location of the portal that contains it; null: none does. */
  parentId: string | null
  /** The latitude in degrees, WGS 84. */
  latitude: number
  /** The longitude in degrees, WGS 84. */
  longitude: number
}

export interface FilterValidation {
  /** An extraction with these filters would be accepted. */
  valid: boolean
  /** Everything that makes the filters invalid. */
  errors: {
    /** A JSON pointer into the filters; empty: the filters as a whole. */
    path: string
    /** The kind of finding. Stable, for programs. */
    code: string
    /** What was found and what to do, for people. */
    message: string
  }[]
  /** What is allowed but probably a mistake, and why the count is unknown. */
  warnings: {
    /** A JSON pointer into the filters; empty: the filters as a whole. */
    path: string
    /** The kind of finding. Stable, for programs. */
    code: string
    /** What was found and what to do, for people. */
    message: string
  }[]
  /** The filters with defaults filled in; null: they are invalid. */
  normalizedFilters: Record<string, unknown> | null
  /** The first page of the search; null: the filters are invalid or the portal is unconfigured. */
  searchUrl: string | null
  /** The number of listings that the portal reports now; null: unknown, and `warnings` says why. */
  expectedResults: number | null
}

export interface NewExtraction {
  /** The portal to extract from. */
  platform: 'portal_a' | 'portal_b' | 'portal_c' | 'portal_d' | 'portal_e' | 'portal_f' | 'portal_g'
  /** The filters of the search, as `GET /platforms/{platform}/filters` describes them. */
  filters: Record<string, unknown>
  /** The most leads that the extraction may create or update. Default: `50`. */
  maxResults?: number
  /** How the listings are read. Default: `{}`. */
  options?: {
    /** Fetch the page of each listing; if false, a lead has only what the search page shows. Default: `true`. */
    includeDetails?: boolean
    /** Only listings by this kind of advertiser; `any`: all of them. Default: `"any"`. */
    advertiserType?: 'private' | 'agency' | 'any'
    /** Only listings published within this number of days. */
    publishedWithinDays?: number
    /** Only listings that are new or have changed since the last run with the same filters. Listings missing from a complete search are checked, and marked as withdrawn if the portal no longer has them. Default: `false`. */
    incremental?: boolean
    /** Update a known lead when its listing has changed. Default: `true`. */
    updateExisting?: boolean
    /**
     * The tags to add to new leads. Default: `[]`.
     *
     * @maxItems 50
     */
    tags?: string[]
  }
}

/** An extraction and its progress. */
export interface Extraction {
  /** The extraction. */
  extractionId: string
  /** `QUEUED`: it waits; `RUNNING`: it reads the portal; `COMPLETED`, `FAILED`, `CANCELLED`: it has ended. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** The portal it reads. */
  platform: string
  /** The filters of the search, with defaults filled in. */
  filters: Record<string, unknown>
  /** The most leads that the extraction may create or update. */
  maxResults: number
  /** How the listings are read. */
  options: {
    /** Fetch the page of each listing; if false, a lead has only what the search page shows. */
    includeDetails: boolean
    /** Only listings by this kind of advertiser; `any`: all of them. */
    advertiserType: 'private' | 'agency' | 'any'
    /** Only listings published within this number of days; null: of any age. */
    publishedWithinDays: number | null
    /** Only listings that are new or have changed since the last run with the same filters. Listings missing from a complete search are checked, and marked as withdrawn if the portal no longer has them. */
    incremental: boolean
    /** Update a known lead when its listing has changed. */
    updateExisting: boolean
    /**
     * The tags to add to new leads.
     *
     * @maxItems 50
     */
    tags: string[]
  }
  /** The campaign that started it; null: no campaign did. */
  campaignId: string | null
  /** The environment it belongs to. */
  environment: 'live' | 'test'
  /** `full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early. */
  outcome: ('full' | 'partial') | null
  /** It stopped at `maxResults` although the portal had more listings: see `portalTotal`. */
  capped: boolean
  /** The number of listings that the portal reports for these filters; null: not known yet, or never reported. */
  portalTotal: number | null
  /** What the extraction has done so far. */
  progress: {
    /** The search pages fetched. */
    pagesFetched: number
    /** The listings found on them. */
    listingsFound: number
    /** The listings that could be read. */
    listingsRead: number
    /** The leads created. */
    leadsCreated: number
    /** The known leads updated, because their listing has changed. */
    leadsUpdated: number
    /** The listings without new information: repeated in the search, or unchanged since the last run. */
    duplicates: number
    /** The listings skipped; `skippedByReason` says why. */
    skipped: number
    /** The listings that could not be read. */
    failed: number
    /** The share of the work that is done. */
    percent: number
  }
  /** The number of skipped listings for each reason, such as `gone`. */
  skippedByReason: Record<string, number>
  /** Why the extraction failed. */
  error: {
    /** Why it failed. Stable, for programs. */
    code:
      | 'BLOCKED'
      | 'LAYOUT_CHANGED'
      | 'ROBOTS_DISALLOWED'
      | 'PORTAL_UNAVAILABLE'
      | 'CREDENTIALS_INVALID'
      | 'TIMEOUT'
      | 'INTERNAL'
    /** Why it failed and what to do, for people. */
    message: string
  } | null
  /** When it was requested. ISO 8601, UTC. */
  createdAt: string
  /** When it started; null: it is queued. ISO 8601, UTC. */
  startedAt: string | null
  /** When it ended; null: it has not. ISO 8601, UTC. */
  finishedAt: string | null
}

/** A person with a property to sell or let. */
export interface Lead {
  /** The lead. */
  id: string
  /** The id that your own system gave it; no other lead of the environment has it. */
  externalId: string | null
  /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
  status: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The person to contact. */
  contact: {
    /** The name of the person. */
    name: string | null
    /** The phone number, E.164; null: no valid one is known. */
    phone: string | null
    /** The phone number in its original notation. */
    phoneRaw: string | null
    /** The e-mail address. */
    email: string | null
    /** Further phone numbers (E.164), e-mail addresses and chats (`whatsapp:34612345678`) of the person. */
    identifiers: string[]
    /** The kind of advertiser. */
    advertiserType: ('private' | 'agency') | null
  }
  /** The property to sell or let. */
  property: {
    /** The property is for sale, or to let. */
    operation: ('sale' | 'rent') | null
    /** The type of property. */
    propertyType: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** The title of the listing. */
    title: string | null
    /** The text of the listing. */
    description: string | null
    /** The price in major units of `currency`; for rent, per month. */
    price: number | null
    /** The currency of the price, ISO 4217. */
    currency: string | null
    /** The floor area in m². */
    squareMeters: number | null
    /** The number of rooms. */
    rooms: number | null
    /** The number of bedrooms. */
    bedrooms: number | null
    /** The number of bathrooms. */
    bathrooms: number | null
    /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
    floor: number | null
    /** The floor in words, as stated. */
    floorText: string | null
    /** The condition of the property. */
    condition: ('new' | 'good' | 'to_renovate') | null
    /** The stated features; a feature that is missing is not stated. */
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
    /** The street and number. */
    address: string | null
    /** The town. */
    municipality: string | null
    /** The province. */
    province: string | null
    /** The postcode. */
    postcode: string | null
    /** The latitude in degrees, WGS 84. */
    latitude: number | null
    /** The longitude in degrees, WGS 84. */
    longitude: number | null
    /** The URLs of the photos. */
    images: string[]
    /** The URL of the listing. */
    url: string | null
    /** When the listing was published. ISO 8601, UTC. */
    publishedAt: string | null
  }
  /** Every price seen, oldest first. */
  priceHistory: {
    /** The price in major units of the currency. */
    price: number
    /** When this price was first seen. ISO 8601, UTC. */
    at: string
  }[]
  /** Where the lead was found: the provenance of its data. */
  sources: {
    /** The portal; `api` for a lead that was created, `csv_import` for one that was imported, `inbound` for a person who wrote, `booking` for one who booked an appointment. */
    platform: string
    /** The id that the portal gives the listing. */
    listingId: string
    /** The URL of the listing; null: the lead was created or imported. */
    url: string | null
    /** The extraction that found it; null: none did. */
    extractionId: string | null
    /** The import that brought it; null: none did. */
    importId: string | null
    /** The campaign that found it; null: none did. */
    campaignId: string | null
    /** When it was first seen. ISO 8601, UTC. */
    firstSeenAt: string
    /** When it was last seen. ISO 8601, UTC. */
    lastSeenAt: string
    /** When the listing was found to be gone from the portal; null: it is still listed. ISO 8601, UTC. */
    withdrawnAt: string | null
  }[]
  /** The campaign that found it; null: none. */
  campaignId: string | null
  /** The user who is responsible for it; null: nobody. */
  ownerUserId: string | null
  /** The tags of the lead. */
  tags: string[]
  /** Your own fields, by their names. */
  customFields: Record<string, unknown>
  /** Why the person may be contacted, or not. */
  contactability: {
    /** The person may be contacted through at least one channel. */
    allowed: boolean
    /** Why contact is not allowed; null: it is allowed. */
    reason:
      | (
          | 'ERASED'
          | 'OPTED_OUT'
          | 'SUPPRESSED'
          | 'MARKETING_REFUSED'
          | 'NO_AGENCIES'
          | 'RETENTION_EXPIRED'
          | 'DISCARDED'
          | 'NO_LAWFUL_BASIS'
          | 'BASIS_EXPIRED'
          | 'BASIS_NOT_PROVEN'
          | 'CHANNEL_NOT_COVERED'
          | 'NO_CHANNEL'
        )
      | null
    /** The reason as a sentence, for people; null: contact is allowed. */
    message: string | null
    /** The decision for each channel. */
    channels: {
      /** Contact by chat. */
      chat: {
        /** The person may be contacted through this channel. */
        allowed: boolean
        /** Why contact is not allowed; null: it is allowed. */
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'MARKETING_REFUSED'
              | 'NO_AGENCIES'
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
      /** Contact by phone. */
      phone: {
        /** The person may be contacted through this channel. */
        allowed: boolean
        /** Why contact is not allowed; null: it is allowed. */
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'MARKETING_REFUSED'
              | 'NO_AGENCIES'
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
      /** Contact by e-mail. */
      email: {
        /** The person may be contacted through this channel. */
        allowed: boolean
        /** Why contact is not allowed; null: it is allowed. */
        reason:
          | (
              | 'ERASED'
              | 'OPTED_OUT'
              | 'SUPPRESSED'
              | 'MARKETING_REFUSED'
              | 'NO_AGENCIES'
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
    /** The obligations of the next message. `INCLUDE_NOTICE`: the notice about the processing of personal data (art. 14 GDPR), which the person has not received yet. */
    obligations: 'INCLUDE_NOTICE'[]
    /** A listing of the person says that agencies should not call. */
    noAgencies: boolean
    /** The recorded lawful basis for contacting the person; null: none is recorded. */
    lawfulBasis: ('consent' | 'contract' | 'legitimate_interest') | null
    /** When the person consented; null: no consent is recorded. ISO 8601, UTC. */
    consentAt: string | null
    /** When the person received the notice of the processing; null: not yet. ISO 8601, UTC. */
    noticeSentAt: string | null
    /** The person wrote lately: until then they may be answered in that conversation without a lawful basis; null: they did not, or they refuse messages. ISO 8601, UTC. */
    answerUntil: string | null
  }
  /** The number of notes on the lead. */
  notesCount: number
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** When the person was last contacted; null: never. ISO 8601, UTC. */
  lastContactedAt: string | null
  /** When the person last replied; null: never. ISO 8601, UTC. */
  lastReplyAt: string | null
}

/** An import and its columns. */
export interface Import {
  /** The import. */
  id: string
  /** Your name for the import; null: it has none. */
  name: string | null
  /** `QUEUED`: it waits; `RUNNING`: it reads the rows; `COMPLETED`, `FAILED`, `CANCELLED`: it has ended; `UNDOING`, `UNDONE`: its changes are being undone, or have been undone. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  /** It reports the result that each row would have, and changes nothing. */
  dryRun: boolean
  /** `update`: a row updates the known lead; `skip`: known leads keep their values. */
  onMatch: 'update' | 'skip'
  /** Columns that match no field become custom fields. */
  keepUnknown: boolean
  /** How the file is written, as read from its first bytes. */
  format: {
    /** `csv`: a table; `ndjson`: a line of JSON per lead. */
    kind: 'csv' | 'ndjson'
    /** The encoding of its text. */
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'
    /** The character between the columns; null: there are no columns. */
    separator: string | null
    /** The table has headings. If false, its columns are `column 1`, `column 2`, …; null: the file is NDJSON. */
    hasHeader: boolean | null
    /** The row of the headings, from 1; null: there are no headings. */
    headerRow: number | null
  }
  /** What may be wrong with the file as a whole. Known before any row is read; check it after a dry run. */
  warnings: {
    /** The kind of warning. Stable, for programs. */
    code: string
    /** What may be wrong and what to do, for people. */
    message: string
  }[]
  /** The proof of lawful bases that rows state without one; null: there is none. */
  attestation: string | null
  /** The user who made that statement; null: none is known. */
  attestedBy: string | null
  /** The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2; null: the country of the workspace. */
  country: string | null
  /** The campaign whose recipients the leads become; null: none. */
  campaignId: string | null
  /** Until when the file is kept for `start`; null: it is deleted, or in use. ISO 8601, UTC. */
  fileKeptUntil: string | null
  /** What the import has done so far. */
  progress: {
    /** The rows of the file; null: its end has not been reached. */
    rowsTotal: number | null
    /** The rows processed. */
    rowsRead: number
    /** The leads created. */
    created: number
    /** The known leads updated. */
    updated: number
    /** The known leads that already had the values of the row. */
    unchanged: number
    /** The rows skipped; each says why. */
    skipped: number
    /** The rows that could not be read; each says why. */
    failed: number
    /** The rows undone. */
    undone: number
    /** The rows that could not be undone; each says why. */
    notReverted: number
    /** The share of the work that is done. */
    percent: number
  }
  /** Why the import failed; null: it has not. */
  error: {
    /** Why it failed. Stable, for programs. */
    code: string
    /** Why it failed and what to do, for people. */
    message: string
  } | null
  /** When the file was uploaded. ISO 8601, UTC. */
  createdAt: string
  /** When it started; null: it is queued. ISO 8601, UTC. */
  startedAt: string | null
  /** When it ended; null: it has not. ISO 8601, UTC. */
  finishedAt: string | null
  /** When it was undone; null: it was not. ISO 8601, UTC. */
  undoneAt: string | null
  /** The headings of the columns; for NDJSON the names in its first lines, such as `contact.phone`. Once the file is deleted, only headings with a guessed field are kept: an unknown one may be the name of a person. */
  headings: string[]
  /** The field of each column, by its heading; null: the column is ignored. Fields: `aldabaId`, `contact.name`, `contact.firstName`, `contact.lastName`, `contact.phone`, `contact.email`, `contact.identifiers`, `contact.advertiserType`, `property.operation`, `property.propertyType`, `property.title`, `property.description`, `property.price`, `property.salePrice`, `property.rentPrice`, `property.currency`, `property.squareMeters`, `property.rooms`, `property.bedrooms`, `property.bathrooms`, `property.floor`, `property.floorText`, `property.condition`, `property.features`, `property.address`, `property.streetNumber`, `property.municipality`, `property.province`, `property.postcode`, `property.latitude`, `property.longitude`, `property.images`, `property.url`, `property.publishedAt`, `status`, `tags`, `note`, `externalId`, `customFields`, `lawfulBasis.kind`, `lawfulBasis.at`, `lawfulBasis.proof`, `lawfulBasis.channels`, `lawfulBasis.expiresAt` and `customFields.<name>`. */
  mapping: Record<string, string | null>
  /** The field of each column, by its heading; null: the column is ignored. Fields: `aldabaId`, `contact.name`, `contact.firstName`, `contact.lastName`, `contact.phone`, `contact.email`, `contact.identifiers`, `contact.advertiserType`, `property.operation`, `property.propertyType`, `property.title`, `property.description`, `property.price`, `property.salePrice`, `property.rentPrice`, `property.currency`, `property.squareMeters`, `property.rooms`, `property.bedrooms`, `property.bathrooms`, `property.floor`, `property.floorText`, `property.condition`, `property.features`, `property.address`, `property.streetNumber`, `property.municipality`, `property.province`, `property.postcode`, `property.latitude`, `property.longitude`, `property.images`, `property.url`, `property.publishedAt`, `status`, `tags`, `note`, `externalId`, `customFields`, `lawfulBasis.kind`, `lawfulBasis.at`, `lawfulBasis.proof`, `lawfulBasis.channels`, `lawfulBasis.expiresAt` and `customFields.<name>`. */
  guessedMapping: Record<string, string | null>
}

/** An import without its columns; `GET /leads/imports/{id}` has them. */
export interface ImportSummary {
  /** The import. */
  id: string
  /** Your name for the import; null: it has none. */
  name: string | null
  /** `QUEUED`: it waits; `RUNNING`: it reads the rows; `COMPLETED`, `FAILED`, `CANCELLED`: it has ended; `UNDOING`, `UNDONE`: its changes are being undone, or have been undone. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  /** It reports the result that each row would have, and changes nothing. */
  dryRun: boolean
  /** `update`: a row updates the known lead; `skip`: known leads keep their values. */
  onMatch: 'update' | 'skip'
  /** Columns that match no field become custom fields. */
  keepUnknown: boolean
  /** How the file is written, as read from its first bytes. */
  format: {
    /** `csv`: a table; `ndjson`: a line of JSON per lead. */
    kind: 'csv' | 'ndjson'
    /** The encoding of its text. */
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'
    /** The character between the columns; null: there are no columns. */
    separator: string | null
    /** The table has headings. If false, its columns are `column 1`, `column 2`, …; null: the file is NDJSON. */
    hasHeader: boolean | null
    /** The row of the headings, from 1; null: there are no headings. */
    headerRow: number | null
  }
  /** What may be wrong with the file as a whole. Known before any row is read; check it after a dry run. */
  warnings: {
    /** The kind of warning. Stable, for programs. */
    code: string
    /** What may be wrong and what to do, for people. */
    message: string
  }[]
  /** The proof of lawful bases that rows state without one; null: there is none. */
  attestation: string | null
  /** The user who made that statement; null: none is known. */
  attestedBy: string | null
  /** The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2; null: the country of the workspace. */
  country: string | null
  /** The campaign whose recipients the leads become; null: none. */
  campaignId: string | null
  /** Until when the file is kept for `start`; null: it is deleted, or in use. ISO 8601, UTC. */
  fileKeptUntil: string | null
  /** What the import has done so far. */
  progress: {
    /** The rows of the file; null: its end has not been reached. */
    rowsTotal: number | null
    /** The rows processed. */
    rowsRead: number
    /** The leads created. */
    created: number
    /** The known leads updated. */
    updated: number
    /** The known leads that already had the values of the row. */
    unchanged: number
    /** The rows skipped; each says why. */
    skipped: number
    /** The rows that could not be read; each says why. */
    failed: number
    /** The rows undone. */
    undone: number
    /** The rows that could not be undone; each says why. */
    notReverted: number
    /** The share of the work that is done. */
    percent: number
  }
  /** Why the import failed; null: it has not. */
  error: {
    /** Why it failed. Stable, for programs. */
    code: string
    /** Why it failed and what to do, for people. */
    message: string
  } | null
  /** When the file was uploaded. ISO 8601, UTC. */
  createdAt: string
  /** When it started; null: it is queued. ISO 8601, UTC. */
  startedAt: string | null
  /** When it ended; null: it has not. ISO 8601, UTC. */
  finishedAt: string | null
  /** When it was undone; null: it was not. ISO 8601, UTC. */
  undoneAt: string | null
}

export interface ImportRow {
  /** The number of the row in a spreadsheet, or of the line of NDJSON, from 1. */
  rowNumber: number
  /** The result of the row; after a dry run, the result that it would have. */
  result: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
  /** Why the row was skipped, failed or was not undone; null: it was not. Stable, for programs. */
  reason: string | null
  /** The reason as a sentence, for people; null: there is none. */
  message: string | null
  /** The values that could not be read; the rest of the row was imported. */
  problems: {
    /** The heading of the column; null: the whole row. */
    column: string | null
    /** The kind of problem. Stable, for programs. */
    code: string
    /** What is wrong with the value, for people. */
    message: string
  }[]
  /** The lead of the row; null: there is none, or it was deleted. */
  leadId: string | null
  /** true: the row was undone; false: it could not be undone, `reason` says why; null: nobody has undone the import, or the row changed no lead. */
  undone: boolean | null
}

export interface ImportStart {
  /** The fields of the columns it names, by their headings; null: the column is ignored. The other columns keep their field. */
  mapping?: Record<string, string | null>
  /** `update`: a row updates the known lead; `skip`: known leads keep their values. */
  onMatch?: 'update' | 'skip'
  /** The proof of lawful bases that rows state without a date and a proof, such as the words of a consent and where it was given. It is recorded with them as your statement; without it, they are not recorded. */
  attestation?: string
}

/** An entry of the suppression list. */
export interface Suppression {
  /** The entry. */
  id: string
  /** Why the person is on the list. `opt_out` and `erased` are final; `exclusion_list`: it was imported; `manual`: the workspace added it; `marketing`: the person refused marketing with the provider, and may only be answered, until they accept it there again. */
  kind: 'opt_out' | 'erased' | 'exclusion_list' | 'manual' | 'marketing'
  /** The kind of value that was hashed. `listing`: a listing of an erased person, which must not be stored again. */
  identifierKind: 'phone' | 'email' | 'chat' | 'listing'
  /** The channel that must not be used; null: no channel may be used. */
  channel: ('chat' | 'phone' | 'email') | null
  /** The name of the exclusion list. */
  listName: string | null
  /** A note for people. It must not say who the person is. */
  note: string | null
  /** When it was added; for an exclusion list, when an import last contained it. ISO 8601, UTC. */
  createdAt: string
  /** The user who added it; null: the key belongs to no user. */
  createdBy: string | null
}

export interface NewSuppression {
  /**
   * The phone numbers, e-mail addresses and chats of one person or of several.
   *
   * @minItems 1
   * @maxItems 100
   */
  identifiers: {
    /** The kind of identifier. */
    kind: 'phone' | 'email' | 'chat'
    /** A phone number in any notation, an e-mail address, or a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
  /** `opt_out`: the person requested it, which is final; `manual`: the workspace decided it. Default: `"manual"`. */
  kind?: 'opt_out' | 'manual'
  /** The channel that must not be used; null: no channel may be used. */
  channel?: ('chat' | 'phone' | 'email') | null
  /** A note for people. It must not say who the person is. */
  note?: string | null
}

export interface SuppressionImport {
  /** The name of the exclusion list. */
  listName: string
  /**
   * The identifiers on the exclusion list.
   *
   * @maxItems 10000
   */
  identifiers: {
    /** The kind of identifier. */
    kind: 'phone' | 'email' | 'chat'
    /** A phone number in any notation, an e-mail address, or a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
  /** The channel that must not be used; null: no channel may be used. */
  channel?: ('chat' | 'phone' | 'email') | null
  /** After the import, remove the entries of this list that no import has contained since this time. Send `importedAt` of an earlier reply: the clock of the server may differ from yours. ISO 8601, UTC. */
  removeBefore?: string
}

export interface SuppressionCheck {
  /**
   * The identifiers to look up.
   *
   * @minItems 1
   * @maxItems 1000
   */
  identifiers: {
    /** The kind of identifier. */
    kind: 'phone' | 'email' | 'chat'
    /** A phone number in any notation, an e-mail address, or a chat as `provider:id`, such as `whatsapp:34612345678`. */
    value: string
  }[]
}

export interface NewValuation {
  /** The latitude in degrees, WGS 84. */
  latitude: number
  /** The longitude in degrees, WGS 84. */
  longitude: number
  /** The usable floor area in m². If listings there state another area, such as the built area in Spain, send that one: compared with built areas, a usable area makes the value too low. */
  squareMeters: number
  /** The type of property. */
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  /** `sale`: a price to buy; `rent`: a rent per month. */
  operation: 'sale' | 'rent'
  /** The number of bedrooms; 0: a studio. Required for `homes`. */
  bedrooms?: number | null
  /** The number of bathrooms. Required for `homes`. */
  bathrooms?: number | null
  /** What you call the valuation; the title of the report. */
  name?: string | null
  /** The greatest distance of a comparable, in km. `polygon` replaces it. Default: `5`. */
  radiusKm?: number | null
  /**
   * The corners, in order, of the area to search for comparables; the property may lie outside.
   *
   * @minItems 3
   * @maxItems 500
   */
  polygon?: Place[] | null
  /** The condition of the property; null: unknown. */
  condition?: ('new' | 'good' | 'to_renovate') | null
  /** The address, for display only. */
  address?: string | null
  /**
   * All amenities of the property: any other amenity counts as absent. If omitted, all are unknown. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). An unknown name is refused; the error suggests the nearest one.
   *
   * @maxItems 50
   */
  amenities?: string[] | null
  /** true: the property has the amenity `lift`; false: it does not; null: unknown. */
  hasLift?: boolean | null
  /** true: the property has the amenity `parking`; false: it does not; null: unknown. */
  hasParking?: boolean | null
  /** true: the property has the amenity `terrace`; false: it does not; null: unknown. */
  hasTerrace?: boolean | null
  /** true: the property has the amenity `pool`; false: it does not; null: unknown. */
  hasPool?: boolean | null
  /** true: the property has the amenity `garden`; false: it does not; null: unknown. */
  hasGarden?: boolean | null
  /** true: the property has the amenity `storage_room`; false: it does not; null: unknown. */
  hasStorage?: boolean | null
  /** true: the property has the amenity `air_conditioning`; false: it does not; null: unknown. */
  hasAirConditioning?: boolean | null
  /** true: the property has the amenity `exterior`; false: it does not; null: unknown. */
  isExterior?: boolean | null
  /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor?: number | null
  /** The year it was built, at most six years ahead. */
  yearBuilt?: number | null
  /** The area of the land in m². */
  plotSquareMeters?: number | null
  /**
   * Use only these comparables, at least 3, up to 100 km away. If empty, the nearest are used.
   *
   * @maxItems 20
   */
  includedComparableIds?: string[] | null
  /**
   * Do not use these comparables.
   *
   * @maxItems 200
   */
  excludedComparableIds?: string[] | null
  /** The id of a location of a portal, for your own use. */
  portalLocationId?: string | null
  reportConfig?: NewReportConfig | null
}

/** A point. */
export interface Place {
  /** The latitude in degrees, WGS 84. */
  latitude: number
  /** The longitude in degrees, WGS 84. */
  longitude: number
}

/** How the report looks. Omitted fields have their defaults. */
export interface NewReportConfig {
  /** The language of the words, numbers and dates in the report. If omitted in a request: the language of the workspace. */
  language?: 'es' | 'ca' | 'en' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'pl'
  /**
   * The sections of the report, in this order. Every report says that it is not an official appraisal. Default: `["summary","map","comparables","adjustments","distribution","trend","method"]`.
   *
   * @minItems 1
   * @maxItems 7
   */
  sections?: ('summary' | 'map' | 'comparables' | 'adjustments' | 'distribution' | 'trend' | 'method')[]
  /** Print the address of the property. If false, the map of the report has no streets. Default: `true`. */
  showAddress?: boolean
}

export interface Valuation {
  /** The valuation. */
  id: string
  /** What you call the valuation; the title of the report. */
  name: string | null
  /** The address, for display only. */
  address: string | null
  /** `sale`: a price to buy; `rent`: a rent per month. */
  operation: 'sale' | 'rent'
  /** The type of property. */
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  subject: ValuedProperty
  /** The area searched for comparables. */
  area: {
    /** The greatest distance of a comparable, in km; null: see `polygon`. */
    radiusKm: number | null
    /** The corners of the area, in order; null: see `radiusKm`. */
    polygon: Place[] | null
  }
  /** The id of a location of a portal, as you sent it; null: none. */
  portalLocationId: string | null
  /** The estimated value, with its range. */
  estimate: {
    /** The estimated price: the sum of the adjusted prices, each times its weight. Whole units of the currency; for rent, per month. */
    value: number
    /** The lower end of the range. Whole units of the currency; for rent, per month. */
    low: number
    /** The upper end of the range. Whole units of the currency; for rent, per month. */
    high: number
    /** The share of prices that lie between `low` and `high`, from 0 to 1. */
    coverage: number
    /** The currency of most comparables, ISO 4217. */
    currency: string
    /** `value` per m² of floor area. */
    pricePerSquareMeter: number
  }
  /** How certain the estimate is. */
  confidence: {
    /** The confidence in a word. */
    level: 'high' | 'medium' | 'low'
    /** 100 minus twice the `fsd` in percent; from 0 to 100. */
    score: number
    /** The forecast standard deviation, as a share of the value. */
    fsd: number
  }
  /** The date of the value. ISO 8601, UTC. */
  asOf: string
  /** `asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent. */
  priceBasis: 'asking' | 'closed'
  /** The number of comparables in the estimate. */
  comparablesUsed: number
  /** The number of comparables considered: at most 200, and those you chose from elsewhere. */
  comparablesConsidered: number
  /** How the value was calculated, in words. */
  method: string
  /** The id of the market model; it changes with every training. It ends in `-usual` if default prices were used, because the market has no trained model or the model was not trained on prices of this place. */
  modelVersion: string
  /**
   * The comparables that you chose; empty: the nearest are used.
   *
   * Items: The id of a comparable.
   */
  includedComparableIds: string[]
  /**
   * The comparables that you excluded.
   *
   * Items: The id of a comparable.
   */
  excludedComparableIds: string[]
  reportConfig: ReportConfig
  /** The reports. */
  links: {
    /** The URL of the report as a page; it needs a key. */
    report: string
    /** The URL of the report as a PDF; it needs a key. */
    pdf: string
    /** The URL of the shared report, which needs no key; null: none. */
    share: string | null
  }
  share: ValuationShare | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** First the comparables used in the estimate, at most 20, by descending weight. Then those left out, by reason and similarity: all that you excluded, that are the property itself or that have an implausible price, and at least 20 others to choose from, if there are that many. */
  comparables: Comparable[]
  /** The number of considered comparables left out for each reason, listed or not. */
  exclusionCounts: {
    /** You excluded them. */
    excluded_by_request?: number
    /** They seem to be the property itself. */
    same_property?: number
    /** Their price is implausible. */
    implausible_price?: number
    /** You chose others. */
    not_chosen?: number
    /** Others are more similar. */
    less_similar?: number
  }
}

/** The property that was valued. */
export interface ValuedProperty {
  /** The latitude in degrees, WGS 84. */
  latitude: number
  /** The longitude in degrees, WGS 84. */
  longitude: number
  /** The usable floor area in m². If listings there state another area, such as the built area in Spain, send that one: compared with built areas, a usable area makes the value too low. */
  squareMeters: number
  /** The area of the land in m². */
  plotSquareMeters: number | null
  /** The number of bedrooms; 0: a studio. Required for `homes`. */
  bedrooms: number | null
  /** The number of bathrooms. Required for `homes`. */
  bathrooms: number | null
  /** The condition of the property; null: unknown. */
  condition: ('new' | 'good' | 'to_renovate') | null
  /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor: number | null
  /** The year it was built, at most six years ahead. */
  yearBuilt: number | null
  /** The amenities; null: unknown. Valuations of earlier versions may contain other words. */
  amenities: string[] | null
  /** true: the property has the amenity `lift`; false: it does not; null: unknown. */
  hasLift: boolean | null
  /** true: the property has the amenity `parking`; false: it does not; null: unknown. */
  hasParking: boolean | null
  /** true: the property has the amenity `terrace`; false: it does not; null: unknown. */
  hasTerrace: boolean | null
  /** true: the property has the amenity `pool`; false: it does not; null: unknown. */
  hasPool: boolean | null
  /** true: the property has the amenity `garden`; false: it does not; null: unknown. */
  hasGarden: boolean | null
  /** true: the property has the amenity `storage_room`; false: it does not; null: unknown. */
  hasStorage: boolean | null
  /** true: the property has the amenity `air_conditioning`; false: it does not; null: unknown. */
  hasAirConditioning: boolean | null
  /** true: the property has the amenity `exterior`; false: it does not; null: unknown. */
  isExterior: boolean | null
}

/** How the report looks. */
export interface ReportConfig {
  /** The language of the words, numbers and dates in the report. If omitted in a request: the language of the workspace. */
  language: 'es' | 'ca' | 'en' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'pl'
  /**
   * The sections of the report, in this order. Every report says that it is not an official appraisal.
   *
   * @minItems 1
   * @maxItems 7
   */
  sections: ('summary' | 'map' | 'comparables' | 'adjustments' | 'distribution' | 'trend' | 'method')[]
  /** Print the address of the property. If false, the map of the report has no streets. */
  showAddress: boolean
}

/** The link to the report; null: there is none. */
export interface ValuationShare {
  /** The URL of the page; it needs no key. Append `/report.pdf` for the PDF. */
  url: string
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it expires; null: it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt: string | null
  /** The number of times the page was opened. */
  views: number
  /** When the page was last opened; null: never. ISO 8601, UTC. */
  lastViewedAt: string | null
}

export interface Comparable {
  /** The comparable. */
  id: string
  /** The distance from the property, in meters. */
  distanceMeters: number
  /** The latitude in degrees, WGS 84. */
  latitude: number
  /** The longitude in degrees, WGS 84. */
  longitude: number
  /** The asking price or the sale price, see `priceBasis`. Whole units of the currency; for rent, per month. */
  price: number
  /** The floor area in m². */
  squareMeters: number
  /** The area of the land in m²; null: unknown. */
  plotSquareMeters: number | null
  /** The number of bedrooms; null: unknown. */
  bedrooms: number | null
  /** The number of bathrooms; null: unknown. */
  bathrooms: number | null
  /** The condition of the property; null: unknown. */
  condition: ('new' | 'good' | 'to_renovate') | null
  /** The floor, 0: the ground floor; null: unknown. */
  floor: number | null
  /** The year it was built; null: unknown. */
  yearBuilt: number | null
  /** The kind of home, such as `flat`; null: unknown. */
  subtype: string | null
  /** The amenities stated; null: unknown. */
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
  /** When the price was last seen in a listing, or paid. ISO 8601, UTC. */
  seenAt: string
  /** The days from `seenAt` to `asOf`. */
  ageDays: number
  /** The adjustments for each difference, in the order of the calculation. */
  adjustments: Adjustment[]
  /** `price` plus all adjustments; null: it is not used in the estimate. Whole units of the currency; for rent, per month. */
  adjustedPrice: number | null
  /** Its share in the estimate, from 0 to 1; all weights add up to 1. */
  weight: number
  /** true: it is used in the estimate. */
  included: boolean
  /** Why it is not used in the estimate; null: it is used. */
  exclusionReason:
    | ('excluded_by_request' | 'same_property' | 'implausible_price' | 'not_chosen' | 'less_similar')
    | null
}

export interface Adjustment {
  /** What differs between the comparable and the property. */
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
  /** The value of the comparable; null: unknown. */
  from: number | string | boolean | null
  /** The value of the property; null: unknown. */
  to: number | string | boolean | null
  /** The amount added to the price of the comparable; may be negative. Whole units of the currency; for rent, per month. */
  amount: number
}

export interface ValuationSummary {
  /** The valuation. */
  id: string
  /** What you call the valuation; the title of the report. */
  name: string | null
  /** The address, for display only. */
  address: string | null
  /** `sale`: a price to buy; `rent`: a rent per month. */
  operation: 'sale' | 'rent'
  /** The type of property. */
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  subject: ValuedProperty
  /** The area searched for comparables. */
  area: {
    /** The greatest distance of a comparable, in km; null: see `polygon`. */
    radiusKm: number | null
    /** The corners of the area, in order; null: see `radiusKm`. */
    polygon: Place[] | null
  }
  /** The id of a location of a portal, as you sent it; null: none. */
  portalLocationId: string | null
  /** The estimated value, with its range. */
  estimate: {
    /** The estimated price: the sum of the adjusted prices, each times its weight. Whole units of the currency; for rent, per month. */
    value: number
    /** The lower end of the range. Whole units of the currency; for rent, per month. */
    low: number
    /** The upper end of the range. Whole units of the currency; for rent, per month. */
    high: number
    /** The share of prices that lie between `low` and `high`, from 0 to 1. */
    coverage: number
    /** The currency of most comparables, ISO 4217. */
    currency: string
    /** `value` per m² of floor area. */
    pricePerSquareMeter: number
  }
  /** How certain the estimate is. */
  confidence: {
    /** The confidence in a word. */
    level: 'high' | 'medium' | 'low'
    /** 100 minus twice the `fsd` in percent; from 0 to 100. */
    score: number
    /** The forecast standard deviation, as a share of the value. */
    fsd: number
  }
  /** The date of the value. ISO 8601, UTC. */
  asOf: string
  /** `asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent. */
  priceBasis: 'asking' | 'closed'
  /** The number of comparables in the estimate. */
  comparablesUsed: number
  /** The number of comparables considered: at most 200, and those you chose from elsewhere. */
  comparablesConsidered: number
  /** How the value was calculated, in words. */
  method: string
  /** The id of the market model; it changes with every training. It ends in `-usual` if default prices were used, because the market has no trained model or the model was not trained on prices of this place. */
  modelVersion: string
  /**
   * The comparables that you chose; empty: the nearest are used.
   *
   * Items: The id of a comparable.
   */
  includedComparableIds: string[]
  /**
   * The comparables that you excluded.
   *
   * Items: The id of a comparable.
   */
  excludedComparableIds: string[]
  reportConfig: ReportConfig
  /** The reports. */
  links: {
    /** The URL of the report as a page; it needs a key. */
    report: string
    /** The URL of the report as a PDF; it needs a key. */
    pdf: string
    /** The URL of the shared report, which needs no key; null: none. */
    share: string | null
  }
  share: ValuationShare | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface MarketAccuracy {
  /** `sale`: a price to buy; `rent`: a rent per month. */
  operation: 'sale' | 'rent'
  /** The type of property. */
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  /** The currency of the market, ISO 4217. */
  currency: string
  /** `asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent. */
  priceBasis: 'asking' | 'closed'
  /** The number of properties that the model was trained with; before the first training, the number of known properties. */
  properties: number
  /** The id of the market model; it changes with every training. It ends in `-usual` if default prices were used, because the market has no trained model or the model was not trained on prices of this place. */
  modelVersion: string
  /** When the model was last trained; null: never. ISO 8601, UTC. */
  fittedAt: string | null
  /** How close estimates come to prices; null: there is no model yet. */
  accuracy: {
    /** The number of properties valued as if their price were unknown. */
    count: number
    /** The median ratio of estimate to price; 1: neither too high nor too low. */
    medianRatio: number
    /** The coefficient of dispersion: the mean distance of the ratios from their median. In percent. */
    cod: number
    /** The price-related differential; above 1: expensive properties are valued too low. */
    prd: number
    /** The median absolute percentage error. In percent. */
    mdape: number
    /** The standard error of `mdape`, from a bootstrap. In percent. */
    mdapeError: number
    /** The share of estimates that differ from the price by at most 5 %. In percent. */
    within5: number
    /** The share of estimates that differ from the price by at most 10 %. In percent. */
    within10: number
    /** The share of estimates that differ from the price by at most 20 %. In percent. */
    within20: number
    /** The share of prices inside the 80 % range. In percent. */
    intervalCoverage: number
    /** The median of half the width of the range, relative to the value. In percent. */
    medianHalfWidth: number
  } | null
  /** The accuracy in words. */
  summary: string
}

export interface ValuationChanges {
  /** What you call the valuation; the title of the report. */
  name?: string | null
  /** The address, for display only. */
  address?: string | null
  reportConfig?: NewReportConfig | null
  /**
   * Use only these comparables, at least 3, up to 100 km away. If empty, the nearest are used.
   *
   * @maxItems 20
   */
  includedComparableIds?: string[] | null
  /**
   * Do not use these comparables.
   *
   * @maxItems 200
   */
  excludedComparableIds?: string[] | null
}

export interface NewValuationShare {
  /** When the link expires. If omitted, it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt?: string | null
}

/** Omitted choices have the values of the setting `sheetDefaults`. */
export interface NewFicha {
  /** The URL of a listing of a portal with the capability `ficha`. */
  propertyUrl?: string | null
  /** The same, for a listing of Portal A. One of the two is required. */
  portalAUrl?: string | null
  /** The lead of the listing. If omitted, it is found by the listing, if there is one. */
  leadId?: string | null
  /** The language of the words, numbers and dates. */
  language?: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
  /** How the sheet looks. */
  layout?: 'classic' | 'gallery' | 'compact'
  privacy?: FichaPrivacyChanges
  energy?: FichaEnergyChanges
  advertising?: FichaAdvertisingChanges
  agent?: NewFichaAgent | null
  /** Wait until the sheet is ready, for at most this number of seconds. Default: `20`. */
  waitSeconds?: number
}

/** Omitted fields keep their value. */
export interface FichaPrivacyChanges {
  /** `full`: street and number; `street`: without the number; `hidden`: no street and no postcode. */
  address?: 'full' | 'street' | 'hidden'
  /** `exact`: the point; `approximate`: an area around it; `hidden`: no map. */
  coordinates?: 'exact' | 'approximate' | 'hidden'
}

/** Omitted fields keep their value; null removes it. */
export interface FichaEnergyChanges {
  /** The energy rating; `in_progress`: applied for; `exempt`: none is required. */
  rating?: ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'in_progress' | 'exempt') | null
  /** The rating of the emissions. */
  emissions?: ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'in_progress' | 'exempt') | null
  /** The consumption in kWh per m² and year. */
  consumptionKwhM2?: number | null
  /** The emissions in kg of CO2 per m² and year. */
  emissionsKgM2?: number | null
}

/** Omitted fields keep their value; null removes it. */
export interface FichaAdvertisingChanges {
  /** How far the building is. */
  construction?: ('finished' | 'under_construction' | 'planned') | null
  /** The number of the building permit, and when it expires. */
  buildingPermit?: string | null
  /** The number of the permit of use (in Portugal: licença de utilização). */
  usePermit?: string | null
  /** The price includes the taxes that the buyer owes. */
  priceIncludesTaxes?: boolean | null
  /** null: by `pricePeriod`; a rent per day or week is for a short term. */
  rentalUse?: ('home' | 'short_term') | null
  /** The number in the register of short-term rentals (in Portugal: RNAL; in Italy: CIN). */
  shortTermRegistration?: string | null
  /** The home is in a stressed residential market area. */
  isStressedArea?: boolean | null
  /** The rent per month in the last contract of the past five years. */
  lastRent?: number | null
  /** The rent per month by the official reference index. */
  referenceRent?: number | null
  /** The owner is a large holder (gran tenedor). */
  isLargeHolder?: boolean | null
}

/** The agent on the sheet. It replaces the present one. */
export interface NewFichaAgent {
  /** The name of the agent. */
  name: string
  /** The phone number, as printed. */
  phone?: string | null
  /** The e-mail address, as printed. */
  email?: string | null
  /** The licence number, such as `AICAT 1234`. */
  licence?: string | null
  /** A photo as a base64 data: URL, up to 600 kB. If omitted, the present photo stays; null removes it. */
  photo?: string | null
}

/** A property sheet. */
export interface Ficha {
  /** The sheet. */
  id: string
  /** `generating`: the listing is being read; `ready`; `failed`: see `error`. */
  status: 'generating' | 'ready' | 'failed'
  /** The portal of the listing. */
  platform: string
  /** The URL of the listing. */
  sourceUrl: string
  /** The lead of the listing; null: none is known. */
  leadId: string | null
  property: FichaProperty | null
  privacy: FichaPrivacy
  energy: FichaEnergy
  advertising: FichaAdvertising
  agent: FichaAgent | null
  /** How the sheet looks. */
  layout: 'classic' | 'gallery' | 'compact'
  /** The language of the words, numbers and dates. */
  language: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
  /** Where each value of the property comes from, by its field. */
  evidence: Record<string, FichaEvidence>
  branding: FichaBranding
  /** The photos of the sheet in its order, then those that it leaves out. */
  photos: FichaPhoto[]
  /** What the sheet lacks. */
  warnings: FichaWarning[]
  links: FichaLinks
  share: FichaShare | null
  /** Grows with each change; 0: there is no version yet. */
  version: number
  error: FichaError | null
  /** When it was requested. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** The property. null: the listing does not say it. */
export interface FichaProperty {
  /** The title of the sheet. */
  title: string | null
  /** The text of the sheet. Phone numbers, e-mail addresses and URLs of the listing are left out. */
  description: string | null
  /** For sale or for rent. */
  operation: ('sale' | 'rent') | null
  /** The type of property. */
  propertyType: ('homes' | 'offices' | 'premises' | 'garages') | null
  /** The kind of property in more detail. */
  subtype:
    | (
        | 'apartment'
        | 'house'
        | 'duplex'
        | 'penthouse'
        | 'studio'
        | 'loft'
        | 'room'
        | 'land'
        | 'building'
        | 'office'
        | 'premises'
        | 'garage'
        | 'storage'
        | 'mobile_home'
      )
    | null
  /** In major units of `currency`. */
  price: number | null
  /** ISO 4217. */
  currency: string | null
  /** For a rent; null: for a sale. */
  pricePeriod: ('day' | 'week' | 'month' | 'year') | null
  /** The built area in m². */
  squareMeters: number | null
  /** The usable area in m². */
  usableSquareMeters: number | null
  /** The area of the land in m². */
  plotSquareMeters: number | null
  /** The number of rooms. */
  rooms: number | null
  /** The number of bedrooms. */
  bedrooms: number | null
  /** The number of bathrooms. */
  bathrooms: number | null
  /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor: number | null
  /** The floor as the listing states it. */
  floorText: string | null
  /** The year it was built. */
  yearBuilt: number | null
  /** The condition of the property. */
  condition: ('new' | 'good' | 'to_renovate') | null
  /** The street and number. */
  address: string | null
  /** The neighbourhood. */
  neighbourhood: string | null
  /** The municipality. */
  municipality: string | null
  /** The province. */
  province: string | null
  /** The postcode. */
  postcode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Degrees, WGS 84. */
  latitude: number | null
  /** Degrees, WGS 84. */
  longitude: number | null
  /** The advertiser's reference of the listing. */
  reference: string | null
  /**
   * The features of the property.
   *
   * @maxItems 23
   */
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
}

/** How much of the place the sheet shows. */
export interface FichaPrivacy {
  /** `full`: street and number; `street`: without the number; `hidden`: no street and no postcode. */
  address: 'full' | 'street' | 'hidden'
  /** `exact`: the point; `approximate`: an area around it; `hidden`: no map. */
  coordinates: 'exact' | 'approximate' | 'hidden'
}

/** The energy certificate. */
export interface FichaEnergy {
  /** The energy rating; `in_progress`: applied for; `exempt`: none is required. */
  rating: ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'in_progress' | 'exempt') | null
  /** The rating of the emissions. */
  emissions: ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'in_progress' | 'exempt') | null
  /** The consumption in kWh per m² and year. */
  consumptionKwhM2: number | null
  /** The emissions in kg of CO2 per m² and year. */
  emissionsKgM2: number | null
}

/** What the sheet states because the law requires it. It is printed. null: not stated. */
export interface FichaAdvertising {
  /** How far the building is. */
  construction: ('finished' | 'under_construction' | 'planned') | null
  /** The number of the building permit, and when it expires. */
  buildingPermit: string | null
  /** The number of the permit of use (in Portugal: licença de utilização). */
  usePermit: string | null
  /** The price includes the taxes that the buyer owes. */
  priceIncludesTaxes: boolean | null
  /** null: by `pricePeriod`; a rent per day or week is for a short term. */
  rentalUse: ('home' | 'short_term') | null
  /** The number in the register of short-term rentals (in Portugal: RNAL; in Italy: CIN). */
  shortTermRegistration: string | null
  /** The home is in a stressed residential market area. */
  isStressedArea: boolean | null
  /** The rent per month in the last contract of the past five years. */
  lastRent: number | null
  /** The rent per month by the official reference index. */
  referenceRent: number | null
  /** The owner is a large holder (gran tenedor). */
  isLargeHolder: boolean | null
}

/** The agent on the sheet. */
export interface FichaAgent {
  /** The name of the agent. */
  name: string
  /** The phone number, as printed. */
  phone: string | null
  /** The e-mail address, as printed. */
  email: string | null
  /** The licence number, such as `AICAT 1234`. */
  licence: string | null
  /** The sheet has a photo of the agent. */
  hasPhoto: boolean
}

/** Where a value comes from. */
export interface FichaEvidence {
  /** The source in the page, such as `json-ld`; `edited`: somebody has changed the value. */
  source: string
  /** The place in the source. */
  where: string | null
  /** From 0 to 1; null: not measured. */
  confidence: number | null
}

/** The present branding of the workspace. */
export interface FichaBranding {
  /** The name of the workspace. */
  name: string | null
  /** As #1d4e79; null: the default colour. */
  color: string | null
  /** The phone number, as printed. */
  phone: string | null
  /** The e-mail address. */
  email: string | null
  /** The website, as printed. */
  website: string | null
  /** The text at the end of every sheet. */
  legalText: string | null
}

/** A photo that was copied from the listing. */
export interface FichaPhoto {
  /** The position of the photo in the listing, from 1. */
  number: number
  /** What the photo shows, for people who do not see it. */
  alt: string | null
  /** The sheet shows it. */
  isIncluded: boolean
  /** The width of the largest size. */
  widthPx: number
  /** The height of the largest size. */
  heightPx: number
  /** Where it was copied from. */
  sourceUrl: string
}

/** Something that the sheet lacks. */
export interface FichaWarning {
  /** The kind of warning. Stable, for programs. */
  code: string
  /** The field that it is about. */
  field: string
  /** `required`: the law requires it in advertising; `recommended`: the sheet is better with it. */
  severity: 'required' | 'recommended'
  /** What is missing, for people. */
  message: string
  law: FichaLaw | null
  /** What the rule was checked against. `text`: the text of the law; `secondary`: what others write about it; `none`: nothing was found. null: there is no law. */
  confirmation: ('text' | 'secondary' | 'none') | null
}

/** The law that wants it; null: none. */
export interface FichaLaw {
  /** The title of the law. */
  title: string
  /** The article; null: not known. */
  article: string | null
  /** Where its text is. */
  url: string
}

/** Where the sheet is. */
export interface FichaLinks {
  /** The sheet as a page, with a key; null: not ready. */
  html: string | null
  /** The sheet as a PDF, with a key; null: not ready. */
  pdf: string | null
  /** The public page; null: not shared. */
  share: string | null
  /** A QR code of the public page, with a key; null: not shared. */
  qr: string | null
}

/** The link to the sheet; null: there is none. */
export interface FichaShare {
  /** The URL of the page; it needs no key. Append `/sheet.pdf` for the PDF. */
  url: string
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it expires; null: it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt: string | null
  /** The number of times the page was opened. */
  views: number
  /** When the page was last opened; null: never. ISO 8601, UTC. */
  lastViewedAt: string | null
}

/** Set if the sheet has failed. */
export interface FichaError {
  /** The kind of error. Stable, for programs. */
  code: string
  /** Why the sheet could not be made, for people. */
  message: string
}

/** Omitted fields keep their value. */
export interface FichaChanges {
  /** The version that was changed. 409 `VERSION_CONFLICT` if it is no longer the current one. */
  version?: number
  property?: FichaPropertyChanges
  /**
   * The photos of the sheet, in this order. Others are left out, and can be chosen again.
   *
   * @maxItems 40
   */
  photos?: FichaPhotoChoice[]
  privacy?: FichaPrivacyChanges
  energy?: FichaEnergyChanges
  advertising?: FichaAdvertisingChanges
  agent?: NewFichaAgent | null
  /** How the sheet looks. */
  layout?: 'classic' | 'gallery' | 'compact'
  /** The language of the words, numbers and dates. */
  language?: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
}

/** Omitted fields keep their value; null removes it. */
export interface FichaPropertyChanges {
  /** The title of the sheet. */
  title?: string | null
  /** The text of the sheet. Phone numbers, e-mail addresses and URLs of the listing are left out. */
  description?: string | null
  /** For sale or for rent. */
  operation?: ('sale' | 'rent') | null
  /** The type of property. */
  propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
  /** The kind of property in more detail. */
  subtype?:
    | (
        | 'apartment'
        | 'house'
        | 'duplex'
        | 'penthouse'
        | 'studio'
        | 'loft'
        | 'room'
        | 'land'
        | 'building'
        | 'office'
        | 'premises'
        | 'garage'
        | 'storage'
        | 'mobile_home'
      )
    | null
  /** In major units of `currency`. */
  price?: number | null
  /** ISO 4217. */
  currency?: string | null
  /** For a rent; null: for a sale. */
  pricePeriod?: ('day' | 'week' | 'month' | 'year') | null
  /** The built area in m². */
  squareMeters?: number | null
  /** The usable area in m². */
  usableSquareMeters?: number | null
  /** The area of the land in m². */
  plotSquareMeters?: number | null
  /** The number of rooms. */
  rooms?: number | null
  /** The number of bedrooms. */
  bedrooms?: number | null
  /** The number of bathrooms. */
  bathrooms?: number | null
  /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. */
  floor?: number | null
  /** The floor as the listing states it. */
  floorText?: string | null
  /** The year it was built. */
  yearBuilt?: number | null
  /** The condition of the property. */
  condition?: ('new' | 'good' | 'to_renovate') | null
  /** The street and number. */
  address?: string | null
  /** The neighbourhood. */
  neighbourhood?: string | null
  /** The municipality. */
  municipality?: string | null
  /** The province. */
  province?: string | null
  /** The postcode. */
  postcode?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** Degrees, WGS 84. */
  latitude?: number | null
  /** Degrees, WGS 84. */
  longitude?: number | null
  /** The advertiser's reference of the listing. */
  reference?: string | null
  /**
   * The features of the property.
   *
   * @maxItems 23
   */
  features?: (
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
}

/** A photo to show. If `alt` is omitted, it stays. */
export interface FichaPhotoChoice {
  /** The position of the photo in the listing, from 1. */
  number: number
  /** What the photo shows, for people who do not see it. */
  alt?: string | null
}

/** The content of a sheet at one time. */
export interface FichaVersion {
  /** The number of the version, from 1. */
  version: number
  property: FichaProperty | null
  privacy: FichaPrivacy
  energy: FichaEnergy
  advertising: FichaAdvertising
  agent: FichaAgent | null
  /** How the sheet looks. */
  layout: 'classic' | 'gallery' | 'compact'
  /** The language of the words, numbers and dates. */
  language: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
  /** As in the sheet. */
  photos: FichaPhoto[]
  /** When it was made. ISO 8601, UTC. */
  createdAt: string
}

export interface NewFichaShare {
  /** When the link expires. If omitted, it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt?: string | null
}

export interface ChatProvider {
  /** As `provider` of an account. */
  id: string
  /** The name for people. */
  label: string
  /** The channel of opt-outs and lawful bases. */
  channel: 'chat' | 'phone' | 'email'
  /** How it sends, which the provider decides. `chat`: the program sends through the provider. `chat-no-api`: each message becomes a task for a person. */
  mode: 'chat' | 'chat-no-api'
  /** The JSON Schema of `credentials` for a new account. */
  credentials: {}
  capabilities: ChatCapabilities
  /** The provider posts what arrives to `webhook` of the account. */
  hasWebhook: boolean
}

/** What the provider can do. */
export interface ChatCapabilities {
  /** The kinds of identities to which it can send, the best first. */
  identities: ('phone' | 'bsuid' | 'telegram' | 'email' | 'sandbox')[]
  /** Texts. */
  text: {
    /** The longest text, in characters. */
    charactersMax: number
    /** The longest text of a file, in characters. */
    captionCharactersMax: number
  }
  /** The accepted files; a missing kind cannot be sent. */
  media: {
    /** The kind of file. */
    kind: 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'
    /** The accepted media types; empty: all. */
    mediaTypes: string[]
    /** The largest file, in bytes. */
    bytesMax: number
  }[]
  /** The largest number of reply buttons; 0: none. */
  buttonsMax: number
  /** The largest number of rows of a list; 0: none. */
  listRowsMax: number
  /** Locations can be sent. */
  location: boolean
  /** Reactions can be sent. */
  reactions: boolean
  /** The person can see that somebody is typing. */
  typing: boolean
  /** The provider reports delivered and read messages. */
  receipts: boolean
  /** `required`: outside the reply window only approved templates may be sent. `local`: templates are plain texts. */
  templates: 'required' | 'local'
  /** How long after the person's last message a free text may be sent; null: always. */
  replyWindowHours: number | null
  /** The default rate. */
  messagesPerSecond: number
}

export interface NewChatAccount {
  /** The provider, see `GET /chat-providers`. */
  provider: string
  /** How it sends, which the provider decides. `chat`: the program sends through the provider. `chat-no-api`: each message becomes a task for a person. */
  mode?: 'chat' | 'chat-no-api'
  /** The name for people; not blank. */
  displayName: string
  /** What the provider requires, see `credentials` of `GET /chat-providers`. Stored encrypted, never returned. */
  credentials?: Record<string, unknown>
  /** Your own limit of people per day who have not written lately, which `dailyBudget` never exceeds; null: none. */
  dailyLimit?: number | null
  /** A new account begins with few people: 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240 on its first days, then without this limit. false: it ends. */
  warmUp?: boolean
  /** Overrides the provider's default rate; null: the default. */
  messagesPerSecond?: number | null
}

export interface ChatAccount {
  /** The account. */
  id: string
  /** The provider, see `GET /chat-providers`. */
  provider: string
  /** How it sends, which the provider decides. `chat`: the program sends through the provider. `chat-no-api`: each message becomes a task for a person. */
  mode: 'chat' | 'chat-no-api'
  /** The channel of opt-outs and lawful bases. */
  channel: ('chat' | 'phone' | 'email') | null
  /** The name for people; not blank. */
  displayName: string
  /** The phone number, E.164; null: it has none. */
  phone: string | null
  /** The provider's id of the account. */
  externalId: string
  /** Messages are sent while it is `CONNECTED` or `DEGRADED`. `LOGGED_OUT`: the credentials are no longer valid. `RESTRICTED`, `BANNED`: the provider forbids it; a restriction may leave answers to people who have written lately, see `reason` of `health`. `DISCONNECTED`: you have disconnected it. */
  status: 'CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED'
  /** Somebody has paused it: nothing is sent. */
  isPaused: boolean
  /** Until when the provider wants no message; null: there is no such pause. ISO 8601, UTC. */
  pausedUntil: string | null
  capabilities: ChatCapabilities | null
  /** To how many people it may write today who have not written lately: the smallest of `dailyLimit`, `health.providerDailyLimit` and the budget of the warm-up; null: no limit. It is computed: change `dailyLimit` or `warmUp` instead. */
  dailyBudget: number | null
  /** To how many of them it has written today, in the time zone of the workspace. */
  usedToday: number
  /** The limit that you have set yourself, one of those of `dailyBudget`; null: none. */
  dailyLimit: number | null
  /** The warm-up of a new account; null: none. */
  warmUp: {
    /** When it began. ISO 8601, UTC. */
    startedAt: string
    /** Its budget of today; null: it is over. */
    budgetToday: number | null
  } | null
  /** The rate of sending. */
  messagesPerSecond: number
  /** What the provider says about the account. */
  health: {
    /** Messages are sent while it is `CONNECTED` or `DEGRADED`. `LOGGED_OUT`: the credentials are no longer valid. `RESTRICTED`, `BANNED`: the provider forbids it; a restriction may leave answers to people who have written lately, see `reason` of `health`. `DISCONNECTED`: you have disconnected it. */
    status: 'CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED'
    /** What is wrong, for people; null: nothing is. */
    reason: string | null
    /** The provider's rating; null: none. */
    quality: ('high' | 'medium' | 'low') | null
    /** The provider's name of its limit, such as `TIER_1K`. */
    tier: string | null
    /** To how many people it may write first within a day, by the provider; null: no limit is known. The provider counts any 24 hours, and perhaps all numbers of a business together; the program counts days of the workspace, and each account alone. If the provider refuses a message, the account waits. */
    providerDailyLimit: number | null
    /** When the account was last checked; null: never. ISO 8601, UTC. */
    checkedAt: string | null
    /** When the status last changed. ISO 8601, UTC. */
    changedAt: string
    /** The last message failed because of the account. */
    isFailing: boolean
    /** Received bodies of the last 30 days that could not be processed, or not as a whole. Some of their messages are missing. */
    unprocessedBodies: number
  }
  /** When it was connected first. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
  /** null: the provider posts nothing, the account is disconnected, or your key lacks `accounts:write`. */
  webhook: {
    /** Where the provider posts what arrives. Keep it secret. */
    url: string
    /** What the provider sends to prove the address, or as its secret. Keep it secret. */
    verifyToken: string
  } | null
}

export interface ChatAccountChanges {
  /** The name for people; not blank. */
  displayName?: string
  /** What the provider requires, see `credentials` of `GET /chat-providers`. Stored encrypted, never returned. */
  credentials?: Record<string, unknown>
  /** true: nothing is sent until you send false. */
  isPaused?: boolean
  /** Your own limit of people per day who have not written lately, which `dailyBudget` never exceeds; null: none. */
  dailyLimit?: number | null
  /** A new account begins with few people: 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240 on its first days, then without this limit. false: it ends. */
  warmUp?: boolean
  /** Overrides the provider's default rate; null: the default. */
  messagesPerSecond?: number | null
}

export interface NewTemplate {
  /** The name for people; not blank. */
  name: string
  /** The default language. */
  language: string
  /** The text, with variables and filters in Liquid: `Hello {{ contact.firstName | default: "there" }}`. Tags: if, unless, case, for, assign. */
  body: string
  header?: NewTemplateHeader | null
  /** A line below the body, without variables. */
  footer?: string | null
  /**
   * Buttons below the text.
   *
   * @maxItems 10
   */
  buttons?: NewTemplateButton[]
  /** What the text is for. Providers price and limit categories differently, and may change it. Default: `"marketing"`. */
  category?: 'marketing' | 'utility' | 'authentication'
  /**
   * Your own variables, whose values come with each message, and fallbacks of any variable. Unused ones are refused.
   *
   * @maxItems 50
   */
  variables?: DeclaredTemplateVariable[]
  /**
   * The texts in other languages. The variables and tags of all texts have at most 40000 characters.
   *
   * @maxItems 20
   */
  variants?: NewTemplateVariant[]
  /** The name of the template at the provider: lower-case letters, digits and `_`. */
  providerTemplateName?: string
}

/** What is above the body. */
export interface NewTemplateHeader {
  /** What it shows. A file or a place comes with each message, as its `header`. */
  kind: 'text' | 'image' | 'video' | 'document' | 'location'
  /** The text, with variables like the body; null: another kind. */
  text?: string | null
}

/** A button below the text. */
export interface NewTemplateButton {
  /** What it does. */
  kind: 'url' | 'phone' | 'copy_code' | 'quick_reply'
  /** What the person reads. */
  title: string
  /** By kind: the address (`url`), the number (`phone`), the code that is copied (`copy_code`), or what the provider returns when the button is pressed (`quick_reply`; null: the title). With variables like the body. An address begins with `https://` or `http://`. What a variable prints in it is escaped, except for slashes. An own variable at its end may bring a query; an address may begin with a variable that is an address (`{{ property.url }}`). Providers that approve templates accept one variable in an address, at its end. */
  value?: string | null
}

export interface DeclaredTemplateVariable {
  /** A name of `GET /templates/variables`, or your own of letters without accents, digits and `_`: `visitDate`. */
  name: string
  /** The type of your own variable; default: text. `date`: a time, ISO 8601. */
  type?: 'text' | 'number' | 'date'
  /** Printed if the variable has no value; null: then nothing is sent. */
  fallback?: string | null
  example?: (string | number) | null
}

export interface NewTemplateVariant {
  /** The language of this text. */
  language: string
  /** The text, with variables and filters in Liquid: `Hello {{ contact.firstName | default: "there" }}`. Tags: if, unless, case, for, assign. */
  body: string
  header?: NewTemplateHeader | null
  /** A line below the body, without variables. */
  footer?: string | null
  /**
   * Buttons below the text.
   *
   * @maxItems 10
   */
  buttons?: NewTemplateButton[]
  /**
   * Omitted: those of the default language, without fallbacks.
   *
   * @maxItems 50
   */
  variables?: DeclaredTemplateVariable[]
}

/** A message template. The text fields are those of the default language. */
export interface Template {
  /** The template. */
  id: string
  /** The name for people. */
  name: string
  /** The language, BCP 47. */
  language: string
  /** The text; empty: it was erased with the data of a person. */
  body: string
  header: TemplateHeader | null
  /** A line below the body; null: none. */
  footer: string | null
  /** Buttons below the text. */
  buttons: TemplateButton[]
  /** The variables of the text, in its order. */
  variables: TemplateVariable[]
  /** The number of the text in its language, from 1. */
  version: number
  /** The text. */
  versionId: string
  /** What the provider says about the current text. `draft`: it was not submitted, or changed since; providers without approval send it. */
  status: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled'
  /** Why it was rejected or paused; null: no reason. */
  statusReason: string | null
  /** The name at the provider; null: it has none yet. */
  providerTemplateName: string | null
  /** What the text is for. Providers price and limit categories differently, and may change it. */
  category: 'marketing' | 'utility' | 'authentication'
  /** All texts; the default language first. */
  variants: TemplateVariant[]
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** When it was deleted: it can no longer be used; null: it was not. ISO 8601, UTC. */
  archivedAt: string | null
}

/** What is above the body. */
export interface TemplateHeader {
  /** What it shows. A file or a place comes with each message, as its `header`. */
  kind: 'text' | 'image' | 'video' | 'document' | 'location'
  /** The text, with variables like the body; null: another kind. */
  text: string | null
}

/** A button below the text. */
export interface TemplateButton {
  /** What it does; `other`: something that only the provider knows. */
  kind: 'url' | 'phone' | 'copy_code' | 'quick_reply' | 'other'
  /** What the person reads. */
  title: string
  /** By kind: the address (`url`), the number (`phone`), the code that is copied (`copy_code`), or what the provider returns when the button is pressed (`quick_reply`; null: the title). With variables like the body. An address begins with `https://` or `http://`. What a variable prints in it is escaped, except for slashes. An own variable at its end may bring a query; an address may begin with a variable that is an address (`{{ property.url }}`). Providers that approve templates accept one variable in an address, at its end. */
  value: string | null
}

export interface TemplateVariable {
  /** The name, as in the text. */
  name: string
  /** How its value is printed: in the language of the text. */
  type: 'text' | 'number' | 'money' | 'date' | 'list'
  /** true: its value comes with each message, as `variables`. */
  isOwn: boolean
  /** Printed if it has no value; null: then nothing is sent. */
  fallback: string | null
  example: (string | number) | null
}

export interface TemplateVariant {
  /** The language, BCP 47. */
  language: string
  /** The text; empty: it was erased with the data of a person. */
  body: string
  header: TemplateHeader | null
  /** A line below the body; null: none. */
  footer: string | null
  /** Buttons below the text. */
  buttons: TemplateButton[]
  /** The variables of the text, in its order. */
  variables: TemplateVariable[]
  /** The number of the text in its language, from 1. */
  version: number
  /** The text. */
  versionId: string
  /** What the provider says about the current text. `draft`: it was not submitted, or changed since; providers without approval send it. */
  status: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled'
  /** Why it was rejected or paused; null: no reason. */
  statusReason: string | null
  /** The name at the provider; null: it has none yet. */
  providerTemplateName: string | null
  /** What a change means for an approved text; null: nothing is to be done. */
  notice: string | null
  /** By account and version, the latest version first. */
  approvals: TemplateProviderApproval[]
  /** When the text last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface TemplateProviderApproval {
  /** The account whose provider it is. */
  accountId: string
  /** The name at the provider. */
  providerTemplateName: string
  /** What the provider says. */
  status: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled'
  /** Why it was rejected or paused; null: no reason. */
  reason: string | null
  /** The category by the provider. */
  category: 'marketing' | 'utility' | 'authentication'
  /** The number of the text that it is about. */
  version: number
  /** When it was submitted here; null: it was submitted at the provider. ISO 8601, UTC. */
  submittedAt: string | null
  /** When its state last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface TemplateCatalogueVariable {
  /** The name, as it is written in a text. */
  name: string
  /** How its value is printed. */
  type: 'text' | 'number' | 'money' | 'date' | 'list'
  /** What it is. */
  label: string
  /** An example, as it is printed. */
  example: string
  /** The value for `leadId`, as it is printed; null: the lead has none, or none was given. */
  value: string | null
}

export interface TemplateChanges {
  /** The name for people; not blank. */
  name?: string
  /** The default language: one of the template, or that of the new `body`. */
  language?: string
  /** The text, with variables and filters in Liquid: `Hello {{ contact.firstName | default: "there" }}`. Tags: if, unless, case, for, assign. */
  body?: string
  header?: NewTemplateHeader | null
  /** A line below the body, without variables. */
  footer?: string | null
  /**
   * Buttons below the text.
   *
   * @maxItems 10
   */
  buttons?: NewTemplateButton[]
  /** What the text is for. Providers price and limit categories differently, and may change it. */
  category?: 'marketing' | 'utility' | 'authentication'
  /**
   * Your own variables, whose values come with each message, and fallbacks of any variable. Unused ones are refused.
   *
   * @maxItems 50
   */
  variables?: DeclaredTemplateVariable[]
  /**
   * Replaces all texts in other languages. A text that stays keeps its header, footer and buttons if they are not sent.
   *
   * @maxItems 20
   */
  variants?: NewTemplateVariant[]
  /** The name of the template at the provider: lower-case letters, digits and `_`. */
  providerTemplateName?: string
}

export interface TemplateVersion {
  /** The version. */
  id: string
  /** The language, BCP 47. */
  language: string
  /** From 1, in each language. */
  number: number
  /** The text; empty: it was erased with the data of a person. */
  body: string
  header: TemplateHeader | null
  /** A line below the body; null: none. */
  footer: string | null
  /** Buttons below the text. */
  buttons: TemplateButton[]
  /** The variables of the text, in its order. */
  variables: TemplateVariable[]
  /** It is the current text of its language. */
  isCurrent: boolean
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
}

export interface NewTemplatePreview {
  /** Fill in this lead. Omitted: examples stand for its values. */
  leadId?: string
  /** Prefer this language; default: that of the template. */
  language?: string
  /** true: refuse another language, as messages do; one of another region (`en` for `en-GB`) is not another. default: the best available one is used. */
  exactLanguage?: boolean
  /** Values by the names of variables. They take precedence over the lead. */
  variables?: Record<string, string | number>
  /** The agent; default: the owner of the lead. */
  agentUserId?: string
  /** The account that would send it: its limits and its approval are shown. */
  accountId?: string
}

export interface TemplatePreview {
  /** The text that was rendered. */
  versionId: string
  /** Its number. */
  version: number
  /** Its language. */
  language: string
  /** What the person would read: header, body, footer and buttons; null: variables are missing. */
  text: string | null
  /** The text with `[name]` for each missing variable; null: none is missing. */
  markedText: string | null
  /** The variables without a value. Nothing would be sent. */
  missing: string[]
  /** The value of each variable of the text. */
  values: {
    /** The variable. */
    name: string
    /** Its value, as it is printed; null: it has none. */
    value: string | null
    /** Where the value is from; `data`: the lead, the agent or the workspace. */
    source: 'sent' | 'data' | 'example' | 'fallback' | 'none'
  }[]
  /** The length of the text, counted as when it is sent: an emoji is two. */
  characters: number | null
  /** How many messages of the account it would fill; null: no account was sent. */
  segments: number | null
  /** What may keep the text from being sent as it is. */
  warnings: {
    /** For programs. */
    code: 'OTHER_LANGUAGE' | 'TOO_LONG' | 'NEEDS_HEADER' | 'NOT_APPROVED' | 'APPROVED_VERSION_DIFFERS'
    /** What it means, and what to do. */
    message: string
  }[]
}

export interface TemplateSubmission {
  /** The account whose provider approves the text. */
  accountId: string
  /** The text to submit; default: that of the default language. */
  language?: string
  /** The name of the template at the provider: lower-case letters, digits and `_`. */
  providerTemplateName?: string
  /** An uploaded file of at most 16 MB, `POST /media`: the example of a header with a file, which people at the provider review. */
  headerMediaId?: string
}

export interface NewTemplateSync {
  /** The account. */
  accountId: string
}

export interface TemplateSync {
  /** The texts that were made at the provider, and are new here. */
  imported: number
  /** The texts whose state has changed. */
  updated: number
  /** The texts whose state is the same. */
  unchanged: number
  /** The texts that cannot be imported. */
  skipped: {
    /** The name at the provider. */
    providerTemplateName: string
    /** The language. */
    language: string
    /** Why it was not imported. */
    reason: string
  }[]
}

export interface NewConversation {
  /** The account that writes. */
  accountId: string
  /** The lead to write to. */
  leadId: string
}

/** What an account and one person write to each other. */
export interface Conversation {
  /** The conversation. */
  id: string
  /** The account. */
  accountId: string
  /** The lead; null: see `leadAbsence`. */
  leadId: string | null
  /** Why it has no lead; null: it has one. `QUOTA_EXCEEDED` and `LEAD_DELETED` end when the person writes again; `NEVER_WROTE`: only the workspace or a machine of the person wrote. */
  leadAbsence: ('NEVER_WROTE' | 'PERSON_ERASED' | 'QUOTA_EXCEEDED' | 'LEAD_DELETED') | null
  /** The name of the lead; null: not known. */
  contactName: string | null
  /** The identities of the person at the provider. */
  identities: ChatIdentity[]
  /** `pending`: it waits for somebody else. `closed`: it is done. A message of the person makes it `open`. */
  status: 'open' | 'pending' | 'closed'
  /** It is put off until then; null: it is not. ISO 8601, UTC. */
  snoozedUntil: string | null
  /** The user who takes care of it; null: nobody. */
  assignedUserId: string | null
  /**
   * Labels of your own.
   *
   * @maxItems 10
   */
  labels: string[]
  /** The subject of an e-mail thread; null: it has none. */
  subject: string | null
  /** Messages of the person, or of a machine of theirs, that no user has read or answered; at least 1 if it was marked as unread. */
  unreadCount: number
  /** A free text is accepted now as far as the account and the reply window go. The person may refuse messages: see `contactability` of the lead. */
  canReply: boolean
  /** When the reply window closes; null: there is none, or the person has not written with the number or id to which messages go. ISO 8601, UTC. */
  replyWindowExpiresAt: string | null
  lastMessage: LastMessage | null
  /** When the last message was stored. The list is in this order. ISO 8601, UTC. */
  lastMessageAt: string
  /** When the person last wrote; null: never. ISO 8601, UTC. */
  lastInboundAt: string | null
  /** When it was opened. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** An identity of the person at the provider. */
export interface ChatIdentity {
  /** The kind of identity; `bsuid`: the business-scoped user id of WhatsApp. */
  kind: 'phone' | 'bsuid' | 'telegram' | 'email' | 'sandbox'
  /** The name: a phone in E.164, an address, an id of the provider. */
  value: string
}

/** The last message, besides notes. */
export interface LastMessage {
  /** The message. */
  id: string
  /** `in`: from the person. */
  direction: 'in' | 'out'
  /** What it is. */
  kind:
    | 'text'
    | 'template'
    | 'media'
    | 'buttons'
    | 'list'
    | 'location'
    | 'contacts'
    | 'choice'
    | 'reaction'
    | 'unsupported'
  /** The first 300 characters; null: it has no text. */
  text: string | null
  /** Its status. */
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' | 'received' | 'noted'
  /** true: it is `failed` because it was withdrawn before it was sent; nothing went wrong. */
  isWithdrawn: boolean
  /** When it was stored. ISO 8601, UTC. */
  createdAt: string
}

/** A conversation of a list. `matchedMessage` is null without `q`, and if only the lead or an identity has the words. */
export interface ListedConversation {
  /** The conversation. */
  id: string
  /** The account. */
  accountId: string
  /** The lead; null: see `leadAbsence`. */
  leadId: string | null
  /** Why it has no lead; null: it has one. `QUOTA_EXCEEDED` and `LEAD_DELETED` end when the person writes again; `NEVER_WROTE`: only the workspace or a machine of the person wrote. */
  leadAbsence: ('NEVER_WROTE' | 'PERSON_ERASED' | 'QUOTA_EXCEEDED' | 'LEAD_DELETED') | null
  /** The name of the lead; null: not known. */
  contactName: string | null
  /** The identities of the person at the provider. */
  identities: ChatIdentity[]
  /** `pending`: it waits for somebody else. `closed`: it is done. A message of the person makes it `open`. */
  status: 'open' | 'pending' | 'closed'
  /** It is put off until then; null: it is not. ISO 8601, UTC. */
  snoozedUntil: string | null
  /** The user who takes care of it; null: nobody. */
  assignedUserId: string | null
  /**
   * Labels of your own.
   *
   * @maxItems 10
   */
  labels: string[]
  /** The subject of an e-mail thread; null: it has none. */
  subject: string | null
  /** Messages of the person, or of a machine of theirs, that no user has read or answered; at least 1 if it was marked as unread. */
  unreadCount: number
  /** A free text is accepted now as far as the account and the reply window go. The person may refuse messages: see `contactability` of the lead. */
  canReply: boolean
  /** When the reply window closes; null: there is none, or the person has not written with the number or id to which messages go. ISO 8601, UTC. */
  replyWindowExpiresAt: string | null
  lastMessage: LastMessage | null
  /** When the last message was stored. The list is in this order. ISO 8601, UTC. */
  lastMessageAt: string
  /** When the person last wrote; null: never. ISO 8601, UTC. */
  lastInboundAt: string | null
  /** When it was opened. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
  matchedMessage: MatchedMessage | null
}

/** The newest message with all words of `q`. */
export interface MatchedMessage {
  /** The message. */
  id: string
  /** The first 300 characters; null: it has no text. */
  text: string | null
}

/** Omitted fields keep their value. */
export interface ConversationChanges {
  /** `pending`: it waits for somebody else. `closed`: it is done. A message of the person makes it `open`. */
  status?: 'open' | 'pending' | 'closed'
  /** Put it off until then; it becomes open again by itself. Null: end that. ISO 8601, UTC. */
  snoozedUntil?: string | null
  /** The user who takes care of it; null: nobody. */
  assignedUserId?: string | null
  /**
   * Labels of your own.
   *
   * @maxItems 10
   */
  labels?: string[]
  /** true: all messages are read; the person sees it, if the provider shows it. false: the conversation is unread again. */
  read?: boolean
}

/** The parts besides the text. The `kind` says which further ones there are. */
export interface MessageContent {
  /** The last reaction of the person and of the agency. */
  reactions: MessageReaction[]
  /** The message says only that the person wants no messages, or wants them again; null: neither. */
  intent: ('opt_out' | 'opt_in') | null
  email: MessageEmail | null
  referral: MessageReferral | null
  calendar: MessageCalendar | null
  /** The text was longer than what is stored. */
  isTruncated: boolean
  /** It named a person who was erased: its text, its files and its other parts are gone. */
  isErased: boolean
}

/** A reaction to a message. */
export interface MessageReaction {
  /** The side that reacted. */
  from: 'person' | 'agency'
  /** The emoji. */
  emoji: string
  /** When they reacted. ISO 8601, UTC. */
  at: string
}

/** The parts of an e-mail. */
export interface MessageEmail {
  /** The subject; null: it has none. */
  subject: string | null
  /** Message-ids of the thread, the oldest first. */
  references: string[]
  /** The text with the quoted messages. `text` of the message has what is new. */
  fullText: string | null
  /** What the receiving server found out about the sender. */
  authentication: {
    /** The result of SPF, such as `pass`; null: not reported. */
    spf: string | null
    /** The result of DKIM; null: not reported. */
    dkim: string | null
    /** The result of DMARC; null: not reported. */
    dmarc: string | null
  }
}

/** Where the person comes from, such as an advertisement. */
export interface MessageReferral {
  /** The kind of source, such as `ad`. */
  source: string
  /** Its address; null: not known. */
  url: string | null
  /** Its headline; null: not known. */
  headline: string | null
}

/** The invitation to an appointment that an e-mail carries. */
export interface MessageCalendar {
  /** The method of iCalendar. */
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  /** The iCalendar object. */
  text: string
}

export interface Media {
  /** The file: `GET /media/{id}` returns its content. */
  id: string
  /** What the file is, detected from its content. A file of the kind `voice` is a recorded message. */
  kind: 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'
  /** `pending`: it is being fetched from the provider, for up to 7 days while the account or the provider is down. `failed`: see `error`. */
  status: 'ready' | 'pending' | 'failed'
  /** Why the file could not be fetched, or is still pending; null: nothing is wrong. */
  error: string | null
  /** The size; null: not known yet. */
  bytes: number | null
  /** The media type, detected from the content. */
  mediaType: string | null
  /** The name that its sender gave it. */
  fileName: string | null
  /** The width of an image; null: not known. */
  widthPx: number | null
  /** The height of an image; null: not known. */
  heightPx: number | null
  /** The address of the content, which needs a key; null: it is not there. */
  url: string | null
  /** The address of a small WebP of an image; null: it has none, as films, recordings and documents. */
  previewUrl: string | null
}

/** Why a message failed, or with the code `RESULT_UNKNOWN` why it is not known whether it was sent. */
export interface MessageFailure {
  /** The kind of failure. Stable, for programs. */
  code: string
  /** The code of the provider; null: it gave none. */
  providerCode: string | null
  /** What happened and what to do, for people. */
  message: string
  /** The same message may be sent again later. */
  retryable: boolean
  /** It was withdrawn before it was sent, by a person or its campaign: nothing went wrong, and nobody has to decide about it. */
  isWithdrawn: boolean
}

/** Why a queued message is not sent now; null: it is about to be sent, or is not queued. */
export interface MessageWaiting {
  /** The kind of reason. Stable, for programs. After a refusal of the provider it is the code that `failure` would have. */
  code: string
  /** What the message waits for and what to do, for people. */
  message: string
  /** When it is tried next; null: when the reason ends, such as the pause of the account. ISO 8601, UTC. */
  until: string | null
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface ButtonsContent {
  /** The buttons below the text. */
  buttons: OptionButton[]
}

/** A button. */
export interface OptionButton {
  /** What the choice of the person names. */
  id: string
  /** What the person reads. */
  title: string
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface ListContent {
  /** The label of the button that opens the list; null: it has none. */
  button: string | null
  /** The parts of the list. */
  sections: OptionSection[]
}

/** A part of a list. */
export interface OptionSection {
  /** The heading; null: it has none. */
  title: string | null
  /** What can be chosen. */
  rows: OptionRow[]
}

/** An option of a list. */
export interface OptionRow {
  /** What the choice of the person names. */
  id: string
  /** What the person reads. */
  title: string
  /** More words; null: it has none. */
  description: string | null
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface LocationContent {
  /** In degrees; null: deleted. */
  latitude: number | null
  /** In degrees; null: deleted. */
  longitude: number | null
  /** Its name; null: it has none. */
  name: string | null
  /** Its address; null: it has none. */
  address: string | null
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface ContactsContent {
  /** The contacts. */
  contacts: MessageContact[]
}

/** A contact that the person sent. */
export interface MessageContact {
  /** The name. */
  name: string
  /** The phones, as the person sent them. */
  phones: string[]
  /** The addresses. */
  emails: string[]
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface ChoiceContent {
  /** The id of the option; null: it has none. */
  id: string | null
  /** What the person read; null: it has none. */
  title: string | null
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface ReactionContent {
  /** The emoji; null: it has none. */
  emoji: string | null
}

/** The parts of this kind. Those of a deleted or erased message are null or empty. */
export interface UnsupportedContent {
  /** What it is; null: it has none. */
  description: string | null
}

/** Exactly one of `text`, `templateId`, `mediaId`, `location`, `reaction`, `note`. */
export interface NewMessage {
  /** A text; not blank. */
  text?: string
  /**
   * Answers to choose from, below `text`.
   *
   * @minItems 1
   * @maxItems 50
   */
  buttons?: ReplyButton[]
  list?: ChoiceList
  /** A template, rendered for the lead. */
  templateId?: string
  /** The language of the template, such as `es`. For `en-GB`, a text in `en` or of another region is sent; another language is refused. Default: the default one of the template. */
  language?: string
  /** Values of variables of the template that the lead does not have. */
  variables?: Record<string, string | number>
  header?: TemplateHeaderValue
  /** An uploaded file: `POST /media`. */
  mediaId?: string
  /** A text below the file; not blank. */
  caption?: string | null
  location?: MessageLocation
  reaction?: Reaction
  /** An internal note; not blank. It is never sent. */
  note?: string
  /** Begins a new e-mail thread with this subject; not blank. Default: the message continues the last thread. Only for accounts of the channel `email`. */
  subject?: string
  /** The message of the conversation that this one answers. */
  replyToId?: string | null
  /** The lead that the message is about, if the person has several: a template is rendered for it, and its lawful basis counts. Default: the lead of the conversation; a template to a person with several leads needs it. */
  leadId?: string | null
}

export interface ReplyButton {
  /** Returned when the person chooses it. */
  id?: string
  /** What the person reads. */
  title: string
}

/** A list to choose from, opened by a button below `text`. */
export interface ChoiceList {
  /** What the person reads. */
  button: string
  /**
   * The parts of the list.
   *
   * @minItems 1
   * @maxItems 20
   */
  sections: ListSection[]
}

export interface ListSection {
  /** What the person reads. */
  title?: string | null
  /**
   * What can be chosen.
   *
   * @minItems 1
   * @maxItems 50
   */
  rows: ListRow[]
}

export interface ListRow {
  /** Returned when the person chooses it. */
  id: string
  /** What the person reads. */
  title: string
  /** More words. */
  description?: string | null
}

/** What the header of the template shows, if it is a file or a place. Exactly one of both. */
export interface TemplateHeaderValue {
  /** An uploaded file of the kind of the header: `POST /media`. */
  mediaId?: string
  location?: MessageLocation
}

/** A place. */
export interface MessageLocation {
  /** In degrees. */
  latitude: number
  /** In degrees. */
  longitude: number
  /** Its name. */
  name?: string | null
  /** Its address. */
  address?: string | null
}

/** A reaction to a message. */
export interface Reaction {
  /** The message of the conversation to react to. */
  messageId: string
  /** An emoji; null: removes the reaction. */
  emoji: string | null
}

/** A message of a `chat-no-api` account, which a person sends. */
export interface MessageTask {
  /** The task. It is the id of its message. */
  id: string
  /** The conversation. */
  conversationId: string
  /** The account. */
  accountId: string
  /** The lead that the message is about; null: the conversation has none. */
  leadId: string | null
  /** The name of the lead; null: not known. */
  contactName: string | null
  /** The text to send; null: the message has none. */
  text: string | null
  /** The subject of the e-mail; null: it continues a thread, or is none. */
  subject: string | null
  /** The user who sends it; null: nobody in particular. */
  assignedUserId: string | null
  /** `opened`: somebody opened its link. `done`: the message was sent. `skipped`, `expired`: it was not. */
  status: 'open' | 'opened' | 'done' | 'expired' | 'skipped'
  /** When it expires: then the message fails. ISO 8601, UTC. */
  expiresAt: string
  /** When its link was first opened; null: never. ISO 8601, UTC. */
  openedAt: string | null
  /** When it was done, skipped, or expired; null: it is still to be done. ISO 8601, UTC. */
  endedAt: string | null
  /** When the message was queued. ISO 8601, UTC. */
  createdAt: string
}

/** Omitted fields keep their value. */
export interface MessageTaskChanges {
  /** The user who sends it; null: nobody in particular. */
  assignedUserId?: string | null
  /** `done`: you have sent the message. `skipped`: it is not sent, and fails. */
  status?: 'done' | 'skipped'
}

/** A task whose link was opened. */
export interface OpenedMessageTask {
  task: MessageTask
  /** Opens the conversation in the program of the provider, with the text filled in. */
  link: string
}

export interface QuickReply {
  /** The quick reply. */
  id: string
  /** What people type after a slash: lower-case letters, digits, `-` and `_`. Unique. */
  shortcut: string
  /** The text that is inserted, as it is; not blank. Texts with variables are templates. */
  text: string
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface NewQuickReply {
  /** What people type after a slash: lower-case letters, digits, `-` and `_`. Unique. */
  shortcut: string
  /** The text that is inserted, as it is; not blank. Texts with variables are templates. */
  text: string
}

export interface QuickReplyChanges {
  /** What people type after a slash: lower-case letters, digits, `-` and `_`. Unique. */
  shortcut?: string
  /** The text that is inserted, as it is; not blank. Texts with variables are templates. */
  text?: string
}

export interface NewSchedulingEventType {
  /** The agent: a user of the workspace. */
  ownerAgentUserId: string
  /** The name for people; not blank. */
  name: string
  /** Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent. */
  slug: string
  /** The length of an appointment, in minutes. */
  durationMin: number
  /** How agent and visitor meet. */
  locationMode: 'onsite' | 'call' | 'video'
  /** The agenda that appointments occupy; omitted: a new one is created for the agent. */
  agendaId?: string | null
  /** What visitors read on the booking page; null: nothing. */
  description?: string | null
  /** Minutes that are kept free before an appointment. */
  bufferBeforeMin?: number
  /** Minutes that are kept free after an appointment. */
  bufferAfterMin?: number
  /** The color in calendars, hexadecimal; null: none. */
  color?: string | null
  /** `agent_private`: of one agent. `workspace_template`: every agent may copy it. Default: agent_private. */
  visibility?: 'agent_private' | 'workspace_template'
  /** Where it takes place. `onsite`: address, latitude, longitude, instructions, useLeadProperty. `call`: phone, whoCalls. `video`: url, instructions. A field of another mode is refused. */
  locationDetails?: {}
  config?: EventTypeConfigInput
  availability?: EventTypeAvailabilityInput
}

/** Questions, reminders, confirmation and assignment. Omitted fields have their default. */
export interface EventTypeConfigInput {
  /**
   * What visitors are asked. Replaces all questions.
   *
   * @maxItems 30
   */
  questions?: {
    /** The name of its answer in `answers`: letters, digits, `-` and `_`. Unique. */
    id: string
    /** The question, for people. */
    label: string
    /** How it is answered. */
    type: 'text' | 'textarea' | 'select' | 'checkbox' | 'phone'
    /** It must be answered. Default: false. */
    required?: boolean
    /**
     * The possible answers of a `select`; empty for every other type.
     *
     * @maxItems 50
     *
     * Items: An answer.
     */
    options?: string[]
  }[]
  /**
   * Reminders to the visitor. Replaces all reminders.
   *
   * @maxItems 10
   */
  reminders?: {
    /** How many minutes before the appointment. */
    minutesBefore: number
    /** How it is sent. */
    channel: 'email' | 'chat'
    /** The message template; null: the default text. */
    templateId?: string | null
  }[]
  /** The confirmation by the agent. */
  confirmation?: {
    /** The agent confirms each appointment; until then it is `pending`. Default: false. */
    required?: boolean
    /** After how many minutes without a confirmation it is cancelled; null: when it begins. Default: 1440. */
    expiresAfterMin?: number | null
  }
  /** Who sends notices, and to whom. */
  notices?: {
    /** The account that sends e-mails; null: the only connected e-mail account. Default: null. */
    emailAccountId?: string | null
    /** The account that sends chat messages; null: the only connected chat account. Default: null. */
    chatAccountId?: string | null
    /** The agent gets e-mails too. Default: true. */
    toAgent?: boolean
  }
  /** Who receives the visitor. */
  assignment?: {
    /** Who receives the visitor. `single`: the agent of `agendaId`. `round_robin`: one of the members. `collective`: all members together. Default: single. */
    kind?: 'single' | 'round_robin' | 'collective'
    /**
     * The agendas of several agents; empty for `single`. Replaces all members.
     *
     * @maxItems 50
     */
    members?: {
      /** The agenda. */
      agendaId: string
      /** The share of the bookings, relative to the other members. Default: 1. */
      weight?: number
      /**
       * The postcodes of the properties that the agent shows, by their beginning; empty: all.
       *
       * @maxItems 100
       *
       * Items: The beginning of postcodes.
       */
      areas?: string[]
    }[]
  }
  /** How many visitors can share a slot. Default: 1. */
  seats?: number
  /** The way between appointments on site. */
  travel?: {
    /** The way between appointments on site is kept free. Default: false. */
    enabled?: boolean
    /** The average speed, in km/h, by which ways are estimated that no router knows. Default: 30. */
    speedKmh?: number
  }
  /** Public holidays are closed; null: they are days like others. Default: null. */
  holidays?: {
    /** ISO 3166-1. */
    country: string
    /** ISO 3166-2 without the country; null: only the holidays of the whole country. */
    region?: string | null
  } | null
  /** The page on which visitors book. */
  bookingPage?: {
    /** Visitors can book on its page. Default: true. */
    isPublished?: boolean
    /** The language of the page; null: the visitor's. Default: null. */
    language?: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
    /** Visitors prove their e-mail address with a code. Default: false. */
    requireCode?: boolean
    /** A booking ends the messages of a campaign to the lead: it counts as a reply of a lead that was known, unless anybody could have written its phone or address into the page. Default: true. */
    stopsSequence?: boolean
    /** How many minutes before its beginning a visitor can cancel or reschedule at the latest. Default: 0. */
    cancelBeforeMin?: number
    /**
     * The sites whose pages may show the page in a frame. Default: none.
     *
     * @maxItems 20
     *
     * Items: An origin.
     */
    allowedOrigins?: string[]
    /** Where visitors go after a booking; null: nowhere. Default: null. */
    redirectUrl?: string | null
  }
}

/** When it can be booked. Default: Monday to Friday 09:00–18:00 in the time zone of the workspace, 60 minutes of notice, 60 days ahead, a slot after the other, no daily limit. */
export interface EventTypeAvailabilityInput {
  /** The time zone of the hours and days, by its IANA name. */
  timezone?: string
  /**
   * The hours of every week. They may not overlap; empty: only the overrides.
   *
   * @maxItems 100
   */
  weekly?: {
    /** The day of the week: 1 Monday … 7 Sunday. */
    day: number
    /** When it begins. */
    from: string
    /** When it ends; `24:00`: at the end of the day. */
    to: string
  }[]
  /**
   * Days with other hours; at most 1,000 intervals together.
   *
   * @maxItems 366
   */
  overrides?: {
    /** The day, ISO 8601. */
    date: string
    /**
     * The hours of this day, instead of the weekly ones; empty: closed.
     *
     * @maxItems 24
     */
    intervals: {
      /** When it begins. */
      from: string
      /** When it ends; `24:00`: at the end of the day. */
      to: string
    }[]
  }[]
  /** How many minutes before its beginning a slot can be booked at the latest. */
  minimumNoticeMin?: number
  /** How many days ahead slots can be booked. */
  horizonDays?: number
  /** The minutes from one slot to the next, from the beginning of the hours; default: `durationMin`. While it equals `durationMin`, it changes with it, so that slots follow each other: send both to keep it. */
  slotIntervalMin?: number
  /** The most slots of this event type that an agenda takes on one day; the visitors of a group viewing share one. Null: no limit. */
  dailyLimit?: number | null
}

/** What can be booked. */
export interface SchedulingEventType {
  /** The event type. */
  id: string
  /** The agent: a user of the workspace. */
  ownerAgentUserId: string
  /** The name for people; not blank. */
  name: string
  /** Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent. */
  slug: string
  /** The length of an appointment, in minutes. */
  durationMin: number
  /** How agent and visitor meet. */
  locationMode: 'onsite' | 'call' | 'video'
  /** The agenda that appointments occupy. */
  agendaId: string
  /** What visitors read on the booking page; null: nothing. */
  description: string | null
  /** Minutes that are kept free before an appointment. */
  bufferBeforeMin: number
  /** Minutes that are kept free after an appointment. */
  bufferAfterMin: number
  /** The color in calendars, hexadecimal; null: none. */
  color: string | null
  /** `agent_private`: of one agent. `workspace_template`: every agent may copy it. Default: agent_private. */
  visibility: 'agent_private' | 'workspace_template'
  /** Where it takes place. The fields depend on `locationMode`. */
  locationDetails: OnsiteDetails | CallDetails | VideoDetails
  config: EventTypeConfig
  availability: EventTypeAvailability
  /** For visitors: they need no key. */
  links: {
    /** The booking page; null: it is not published. */
    page: string | null
  }
  /** The event type that it was copied from; null: none. */
  templateId: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface OnsiteDetails {
  /** The address; null: that of the property of the lead. */
  address: string | null
  /** The latitude, in degrees. */
  latitude: number | null
  /** The longitude, in degrees. */
  longitude: number | null
  /** What the visitor should know, such as where to ring. */
  instructions: string | null
  /** The appointment of a lead takes place at its property, if its address is known. Default: true. */
  useLeadProperty: boolean
}

export interface CallDetails {
  /** The phone number that the visitor calls, E.164. */
  phone: string | null
  /** Who calls. Default: agent. */
  whoCalls: 'agent' | 'visitor'
}

export interface VideoDetails {
  /** The address of the meeting; null: the agent sends it later. */
  url: string | null
  /** What the visitor should know, such as where to ring. */
  instructions: string | null
}

/** Questions, reminders, confirmation and assignment. */
export interface EventTypeConfig {
  /** What visitors are asked. */
  questions: {
    /** The name of its answer in `answers`: letters, digits, `-` and `_`. Unique. */
    id: string
    /** The question, for people. */
    label: string
    /** How it is answered. */
    type: 'text' | 'textarea' | 'select' | 'checkbox' | 'phone'
    /** It must be answered. Default: false. */
    required: boolean
    /**
     * The possible answers of a `select`; empty for every other type.
     *
     * @maxItems 50
     *
     * Items: An answer.
     */
    options: string[]
  }[]
  /** Reminders to the visitor. */
  reminders: {
    /** How many minutes before the appointment. */
    minutesBefore: number
    /** How it is sent. */
    channel: 'email' | 'chat'
    /** The message template; null: the default text. */
    templateId: string | null
  }[]
  /** The confirmation by the agent. */
  confirmation: {
    /** The agent confirms each appointment; until then it is `pending`. Default: false. */
    required: boolean
    /** After how many minutes without a confirmation it is cancelled; null: when it begins. Default: 1440. */
    expiresAfterMin: number | null
  }
  /** Who sends notices, and to whom. */
  notices: {
    /** The account that sends e-mails; null: the only connected e-mail account. Default: null. */
    emailAccountId: string | null
    /** The account that sends chat messages; null: the only connected chat account. Default: null. */
    chatAccountId: string | null
    /** The agent gets e-mails too. Default: true. */
    toAgent: boolean
  }
  /** Who receives the visitor. */
  assignment: {
    /** Who receives the visitor. `single`: the agent of `agendaId`. `round_robin`: one of the members. `collective`: all members together. Default: single. */
    kind: 'single' | 'round_robin' | 'collective'
    /** The agendas of several agents, by id; empty for `single`. */
    members: {
      /** The agenda. */
      agendaId: string
      /** The share of the bookings, relative to the other members. Default: 1. */
      weight: number
      /**
       * The postcodes of the properties that the agent shows, by their beginning; empty: all.
       *
       * @maxItems 100
       *
       * Items: The beginning of postcodes.
       */
      areas: string[]
    }[]
  }
  /** How many visitors can share a slot. Default: 1. */
  seats: number
  /** The way between appointments on site. */
  travel: {
    /** The way between appointments on site is kept free. Default: false. */
    enabled: boolean
    /** The average speed, in km/h, by which ways are estimated that no router knows. Default: 30. */
    speedKmh: number
  }
  /** Public holidays are closed; null: they are days like others. */
  holidays: {
    /** ISO 3166-1. */
    country: string
    /** ISO 3166-2 without the country. */
    region: string | null
  } | null
  /** The page on which visitors book. */
  bookingPage: {
    /** Visitors can book on its page. Default: true. */
    isPublished: boolean
    /** The language of the page; null: the visitor's. Default: null. */
    language: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
    /** Visitors prove their e-mail address with a code. Default: false. */
    requireCode: boolean
    /** A booking ends the messages of a campaign to the lead: it counts as a reply of a lead that was known, unless anybody could have written its phone or address into the page. Default: true. */
    stopsSequence: boolean
    /** How many minutes before its beginning a visitor can cancel or reschedule at the latest. Default: 0. */
    cancelBeforeMin: number
    /**
     * The sites whose pages may show the page in a frame. Default: none.
     *
     * @maxItems 20
     *
     * Items: An origin.
     */
    allowedOrigins: string[]
    /** Where visitors go after a booking; null: nowhere. Default: null. */
    redirectUrl: string | null
  }
}

/** When it can be booked. */
export interface EventTypeAvailability {
  /** The time zone of the hours and days, by its IANA name. */
  timezone: string
  /**
   * The hours of every week. They may not overlap; empty: only the overrides.
   *
   * @maxItems 100
   */
  weekly: {
    /** The day of the week: 1 Monday … 7 Sunday. */
    day: number
    /** When it begins. */
    from: string
    /** When it ends; `24:00`: at the end of the day. */
    to: string
  }[]
  /**
   * Days with other hours; at most 1,000 intervals together.
   *
   * @maxItems 366
   */
  overrides: {
    /** The day, ISO 8601. */
    date: string
    /**
     * The hours of this day, instead of the weekly ones; empty: closed.
     *
     * @maxItems 24
     */
    intervals: {
      /** When it begins. */
      from: string
      /** When it ends; `24:00`: at the end of the day. */
      to: string
    }[]
  }[]
  /** How many minutes before its beginning a slot can be booked at the latest. */
  minimumNoticeMin: number
  /** How many days ahead slots can be booked. */
  horizonDays: number
  /** The minutes from one slot to the next, from the beginning of the hours; default: `durationMin`. While it equals `durationMin`, it changes with it, so that slots follow each other: send both to keep it. */
  slotIntervalMin: number
  /** The most slots of this event type that an agenda takes on one day; the visitors of a group viewing share one. Null: no limit. */
  dailyLimit: number | null
}

export interface SchedulingEventTypeChanges {
  /** The agent: a user of the workspace. */
  ownerAgentUserId?: string
  /** The name for people; not blank. */
  name?: string
  /** Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent. */
  slug?: string
  /** The length of an appointment, in minutes. */
  durationMin?: number
  /** How agent and visitor meet. */
  locationMode?: 'onsite' | 'call' | 'video'
  /** The agenda that appointments occupy. */
  agendaId?: string
  /** What visitors read on the booking page; null: nothing. */
  description?: string | null
  /** Minutes that are kept free before an appointment. */
  bufferBeforeMin?: number
  /** Minutes that are kept free after an appointment. */
  bufferAfterMin?: number
  /** The color in calendars, hexadecimal; null: none. */
  color?: string | null
  /** `agent_private`: of one agent. `workspace_template`: every agent may copy it. Default: agent_private. */
  visibility?: 'agent_private' | 'workspace_template'
  /** Where it takes place. `onsite`: address, latitude, longitude, instructions, useLeadProperty. `call`: phone, whoCalls. `video`: url, instructions. A field of another mode is refused. */
  locationDetails?: {}
  config?: EventTypeConfigInput
  availability?: EventTypeAvailabilityInput
}

export interface SchedulingEventTypeCopy {
  /** The agent: a user of the workspace. */
  ownerAgentUserId: string
  /** The agenda of the copy; omitted: a new one is created for the agent. */
  agendaId?: string | null
  /** The name for people; not blank. */
  name?: string
  /** Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent. */
  slug?: string
}

export interface NewBookingPageShare {
  /** When the link expires. If omitted, it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt?: string | null
}

/** The link to the booking page; null: there is none. */
export interface BookingPageShare {
  /** The URL of the page; it needs no key. */
  url: string
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it expires; null: it is valid until it is revoked. ISO 8601, UTC. */
  expiresAt: string | null
  /** The number of times the page was opened. */
  views: number
  /** When the page was last opened; null: never. ISO 8601, UTC. */
  lastViewedAt: string | null
}

export interface NewAgenda {
  /** The agent: a user of the workspace. */
  agentUserId: string
  /** The name for people; not blank. Default: that of the agent. */
  name?: string
  /** The time zone of the working hours, by its IANA name. Default: that of the workspace. */
  timezone?: string
  workingHours?: WorkingHoursInput | null
  /** No slot is offered while the busy times of a connected calendar are out of date. Default: false. */
  failsClosed?: boolean
}

/** When the agent works, in any event type; null: whenever the event type is available. Replaced as a whole. Default: null. */
export interface WorkingHoursInput {
  /**
   * The hours of every week. They may not overlap; empty: only the overrides.
   *
   * @maxItems 100
   */
  weekly: {
    /** The day of the week: 1 Monday … 7 Sunday. */
    day: number
    /** When it begins. */
    from: string
    /** When it ends; `24:00`: at the end of the day. */
    to: string
  }[]
  /**
   * Days with other hours; at most 1,000 intervals together.
   *
   * @maxItems 366
   */
  overrides?: {
    /** The day, ISO 8601. */
    date: string
    /**
     * The hours of this day, instead of the weekly ones; empty: closed.
     *
     * @maxItems 24
     */
    intervals: {
      /** When it begins. */
      from: string
      /** When it ends; `24:00`: at the end of the day. */
      to: string
    }[]
  }[]
}

/** The time of an agent, which appointments occupy. */
export interface Agenda {
  /** The agenda. */
  id: string
  /** The agent: a user of the workspace. */
  agentUserId: string
  /** The name for people. */
  name: string
  /** The time zone of the working hours, by its IANA name. */
  timezone: string
  workingHours: WorkingHours | null
  /** No slot is offered while the busy times of a connected calendar are out of date. Default: false. */
  failsClosed: boolean
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** When the agent works, in any event type; null: whenever the event type is available. */
export interface WorkingHours {
  /**
   * The hours of every week. They may not overlap; empty: only the overrides.
   *
   * @maxItems 100
   */
  weekly: {
    /** The day of the week: 1 Monday … 7 Sunday. */
    day: number
    /** When it begins. */
    from: string
    /** When it ends; `24:00`: at the end of the day. */
    to: string
  }[]
  /**
   * Days with other hours; at most 1,000 intervals together.
   *
   * @maxItems 366
   */
  overrides: {
    /** The day, ISO 8601. */
    date: string
    /**
     * The hours of this day, instead of the weekly ones; empty: closed.
     *
     * @maxItems 24
     */
    intervals: {
      /** When it begins. */
      from: string
      /** When it ends; `24:00`: at the end of the day. */
      to: string
    }[]
  }[]
}

export interface AgendaChanges {
  /** The agent: a user of the workspace. */
  agentUserId?: string
  /** The name for people; not blank. Default: that of the agent. */
  name?: string
  /** The time zone of the working hours, by its IANA name. Default: that of the workspace. */
  timezone?: string
  workingHours?: WorkingHoursInput | null
  /** No slot is offered while the busy times of a connected calendar are out of date. Default: false. */
  failsClosed?: boolean
}

/** The appointments of a day and the ways between them. */
export interface DayRoute {
  /** The day. */
  date: string
  /** The time zone of the day: that of the agenda. */
  timezone: string
  /** The appointments of the day in order, without cancelled ones. */
  stops: {
    /** The event type. */
    eventTypeId: string
    /** The name of the event type. */
    eventTypeName: string
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The visitors who come then: several in a group viewing, at most 100. */
    appointments: {
      /** The appointment. */
      id: string
      /** The name of the visitor. */
      visitorName: string | null
    }[]
    location: AppointmentLocation
    /** `known`: on site, with coordinates; `unknown`: on site, but without coordinates, so it is not part of the route; `not_onsite`: a call or a video meeting. */
    place: 'known' | 'unknown' | 'not_onsite'
    /** The way there; null: the place is not known, or it is the first one that is. */
    way: {
      /** The appointment from which it leads: the last one before whose place is known. */
      fromAppointmentId: string
      /** The way by road in metres, estimated from the straight line. */
      distanceMeters: number
      /** The minutes it takes: those of the router, if the deployment has one; otherwise at `travel.speedKmh` of the event type. */
      travelMin: number
      /** The minutes between the two appointments; negative: they overlap. */
      gapMin: number
      /** The gap is shorter than the way. */
      isTight: boolean
    } | null
  }[]
  /** The sums of the day. */
  totals: {
    /** All stops. */
    stops: number
    /** Stops on site whose place is not known. */
    withoutPlace: number
    /** Ways that are longer than the gap. */
    tight: number
    /** All ways together, in metres. */
    distanceMeters: number
    /** All ways together, in minutes. */
    travelMin: number
  }
  /** Opens the route in Google Maps, from where the device is. A route of more than ten places has several links, each of which continues the one before. Mobile browsers without the app show three places between. */
  mapLinks: string[]
}

/** Where it takes place. null: not known, or another mode. */
export interface AppointmentLocation {
  /** How they meet. */
  mode: 'onsite' | 'call' | 'video'
  /** The address. */
  address: string | null
  /** The latitude, in degrees. */
  latitude: number | null
  /** The longitude, in degrees. */
  longitude: number | null
  /** The address of the video meeting. */
  url: string | null
  /** The number that is called. */
  phone: string | null
  /** What the visitor should know. */
  instructions: string | null
}

export interface SlotList {
  /** The free slots by day in `timezone`, in order; a day without slots is missing. */
  data: {
    [k: string]: {
      /** When it begins. ISO 8601, UTC. */
      start: string
      /** When it ends. ISO 8601, UTC. */
      end: string
      /** How many visitors can still book it. */
      seatsLeft: number
    }[]
  }
  /** The time zone of the days. */
  timezone: string
  /** Why there may be fewer slots than people expect. */
  warnings: {
    /** `CALENDAR_STALE`: an agenda that fails closed has a calendar that is out of date. `AGENT_WITHOUT_ACCESS`: the access of an agent was revoked, so nothing of their agenda is offered; of a `collective` event type, nothing at all. `NO_AGENT_FOR_AREA`: no agent goes to the property. `PLACE_UNKNOWN`: areas or travel depend on the property of the lead, and `leadId` was not sent, or the coordinates of the property are unknown. */
    code: 'CALENDAR_STALE' | 'AGENT_WITHOUT_ACCESS' | 'NO_AGENT_FOR_AREA' | 'PLACE_UNKNOWN'
    /** What is wrong and what to do, for people. */
    message: string
    /** The agenda; null: it concerns all agendas. */
    agendaId: string | null
  }[]
}

export interface NewHold {
  /** When the slot begins, as it was listed. ISO 8601, UTC. */
  start: string
  /** The time zone of the visitor, by its IANA name. It is only checked: times are UTC. */
  timezone?: string
  /** The lead whose property is visited, as in the listing; null: none. */
  leadId?: string | null
}

/** A slot that is kept for somebody who is about to book it. */
export interface Hold {
  /** The hold: send it as `holdId` of the appointment. */
  id: string
  /** The event type. */
  eventTypeId: string
  /** When the slot begins. ISO 8601, UTC. */
  start: string
  /** When the slot ends. ISO 8601, UTC. */
  end: string
  /** Until when the slot is kept. ISO 8601, UTC. */
  expiresAt: string
}

export interface NewAppointment {
  /** The event type. */
  eventTypeId: string
  /** When it begins: the start of a slot. ISO 8601, UTC. */
  start: string
  /** The time zone of the visitor. Default: that of the event type. */
  timezone?: string | null
  visitor: NewVisitor
  /** The answers to the questions of the event type, by the id of the question: true or false for a `checkbox`, a text for others. */
  answers?: Record<string, string | boolean | null>
  /** The lead of the visitor. If omitted, it is found by phone or e-mail address, or created. */
  leadId?: string | null
  /** The hold of this slot, which becomes the appointment. */
  holdId?: string | null
  /** What the visitor wrote on the booking page, or notes of the agency, which replace it. Visitors do not see them. */
  notes?: string | null
}

/** Who comes. */
export interface NewVisitor {
  /** The name. */
  name: string
  /** The e-mail address. */
  email?: string | null
  /** The phone number; without a prefix, of the workspace's country. */
  phone?: string | null
  /** The language of the visitor, BCP 47. */
  language?: string | null
}

export interface Appointment {
  /** The appointment. It keeps it when it is rescheduled. */
  id: string
  /** `pending`: the agent has to confirm it; `confirmed`; `completed`: it has ended; `no_show`: the visitor did not come; `cancelled`. */
  status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
  /** The event type. */
  eventTypeId: string
  /** The agenda of the agent who receives the visitor. */
  agendaId: string
  /** The agent who receives the visitor. */
  agentUserId: string
  /** When it begins. ISO 8601, UTC. */
  start: string
  /** When it ends. ISO 8601, UTC. */
  end: string
  /** The time zone of the visitor, by its IANA name. */
  timezone: string
  visitor: Visitor
  /** The lead of the visitor; null: there is none. */
  leadId: string | null
  location: AppointmentLocation
  /** The answers to the questions of the event type, by the id of the question. */
  answers: Record<string, string | boolean>
  /** What the visitor wrote on the booking page, or notes of the agency, which replace it. Visitors do not see them. */
  notes: string | null
  /** The UID of the event in calendars. It never changes. */
  icalUid: string
  /** The SEQUENCE of iCalendar: grows with every new time, new agent and cancellation. */
  sequence: number
  /** Where it was booked. */
  source: 'api' | 'page'
  /** When it is cancelled if nobody confirms it; null: it is not pending. ISO 8601, UTC. */
  expiresAt: string | null
  /** Who cancelled it; null: it is not cancelled. */
  cancelledBy: ('agent' | 'visitor' | 'calendar' | 'expiry') | null
  /** Why it was cancelled; null: nobody said. */
  cancelReason: string | null
  visitorAnswer: VisitorAnswer | null
  outcome: AppointmentOutcome | null
  /** When it was booked. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** For the visitor: they need no key. null: the person was erased. */
  links: {
    /** The page of the appointment. */
    page: string
    /** The page on which the visitor chooses another time. */
    reschedule: string
    /** The page on which the visitor cancels it. */
    cancel: string
    /** The appointment as an iCalendar file. */
    ics: string
  } | null
}

/** Who comes. All values are null after the erasure of the person. */
export interface Visitor {
  /** The name. */
  name: string | null
  /** The e-mail address. */
  email: string | null
  /** The phone number; without a prefix, of the workspace's country. */
  phone: string | null
  /** The language of the visitor, BCP 47. */
  language: string | null
}

/** The answer of the visitor to the invitation, sent by their calendar. A declined appointment stands until somebody cancels it. null: there is none since the last reschedule. */
export interface VisitorAnswer {
  /** What the visitor answered. */
  answer: 'accepted' | 'declined' | 'tentative'
  /** When the answer arrived. ISO 8601, UTC. */
  answeredAt: string
}

/** What came of it; null: unknown. */
export interface AppointmentOutcome {
  /** What the visitor thinks of it. */
  result: 'interested' | 'not_interested' | 'offer' | 'undecided' | 'other'
  /** Whose `result` it is: that of the agent, as soon as an agent has recorded one. */
  recordedBy: 'agent' | 'visitor'
  /** The feedback of the visitor. What they gave on the page stays, unless a no-show is recorded. */
  feedback: {
    /** What the visitor chose on the page. */
    result: ('interested' | 'not_interested' | 'offer' | 'undecided' | 'other') | null
    /** From 1 to 5. */
    rating: number | null
    /** What the visitor said. */
    text: string | null
    /** When the visitor gave it on the page of the appointment; null: an agent wrote it down. ISO 8601, UTC. */
    givenAt: string | null
  }
  /** When it was recorded. ISO 8601, UTC. */
  recordedAt: string
  /** The user who recorded it; null: unknown, or the visitor did. */
  byUserId: string | null
}

/** Omitted fields keep their value. `answers` replaces all answers. */
export interface AppointmentChanges {
  /** What the visitor wrote on the booking page, or notes of the agency, which replace it. Visitors do not see them. */
  notes?: string | null
  /** The answers to the questions of the event type, by the id of the question: true or false for a `checkbox`, a text for others. */
  answers?: Record<string, string | boolean | null>
  visitor?: VisitorChanges
}

/** Omitted fields keep their value. */
export interface VisitorChanges {
  /** The name. */
  name?: string
  /** The e-mail address. */
  email?: string | null
  /** The phone number; without a prefix, of the workspace's country. */
  phone?: string | null
  /** The language of the visitor, BCP 47. */
  language?: string | null
}

export interface AppointmentReschedule {
  /** When it begins now: the start of a slot. ISO 8601, UTC. */
  start: string
  /** The time zone of the visitor. Default: unchanged. */
  timezone?: string | null
}

export interface AppointmentAssign {
  /** The agenda of the agent who receives the visitor from now on. */
  agendaId: string
}

export interface AppointmentCancel {
  /** Why. The visitor reads it. */
  reason?: string | null
}

/** It replaces an earlier one, except the feedback that the visitor gave on the page. */
export interface NewAppointmentOutcome {
  /** What the visitor thinks of it. */
  result: 'interested' | 'not_interested' | 'offer' | 'undecided' | 'other'
  /** The feedback that the visitor gave to the agent. Omit it if they gave it on the page of the appointment. */
  feedback?: {
    /** From 1 to 5. */
    rating?: number | null
    /** What the visitor said. */
    text?: string | null
  }
}

/** A message about an appointment to the visitor or the agent. */
export interface AppointmentNotice {
  /** The notice. */
  id: string
  /** What it says. `requested`: the booking waits for the agent; `booked`; `confirmed`: the agent has confirmed it; `rescheduled`; `cancelled`; `reminder`. */
  kind: 'requested' | 'booked' | 'confirmed' | 'rescheduled' | 'cancelled' | 'declined' | 'reminder'
  /** The person who gets it. */
  recipient: 'visitor' | 'agent'
  /** The agent who is notified; null: the visitor is. */
  agentUserId: string | null
  /** How it is sent. */
  channel: 'email' | 'chat'
  /** The message template; null: the text of the program. */
  templateId: string | null
  /** The `sequence` of the appointment that it is about. */
  sequence: number
  /** When it is to be sent; null: nothing is left to do. ISO 8601, UTC. */
  dueAt: string | null
  /** `waiting`: until `dueAt`. `skipped`: it is not sent, see `reason`. `unknown`: nobody knows if it was sent, see `reason`. The others are those of its message. */
  status: 'waiting' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' | 'skipped'
  reason: NoticeReason | null
  /** The message in the conversation with the visitor; null: none. */
  messageId: string | null
  /** When it was planned. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** Why it is not sent, or did not arrive. */
export interface NoticeReason {
  /** The kind of reason. Stable, for programs. */
  code: string
  /** What happened and what to do, for people. */
  message: string
}

export interface CalendarProvider {
  /** As `provider` of a calendar. */
  id: string
  /** The name for people. */
  label: string
  /** The JSON Schema of `credentials` for a new calendar. */
  credentials: {}
  /** The agent agrees on a page of the provider, see `authorizationUrl`. No credentials are sent then. */
  authorizes: boolean
  /** Appointments can be written to its calendars. */
  writes: boolean
  /** How often its calendars are read, in minutes. */
  readIntervalMin: number
  /** false: the operator has not registered the deployment with the provider. */
  isConfigured: boolean
}

export interface NewCalendar {
  /** The agenda whose time it is. */
  agendaId: string
  /** The provider, see `GET /scheduling/calendar-providers`. */
  provider: string
  /** The name for people; not blank. */
  name?: string
  /** The provider's id of the calendar, see `GET /scheduling/calendars/{id}/external`. */
  externalId?: string
  /** What the provider requires, see `credentials` of `GET /scheduling/calendar-providers`. Stored encrypted, never returned. */
  credentials?: Record<string, unknown>
  /** Its busy times block slots of the agenda. Default: true. */
  blocks?: boolean
  /** Appointments of the agenda are written to it. Default: false. Only if the provider can write. */
  receives?: boolean
}

export interface Calendar {
  /** The calendar. */
  id: string
  /** The agenda whose time it is. */
  agendaId: string
  /** The provider, see `GET /scheduling/calendar-providers`. */
  provider: string
  /** The name for people. */
  name: string
  /** The provider's id of the calendar; null: it is not chosen yet. */
  externalId: string | null
  /** Its busy times block slots of the agenda. */
  blocks: boolean
  /** Appointments of the agenda are written to it. */
  receives: boolean
  /** `AUTHORIZING`: the agent has not agreed yet. `FAILING`: it cannot be read at present, and is tried again. `EXPIRED`: the provider no longer gives access; connect it again. */
  status: 'AUTHORIZING' | 'CONNECTED' | 'FAILING' | 'EXPIRED'
  /** What is wrong, for people; null: nothing is. */
  statusReason: string | null
  /** When the status last changed. ISO 8601, UTC. */
  statusChangedAt: string
  /** Its busy times were read within the last 6 hours, and access has not expired. An agenda with `failsClosed` offers no slots while one of its calendars is not fresh. */
  fresh: boolean
  /** Its busy times are known from here; null: they never were read. ISO 8601, UTC. */
  coveredFrom: string | null
  /** Its busy times are known until here; null: they never were read. ISO 8601, UTC. */
  coveredTo: string | null
  /** When it was last read; null: never. ISO 8601, UTC. */
  readAt: string | null
  /** When it is read next; null: it is not. ISO 8601, UTC. */
  nextReadAt: string | null
  /** Failed reads since the last one that succeeded. */
  failures: number
  /** Events that block, within the covered time. */
  eventCount: number
  /** What could not be read of it. */
  warnings: {
    /** A stable code, such as `UNKNOWN_TIME_ZONE`. */
    code: string
    /** What it means, for people. */
    message: string
    /** How often. */
    count: number
  }[]
  /** When it was connected. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
  /** The page of the provider on which the agent agrees, valid for an hour; null: none is needed. Only in replies of `POST /scheduling/calendars` and `POST /scheduling/calendars/{id}/authorize`. */
  authorizationUrl: string | null
}

export interface CalendarChanges {
  /** The name for people; not blank. */
  name?: string
  /** The provider's id of the calendar, see `GET /scheduling/calendars/{id}/external`. */
  externalId?: string
  /** What the provider requires, see `credentials` of `GET /scheduling/calendar-providers`. Stored encrypted, never returned. */
  credentials?: Record<string, unknown>
  /** Its busy times block slots of the agenda. Default: true. */
  blocks?: boolean
  /** Appointments of the agenda are written to it. Default: false. Only if the provider can write. */
  receives?: boolean
}

export interface ExternalCalendar {
  /** As `externalId` of the calendar. */
  id: string
  /** Its name at the provider. */
  name: string
  /** It is the main one of the account. */
  isPrimary: boolean
  /** Appointments can be written to it. */
  isWritable: boolean
  /** Its IANA time zone; null: unknown. */
  timezone: string | null
}

export interface AgendaFeed {
  /** The address of the feed. Whoever has it can read the appointments. Calendar programs also take it with `webcal:`. */
  url: string
}

export interface NewCampaign {
  /** `extract_only`: leads are found; `extract_and_contact`: they also get the messages of the sequence. Always `extract_and_contact` for `csv_import` and `widget`. Default of a new campaign: `extract_and_contact` if it has steps, otherwise `extract_only`. */
  mode?: 'extract_only' | 'extract_and_contact'
  /** How messages are sent. `chat`: by a connected business chat account; `chat-no-api`: each becomes a task with a link, which a person opens. Null: not chosen yet. */
  contactMode?: ('chat' | 'chat-no-api') | null
  /** What it takes from its source. A portal: `filters`, `expectedResults`, `totalResults`, `messageRestartDate`; `csv_import`: `batchSize`; other sources: empty. Omitted fields keep their value; `filters` are replaced as a whole. */
  segmentation?: Record<string, unknown>
  settings?: CampaignSettingsInput
  /** The account that sends; null: the only connected one of the contact mode. */
  accountId?: string | null
  /** The name, for people. */
  name: string
  /** The source: a portal, `csv_import`, `widget` or `social_ads`. */
  platform:
    | 'portal_a'
    | 'portal_b'
    | 'portal_c'
    | 'portal_d'
    | 'portal_e'
    | 'portal_f'
    | 'portal_g'
    | 'portal_h'
    | 'csv_import'
    | 'widget'
    | 'social_ads'
}

/** Schedule, limits, sequence, lawful basis, health, AI and notifications. Omitted fields have their default, or keep their value. */
export interface CampaignSettingsInput {
  /** When the source is read, and when the campaign begins and ends; null: once, and without an end. */
  schedule?: {
    /** The minutes from one run at the portal to the next; null: see `cron`. */
    everyMinutes?: number | null
    /** When the runs begin, instead of `everyMinutes`: minute, hour, day of the month, month and day of the week; at least five minutes apart. Null, like `everyMinutes`: the portal is read once. */
    cron?: string | null
    /** The time zone of `cron`, by its IANA name. Default: that of the workspace. */
    timezone?: string
    /** Nothing is read and nothing is sent before; null: at once. ISO 8601, UTC. */
    startAt?: string | null
    /** The campaign completes then; null: never by itself. ISO 8601, UTC. */
    endAt?: string | null
  } | null
  /** Recipients who get their first message on a day; null: no limit. Default: null. */
  dailyLeadLimit?: number | null
  /** The most messages in any minute; null: no limit. Default: null. */
  throttlePerMinute?: number | null
  /** A reply ends the sequence. So does the status `replied` or `qualified` that the lead gets after a message, such as for an answer by phone. Default: true. */
  stopOnReply?: boolean
  /** A lead whose sequence has ended may join again after so many days; null: never. Default: null. */
  reentryAfterDays?: number | null
  /** The hours in which messages are sent; null: at any hour. */
  sendWindow?: {
    /** The time zone of the window, by its IANA name. Default: that of the workspace. */
    timezone?: string
    /**
     * The days of the week: 1 Monday … 7 Sunday. Default: Monday to Friday.
     *
     * @minItems 1
     * @maxItems 7
     */
    days?: number[]
    /** When it opens, `HH:MM`. Default: 09:00. */
    from?: string
    /** When it closes, after `from`; `24:00`: at the end of the day. Default: 20:00. */
    to?: string
    /**
     * Days on which it stays closed, with at most 10 countries and regions. Default: none.
     *
     * @maxItems 400
     *
     * Items: A date on which nothing is sent, or a country or a region whose public holidays are closed.
     */
    holidays?: string[]
  } | null
  /**
   * The messages of the sequence, in their order. Replaces all steps. While recipients are under way, none may move past them: 409 `STEPS_IN_USE`.
   *
   * @maxItems 20
   */
  steps?: {
    /** The template of the message. */
    templateId: string
    /** The minutes after the step before; of the first step, after the lead joined. Default: 0. */
    delayMinutes?: number
    /** Skipped for recipients who have replied. Default: false. */
    onlyIfNoReply?: boolean
    /**
     * Templates that are compared with `templateId`: each recipient gets one of them. Default: none.
     *
     * @maxItems 4
     */
    variants?: {
      /** The template. */
      templateId: string
    }[]
  }[]
  /** Recorded on leads that join without a lawful basis; null: such leads are skipped. Whoever sends it attests that it holds for all of them. Another one replaces it on the leads on which the campaign has recorded it, and null removes it from them: messages that wait are withdrawn, what was sent keeps the basis of its time. Bases from elsewhere stay. Replaces the former one. */
  lawfulBasis?: {
    /** The lawful basis of art. 6(1) GDPR. */
    kind: 'consent' | 'contract' | 'legitimate_interest'
    /** The person who attests it. Default: the user who sends it, or the name of the key. */
    attestedBy?: string | null
    /** When it was attested; not in the future. Default: now. ISO 8601, UTC. */
    attestedAt?: string
    /** The proof: the words of the consent and where it was given. Required for `consent`. Default: null. */
    note?: string | null
    /**
     * The channels that it covers. Null: those of its kind, which is only `phone` for legitimate interest. Default: null.
     *
     * @minItems 1
     * @maxItems 3
     */
    channels?: ('chat' | 'phone' | 'email')[] | null
  } | null
  /** When the campaign pauses itself. */
  health?: {
    /** The share of its last messages that failed at which it pauses; 0: at the first one. Default: 0.3. */
    maxFailureRate?: number
    /** The share of its last messages after which people opted out at which it pauses; 0: at the first one. Default: 0.1. */
    maxOptOutRate?: number
    /** The share of its last messages to people who block the account at which it pauses; 0: at the first one. Default: 0.05. */
    maxBlockRate?: number
    /** It does not pause before so many messages were sent or have failed. Default: 20. */
    minSends?: number
  }
  /** How replies are answered. */
  ai?: {
    /** Replies of recipients are answered by AI. Default: false. */
    enabled?: boolean
    /** `draft`: an agent sends what the AI proposes; `auto`: it is sent. Default: `draft`. */
    mode?: 'draft' | 'auto'
    /** How to answer: tone and aim. The AI never repeats to people what is written here: what it may say belongs in `faq`. Default: empty. */
    instructions?: string
    /** The model at the endpoint of the deployment; null: its default. Default: null. */
    model?: string | null
    /** After so many answers of the AI a person takes over. Default: 6. */
    maxTurns?: number
    /**
     * A reply that contains one of them is for a person. Default: none.
     *
     * @maxItems 50
     *
     * Items: A word or phrase.
     */
    handoffKeywords?: string[]
    /**
     * Facts that the AI may state, besides the listing and the setting `aiFaq` of the workspace. Default: none.
     *
     * @maxItems 30
     */
    faq?: {
      /** What people ask. */
      question: string
      /** The answer. */
      answer: string
    }[]
    /** The event type whose free slots the AI offers and, in the mode `auto`, books for the person; null: it offers none. Default: null. */
    eventTypeId?: string | null
    /**
     * What the AI finds out. Default: nothing.
     *
     * @maxItems 20
     */
    questions?: {
      /** The field of `customFields` of the lead that the answer fills. */
      field: string
      /** The question. */
      question: string
      /** What an answer is: one of `options`, true or false, or a number from `min` to `max`. */
      kind: 'choice' | 'boolean' | 'number'
      /**
       * The answers of a `choice`, at least two. Default: none.
       *
       * @maxItems 20
       *
       * Items: An answer.
       */
      options?: string[]
      /** The least number; null: 0. Default: null. */
      min?: number | null
      /** The greatest number; null: 1,000,000,000. Default: null. */
      max?: number | null
    }[]
  }
  notifications?: CampaignNotificationsInput | null
}

/** What the search of a portal reports after each run: the event `campaign.search_changed`, and a digest by e-mail; null: nothing. */
export interface CampaignNotificationsInput {
  /**
   * What the event and the e-mail report. `new`: a listing that the search shows for the first time, or again; `cheaper`: its price fell; `gone`: its portal has withdrawn it, or the whole search was read and no longer shows it. Default: all.
   *
   * @minItems 1
   * @maxItems 3
   */
  changes?: ('new' | 'cheaper' | 'gone')[]
  /**
   * The addresses that get the digest by e-mail, each with a link that ends it. Without any, only the event is emitted. Default: none.
   *
   * @maxItems 10
   *
   * Items: An e-mail address.
   */
  emails?: string[]
  /** The language of the digest; null: that of the country of the workspace. Default: null. */
  language?: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
  /** The e-mail account that sends the digest; null: the only connected one. Default: null. */
  accountId?: string | null
  /** One e-mail at this time, with everything since the last one; null: one after each run that has found something. Default: null. */
  digest?: {
    /** When it is sent, `HH:MM` by the wall clock. */
    at: string
    /**
     * The days of the week: 1 Monday … 7 Sunday. Default: every day.
     *
     * @minItems 1
     * @maxItems 7
     */
    days?: number[]
    /** The time zone of `at`, by its IANA name. Default: that of the workspace. */
    timezone?: string
  } | null
}

/** Finds people in a source and, in mode `extract_and_contact`, sends them the messages of a sequence. */
export interface Campaign {
  /** The campaign. */
  id: string
  /** The name, for people. */
  name: string
  /** `draft`: not started; `running`: it reads its source and sends; `paused`: nothing happens, and nothing is lost; `completed`: it has ended. */
  status: 'draft' | 'running' | 'paused' | 'completed'
  /** `extract_only`: leads are found; `extract_and_contact`: they also get the messages of the sequence. Always `extract_and_contact` for `csv_import` and `widget`. Default of a new campaign: `extract_and_contact` if it has steps, otherwise `extract_only`. */
  mode: 'extract_only' | 'extract_and_contact'
  /** The source: a portal, `csv_import`, `widget` or `social_ads`. */
  platform: string
  /** How messages are sent. `chat`: by a connected business chat account; `chat-no-api`: each becomes a task with a link, which a person opens. Null: not chosen yet. */
  contactMode: ('chat' | 'chat-no-api') | null
  /** What it takes from its source; its fields depend on `platform`. */
  segmentation: PortalSegmentation | CsvSegmentation | AdsSegmentation | EmptySegmentation
  settings: CampaignSettings
  /** The account that sends; null: the only connected one of the contact mode. */
  accountId: string | null
  /** The incremental sync of the current run is completed: by itself, or because `true` was sent. Each run begins with `false`. */
  allUrlsChecked: boolean
  stats: CampaignStats
  currentRun: CampaignRun | null
  /** When its portal is read next; null: not again, or the campaign does not run. ISO 8601, UTC. */
  nextRunAt: string | null
  /** Why the program paused it; null: it is not paused, or a user paused it. */
  pauseReason: {
    /** Why. Stable, for programs. */
    code: 'ACCOUNT_NOT_CONNECTED' | 'HIGH_FAILURE_RATE' | 'HIGH_OPT_OUT_RATE' | 'HIGH_BLOCK_RATE'
    /** Why, and what to do, for people. */
    message: string
  } | null
  /** Why a running campaign does nothing now; null: it does not wait. */
  wait: {
    /** Why it does nothing. Stable, for programs. */
    code: string
    /** Why it does nothing, for people. */
    message: string
    /** When it goes on; null: not by itself. ISO 8601, UTC. */
    until: string | null
  } | null
  /** What the results of its last 200 messages say, without those that were known when it was resumed after a pause for its health; null: nothing yet. */
  health: {
    /** `warning`: half of a limit of `settings.health` is reached; `critical`: it was paused. */
    level: 'good' | 'warning' | 'critical'
    /** Which rate is too high; null: none is. */
    code: ('HIGH_FAILURE_RATE' | 'HIGH_OPT_OUT_RATE' | 'HIGH_BLOCK_RATE') | null
    /** What is wrong, for people; null: nothing is. */
    message: string | null
  } | null
  /** The user who created it; null: the key belongs to no user. */
  createdBy: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** When it was first started; null: not yet. ISO 8601, UTC. */
  startedAt: string | null
  /** When it completed; null: not yet. ISO 8601, UTC. */
  completedAt: string | null
}

/** The search at a portal. */
export interface PortalSegmentation {
  /** The filters of the search, as `GET /platforms/{platform}/filters` describes them. Required before it starts. */
  filters: Record<string, unknown> | null
  /** How many listings the search is expected to have. If you do not state it, it is `totalResults`; null: not known. */
  expectedResults: number | null
  /** How many listings the portal reported for the search at the last run. Other filters set it to null; null: not known. */
  totalResults: number | null
  /** The date, in the time zone of the workspace, before which no messages are sent; null: they are sent at once. */
  messageRestartDate: string | null
}

/** How uploaded rows are taken. */
export interface CsvSegmentation {
  /** How many rows are taken at a time. Required before it starts. */
  batchSize: number | null
}

/** Whose lead ads are taken. */
export interface AdsSegmentation {
  /** The connection with an ad network, see `GET /ads/connections`. Required before it starts. */
  connectionId: string | null
  /**
   * The forms whose leads are taken; empty: all of the page.
   *
   * @maxItems 500
   */
  formIds: string[]
}

/** The source has none. */
export interface EmptySegmentation {}

/** Schedule, limits, sequence, lawful basis, health, AI and notifications. */
export interface CampaignSettings {
  /** When the source is read, and when the campaign begins and ends; null: once, and without an end. */
  schedule: {
    /** The minutes from one run at the portal to the next; null: see `cron`. */
    everyMinutes: number | null
    /** When the runs begin, instead of `everyMinutes`: minute, hour, day of the month, month and day of the week; at least five minutes apart. Null, like `everyMinutes`: the portal is read once. */
    cron: string | null
    /** The time zone of `cron`, by its IANA name. Default: that of the workspace. */
    timezone: string
    /** Nothing is read and nothing is sent before; null: at once. ISO 8601, UTC. */
    startAt: string | null
    /** The campaign completes then; null: never by itself. ISO 8601, UTC. */
    endAt: string | null
  } | null
  /** Recipients who get their first message on a day; null: no limit. Default: null. */
  dailyLeadLimit: number | null
  /** The most messages in any minute; null: no limit. Default: null. */
  throttlePerMinute: number | null
  /** A reply ends the sequence. So does the status `replied` or `qualified` that the lead gets after a message, such as for an answer by phone. Default: true. */
  stopOnReply: boolean
  /** A lead whose sequence has ended may join again after so many days; null: never. Default: null. */
  reentryAfterDays: number | null
  /** The hours in which messages are sent; null: at any hour. */
  sendWindow: {
    /** The time zone of the window, by its IANA name. Default: that of the workspace. */
    timezone: string
    /**
     * The days of the week: 1 Monday … 7 Sunday. Default: Monday to Friday.
     *
     * @minItems 1
     * @maxItems 7
     */
    days: number[]
    /** When it opens, `HH:MM`. Default: 09:00. */
    from: string
    /** When it closes, after `from`; `24:00`: at the end of the day. Default: 20:00. */
    to: string
    /**
     * Days on which it stays closed, with at most 10 countries and regions. Default: none.
     *
     * @maxItems 400
     *
     * Items: A date on which nothing is sent, or a country or a region whose public holidays are closed.
     */
    holidays: string[]
  } | null
  /** The messages of the sequence, in their order. */
  steps: {
    /** The template of the message. */
    templateId: string
    /** The minutes after the step before; of the first step, after the lead joined. Default: 0. */
    delayMinutes: number
    /** Skipped for recipients who have replied. Default: false. */
    onlyIfNoReply: boolean
    /**
     * Templates that are compared with `templateId`: each recipient gets one of them. Default: none.
     *
     * @maxItems 4
     */
    variants: {
      /** The template. */
      templateId: string
    }[]
  }[]
  /** Recorded on leads that join without a lawful basis; null: such leads are skipped. Whoever sends it attests that it holds for all of them. Another one replaces it on the leads on which the campaign has recorded it, and null removes it from them: messages that wait are withdrawn, what was sent keeps the basis of its time. Bases from elsewhere stay. */
  lawfulBasis: {
    /** The lawful basis of art. 6(1) GDPR. */
    kind: 'consent' | 'contract' | 'legitimate_interest'
    /** The person who attests it. Default: the user who sends it, or the name of the key. */
    attestedBy: string | null
    /** When it was attested; not in the future. Default: now. ISO 8601, UTC. */
    attestedAt: string
    /** The proof: the words of the consent and where it was given. Required for `consent`. Default: null. */
    note: string | null
    /**
     * The channels that it covers. Null: those of its kind, which is only `phone` for legitimate interest. Default: null.
     *
     * @minItems 1
     * @maxItems 3
     */
    channels: ('chat' | 'phone' | 'email')[] | null
  } | null
  /** When the campaign pauses itself. */
  health: {
    /** The share of its last messages that failed at which it pauses; 0: at the first one. Default: 0.3. */
    maxFailureRate: number
    /** The share of its last messages after which people opted out at which it pauses; 0: at the first one. Default: 0.1. */
    maxOptOutRate: number
    /** The share of its last messages to people who block the account at which it pauses; 0: at the first one. Default: 0.05. */
    maxBlockRate: number
    /** It does not pause before so many messages were sent or have failed. Default: 20. */
    minSends: number
  }
  /** How replies are answered. */
  ai: {
    /** Replies of recipients are answered by AI. Default: false. */
    enabled: boolean
    /** `draft`: an agent sends what the AI proposes; `auto`: it is sent. Default: `draft`. */
    mode: 'draft' | 'auto'
    /** How to answer: tone and aim. The AI never repeats to people what is written here: what it may say belongs in `faq`. Default: empty. */
    instructions: string
    /** The model at the endpoint of the deployment; null: its default. Default: null. */
    model: string | null
    /** After so many answers of the AI a person takes over. Default: 6. */
    maxTurns: number
    /**
     * A reply that contains one of them is for a person. Default: none.
     *
     * @maxItems 50
     *
     * Items: A word or phrase.
     */
    handoffKeywords: string[]
    /**
     * Facts that the AI may state, besides the listing and the setting `aiFaq` of the workspace. Default: none.
     *
     * @maxItems 30
     */
    faq: {
      /** What people ask. */
      question: string
      /** The answer. */
      answer: string
    }[]
    /** The event type whose free slots the AI offers and, in the mode `auto`, books for the person; null: it offers none. Default: null. */
    eventTypeId: string | null
    /**
     * What the AI finds out. Default: nothing.
     *
     * @maxItems 20
     */
    questions: {
      /** The field of `customFields` of the lead that the answer fills. */
      field: string
      /** The question. */
      question: string
      /** What an answer is: one of `options`, true or false, or a number from `min` to `max`. */
      kind: 'choice' | 'boolean' | 'number'
      /**
       * The answers of a `choice`, at least two. Default: none.
       *
       * @maxItems 20
       *
       * Items: An answer.
       */
      options: string[]
      /** The least number; null: 0. Default: null. */
      min: number | null
      /** The greatest number; null: 1,000,000,000. Default: null. */
      max: number | null
    }[]
  }
  notifications: CampaignNotifications | null
}

/** What the search of a portal reports after each run: the event `campaign.search_changed`, and a digest by e-mail; null: nothing. */
export interface CampaignNotifications {
  /**
   * What the event and the e-mail report. `new`: a listing that the search shows for the first time, or again; `cheaper`: its price fell; `gone`: its portal has withdrawn it, or the whole search was read and no longer shows it. Default: all.
   *
   * @minItems 1
   * @maxItems 3
   */
  changes: ('new' | 'cheaper' | 'gone')[]
  /**
   * The addresses that get the digest by e-mail, each with a link that ends it. Without any, only the event is emitted. Default: none.
   *
   * @maxItems 10
   *
   * Items: An e-mail address.
   */
  emails: string[]
  /** The language of the digest; null: that of the country of the workspace. Default: null. */
  language: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
  /** The e-mail account that sends the digest; null: the only connected one. Default: null. */
  accountId: string | null
  /** One e-mail at this time, with everything since the last one; null: one after each run that has found something. Default: null. */
  digest: {
    /** When it is sent, `HH:MM` by the wall clock. */
    at: string
    /**
     * The days of the week: 1 Monday … 7 Sunday. Default: every day.
     *
     * @minItems 1
     * @maxItems 7
     */
    days: number[]
    /** The time zone of `at`, by its IANA name. Default: that of the workspace. */
    timezone: string
  } | null
}

/** The recipients by their status. */
export interface CampaignStats {
  /** The recipients that it has or had. */
  recipients: number
  /** Recipients whose next message is not due yet, or waits. */
  waiting: number
  /** Recipients whose next message is about to be sent. */
  queued: number
  /** Recipients who got every step. */
  completed: number
  /** Recipients whose sequence ended before, such as by a reply. */
  stopped: number
  /** Recipients to whom nobody wrote, for a reason. */
  skipped: number
  /** Recipients whose message failed, or whose follow-up was refused. */
  failed: number
}

/** A run of a campaign at its portal. */
export interface CampaignRun {
  /** The run. */
  id: string
  /** `running`: its portal is read, or its leads join; `completed`, `failed`: it has ended. The next run comes at its time all the same. */
  status: 'running' | 'completed' | 'failed'
  /** Its extraction; null: it could not be started, `reason` says why. */
  extractionId: string | null
  /** It reads only what is new or has changed since the last completed run. The first run reads everything. */
  incremental: boolean
  /** Listing URLs that it has still to check. `…/pending-urls` lists them. */
  pendingUrls: number
  /** Listing URLs that it has checked. */
  checkedUrls: number
  /** The listings that the portal reports for the search; null: not known yet, or never reported. */
  portalTotal: number | null
  /** The leads created. */
  leadsCreated: number
  /** The known leads updated. */
  leadsUpdated: number
  /** Leads that became recipients. */
  joined: number
  /** Why it failed, or what it left out; null: nothing. */
  reason: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
  } | null
  /** When it began. ISO 8601, UTC. */
  startedAt: string
  /** When it ended; null: it has not. ISO 8601, UTC. */
  finishedAt: string | null
}

export interface CampaignChanges {
  /** The name, for people. */
  name?: string
  /** The source: a portal, `csv_import`, `widget` or `social_ads`. */
  platform?:
    | 'portal_a'
    | 'portal_b'
    | 'portal_c'
    | 'portal_d'
    | 'portal_e'
    | 'portal_f'
    | 'portal_g'
    | 'portal_h'
    | 'csv_import'
    | 'widget'
    | 'social_ads'
  /** `extract_only`: leads are found; `extract_and_contact`: they also get the messages of the sequence. Always `extract_and_contact` for `csv_import` and `widget`. Default of a new campaign: `extract_and_contact` if it has steps, otherwise `extract_only`. */
  mode?: 'extract_only' | 'extract_and_contact'
  /** How messages are sent. `chat`: by a connected business chat account; `chat-no-api`: each becomes a task with a link, which a person opens. Null: not chosen yet. */
  contactMode?: ('chat' | 'chat-no-api') | null
  /** What it takes from its source. A portal: `filters`, `expectedResults`, `totalResults`, `messageRestartDate`; `csv_import`: `batchSize`; other sources: empty. Omitted fields keep their value; `filters` are replaced as a whole. */
  segmentation?: Record<string, unknown>
  settings?: CampaignSettingsInput
  /** The account that sends; null: the only connected one of the contact mode. */
  accountId?: string | null
  /** True: the incremental sync of the current run is completed. What it has still to check is dropped. */
  allUrlsChecked?: boolean
}

export interface CampaignStatusChange {
  /** `running`: start or resume it; `paused`: pause it. The program sets the other ones. */
  status: 'draft' | 'running' | 'paused' | 'completed'
}

/** A lead in a campaign. */
export interface CampaignRecipient {
  /** The recipient. */
  id: string
  /** The lead; null: it was deleted. */
  leadId: string | null
  /** `waiting`: for `nextAt`; `queued`: its message is about to be sent; `completed`: it got every step; `stopped`: its sequence ended before, such as by a reply; `skipped`: nobody wrote to the person, for a reason that may change; `failed`: a message failed, or a follow-up was refused for a reason that may change. Retry those that are skipped or have failed. */
  status: 'waiting' | 'queued' | 'completed' | 'stopped' | 'skipped' | 'failed'
  /** The next step of `settings.steps` in this round, from 0: the steps before were sent or left out. */
  step: number
  /** When the next message is sent, if it is planned; else when it is due: the window and the limits may delay it. Null: it has ended. ISO 8601, UTC. */
  nextAt: string | null
  /** When the last message of this round was sent; null: none yet. `sends` has those of earlier rounds. ISO 8601, UTC. */
  lastSentAt: string | null
  /** Why it ended or was skipped; null: it has not. */
  reason: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
  } | null
  /** How often the lead has joined. */
  round: number
  /** When the lead joined. ISO 8601, UTC. */
  joinedAt: string
  /** When it ended; null: it has not. ISO 8601, UTC. */
  endedAt: string | null
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
  /** What it got so far, and what was left out. */
  sends: CampaignSend[]
}

/** A step that a recipient got, or that was left out. */
export interface CampaignSend {
  /** How often the lead had joined. */
  round: number
  /** The step of `settings.steps`, from 0. */
  step: number
  /** The template; null: the step was left out. */
  templateId: string | null
  /** Which of the templates that are compared, `A`, `B`, …; null: there is one. */
  variant: string | null
  /** When it was planned to be sent; null: it was left out. ISO 8601, UTC. */
  plannedAt: string | null
  /** The message; null: it was not sent, for the reason. */
  messageId: string | null
  /** The lawful basis of the lead when the message was queued; null: none, or the lead was deleted. */
  lawfulBasis: {
    /** The lawful basis of art. 6(1) GDPR. */
    kind: string
    /** When it was recorded. ISO 8601, UTC. */
    recordedAt: string
    /** Its proof. */
    proof: string | null
  } | null
  /** Why it was not sent; null: it became a message. */
  reason: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
  } | null
  /** When it was queued or left out. ISO 8601, UTC. */
  createdAt: string
}

export interface RecipientLeads {
  /**
   * Leads that exist. For a campaign of any source.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: The lead.
   */
  leadIds: string[]
}

/** The people who were added to a campaign, and those who were not. */
export interface RecipientUpload {
  /** The import of the file: `GET /leads/imports/{id}` has its progress. Null: no file was sent. */
  importId: string | null
  /** `COMPLETED`: all rows were read. `QUEUED`, `RUNNING`: the counts still grow. `FAILED`: `error` says why; the rows before have joined. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  /** Why the file could not be read to its end; null: nothing went wrong. */
  error: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
  } | null
  /** The rows read, or the ids sent: one that is sent twice counts once. */
  received: number
  /** Leads that became recipients. Who of them may not be written to is skipped when its message is due, with the reason; a preview says it before. */
  joined: number
  /** Rows or ids from which no recipient came. */
  refused: number
  /** The number of refused ones for each reason, such as `NOT_IDENTIFIABLE`. */
  refusedByReason: Record<string, number>
  /** The first 100 of them. `GET /leads/imports/{id}/rows` lists all rows of a file. */
  refusedRows: {
    /** The row of the file, from 1; null: no file was sent. */
    rowNumber: number | null
    /** The lead; null: there is none. */
    leadId: string | null
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
  }[]
}

/** What became of the recipients of a retry. */
export interface RecipientRetry {
  /** Recipients that wait again. */
  retried: number
  /** Recipients that stay as they are: a campaign writes to the person, the reason is final, or they are neither skipped nor failed. */
  unchanged: number
  /** Send it as `after` to retry those who joined later; null: nobody follows. */
  lastId: string | null
}

/** A listing that a run has still to check. */
export interface PendingUrl {
  /** The listing, by its id at the portal. */
  listingId: string
  /** Its page. */
  url: string
}

/** A listing that is new, cheaper or gone in the search of a campaign. */
export interface CampaignChange {
  /** The change. */
  id: string
  /** `new`: the search shows it for the first time, or again; `cheaper`; `gone`. */
  type: 'new' | 'cheaper' | 'gone'
  /** The lead of the listing. */
  leadId: string
  /** A new listing that was gone before. */
  isReturned: boolean
  /** Why it is gone. `LISTING_WITHDRAWN`: the portal has withdrawn it; `NOT_IN_SEARCH`: the whole search was read and does not show it, for example because its price rose above the filter. Null: it is not gone. */
  reason: ('LISTING_WITHDRAWN' | 'NOT_IN_SEARCH') | null
  /** The price now, or the last one of a listing that is gone; null: not known. */
  price: number | null
  /** The price that the run before has seen; null: the listing is new, or not known. */
  previousPrice: number | null
  /** The change of the price in percent, to one decimal: -5.1 is cheaper. Null: not known. */
  changePercent: number | null
  /** The currency, ISO 4217; null: not known. */
  currency: string | null
  /** The run that found it. */
  runId: string
  /** The listing, by its id at the portal. */
  listingId: string
  /** The portal. */
  platform: string
  /** The title of the lead now; null: it has none. */
  title: string | null
  /** Its place; null: not known. */
  municipality: string | null
  /** The page of the listing; null: not known. */
  url: string | null
  /** When it was found. ISO 8601, UTC. */
  createdAt: string
}

/** A digest of what a saved search has found, sent by e-mail. */
export interface CampaignDigest {
  /** The digest. */
  id: string
  /** When it was due. ISO 8601, UTC. */
  dueAt: string
  /** New listings. */
  new: number
  /** Listings whose price fell. */
  cheaper: number
  /** Listings that are gone. */
  gone: number
  /** Its e-mails. */
  mails: {
    /** The address. */
    email: string
    /** `queued`: it is about to be sent; `sent`: the mail server has it; `skipped`: it was not sent, for the reason; `failed`: the mail server did not take it. */
    status: 'queued' | 'sent' | 'skipped' | 'failed'
    /** Why it was not sent; null: it was, or will be. */
    reason: {
      /** Why. Stable, for programs. */
      code: string
      /** Why, for people. */
      message: string
    } | null
    /** When the status changed. ISO 8601, UTC. */
    updatedAt: string
  }[]
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
}

/** A digest with its text, from the listings as they are now. */
export interface WrittenCampaignDigest {
  /** The digest. */
  id: string
  /** When it was due. ISO 8601, UTC. */
  dueAt: string
  /** New listings. */
  new: number
  /** Listings whose price fell. */
  cheaper: number
  /** Listings that are gone. */
  gone: number
  /** Its e-mails. */
  mails: {
    /** The address. */
    email: string
    /** `queued`: it is about to be sent; `sent`: the mail server has it; `skipped`: it was not sent, for the reason; `failed`: the mail server did not take it. */
    status: 'queued' | 'sent' | 'skipped' | 'failed'
    /** Why it was not sent; null: it was, or will be. */
    reason: {
      /** Why. Stable, for programs. */
      code: string
      /** Why, for people. */
      message: string
    } | null
    /** When the status changed. ISO 8601, UTC. */
    updatedAt: string
  }[]
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
  /** The subject. */
  subject: string
  /** The text of the e-mail, without the link that ends it. */
  text: string
  /** The same as HTML. */
  html: string
}

/** The form of a campaign on the sites of the agency. */
export interface Widget {
  /** The campaign. */
  campaignId: string
  /**
   * The sites whose pages may show the form. `https://agency.example` and `https://www.agency.example` are two; `:443` after `https:` is the same as no port. Default: none.
   *
   * @maxItems 20
   *
   * Items: An origin.
   */
  allowedOrigins: string[]
  /** The colours; `auto`: those of the visitor’s device. Default: `auto`. */
  theme: 'light' | 'dark' | 'auto'
  /** The language; null: that of the page around it, or of the browser. Default: null. */
  language: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
  /**
   * The fields in their order. `phone` or `email` must be required. Default: `operation`, `name` and `phone`; the last two are required.
   *
   * @minItems 1
   * @maxItems 6
   */
  fields: {
    /** The fields that visitors fill in; `operation`: to sell or to let. */
    name: 'name' | 'phone' | 'email' | 'address' | 'operation' | 'message'
    /** The form is not taken without it. */
    required: boolean
  }[]
  /** What visitors agree to by ticking the box, by language, instead of the texts of the program. The link to the privacy notice is added to both. Default: none. */
  consentTexts: {
    /** The text in the language `es`. `{agency}` becomes the name of the workspace. */
    es?: string
    /** The text in the language `ca`. `{agency}` becomes the name of the workspace. */
    ca?: string
    /** The text in the language `gl`. `{agency}` becomes the name of the workspace. */
    gl?: string
    /** The text in the language `eu`. `{agency}` becomes the name of the workspace. */
    eu?: string
    /** The text in the language `pt`. `{agency}` becomes the name of the workspace. */
    pt?: string
    /** The text in the language `it`. `{agency}` becomes the name of the workspace. */
    it?: string
    /** The text in the language `en`. `{agency}` becomes the name of the workspace. */
    en?: string
    /** The text in the language `fr`. `{agency}` becomes the name of the workspace. */
    fr?: string
    /** The text in the language `de`. `{agency}` becomes the name of the workspace. */
    de?: string
  }
  /** The version of `consentTexts`: each change makes a new one. 0: there have been none. */
  consentVersion: number
  /** Identifies the widget in the pages of the site. It is not secret. Null: the form is closed. */
  key: string | null
  /** The script; null: there is no key. */
  scriptUrl: string | null
  /** A page with the form, for visitors without scripts; null: there is no key. */
  pageUrl: string | null
  /** The HTML for the site; null: there is no key. */
  snippet: string | null
  /** The forms that were sent. */
  submissions: {
    /** Forms that created a lead. */
    created: number
    /** Forms of people who have a lead already. */
    known: number
    /** Forms of machines, which were dropped. */
    spam: number
    /** Forms with a person who was erased. No lead was stored. */
    suppressed: number
    /** Forms that were refused because `maxLeadsPerMonth` was used up. */
    refused: number
  }
  /** When it was last configured; null: never. ISO 8601, UTC. */
  updatedAt: string | null
}

/** The configuration of a widget. An omitted field gets its default. */
export interface WidgetSettings {
  /**
   * The sites whose pages may show the form. `https://agency.example` and `https://www.agency.example` are two; `:443` after `https:` is the same as no port. Default: none.
   *
   * @maxItems 20
   *
   * Items: An origin.
   */
  allowedOrigins?: string[]
  /** The colours; `auto`: those of the visitor’s device. Default: `auto`. */
  theme?: 'light' | 'dark' | 'auto'
  /** The language; null: that of the page around it, or of the browser. Default: null. */
  language?: ('es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de') | null
  /**
   * The fields in their order. `phone` or `email` must be required. Default: `operation`, `name` and `phone`; the last two are required.
   *
   * @minItems 1
   * @maxItems 6
   */
  fields?: {
    /** The fields that visitors fill in; `operation`: to sell or to let. */
    name: 'name' | 'phone' | 'email' | 'address' | 'operation' | 'message'
    /** The form is not taken without it. */
    required: boolean
  }[]
  /** What visitors agree to by ticking the box, by language, instead of the texts of the program. The link to the privacy notice is added to both. Default: none. */
  consentTexts?: {
    /** The text in the language `es`. `{agency}` becomes the name of the workspace. */
    es?: string
    /** The text in the language `ca`. `{agency}` becomes the name of the workspace. */
    ca?: string
    /** The text in the language `gl`. `{agency}` becomes the name of the workspace. */
    gl?: string
    /** The text in the language `eu`. `{agency}` becomes the name of the workspace. */
    eu?: string
    /** The text in the language `pt`. `{agency}` becomes the name of the workspace. */
    pt?: string
    /** The text in the language `it`. `{agency}` becomes the name of the workspace. */
    it?: string
    /** The text in the language `en`. `{agency}` becomes the name of the workspace. */
    en?: string
    /** The text in the language `fr`. `{agency}` becomes the name of the workspace. */
    fr?: string
    /** The text in the language `de`. `{agency}` becomes the name of the workspace. */
    de?: string
  }
}

/** What a campaign has reached. */
export interface CampaignNumbers {
  funnel: CampaignFunnel
  /** In their order. */
  steps: CampaignStepNumbers[]
  /** What its messages cost. */
  cost: {
    /** Messages sent. */
    messages: number
    /** What they cost, by the setting `messageCosts`. Null: it has no price for some of them. */
    amount: number | null
    /** ISO 4217: that of the workspace. */
    currency: string
  }
}

/** From listings to conversations. People count once, however many messages they got. */
export interface CampaignFunnel {
  /** Listings that one of its runs found, at most. Null: it reads no portal. */
  found: number | null
  /** Leads that it created. */
  new: number
  /** Leads that joined it. */
  recipients: number
  /** People who might be contacted: the others have no lawful basis, for example, or were taken out before the first message. Further leads of one person do not count. */
  contactable: number
  /** People to whom a message was sent, or may have been. */
  sent: number
  /** People who have received a message. */
  delivered: number
  /** People who have read a message. */
  read: number
  /** People to whom a message failed; not what was withdrawn before. */
  failed: number
  /** People who have blocked the account or refused its marketing. */
  blocked: number
  /** People who replied. */
  replied: number
  /** People who booked an appointment. */
  booked: number
  /** People who opted out. */
  optedOut: number
}

/** What became of a step: its messages, and what people did. A reply counts for the step that the person got last. */
export interface CampaignStepNumbers {
  /** The step, from 0. */
  step: number
  /** Recipients for whom it was skipped. */
  skipped: number
  /** Messages that are about to be sent. */
  queued: number
  /** Messages that were sent, or may have been. */
  sent: number
  /** Sent messages that the person has received. */
  delivered: number
  /** Sent messages that the person has read. */
  read: number
  /** Messages that failed; not what was withdrawn before. */
  failed: number
  /** Failed messages whose person has blocked the account or refused its marketing. */
  blocked: number
  /** People who replied. */
  replied: number
  /** People who booked an appointment. */
  booked: number
  /** People who opted out. */
  optedOut: number
  /** Empty: the step has one template. */
  variants: CampaignVariant[]
}

/** The messages with one of the templates of a step. */
export interface CampaignVariant {
  /** `A` is `templateId` of the step, `B` the first of its variants. */
  variant: string
  /** The template; null: it was deleted. */
  templateId: string | null
  /** Messages that were sent, or may have been. */
  sent: number
  /** Sent messages that the person has received. */
  delivered: number
  /** Sent messages that the person has read. */
  read: number
  /** Messages that failed; not what was withdrawn before. */
  failed: number
  /** Failed messages whose person has blocked the account or refused its marketing. */
  blocked: number
  /** People who replied. */
  replied: number
  /** People who booked an appointment. */
  booked: number
  /** People who opted out. */
  optedOut: number
  /** Null: nothing was sent. */
  replyRate: {
    /** Replies by messages sent. */
    rate: number
    /** The lower bound of its 95 % interval. */
    low: number
    /** The upper bound. */
    high: number
  } | null
  /** With variant `A`. Null: it is `A`, or one of both was not sent. */
  comparison: {
    /** Its reply rate minus that of variant `A`. */
    difference: number
    /** The lower bound of its 95 % interval. */
    low: number
    /** The upper bound. */
    high: number
    /** The interval does not contain 0: chance alone seldom makes such a difference. */
    isSignificant: boolean
  } | null
}

/** What AI proposed to answer to a person, and what became of it. */
export interface AiReply {
  /** The AI reply. */
  id: string
  /** The conversation. */
  conversationId: string
  /** The last message of the person that it answers. */
  messageId: string
  /** The lead that it is about; null: it has none any more. */
  leadId: string | null
  /** The campaign whose AI answers. */
  campaignId: string
  /** `draft`: somebody may send it. `sent`: it is a message. `discarded`: it was not sent. `handed_off`: a person has to answer. */
  status: 'draft' | 'sent' | 'discarded' | 'handed_off'
  /** The mode of the campaign at that time. */
  mode: 'draft' | 'auto'
  /** The text; null: the AI wrote none. */
  text: string | null
  /** The message to the person; null: none was sent. */
  sentMessageId: string | null
  /** What the person has answered to the questions of the campaign, by custom field of the lead. */
  answers: Record<string, string | number | boolean>
  /** The appointment that it booked; null: none. */
  appointmentId: string | null
  handOff: HandOff | null
  /** The model; null: none was used. */
  model: string | null
  /** The tokens of its input, of all rounds. */
  inputTokens: number
  /** The tokens of its output. */
  outputTokens: number
  /** The user who sent or discarded it; null: nobody, or a program. */
  decidedByUserId: string | null
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
  /** When it was sent, discarded or handed off; null: it is a draft. ISO 8601, UTC. */
  decidedAt: string | null
}

/** Why a person has to answer. */
export interface HandOff {
  /** `WANTS_PERSON`: they want to talk to somebody. `INSTRUCTIONS`: instructions for a model. `OFF_TOPIC`: not about this property and this agency. `UNREADABLE`: no text. `TURN_LIMIT`: `maxTurns` of the campaign. `NOT_SURE`: the facts do not answer it. `REFUSED_ANSWER`: the answer broke a rule. `AI_UNAVAILABLE`: the endpoint failed. `NOT_SENDABLE`: the message was refused. `BY_USER`: a user took over. */
  code:
    | 'WANTS_PERSON'
    | 'INSTRUCTIONS'
    | 'OFF_TOPIC'
    | 'UNREADABLE'
    | 'TURN_LIMIT'
    | 'NOT_SURE'
    | 'REFUSED_ANSWER'
    | 'AI_UNAVAILABLE'
    | 'NOT_SENDABLE'
    | 'BY_USER'
  /** Why, for people. */
  message: string
}

/** An AI reply with its input. */
export interface LoggedAiReply {
  /** The AI reply. */
  id: string
  /** The conversation. */
  conversationId: string
  /** The last message of the person that it answers. */
  messageId: string
  /** The lead that it is about; null: it has none any more. */
  leadId: string | null
  /** The campaign whose AI answers. */
  campaignId: string
  /** `draft`: somebody may send it. `sent`: it is a message. `discarded`: it was not sent. `handed_off`: a person has to answer. */
  status: 'draft' | 'sent' | 'discarded' | 'handed_off'
  /** The mode of the campaign at that time. */
  mode: 'draft' | 'auto'
  /** The text; null: the AI wrote none. */
  text: string | null
  /** The message to the person; null: none was sent. */
  sentMessageId: string | null
  /** What the person has answered to the questions of the campaign, by custom field of the lead. */
  answers: Record<string, string | number | boolean>
  /** The appointment that it booked; null: none. */
  appointmentId: string | null
  handOff: HandOff | null
  /** The model; null: none was used. */
  model: string | null
  /** The tokens of its input, of all rounds. */
  inputTokens: number
  /** The tokens of its output. */
  outputTokens: number
  /** The user who sent or discarded it; null: nobody, or a program. */
  decidedByUserId: string | null
  /** When it was written. ISO 8601, UTC. */
  createdAt: string
  /** When it was sent, discarded or handed off; null: it is a draft. ISO 8601, UTC. */
  decidedAt: string | null
  /** The messages that the model got. */
  prompt: unknown[]
  /** SHA-256 of the prompt; null: none was sent. */
  promptHash: string | null
  /** By round: what the model wrote, which tools it called, and what they returned. */
  steps: unknown[]
}

export interface SentDraft {
  /** The text to send instead of that of the draft. */
  text?: string
}

/** Who answers a conversation: AI or people. */
export interface ConversationAi {
  /** The conversation. */
  conversationId: string
  /** The campaign whose AI answers. */
  campaignId: string
  /** `active`: AI answers. `taken_over`: somebody of the agency has written within the last 72 hours, and AI leaves it to them. `handed_off`: people answer until somebody lets the AI answer again. `stopped`: the person may not be written to, such as after an opt-out. */
  status: 'active' | 'taken_over' | 'handed_off' | 'stopped'
  handOff: HandOff | null
  /** Since when; null: it is not. ISO 8601, UTC. */
  handedOffAt: string | null
  /** When somebody of the agency last wrote; null: not lately. ISO 8601, UTC. */
  takenOverAt: string | null
  /** AI messages since it began or was let answer again. */
  answered: number
  /** When the AI answers next; null: nothing waits for it. ISO 8601, UTC. */
  nextAnswerAt: string | null
}

export interface ConversationAiChange {
  /** `active`: AI answers what the person writes from now on. `handed_off`: people answer; waiting answers and drafts are dropped. */
  status: 'active' | 'handed_off'
}

export interface CampaignPreviewRequest {
  /** How many days ahead. Default: 7. */
  days?: number
  /** How many messages are listed with their text. Default: 50. */
  limit?: number
}

/** What a campaign would do: who gets what when, who gets nothing and why, and what it costs. */
export interface CampaignPreview {
  /** The time of the preview. ISO 8601, UTC. */
  from: string
  /** Messages after it are left out. ISO 8601, UTC. */
  until: string
  /** The recipients who wait or are about to get a message. */
  recipients: number
  /** True: there are more than 10000 recipients, or more than 2000 messages, of which only the earliest were looked at. */
  isPartial: boolean
  /** The messages that are sent until then. */
  messages: number
  /** The people who get them. */
  people: number
  /** What they cost, by the setting `messageCosts`, in the currency of the workspace. Null: it has no price for some of them. */
  cost: number | null
  /** Days without messages are missing. */
  days: {
    /** A day of the workspace. */
    date: string
    /** The messages on it. */
    messages: number
    /** First messages among them. */
    starts: number
  }[]
  /** The messages of each step. */
  steps: {
    /** The step, from 0. */
    step: number
    /** Its messages. */
    messages: number
  }[]
  /** The first messages, in order of their time. */
  sends: PreviewedSend[]
  /** Recipients who would be skipped, or have been, by their reason. */
  skipped: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
    /** Recipients who get no message for this reason. */
    count: number
    /**
     * The first ten of their leads.
     *
     * Items: A lead.
     */
    leadIds: string[]
  }[]
  /** What the campaign lacks before it can run: nothing is sent until it is set. */
  missing: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
    /** What to set: a JSON pointer into the campaign. */
    path: string
  }[]
  /** Why nothing more is sent until `until`; null: everybody got every step, or it is not due yet. */
  wait: {
    /** Why. Stable, for programs. */
    code: string
    /** Why, for people. */
    message: string
    /** When it goes on; null: not by itself. ISO 8601, UTC. */
    until: string | null
  } | null
}

export interface PreviewedSend {
  /** The recipient. */
  recipientId: string
  /** The lead. */
  leadId: string
  /** The step, from 0. */
  step: number
  /** When it is sent, if nothing changes. ISO 8601, UTC. */
  at: string
  /** It is planned already, and may be sent any moment. */
  isQueued: boolean
  /** The template. */
  templateId: string
  /** Which of the templates that are compared; null: there is one. */
  variant: string | null
  /** What it says, without the privacy notice; null: it is queued, or was not made. */
  text: string | null
}

export interface AdNetwork {
  /** As `network` of a connection. */
  id: string
  /** The name for people. */
  label: string
  /** The JSON Schema of `credentials` for a new connection. */
  credentials: {}
  /** How long the network keeps leads. */
  keptDays: number
}

export interface NewAdConnection {
  /** The ad network, see `GET /ads/networks`. */
  network: string
  /** The name for people; not blank. */
  name?: string
  /** What the network requires, see `credentials` of `GET /ads/networks`. Stored encrypted, never returned. */
  credentials: Record<string, unknown>
  /** Leads that were submitted since then are read as well. Default: now. At most as old as the network keeps leads. ISO 8601, UTC. */
  since?: string
}

/** A page at an ad network, whose lead ads are read. */
export interface AdConnection {
  /** The connection. */
  id: string
  /** The ad network, see `GET /ads/networks`. */
  network: string
  /** The name for people. */
  name: string
  /** The network's id of the page whose ads have the forms. */
  pageId: string
  /** The name of the page at the network. */
  pageName: string
  /** `FAILING`: the network does not answer, or lacks a permission; it is tried again. `EXPIRED`: it no longer accepts the credentials; send new ones. The leads that wait are then read. */
  status: 'CONNECTED' | 'FAILING' | 'EXPIRED'
  /** What is wrong and what to do, for people; null: nothing is. */
  statusReason: string | null
  /** When the status last changed. ISO 8601, UTC. */
  statusChangedAt: string
  /** Leads that were submitted before are left out. ISO 8601, UTC. */
  since: string
  /** When the network last answered. ISO 8601, UTC. */
  checkedAt: string
  /** When its leads are listed next, in case a webhook was lost. ISO 8601, UTC. */
  nextSweepAt: string
  /** Forms that people have submitted, of about the last 100 days. */
  leads: {
    /** Still to be read. */
    waiting: number
    /** They are leads. */
    taken: number
    /** They become no leads, such as tests of the network. */
    skipped: number
    /** They could not be read. */
    failed: number
  }
  /** When it was connected. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
  /** How the network notifies of new leads. */
  webhook: {
    /** The address to enter in the settings of the app at the network. */
    url: string
    /** The verify token to enter beside it. */
    verifyToken: string
    /** When the network last verified the address; null: never. Until then, leads come with the next sweep. ISO 8601, UTC. */
    verifiedAt: string | null
    /** When the last webhook came; null: none did. ISO 8601, UTC. */
    notifiedAt: string | null
  }
}

export interface AdConnectionChanges {
  /** The name for people; not blank. */
  name?: string
  /** What the network requires, see `credentials` of `GET /ads/networks`. Stored encrypted, never returned. */
  credentials?: Record<string, unknown>
}

/** A form of a lead ad, and how its answers become a lead. */
export interface LeadForm {
  /** The network's id of the form. */
  formId: string
  /** The name of the form. */
  name: string
  /** false: nobody can submit it any more. */
  isActive: boolean
  /** The language as the network writes it; null: unknown. */
  locale: string | null
  /** The questions, each with the field of a lead that the answer is written to. */
  questions: {
    /** The name of its answer. */
    key: string
    /** As people read it. */
    label: string
    /** A field of a lead such as `contact.phone` or `customFields.plan`; null: the answer is left out. */
    field: string | null
    /** false: `fieldMapping` says it. */
    isGuessed: boolean
  }[]
  /** Fields of a lead by the key of the question, as they were set. The others are guessed. */
  fieldMapping: {
    /** A field of a lead such as `contact.phone` or `customFields.plan`; null: the answer is left out. */
    [k: string]: string | null
  }
  /** The consent text of the form; null: it has none, so that no lawful basis is recorded. */
  consentText: {
    /** The version of the text: the same text has the same one. */
    version: string
    /** Its title; null: none. */
    title: string | null
    /** The text; null: none. */
    text: string | null
    /** The boxes. */
    boxes: {
      /** The key of a box of the consent text. */
      key: string
      /** The text beside the box. */
      text: string
      /** The form can only be submitted with it. */
      isRequired: boolean
      /** It is ticked before the person touches it, which is no consent. */
      isTickedBefore: boolean
    }[]
  } | null
  consent: ConsentRule | null
  /** true: nobody has set `consent`, and the boxes that must be ticked count, for all channels. */
  isConsentGuessed: boolean
  /** When it was last read. ISO 8601, UTC. */
  readAt: string
}

/** Which boxes mean consent, and to what; null: none do. */
export interface ConsentRule {
  /**
   * The boxes that the person must have ticked, all of them.
   *
   * @minItems 1
   * @maxItems 50
   *
   * Items: The key of a box of the consent text.
   */
  boxes: string[]
  /**
   * The channels that the text of the boxes names.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: A channel.
   */
  channels: ('chat' | 'phone' | 'email')[]
}

export interface LeadFormChanges {
  /** Fields of a lead by the key of the question. It replaces the former mapping; `{}`: all are guessed. */
  fieldMapping?: {
    /** A field of a lead such as `contact.phone` or `customFields.plan`; null: the answer is left out. */
    [k: string]: string | null
  }
  consent?: ConsentRule | null
}

/** A form that somebody submitted. */
export interface AdLead {
  /** The submission. */
  id: string
  /** The network's id of the lead. */
  externalId: string
  /** The network's id of the form. */
  formId: string
  /** `waiting`: to be read at the network. `taken`: it is the lead `leadId`. `skipped`: it becomes no lead. `failed`: it could not be read. */
  status: 'waiting' | 'taken' | 'skipped' | 'failed'
  /** Why it waits, was skipped or failed; null: nothing is wrong. */
  reason: {
    /** A stable code. */
    code: string
    /** What it means, for people. */
    message: string
  } | null
  /** Attempts to read it. */
  attempts: number
  /** When it is read next; null: it is not. ISO 8601, UTC. */
  nextAttemptAt: string | null
  /** The lead; null: none, or it was deleted. */
  leadId: string | null
  /** What the person agreed to; null: not read. */
  consent: {
    /** The version of the consent text; null: the form had none. */
    version: string | null
    /** The boxes as the person left them. */
    boxes: {
      /** The key of a box of the consent text. */
      key: string
      /** The person ticked it. */
      isTicked: boolean
    }[]
    /** It is a consent to be contacted. */
    isGiven: boolean
  } | null
  /** When the person submitted it; null: not read. ISO 8601, UTC. */
  submittedAt: string | null
  /** When the program learnt of it. ISO 8601, UTC. */
  receivedAt: string
  /** When it was taken, skipped or given up; null: it waits. ISO 8601, UTC. */
  endedAt: string | null
}

export interface NewLead {
  /** The id of the lead in your own system. No other lead of the environment may have it. */
  externalId?: string | null
  /** The person to contact. */
  contact?: {
    /** The name of the person. */
    name?: string | null
    /** The phone number in any notation; without a prefix, it is read as one of the country of the workspace. */
    phone?: string | null
    /** The e-mail address. */
    email?: string | null
    /**
     * Further phone numbers, e-mail addresses and chats (`whatsapp:34612345678`). They replace the former list.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    /** The kind of advertiser. */
    advertiserType?: ('private' | 'agency') | null
  }
  /** The property to sell or let. */
  property?: {
    /** The property is for sale, or to let. */
    operation?: ('sale' | 'rent') | null
    /** The type of property. */
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** The title of the listing. */
    title?: string | null
    /** The text of the listing. */
    description?: string | null
    /** The price in major units of `currency`; for rent, per month. */
    price?: number | null
    /** The currency of the price, ISO 4217. */
    currency?: string | null
    /** The floor area in m². */
    squareMeters?: number | null
    /** The number of rooms. */
    rooms?: number | null
    /** The number of bedrooms. */
    bedrooms?: number | null
    /** The number of bathrooms. */
    bathrooms?: number | null
    /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. If omitted, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. If omitted, it is `floor` as text. */
    floorText?: string | null
    /** The condition of the property. */
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * The features of the property. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). An unknown name is refused; the error suggests the nearest one.
     *
     * @maxItems 50
     */
    features?: string[]
    /** The street and number. */
    address?: string | null
    /** The town. */
    municipality?: string | null
    /** The province. */
    province?: string | null
    /** The postcode. */
    postcode?: string | null
    /** The latitude in degrees, WGS 84. */
    latitude?: number | null
    /** The longitude in degrees, WGS 84. */
    longitude?: number | null
    /**
     * The URLs of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** The URL of the listing. */
    url?: string | null
    /** When the listing was published. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to; null: none. */
  campaignId?: string | null
  /** The user who is responsible for it; null: nobody. */
  ownerUserId?: string | null
  /**
   * The tags of the lead. They replace the former tags.
   *
   * @maxItems 100
   */
  tags?: string[]
  /** Your own fields: strings, numbers, booleans. Null removes a field. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface BulkChange {
  /**
   * The ids of the leads. Send either `ids` or `filter`.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: A lead.
   */
  ids?: string[]
  /** All leads that `GET /leads` returns with these filters. Send either `ids` or `filter`. */
  filter?: {
    /** Only leads with one of these ids, separated by commas; 200 at most. */
    ids?: string
    /** Only leads with this text in the name, phone, address, title or description. */
    q?: string
    /** Only the lead with this external id. */
    externalId?: string
    /** Only leads with this status, or with one of several separated by commas: new, contacted, replied, qualified, won, lost, discarded. */
    status?: string
    /** Only leads from this portal, or from one of several separated by commas. */
    platform?: string
    /** Only leads with this `campaignId`: the campaign that found them. Everybody to whom a campaign writes is in `GET /campaigns/{id}/recipients`. */
    campaignId?: string
    /** Only leads found by this extraction. */
    extractionId?: string
    /** Only leads with this tag, or with one of several separated by commas. A comma within a tag has a backslash before it: `Eixample\, Dreta`. */
    tag?: string
    /** Only leads that this user is responsible for. */
    ownerUserId?: string
    /** The kind of advertiser. */
    advertiserType?: 'private' | 'agency'
    /** The property is for sale, or to let. */
    operation?: 'sale' | 'rent'
    /** The type of property. */
    propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
    /** The lowest price, in major units. */
    minPrice?: number
    /** The highest price, in major units. */
    maxPrice?: number
    /** Only leads in this town; case does not matter. */
    municipality?: string
    /** Only leads in this province; case does not matter. */
    province?: string
    /** Only leads in this area: `west,south,east,north` in degrees, WGS 84. */
    bbox?: string
    /** true: only leads with a valid phone number; false: only leads without one. */
    hasPhone?: boolean
    /** true: only leads that may be contacted; false: only leads that may not. See `contactability.allowed`. */
    contactable?: boolean
    /** true: only leads whose listings are all withdrawn; false: all others, also those never listed. */
    withdrawn?: boolean
    /** Only leads created after this time. ISO 8601, UTC. */
    createdAfter?: string
    /** Only leads changed after this time. ISO 8601, UTC. */
    updatedAfter?: string
  }
  /** The changes to each lead. Omitted fields keep their value. */
  changes: {
    /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
    status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
    /** The campaign it belongs to; null: none. */
    campaignId?: string | null
    /** The user who is responsible for it; null: nobody. */
    ownerUserId?: string | null
    /**
     * The tags to add.
     *
     * @maxItems 100
     */
    addTags?: string[]
    /**
     * The tags to remove.
     *
     * @maxItems 100
     */
    removeTags?: string[]
    /** Your own fields: strings, numbers, booleans. Null removes a field. */
    customFields?: Record<string, string | number | boolean | null>
    lawfulBasis?: NewLawfulBasis
  }
}

/** Why the person may be contacted, with its proof. */
export interface NewLawfulBasis {
  /** The lawful basis of art. 6(1) GDPR. `contract` includes what the person requested before a contract: a visit, a valuation, a call back. */
  kind: 'consent' | 'contract' | 'legitimate_interest'
  /** When the basis begins; for consent, when it was given. Not in the future; if omitted, now. ISO 8601, UTC. */
  recordedAt?: string
  /** The proof of the basis: the words of the consent and where it was given, or who attests it. Consent without proof does not count. */
  proof?: string | null
  /**
   * The channels that the basis covers. Null: those that its kind covers by default: all channels, but for legitimate interest only `phone`.
   *
   * @minItems 1
   * @maxItems 3
   */
  channels?: ('chat' | 'phone' | 'email')[] | null
  /** When the basis expires; null: never. ISO 8601, UTC. */
  expiresAt?: string | null
  /** When the person received the notice of the processing; if omitted, the recorded time is kept. ISO 8601, UTC. */
  noticeSentAt?: string | null
}

/** A change of many leads, and its progress. */
export interface LeadOperation {
  /** The operation. */
  id: string
  /** The kind of operation. */
  kind: 'update' | 'delete' | 'erase'
  /** Up to 1,000 leads, or the people of up to 100 leads to erase, are processed at once: the operation is `COMPLETED`. More are processed by a job. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** The number of different ids that were sent; null: a filter was sent. */
  requested: number | null
  /** The progress of the operation. */
  progress: {
    /** The number of leads to process; null: not counted yet. */
    matched: number | null
    /** The number of leads processed. */
    processed: number
    /** The number of leads that have changed. */
    changed: number
    /** The share of the work that is done. */
    percent: number
  }
  /** Why the operation failed; null: it has not. */
  error: {
    /** Why it failed. Stable, for programs. */
    code: string
    /** Why it failed and what to do, for people. */
    message: string
  } | null
  /** When it was requested. ISO 8601, UTC. */
  createdAt: string
  /** When it started; null: it is queued. ISO 8601, UTC. */
  startedAt: string | null
  /** When it ended; null: it has not. ISO 8601, UTC. */
  finishedAt: string | null
}

export interface BulkDeletion {
  /**
   * The ids of the leads. Send either `ids` or `filter`.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: A lead.
   */
  ids?: string[]
  /** All leads that `GET /leads` returns with these filters. Send either `ids` or `filter`. */
  filter?: {
    /** Only leads with one of these ids, separated by commas; 200 at most. */
    ids?: string
    /** Only leads with this text in the name, phone, address, title or description. */
    q?: string
    /** Only the lead with this external id. */
    externalId?: string
    /** Only leads with this status, or with one of several separated by commas: new, contacted, replied, qualified, won, lost, discarded. */
    status?: string
    /** Only leads from this portal, or from one of several separated by commas. */
    platform?: string
    /** Only leads with this `campaignId`: the campaign that found them. Everybody to whom a campaign writes is in `GET /campaigns/{id}/recipients`. */
    campaignId?: string
    /** Only leads found by this extraction. */
    extractionId?: string
    /** Only leads with this tag, or with one of several separated by commas. A comma within a tag has a backslash before it: `Eixample\, Dreta`. */
    tag?: string
    /** Only leads that this user is responsible for. */
    ownerUserId?: string
    /** The kind of advertiser. */
    advertiserType?: 'private' | 'agency'
    /** The property is for sale, or to let. */
    operation?: 'sale' | 'rent'
    /** The type of property. */
    propertyType?: 'homes' | 'offices' | 'premises' | 'garages'
    /** The lowest price, in major units. */
    minPrice?: number
    /** The highest price, in major units. */
    maxPrice?: number
    /** Only leads in this town; case does not matter. */
    municipality?: string
    /** Only leads in this province; case does not matter. */
    province?: string
    /** Only leads in this area: `west,south,east,north` in degrees, WGS 84. */
    bbox?: string
    /** true: only leads with a valid phone number; false: only leads without one. */
    hasPhone?: boolean
    /** true: only leads that may be contacted; false: only leads that may not. See `contactability.allowed`. */
    contactable?: boolean
    /** true: only leads whose listings are all withdrawn; false: all others, also those never listed. */
    withdrawn?: boolean
    /** Only leads created after this time. ISO 8601, UTC. */
    createdAfter?: string
    /** Only leads changed after this time. ISO 8601, UTC. */
    updatedAfter?: string
  }
  /** Erase the people everywhere, as `DELETE /leads/{id}?erase=true` does. */
  erase?: boolean
}

/** Omitted fields keep their value; null removes a value; lists are replaced, `customFields` field by field. */
export interface LeadChanges {
  /** The id of the lead in your own system. No other lead of the environment may have it. */
  externalId?: string | null
  /** The person to contact. */
  contact?: {
    /** The name of the person. */
    name?: string | null
    /** The phone number in any notation; without a prefix, it is read as one of the country of the workspace. */
    phone?: string | null
    /** The e-mail address. */
    email?: string | null
    /**
     * Further phone numbers, e-mail addresses and chats (`whatsapp:34612345678`). They replace the former list.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    /** The kind of advertiser. */
    advertiserType?: ('private' | 'agency') | null
  }
  /** The property to sell or let. */
  property?: {
    /** The property is for sale, or to let. */
    operation?: ('sale' | 'rent') | null
    /** The type of property. */
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** The title of the listing. */
    title?: string | null
    /** The text of the listing. */
    description?: string | null
    /** The price in major units of `currency`; for rent, per month. */
    price?: number | null
    /** The currency of the price, ISO 4217. */
    currency?: string | null
    /** The floor area in m². */
    squareMeters?: number | null
    /** The number of rooms. */
    rooms?: number | null
    /** The number of bedrooms. */
    bedrooms?: number | null
    /** The number of bathrooms. */
    bathrooms?: number | null
    /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. If omitted, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. If omitted, it is `floor` as text. */
    floorText?: string | null
    /** The condition of the property. */
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * The features of the property. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). An unknown name is refused; the error suggests the nearest one.
     *
     * @maxItems 50
     */
    features?: string[]
    /** The street and number. */
    address?: string | null
    /** The town. */
    municipality?: string | null
    /** The province. */
    province?: string | null
    /** The postcode. */
    postcode?: string | null
    /** The latitude in degrees, WGS 84. */
    latitude?: number | null
    /** The longitude in degrees, WGS 84. */
    longitude?: number | null
    /**
     * The URLs of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** The URL of the listing. */
    url?: string | null
    /** When the listing was published. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to; null: none. */
  campaignId?: string | null
  /** The user who is responsible for it; null: nobody. */
  ownerUserId?: string | null
  /**
   * The tags of the lead. They replace the former tags.
   *
   * @maxItems 100
   */
  tags?: string[]
  /** Your own fields: strings, numbers, booleans. Null removes a field. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface UpsertedLead {
  /** The person to contact. */
  contact?: {
    /** The name of the person. */
    name?: string | null
    /** The phone number in any notation; without a prefix, it is read as one of the country of the workspace. */
    phone?: string | null
    /** The e-mail address. */
    email?: string | null
    /**
     * Further phone numbers, e-mail addresses and chats (`whatsapp:34612345678`). They replace the former list.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    /** The kind of advertiser. */
    advertiserType?: ('private' | 'agency') | null
  }
  /** The property to sell or let. */
  property?: {
    /** The property is for sale, or to let. */
    operation?: ('sale' | 'rent') | null
    /** The type of property. */
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** The title of the listing. */
    title?: string | null
    /** The text of the listing. */
    description?: string | null
    /** The price in major units of `currency`; for rent, per month. */
    price?: number | null
    /** The currency of the price, ISO 4217. */
    currency?: string | null
    /** The floor area in m². */
    squareMeters?: number | null
    /** The number of rooms. */
    rooms?: number | null
    /** The number of bedrooms. */
    bedrooms?: number | null
    /** The number of bathrooms. */
    bathrooms?: number | null
    /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. If omitted, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. If omitted, it is `floor` as text. */
    floorText?: string | null
    /** The condition of the property. */
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * The features of the property. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). An unknown name is refused; the error suggests the nearest one.
     *
     * @maxItems 50
     */
    features?: string[]
    /** The street and number. */
    address?: string | null
    /** The town. */
    municipality?: string | null
    /** The province. */
    province?: string | null
    /** The postcode. */
    postcode?: string | null
    /** The latitude in degrees, WGS 84. */
    latitude?: number | null
    /** The longitude in degrees, WGS 84. */
    longitude?: number | null
    /**
     * The URLs of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** The URL of the listing. */
    url?: string | null
    /** When the listing was published. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to; null: none. */
  campaignId?: string | null
  /** The user who is responsible for it; null: nobody. */
  ownerUserId?: string | null
  /**
   * The tags of the lead. They replace the former tags.
   *
   * @maxItems 100
   */
  tags?: string[]
  /** Your own fields: strings, numbers, booleans. Null removes a field. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface LeadBatch {
  /**
   * The leads. Each is created or updated on its own.
   *
   * @minItems 1
   * @maxItems 500
   */
  leads: BatchLead[]
}

export interface BatchLead {
  /** The lead to change. If omitted, the lead with this `externalId`, or a new one. */
  id?: string
  /** The id of the lead in your own system. No other lead of the environment may have it. */
  externalId?: string | null
  /** The person to contact. */
  contact?: {
    /** The name of the person. */
    name?: string | null
    /** The phone number in any notation; without a prefix, it is read as one of the country of the workspace. */
    phone?: string | null
    /** The e-mail address. */
    email?: string | null
    /**
     * Further phone numbers, e-mail addresses and chats (`whatsapp:34612345678`). They replace the former list.
     *
     * @maxItems 20
     */
    identifiers?: string[]
    /** The kind of advertiser. */
    advertiserType?: ('private' | 'agency') | null
  }
  /** The property to sell or let. */
  property?: {
    /** The property is for sale, or to let. */
    operation?: ('sale' | 'rent') | null
    /** The type of property. */
    propertyType?: ('homes' | 'offices' | 'premises' | 'garages') | null
    /** The title of the listing. */
    title?: string | null
    /** The text of the listing. */
    description?: string | null
    /** The price in major units of `currency`; for rent, per month. */
    price?: number | null
    /** The currency of the price, ISO 4217. */
    currency?: string | null
    /** The floor area in m². */
    squareMeters?: number | null
    /** The number of rooms. */
    rooms?: number | null
    /** The number of bedrooms. */
    bedrooms?: number | null
    /** The number of bathrooms. */
    bathrooms?: number | null
    /** The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. If omitted, it is read from `floorText`. */
    floor?: number | null
    /** The floor in words: `Planta 3ª`, `Ático`. If omitted, it is `floor` as text. */
    floorText?: string | null
    /** The condition of the property. */
    condition?: ('new' | 'good' | 'to_renovate') | null
    /**
     * The features of the property. `lift`, `terrace`, `balcony`, `parking`, `pool`, `garden`, `air_conditioning`, `storage_room`, `fitted_wardrobes`, `concierge`, `exterior`, `interior`, `top_floor`, `security`, `waterfront`, `view`, `basement`, `renovated`, `heating`, `fireplace`, `furnished`, `accessible`, `sea_view`; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (`piscina`, `Aufzug`). An unknown name is refused; the error suggests the nearest one.
     *
     * @maxItems 50
     */
    features?: string[]
    /** The street and number. */
    address?: string | null
    /** The town. */
    municipality?: string | null
    /** The province. */
    province?: string | null
    /** The postcode. */
    postcode?: string | null
    /** The latitude in degrees, WGS 84. */
    latitude?: number | null
    /** The longitude in degrees, WGS 84. */
    longitude?: number | null
    /**
     * The URLs of photos.
     *
     * @maxItems 200
     */
    images?: string[]
    /** The URL of the listing. */
    url?: string | null
    /** When the listing was published. ISO 8601, UTC. */
    publishedAt?: string | null
  }
  /** How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write. */
  status?: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
  /** The campaign it belongs to; null: none. */
  campaignId?: string | null
  /** The user who is responsible for it; null: nobody. */
  ownerUserId?: string | null
  /**
   * The tags of the lead. They replace the former tags.
   *
   * @maxItems 100
   */
  tags?: string[]
  /** Your own fields: strings, numbers, booleans. Null removes a field. */
  customFields?: Record<string, string | number | boolean | null>
}

export interface LeadBatchResult {
  /** One result for each lead, in the order of the batch. */
  data: {
    /** The index in the batch, from 0. */
    index: number
    /** The result for the lead. */
    result: 'created' | 'updated' | 'unchanged' | 'failed'
    lead: Lead | null
    /** Why it failed; null: it has not. */
    error: {
      /** The kind of error, as for a single lead. Stable, for programs. */
      code: string
      /** The error and what to do about it, for people. */
      message: string
      /** The existing lead. Only on `LEAD_EXISTS`. */
      existingLeadId: string | null
      /** The lead that it was merged into. Only on `NOT_FOUND`. */
      mergedIntoLeadId: string | null
      /** Everything that is wrong with the input of this lead. */
      errors: {
        /** A JSON pointer into the lead. */
        path: string
        /** The kind of error. Stable, for programs. */
        code: string
        /** The error in this value, for people. */
        message: string
      }[]
    } | null
  }[]
}

export interface TimelineItem {
  /** The id of the event, the note or the source. */
  id: string
  /** `lead.seen` (found by an extraction), `lead.imported`, `lead.note_added`, or the type of an event: `lead.created`, `lead.updated`, `lead.price_changed`, `lead.withdrawn` … Changes by an import, and changed or deleted notes, are `lead.updated`. */
  type: string
  /** When it happened. ISO 8601, UTC. */
  at: string
  /** The lead, or one that was merged into it. */
  leadId: string
  /** The data of the event. */
  data: Record<string, unknown>
}

export interface MergeRequest {
  /** The lead to merge into this one; it is no longer listed. */
  leadId: string
}

export interface Merge {
  /** The merge, with which it can be undone. */
  mergeId: string
  lead: Lead
}

/** Why the person may be contacted, with its proof. */
export interface LawfulBasis {
  /** The lawful basis of art. 6(1) GDPR. `contract` includes what the person requested before a contract: a visit, a valuation, a call back. */
  kind: 'consent' | 'contract' | 'legitimate_interest'
  /** When the basis begins; for consent, when it was given. ISO 8601, UTC. */
  recordedAt: string
  /** The proof of the basis: the words of the consent and where it was given, or who attests it. Consent without proof does not count. */
  proof: string | null
  /**
   * The channels that the basis covers. Null: those that its kind covers by default: all channels, but for legitimate interest only `phone`.
   *
   * @minItems 1
   * @maxItems 3
   */
  channels: ('chat' | 'phone' | 'email')[] | null
  /** When the basis expires; null: never. ISO 8601, UTC. */
  expiresAt: string | null
  /** When the person received the notice of the processing; null: not yet. ISO 8601, UTC. */
  noticeSentAt: string | null
  /** The user who recorded it; null: the key belongs to no user. */
  recordedBy: string | null
}

export interface PersonData {
  /** When this export was made. ISO 8601, UTC. */
  exportedAt: string
  /** The phone numbers, e-mail addresses and chats of the person. */
  identifiers: string[]
  /** Every lead of the person, oldest first; `sources` shows where it was found. */
  leads: {
    lead: Lead
    lawfulBasis: LawfulBasis | null
    /** The notes on the lead, oldest first. */
    notes: Note[]
  }[]
  /** Leads that were merged into these, oldest first. They are kept so that the merge can be undone. */
  absorbed: {
    lead: Lead
    lawfulBasis: LawfulBasis | null
    /** The lead that it was merged into, which has its sources and notes now. */
    mergedIntoLeadId: string
  }[]
  /** The events of these leads, oldest first. */
  events: {
    /** The event. */
    id: string
    /** The type of the event, such as `lead.created`. */
    type: string
    /** When it happened. ISO 8601, UTC. */
    at: string
    /** The data of the event. */
    data: Record<string, unknown>
  }[]
  /** The entries of the suppression list for the person. */
  suppressions: Suppression[]
  /** The valuations with a phone number, e-mail address or chat of the person in the name or the address, oldest first. */
  valuations: {
    /** The valuation. */
    id: string
    /** The name of the valuation. */
    name: string | null
    /** The address of the property. */
    address: string | null
    /** When it was created. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The sheets of listings of leads of the person, and those with a phone number, e-mail address or chat of the person in a text, oldest first. */
  fichas: {
    /** The sheet. */
    id: string
    /** The URL of the listing. */
    sourceUrl: string
    /** The title of the sheet. */
    title: string | null
    /** The address of the property. */
    address: string | null
    /** The texts of its versions that contain an identifier of the person. */
    texts: string[]
    /** When it was requested. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The message templates with a phone number, e-mail address or chat of the person in their name or texts, oldest first. */
  templates: {
    /** The template. */
    id: string
    /** Its name. */
    name: string
    /** The texts of its versions that contain an identifier of the person. */
    texts: string[]
    /** When it was created. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The conversations with the person, and notes in them. */
  conversations: {
    /** The conversation. */
    id: string
    /** The identities of the person at the provider. */
    identities: ChatIdentity[]
    /** The messages, oldest first. */
    messages: {
      /** The message. */
      id: string
      /** `in`: from the person; `note`: an internal note. */
      direction: 'in' | 'out' | 'note'
      /** What it is. */
      kind:
        | 'text'
        | 'template'
        | 'media'
        | 'buttons'
        | 'list'
        | 'location'
        | 'contacts'
        | 'choice'
        | 'reaction'
        | 'unsupported'
      /** The text; null: it has none. */
      text: string | null
      /** The parts besides the text. */
      content: Record<string, unknown>
      /** Its files. */
      files: {
        /** The file. */
        id: string
        /** The media type; null: unknown. */
        mediaType: string | null
        /** The name; null: it has none. */
        fileName: string | null
      }[]
      /** When it was stored. ISO 8601, UTC. */
      createdAt: string
    }[]
    /** Older messages that are missing, because the reply has at most 16 MB of messages: list them with `GET /conversations/{id}/messages`. */
    omittedMessages: number
  }[]
  /** The appointments of leads of the person, and those booked with a phone number or e-mail address of the person, oldest first. */
  appointments: {
    /** The appointment. */
    id: string
    /** Its status. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    visitor: Visitor
    location: AppointmentLocation
    /** The answers to the questions of the event type, by the id of the question. */
    answers: Record<string, string | boolean>
    /** Notes of the agency. */
    notes: string | null
    /** Why it was cancelled. */
    cancelReason: string | null
    visitorAnswer: VisitorAnswer | null
    outcome: AppointmentOutcome | null
    /** When it was booked. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The campaigns with a phone number, e-mail address or chat of the person in their name or texts, oldest first. */
  campaignTexts: {
    /** The campaign. */
    id: string
    /** Its name. */
    name: string
    /** The texts of its settings that contain an identifier of the person. */
    texts: string[]
    /** When it was created. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The campaigns that the leads of the person have joined, with what they got, oldest first. */
  campaigns: {
    /** The name of the campaign. */
    name: string
    recipient: CampaignRecipient
  }[]
  /** The saved searches whose digests an address of the person gets, oldest first. */
  searchSubscriptions: {
    /** The campaign. */
    campaignId: string
    /** The address. */
    email: string
    /** The e-mails that are on record. */
    mails: number
    /** When the first one was written. ISO 8601, UTC. */
    createdAt: string
    /** When the person ended them; null: they have not. ISO 8601, UTC. */
    unsubscribedAt: string | null
  }[]
  /** The consents that the person gave in forms on sites of the agency, oldest first. */
  widgetConsents: {
    /** The campaign of the form. */
    campaignId: string
    /** What the person agreed to, as it was shown. */
    text: string
    /** The version of the text. */
    version: string
    /** Its language. */
    language: string
    /** The page with the form. */
    pageUrl: string
    /** The key of the widget. */
    key: string
    /** When the form was sent. ISO 8601, UTC. */
    agreedAt: string
  }[]
  /** What AI proposed to answer to the person, with its input, the oldest first; at most the last 500. */
  aiReplies: {
    /** The AI reply. */
    id: string
    /** The conversation. */
    conversationId: string
    /** `draft`, `sent`, `discarded` or `handed_off`. */
    status: string
    /** What the AI proposed; null: nothing. */
    text: string | null
    /** What it recorded of the answers of the person. */
    answers: Record<string, unknown>
    /** The model; null: none was used. */
    model: string | null
    /** What the model got. */
    prompt: unknown[]
    /** When it was written. ISO 8601, UTC. */
    createdAt: string
  }[]
  /** The forms of ads that the person submitted; the answers are in the leads. */
  adLeads: AdLead[]
}

export interface Note {
  /** The note. */
  id: string
  /** The text of the note; not blank. */
  body: string
  /** The user who wrote it; null: the key belongs to no user. */
  authorUserId: string | null
  /** When the note was added. ISO 8601, UTC. */
  createdAt: string
  /** When its text was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface NewNote {
  /** The text of the note; not blank. */
  body: string
}

export interface Duplicate {
  /** The lead that may show the same property. */
  lead: {
    /** The other lead. */
    id: string
    /** The title of its listing. */
    title: string | null
    /** The street and number. */
    address: string | null
    /** The price in major units of its currency. */
    price: number | null
  }
  /** The evidence in bits: the higher, the likelier. */
  score: number
  /** The evidence for and against the same property, in words. */
  reason: string
  /** When the possible duplicate was found. ISO 8601, UTC. */
  createdAt: string
}

export interface NewSubscription {
  /** The URL that receives the events. Use `https:`: over `http:` others can read them. */
  url: string
  /**
   * The types of events to send; `*`: all of them. Default: `["*"]`.
   *
   * @minItems 1
   * @maxItems 50
   */
  events?: (
    | '*'
    | 'quota.threshold_reached'
    | 'extraction.started'
    | 'extraction.progress'
    | 'extraction.completed'
    | 'extraction.failed'
    | 'extraction.cancelled'
    | 'valuation.created'
    | 'ficha.created'
    | 'account.status_changed'
    | 'message.sent'
    | 'message.delivered'
    | 'message.read'
    | 'message.failed'
    | 'message.received'
    | 'appointment.booked'
    | 'appointment.confirmed'
    | 'appointment.rescheduled'
    | 'appointment.assigned'
    | 'appointment.cancelled'
    | 'appointment.completed'
    | 'appointment.no_show'
    | 'appointment.outcome_recorded'
    | 'appointment.answered'
    | 'appointment.updated'
    | 'calendar.status_changed'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.completed'
    | 'campaign.search_changed'
    | 'conversation.handed_off'
    | 'ai_reply.drafted'
    | 'ad_connection.status_changed'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.replied'
    | 'lead.opted_out'
    | 'lead.opted_in'
    | 'lead.deleted'
    | 'webhook.disabled'
    | 'webhook.test'
  )[]
  /** Your note on the purpose of the subscription; null: none. */
  description?: string | null
  /** Additional headers to send, such as `Authorization`. Their values are stored encrypted and never returned. */
  headers?: Record<string, string>
}

export interface CreatedSubscription {
  /** The subscription. */
  id: string
  /** The URL that receives the events. */
  url: string
  /** The types of events to send; `*`: all types. */
  events: string[]
  /** Your note on the purpose of the subscription; null: none. */
  description: string | null
  /** The names of the additional headers, in alphabetical order. */
  headerNames: string[]
  /** A disabled subscription receives nothing. */
  status: 'enabled' | 'disabled'
  /** Why Aldaba disabled it, as text; null: it is enabled, or a user disabled it. */
  disabledReason: string | null
  /** When it was disabled; null: it is enabled. ISO 8601, UTC. */
  disabledAt: string | null
  /** Since when every attempt has failed; null: the last attempt succeeded. ISO 8601, UTC. */
  failingSince: string | null
  /** Until when the receiver requested a pause with Retry-After; null: it requested none. ISO 8601, UTC. */
  pausedUntil: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
  /** The secret that verifies signatures. It is returned only once. */
  secret: string
}

export interface Subscription {
  /** The subscription. */
  id: string
  /** The URL that receives the events. */
  url: string
  /** The types of events to send; `*`: all types. */
  events: string[]
  /** Your note on the purpose of the subscription; null: none. */
  description: string | null
  /** The names of the additional headers, in alphabetical order. */
  headerNames: string[]
  /** A disabled subscription receives nothing. */
  status: 'enabled' | 'disabled'
  /** Why Aldaba disabled it, as text; null: it is enabled, or a user disabled it. */
  disabledReason: string | null
  /** When it was disabled; null: it is enabled. ISO 8601, UTC. */
  disabledAt: string | null
  /** Since when every attempt has failed; null: the last attempt succeeded. ISO 8601, UTC. */
  failingSince: string | null
  /** Until when the receiver requested a pause with Retry-After; null: it requested none. ISO 8601, UTC. */
  pausedUntil: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

export interface EventType {
  /** The type of event, as `events` of a subscription names it. */
  type: string
  /** When the event is emitted, for people. */
  summary: string
  /** The schema of the message, JSON Schema 2020-12. */
  schema: {}
  /** An example of the message. */
  example: {}
}

export interface SubscriptionChanges {
  /** The URL that receives the events. Use `https:`: over `http:` others can read them. */
  url?: string
  /**
   * The types of events to send; `*`: all of them.
   *
   * @minItems 1
   * @maxItems 50
   */
  events?: (
    | '*'
    | 'quota.threshold_reached'
    | 'extraction.started'
    | 'extraction.progress'
    | 'extraction.completed'
    | 'extraction.failed'
    | 'extraction.cancelled'
    | 'valuation.created'
    | 'ficha.created'
    | 'account.status_changed'
    | 'message.sent'
    | 'message.delivered'
    | 'message.read'
    | 'message.failed'
    | 'message.received'
    | 'appointment.booked'
    | 'appointment.confirmed'
    | 'appointment.rescheduled'
    | 'appointment.assigned'
    | 'appointment.cancelled'
    | 'appointment.completed'
    | 'appointment.no_show'
    | 'appointment.outcome_recorded'
    | 'appointment.answered'
    | 'appointment.updated'
    | 'calendar.status_changed'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.completed'
    | 'campaign.search_changed'
    | 'conversation.handed_off'
    | 'ai_reply.drafted'
    | 'ad_connection.status_changed'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.replied'
    | 'lead.opted_out'
    | 'lead.opted_in'
    | 'lead.deleted'
    | 'webhook.disabled'
    | 'webhook.test'
  )[]
  /** Your note on the purpose of the subscription; null: none. */
  description?: string | null
  /** Additional headers to send, such as `Authorization`. Their values are stored encrypted and never returned. */
  headers?: Record<string, string>
  /** A disabled subscription receives nothing: its pending deliveries fail, and new events are not sent. After enabling it, `recover` sends both. */
  status?: 'enabled' | 'disabled'
}

export interface SecretRotation {
  /** How many hours the previous secrets sign in addition to the new one. Send 0 for a leaked secret: then only the new one signs. Default: `24`. */
  overlapHours?: number
}

export interface RotatedSecret {
  /** The new secret. It is returned only once. */
  secret: string
  /** Until when the previous secret signs as well; null: it no longer signs. ISO 8601, UTC. */
  previousSecretExpiresAt: string | null
}

export interface WebhookTest {
  /** The type of the event to send; its `sequence` is 0. Default: `"webhook.test"`. */
  eventType?:
    | 'quota.threshold_reached'
    | 'extraction.started'
    | 'extraction.progress'
    | 'extraction.completed'
    | 'extraction.failed'
    | 'extraction.cancelled'
    | 'valuation.created'
    | 'ficha.created'
    | 'account.status_changed'
    | 'message.sent'
    | 'message.delivered'
    | 'message.read'
    | 'message.failed'
    | 'message.received'
    | 'appointment.booked'
    | 'appointment.confirmed'
    | 'appointment.rescheduled'
    | 'appointment.assigned'
    | 'appointment.cancelled'
    | 'appointment.completed'
    | 'appointment.no_show'
    | 'appointment.outcome_recorded'
    | 'appointment.answered'
    | 'appointment.updated'
    | 'calendar.status_changed'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.completed'
    | 'campaign.search_changed'
    | 'conversation.handed_off'
    | 'ai_reply.drafted'
    | 'ad_connection.status_changed'
    | 'leads.imported'
    | 'lead.created'
    | 'lead.updated'
    | 'lead.price_changed'
    | 'lead.withdrawn'
    | 'lead.replied'
    | 'lead.opted_out'
    | 'lead.opted_in'
    | 'lead.deleted'
    | 'webhook.disabled'
    | 'webhook.test'
}

export interface WebhookDelivery {
  /** The delivery. */
  id: string
  /** The subscription. */
  subscriptionId: string
  /** The event: the `webhook-id` of every attempt. */
  eventId: string
  /** The type of the event. */
  eventType: string
  /** true: a test event that a user requested. */
  isTest: boolean
  /** `pending`: an attempt will follow; `failed`: no attempt will follow. */
  status: 'pending' | 'delivered' | 'failed'
  /** The number of attempts since it was created or resent; at most 8. */
  attemptCount: number
  lastAttempt: WebhookAttempt | null
  /** When the next attempt is due; null: there will be none. ISO 8601, UTC. */
  nextAttemptAt: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was delivered; null: it was not. ISO 8601, UTC. */
  deliveredAt: string | null
}

/** An attempt to send the message. */
export interface WebhookAttempt {
  /** When the attempt began. ISO 8601, UTC. */
  at: string
  /** The HTTP status of the reply; null: none arrived. */
  responseStatus: number | null
  /** How long the attempt took, in milliseconds; null: unknown. */
  durationMs: number | null
  /** The first 4 KB of the reply, as UTF-8; null: none arrived. */
  responseBody: string | null
  /** Why the attempt failed; null: it succeeded. */
  error: string | null
}

export interface WebhookDeliveryWithEvent {
  /** The delivery. */
  id: string
  /** The subscription. */
  subscriptionId: string
  /** The event: the `webhook-id` of every attempt. */
  eventId: string
  /** The type of the event. */
  eventType: string
  /** true: a test event that a user requested. */
  isTest: boolean
  /** `pending`: an attempt will follow; `failed`: no attempt will follow. */
  status: 'pending' | 'delivered' | 'failed'
  /** The number of attempts since it was created or resent; at most 8. */
  attemptCount: number
  lastAttempt: WebhookAttempt | null
  /** When the next attempt is due; null: there will be none. ISO 8601, UTC. */
  nextAttemptAt: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was delivered; null: it was not. ISO 8601, UTC. */
  deliveredAt: string | null
  /** The last 20 attempts, oldest first. */
  attempts: WebhookAttempt[]
  /** The message. */
  event: {}
}

export interface WebhookRecovery {
  /** Recover deliveries of events from this time on; at most 30 days ago. ISO 8601, UTC. */
  since: string
}

export interface WebhookRecovered {
  /** The number of deliveries created or made due again. */
  recovered: number
  /** Send it as `since` to recover the rest; null: everything is recovered. ISO 8601, UTC. */
  nextSince: string | null
}

export interface WebhookStats {
  /** The start of the period: events from this time on are counted. ISO 8601, UTC. */
  since: string
  /** The deliveries that wait for an attempt. */
  pending: number
  /** The deliveries that succeeded. */
  delivered: number
  /** The deliveries that failed for good. */
  failed: number
  /** The attempts of all these deliveries. */
  attempts: number
  /** The share of finished deliveries that succeeded, from 0 to 1; null: none has finished. */
  successRate: number | null
  /** The median duration of the last attempts, in milliseconds; null: none. */
  medianMs: number | null
  /** The 95th percentile of these durations, in milliseconds; null: none. */
  p95Ms: number | null
  /** When a delivery last succeeded; null: never. ISO 8601, UTC. */
  lastDeliveredAt: string | null
}

/** The use of a quota reached 80 or 100 % of its limit; emitted once a month for each share, and again after the limit is raised. */
export interface QuotaThresholdReachedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'quota.threshold_reached'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The use of a quota reached 80 or 100 % of its limit; emitted once a month for each share, and again after the limit is raised. */
  data: {
    /** The quota. */
    name:
      | 'maxExtractionsPerMonth'
      | 'maxValuationsPerMonth'
      | 'maxFichasPerMonth'
      | 'maxMessagesPerMonth'
      | 'maxLeadsPerMonth'
    /** The number of units that the workspace may use in the month. */
    limit: number
    /** The number of units used when the event was emitted. */
    used: number
    /** The share of the limit that was reached. */
    percent: 80 | 100
    /** The month that the quota counts. */
    period: {
      /** The start of the month, in the time zone of the workspace. ISO 8601, UTC. */
      start: string
      /** The start of the next month, when the quota is renewed. ISO 8601, UTC. */
      end: string
    }
  }
}

/** An extraction began. */
export interface ExtractionStartedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.started'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An extraction began. */
  data: {
    /** The extraction. */
    extractionId: string
    /** The portal it reads. */
    platform: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    extraction: Extraction | null
    /** Why `extraction` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An extraction made progress; emitted every ten seconds at most. */
export interface ExtractionProgressEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.progress'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An extraction made progress; emitted every ten seconds at most. */
  data: {
    /** The extraction. */
    extractionId: string
    /** The portal it reads. */
    platform: string
    /** What the extraction has done so far. */
    progress: {
      /** The search pages fetched. */
      pagesFetched: number
      /** The listings found on them. */
      listingsFound: number
      /** The listings that could be read. */
      listingsRead: number
      /** The leads created. */
      leadsCreated: number
      /** The known leads updated, because their listing has changed. */
      leadsUpdated: number
      /** The listings without new information: repeated in the search, or unchanged since the last run. */
      duplicates: number
      /** The listings skipped; `skippedByReason` says why. */
      skipped: number
      /** The listings that could not be read. */
      failed: number
      /** The share of the work that is done. */
      percent: number
    }
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    extraction: Extraction | null
    /** Why `extraction` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An extraction was completed. */
export interface ExtractionCompletedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.completed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An extraction was completed. */
  data: {
    /** The extraction. */
    extractionId: string
    /** The portal it reads. */
    platform: string
    /** `full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early. */
    outcome: 'full' | 'partial'
    /** It stopped at `maxResults` although the portal had more listings: see `portalTotal`. */
    capped: boolean
    /** The number of listings that the portal reports for these filters; null: not known yet, or never reported. */
    portalTotal: number | null
    /** What the extraction has done so far. */
    progress: {
      /** The search pages fetched. */
      pagesFetched: number
      /** The listings found on them. */
      listingsFound: number
      /** The listings that could be read. */
      listingsRead: number
      /** The leads created. */
      leadsCreated: number
      /** The known leads updated, because their listing has changed. */
      leadsUpdated: number
      /** The listings without new information: repeated in the search, or unchanged since the last run. */
      duplicates: number
      /** The listings skipped; `skippedByReason` says why. */
      skipped: number
      /** The listings that could not be read. */
      failed: number
      /** The share of the work that is done. */
      percent: number
    }
    /** The number of skipped listings for each reason, such as `gone`. */
    skippedByReason: Record<string, number>
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    extraction: Extraction | null
    /** Why `extraction` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An extraction failed; the leads it had read are kept. */
export interface ExtractionFailedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.failed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An extraction failed; the leads it had read are kept. */
  data: {
    /** The extraction. */
    extractionId: string
    /** The portal it reads. */
    platform: string
    /** `full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early. */
    outcome: ('full' | 'partial') | null
    /** Why the extraction failed. */
    error: {
      /** Why it failed. Stable, for programs. */
      code:
        | 'BLOCKED'
        | 'LAYOUT_CHANGED'
        | 'ROBOTS_DISALLOWED'
        | 'PORTAL_UNAVAILABLE'
        | 'CREDENTIALS_INVALID'
        | 'TIMEOUT'
        | 'INTERNAL'
      /** Why it failed and what to do, for people. */
      message: string
    }
    /** What the extraction has done so far. */
    progress: {
      /** The search pages fetched. */
      pagesFetched: number
      /** The listings found on them. */
      listingsFound: number
      /** The listings that could be read. */
      listingsRead: number
      /** The leads created. */
      leadsCreated: number
      /** The known leads updated, because their listing has changed. */
      leadsUpdated: number
      /** The listings without new information: repeated in the search, or unchanged since the last run. */
      duplicates: number
      /** The listings skipped; `skippedByReason` says why. */
      skipped: number
      /** The listings that could not be read. */
      failed: number
      /** The share of the work that is done. */
      percent: number
    }
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    extraction: Extraction | null
    /** Why `extraction` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An extraction was cancelled; the leads it had read are kept. */
export interface ExtractionCancelledEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'extraction.cancelled'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An extraction was cancelled; the leads it had read are kept. */
  data: {
    /** The extraction. */
    extractionId: string
    /** The portal it reads. */
    platform: string
    /** What the extraction has done so far. */
    progress: {
      /** The search pages fetched. */
      pagesFetched: number
      /** The listings found on them. */
      listingsFound: number
      /** The listings that could be read. */
      listingsRead: number
      /** The leads created. */
      leadsCreated: number
      /** The known leads updated, because their listing has changed. */
      leadsUpdated: number
      /** The listings without new information: repeated in the search, or unchanged since the last run. */
      duplicates: number
      /** The listings skipped; `skippedByReason` says why. */
      skipped: number
      /** The listings that could not be read. */
      failed: number
      /** The share of the work that is done. */
      percent: number
    }
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    extraction: Extraction | null
    /** Why `extraction` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A property was valued. */
export interface ValuationCreatedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'valuation.created'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A property was valued. */
  data: {
    /** The valuation. */
    valuationId: string
    /** `sale`: a price to buy; `rent`: a rent per month. */
    operation: 'sale' | 'rent'
    /** The type of property. */
    propertyType: 'homes' | 'offices' | 'premises' | 'garages'
    /** `asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent. */
    priceBasis: 'asking' | 'closed'
    /** The currency, ISO 4217. */
    currency: string
    /** The estimated price in whole units of the currency; for rent, per month. */
    value: number
    /** The lower end of the range, which holds 80 % of prices. */
    low: number
    /** The upper end of the range, which holds 80 % of prices. */
    high: number
    /** The number of comparables in the estimate. */
    comparablesUsed: number
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    valuation: ValuationWithoutLinks | null
    /** Why `valuation` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

export interface ValuationWithoutLinks {
  /** The valuation. */
  id: string
  /** What you call the valuation; the title of the report. */
  name: string | null
  /** The address, for display only. */
  address: string | null
  /** `sale`: a price to buy; `rent`: a rent per month. */
  operation: 'sale' | 'rent'
  /** The type of property. */
  propertyType: 'homes' | 'offices' | 'premises' | 'garages'
  subject: ValuedProperty
  /** The area searched for comparables. */
  area: {
    /** The greatest distance of a comparable, in km; null: see `polygon`. */
    radiusKm: number | null
    /** The corners of the area, in order; null: see `radiusKm`. */
    polygon: Place[] | null
  }
  /** The id of a location of a portal, as you sent it; null: none. */
  portalLocationId: string | null
  /** The estimated value, with its range. */
  estimate: {
    /** The estimated price: the sum of the adjusted prices, each times its weight. Whole units of the currency; for rent, per month. */
    value: number
    /** The lower end of the range. Whole units of the currency; for rent, per month. */
    low: number
    /** The upper end of the range. Whole units of the currency; for rent, per month. */
    high: number
    /** The share of prices that lie between `low` and `high`, from 0 to 1. */
    coverage: number
    /** The currency of most comparables, ISO 4217. */
    currency: string
    /** `value` per m² of floor area. */
    pricePerSquareMeter: number
  }
  /** How certain the estimate is. */
  confidence: {
    /** The confidence in a word. */
    level: 'high' | 'medium' | 'low'
    /** 100 minus twice the `fsd` in percent; from 0 to 100. */
    score: number
    /** The forecast standard deviation, as a share of the value. */
    fsd: number
  }
  /** The date of the value. ISO 8601, UTC. */
  asOf: string
  /** `asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent. */
  priceBasis: 'asking' | 'closed'
  /** The number of comparables in the estimate. */
  comparablesUsed: number
  /** The number of comparables considered: at most 200, and those you chose from elsewhere. */
  comparablesConsidered: number
  /** How the value was calculated, in words. */
  method: string
  /** The id of the market model; it changes with every training. It ends in `-usual` if default prices were used, because the market has no trained model or the model was not trained on prices of this place. */
  modelVersion: string
  /**
   * The comparables that you chose; empty: the nearest are used.
   *
   * Items: The id of a comparable.
   */
  includedComparableIds: string[]
  /**
   * The comparables that you excluded.
   *
   * Items: The id of a comparable.
   */
  excludedComparableIds: string[]
  reportConfig: ReportConfig
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** A property sheet is ready. */
export interface FichaCreatedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'ficha.created'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A property sheet is ready. */
  data: {
    /** The sheet. */
    fichaId: string
    /** The lead of the listing; null: unknown. */
    leadId: string | null
    /** The portal of the listing. */
    platform: string
    /** The id of the listing on the portal. */
    listingId: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    ficha: FichaWithoutLinks | null
    /** Why `ficha` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A property sheet. */
export interface FichaWithoutLinks {
  /** The sheet. */
  id: string
  /** `generating`: the listing is being read; `ready`; `failed`: see `error`. */
  status: 'generating' | 'ready' | 'failed'
  /** The portal of the listing. */
  platform: string
  /** The URL of the listing. */
  sourceUrl: string
  /** The lead of the listing; null: none is known. */
  leadId: string | null
  property: FichaProperty | null
  privacy: FichaPrivacy
  energy: FichaEnergy
  advertising: FichaAdvertising
  agent: FichaAgent | null
  /** How the sheet looks. */
  layout: 'classic' | 'gallery' | 'compact'
  /** The language of the words, numbers and dates. */
  language: 'es' | 'ca' | 'gl' | 'eu' | 'pt' | 'it' | 'en' | 'fr' | 'de'
  branding: FichaBranding
  /** The photos of the sheet in its order, then those that it leaves out. */
  photos: FichaPhoto[]
  /** What the sheet lacks. */
  warnings: FichaWarning[]
  /** Grows with each change; 0: there is no version yet. */
  version: number
  error: FichaError | null
  /** When it was requested. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** The status of a chat account has changed; the embedded account has the reason. */
export interface AccountStatusChangedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'account.status_changed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The status of a chat account has changed; the embedded account has the reason. */
  data: {
    /** The account. */
    accountId: string
    /** The new status. */
    status: 'CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED'
    /** The status before; null: it was connected for the first time. */
    previousStatus:
      | ('CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED')
      | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    account: ChatAccountWithoutWebhook | null
    /** Why `account` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

export interface ChatAccountWithoutWebhook {
  /** The account. */
  id: string
  /** The provider, see `GET /chat-providers`. */
  provider: string
  /** How it sends, which the provider decides. `chat`: the program sends through the provider. `chat-no-api`: each message becomes a task for a person. */
  mode: 'chat' | 'chat-no-api'
  /** The channel of opt-outs and lawful bases. */
  channel: ('chat' | 'phone' | 'email') | null
  /** The name for people; not blank. */
  displayName: string
  /** The phone number, E.164; null: it has none. */
  phone: string | null
  /** The provider's id of the account. */
  externalId: string
  /** Messages are sent while it is `CONNECTED` or `DEGRADED`. `LOGGED_OUT`: the credentials are no longer valid. `RESTRICTED`, `BANNED`: the provider forbids it; a restriction may leave answers to people who have written lately, see `reason` of `health`. `DISCONNECTED`: you have disconnected it. */
  status: 'CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED'
  /** Somebody has paused it: nothing is sent. */
  isPaused: boolean
  /** Until when the provider wants no message; null: there is no such pause. ISO 8601, UTC. */
  pausedUntil: string | null
  capabilities: ChatCapabilities | null
  /** To how many people it may write today who have not written lately: the smallest of `dailyLimit`, `health.providerDailyLimit` and the budget of the warm-up; null: no limit. It is computed: change `dailyLimit` or `warmUp` instead. */
  dailyBudget: number | null
  /** To how many of them it has written today, in the time zone of the workspace. */
  usedToday: number
  /** The limit that you have set yourself, one of those of `dailyBudget`; null: none. */
  dailyLimit: number | null
  /** The warm-up of a new account; null: none. */
  warmUp: {
    /** When it began. ISO 8601, UTC. */
    startedAt: string
    /** Its budget of today; null: it is over. */
    budgetToday: number | null
  } | null
  /** The rate of sending. */
  messagesPerSecond: number
  /** What the provider says about the account. */
  health: {
    /** Messages are sent while it is `CONNECTED` or `DEGRADED`. `LOGGED_OUT`: the credentials are no longer valid. `RESTRICTED`, `BANNED`: the provider forbids it; a restriction may leave answers to people who have written lately, see `reason` of `health`. `DISCONNECTED`: you have disconnected it. */
    status: 'CONNECTED' | 'DEGRADED' | 'LOGGED_OUT' | 'RESTRICTED' | 'BANNED' | 'DISCONNECTED'
    /** What is wrong, for people; null: nothing is. */
    reason: string | null
    /** The provider's rating; null: none. */
    quality: ('high' | 'medium' | 'low') | null
    /** The provider's name of its limit, such as `TIER_1K`. */
    tier: string | null
    /** To how many people it may write first within a day, by the provider; null: no limit is known. The provider counts any 24 hours, and perhaps all numbers of a business together; the program counts days of the workspace, and each account alone. If the provider refuses a message, the account waits. */
    providerDailyLimit: number | null
    /** When the account was last checked; null: never. ISO 8601, UTC. */
    checkedAt: string | null
    /** When the status last changed. ISO 8601, UTC. */
    changedAt: string
    /** The last message failed because of the account. */
    isFailing: boolean
    /** Received bodies of the last 30 days that could not be processed, or not as a whole. Some of their messages are missing. */
    unprocessedBodies: number
  }
  /** When it was connected first. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** A message was sent. */
export interface MessageSentEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'message.sent'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A message was sent. */
  data: {
    /** The message. */
    messageId: string
    /** Its conversation. */
    conversationId: string
    /** The account. */
    accountId: string
    /** The lead that it is about; null: the conversation had none. */
    leadId: string | null
    /** The campaign that sent it; null: none. */
    campaignId: string | null
    /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
    campaignStep: number | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    message: Message | null
    /** Why `message` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The person has received a message. */
export interface MessageDeliveredEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'message.delivered'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The person has received a message. */
  data: {
    /** The message. */
    messageId: string
    /** Its conversation. */
    conversationId: string
    /** The account. */
    accountId: string
    /** The lead that it is about; null: the conversation had none. */
    leadId: string | null
    /** The campaign that sent it; null: none. */
    campaignId: string | null
    /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
    campaignStep: number | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    message: Message | null
    /** Why `message` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The person has read a message. */
export interface MessageReadEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'message.read'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The person has read a message. */
  data: {
    /** The message. */
    messageId: string
    /** Its conversation. */
    conversationId: string
    /** The account. */
    accountId: string
    /** The lead that it is about; null: the conversation had none. */
    leadId: string | null
    /** The campaign that sent it; null: none. */
    campaignId: string | null
    /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
    campaignStep: number | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    message: Message | null
    /** Why `message` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A message was not sent, or did not arrive. */
export interface MessageFailedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'message.failed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A message was not sent, or did not arrive. */
  data: {
    /** The message. */
    messageId: string
    /** Its conversation. */
    conversationId: string
    /** The account. */
    accountId: string
    /** The lead that it is about; null: the conversation had none. */
    leadId: string | null
    /** The campaign that sent it; null: none. */
    campaignId: string | null
    /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
    campaignStep: number | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    message: Message | null
    /** Why `message` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A person wrote. */
export interface MessageReceivedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'message.received'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A person wrote. */
  data: {
    /** The message. */
    messageId: string
    /** Its conversation. */
    conversationId: string
    /** The account. */
    accountId: string
    /** The lead that it is about; null: the conversation had none. */
    leadId: string | null
    /** The campaign that sent it; null: none. */
    campaignId: string | null
    /** Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it. */
    campaignStep: number | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    message: Message | null
    /** Why `message` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An appointment was booked. */
export interface AppointmentBookedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.booked'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An appointment was booked. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An appointment, without the links of the visitor. */
export interface AppointmentWithoutLinks {
  /** The appointment. It keeps it when it is rescheduled. */
  id: string
  /** `pending`: the agent has to confirm it; `confirmed`; `completed`: it has ended; `no_show`: the visitor did not come; `cancelled`. */
  status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
  /** The event type. */
  eventTypeId: string
  /** The agenda of the agent who receives the visitor. */
  agendaId: string
  /** The agent who receives the visitor. */
  agentUserId: string
  /** When it begins. ISO 8601, UTC. */
  start: string
  /** When it ends. ISO 8601, UTC. */
  end: string
  /** The time zone of the visitor, by its IANA name. */
  timezone: string
  visitor: Visitor
  /** The lead of the visitor; null: there is none. */
  leadId: string | null
  location: AppointmentLocation
  /** The answers to the questions of the event type, by the id of the question. */
  answers: Record<string, string | boolean>
  /** What the visitor wrote on the booking page, or notes of the agency, which replace it. Visitors do not see them. */
  notes: string | null
  /** The UID of the event in calendars. It never changes. */
  icalUid: string
  /** The SEQUENCE of iCalendar: grows with every new time, new agent and cancellation. */
  sequence: number
  /** Where it was booked. */
  source: 'api' | 'page'
  /** When it is cancelled if nobody confirms it; null: it is not pending. ISO 8601, UTC. */
  expiresAt: string | null
  /** Who cancelled it; null: it is not cancelled. */
  cancelledBy: ('agent' | 'visitor' | 'calendar' | 'expiry') | null
  /** Why it was cancelled; null: nobody said. */
  cancelReason: string | null
  visitorAnswer: VisitorAnswer | null
  outcome: AppointmentOutcome | null
  /** When it was booked. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** The agent confirmed an appointment. */
export interface AppointmentConfirmedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.confirmed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The agent confirmed an appointment. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An appointment was moved to another time. */
export interface AppointmentRescheduledEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.rescheduled'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An appointment was moved to another time. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** When it began before. ISO 8601, UTC. */
    previousStart: string
    /** The agenda that it had before. */
    previousAgendaId: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** Another agent receives the visitor of an appointment. */
export interface AppointmentAssignedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.assigned'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: Another agent receives the visitor of an appointment. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The agenda that it had before. */
    previousAgendaId: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An appointment was cancelled. */
export interface AppointmentCancelledEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.cancelled'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An appointment was cancelled. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** Who cancelled it; `expiry`: nobody confirmed it in time. */
    cancelledBy: 'agent' | 'visitor' | 'calendar' | 'expiry'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An appointment has ended. */
export interface AppointmentCompletedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.completed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An appointment has ended. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A visitor did not come. */
export interface AppointmentNoShowEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.no_show'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A visitor did not come. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** It was recorded what came of an appointment. */
export interface AppointmentOutcomeRecordedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.outcome_recorded'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: It was recorded what came of an appointment. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** What the visitor thinks of it. */
    result: 'interested' | 'not_interested' | 'offer' | 'undecided' | 'other'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The visitor answered the invitation to an appointment. */
export interface AppointmentAnsweredEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.answered'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The visitor answered the invitation to an appointment. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** What the visitor answered in their calendar. */
    answer: 'accepted' | 'declined' | 'tentative'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The visitor, the answers or the notes of an appointment were changed. */
export interface AppointmentUpdatedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'appointment.updated'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The visitor, the answers or the notes of an appointment were changed. */
  data: {
    /** The appointment. */
    appointmentId: string
    /** Its event type. */
    eventTypeId: string
    /** The agenda of the agent who receives the visitor. */
    agendaId: string
    /** The agent who receives the visitor. */
    agentUserId: string
    /** The lead of the visitor; null: there is none. */
    leadId: string | null
    /** Its status after the change. */
    status: 'pending' | 'confirmed' | 'cancelled' | 'completed' | 'no_show'
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    appointment: AppointmentWithoutLinks | null
    /** Why `appointment` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A calendar was connected, cannot be read any more, or can be read again. */
export interface CalendarStatusChangedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'calendar.status_changed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A calendar was connected, cannot be read any more, or can be read again. */
  data: {
    /** The calendar. */
    calendarId: string
    /** Its agenda. */
    agendaId: string
    /** The new status. */
    status: 'AUTHORIZING' | 'CONNECTED' | 'FAILING' | 'EXPIRED'
    /** The status before; null: it was connected for the first time. */
    previousStatus: ('AUTHORIZING' | 'CONNECTED' | 'FAILING' | 'EXPIRED') | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    calendar: CalendarWithoutLink | null
    /** Why `calendar` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

export interface CalendarWithoutLink {
  /** The calendar. */
  id: string
  /** The agenda whose time it is. */
  agendaId: string
  /** The provider, see `GET /scheduling/calendar-providers`. */
  provider: string
  /** The name for people. */
  name: string
  /** The provider's id of the calendar; null: it is not chosen yet. */
  externalId: string | null
  /** Its busy times block slots of the agenda. */
  blocks: boolean
  /** Appointments of the agenda are written to it. */
  receives: boolean
  /** `AUTHORIZING`: the agent has not agreed yet. `FAILING`: it cannot be read at present, and is tried again. `EXPIRED`: the provider no longer gives access; connect it again. */
  status: 'AUTHORIZING' | 'CONNECTED' | 'FAILING' | 'EXPIRED'
  /** What is wrong, for people; null: nothing is. */
  statusReason: string | null
  /** When the status last changed. ISO 8601, UTC. */
  statusChangedAt: string
  /** Its busy times were read within the last 6 hours, and access has not expired. An agenda with `failsClosed` offers no slots while one of its calendars is not fresh. */
  fresh: boolean
  /** Its busy times are known from here; null: they never were read. ISO 8601, UTC. */
  coveredFrom: string | null
  /** Its busy times are known until here; null: they never were read. ISO 8601, UTC. */
  coveredTo: string | null
  /** When it was last read; null: never. ISO 8601, UTC. */
  readAt: string | null
  /** When it is read next; null: it is not. ISO 8601, UTC. */
  nextReadAt: string | null
  /** Failed reads since the last one that succeeded. */
  failures: number
  /** Events that block, within the covered time. */
  eventCount: number
  /** What could not be read of it. */
  warnings: {
    /** A stable code, such as `UNKNOWN_TIME_ZONE`. */
    code: string
    /** What it means, for people. */
    message: string
    /** How often. */
    count: number
  }[]
  /** When it was connected. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** A campaign was started, or resumed after a pause. */
export interface CampaignStartedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'campaign.started'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A campaign was started, or resumed after a pause. */
  data: {
    /** The campaign. */
    campaignId: string
    /** `draft`: not started; `running`: it reads its source and sends; `paused`: nothing happens, and nothing is lost; `completed`: it has ended. */
    status: 'draft' | 'running' | 'paused' | 'completed'
    /** The status before. */
    previousStatus: 'draft' | 'running' | 'paused' | 'completed'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    campaign: Campaign | null
    /** Why `campaign` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A campaign was paused; the embedded campaign has the reason. */
export interface CampaignPausedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'campaign.paused'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A campaign was paused; the embedded campaign has the reason. */
  data: {
    /** The campaign. */
    campaignId: string
    /** `draft`: not started; `running`: it reads its source and sends; `paused`: nothing happens, and nothing is lost; `completed`: it has ended. */
    status: 'draft' | 'running' | 'paused' | 'completed'
    /** The status before. */
    previousStatus: 'draft' | 'running' | 'paused' | 'completed'
    /** Why the program paused it; null: a user paused it. */
    reason: ('ACCOUNT_NOT_CONNECTED' | 'HIGH_FAILURE_RATE' | 'HIGH_OPT_OUT_RATE' | 'HIGH_BLOCK_RATE') | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    campaign: Campaign | null
    /** Why `campaign` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A campaign has ended: its source can bring no more, or its end date has passed. */
export interface CampaignCompletedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'campaign.completed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A campaign has ended: its source can bring no more, or its end date has passed. */
  data: {
    /** The campaign. */
    campaignId: string
    /** `draft`: not started; `running`: it reads its source and sends; `paused`: nothing happens, and nothing is lost; `completed`: it has ended. */
    status: 'draft' | 'running' | 'paused' | 'completed'
    /** The status before. */
    previousStatus: 'draft' | 'running' | 'paused' | 'completed'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    campaign: Campaign | null
    /** Why `campaign` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A run of a saved search has found listings that are new, cheaper or gone. */
export interface CampaignSearchChangedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'campaign.search_changed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A run of a saved search has found listings that are new, cheaper or gone. */
  data: {
    /** The campaign. */
    campaignId: string
    /** The run. */
    runId: string
    /** The portal. */
    platform: string
    /** New listings. A type that `settings.notifications.changes` leaves out counts 0. */
    new: number
    /** Listings whose price fell. */
    cheaper: number
    /** Listings that are gone. */
    gone: number
    /** The changes, at most 40. `GET /campaigns/{id}/changes?runId=…` lists all. */
    changes: {
      /** The change. */
      id: string
      /** `new`: the search shows it for the first time, or again; `cheaper`; `gone`. */
      type: 'new' | 'cheaper' | 'gone'
      /** The lead of the listing. */
      leadId: string
      /** A new listing that was gone before. */
      isReturned: boolean
      /** Why it is gone. `LISTING_WITHDRAWN`: the portal has withdrawn it; `NOT_IN_SEARCH`: the whole search was read and does not show it, for example because its price rose above the filter. Null: it is not gone. */
      reason: ('LISTING_WITHDRAWN' | 'NOT_IN_SEARCH') | null
      /** The price now, or the last one of a listing that is gone; null: not known. */
      price: number | null
      /** The price that the run before has seen; null: the listing is new, or not known. */
      previousPrice: number | null
      /** The change of the price in percent, to one decimal: -5.1 is cheaper. Null: not known. */
      changePercent: number | null
      /** The currency, ISO 4217; null: not known. */
      currency: string | null
    }[]
  }
}

/** A person has to answer instead of the AI. */
export interface ConversationHandedOffEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'conversation.handed_off'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A person has to answer instead of the AI. */
  data: {
    /** The conversation. */
    conversationId: string
    /** The lead that it is about; null: it has none. */
    leadId: string | null
    /** The campaign whose AI answers. */
    campaignId: string
    /** The kind of reason, as `handOff.code`. */
    code:
      | 'WANTS_PERSON'
      | 'INSTRUCTIONS'
      | 'OFF_TOPIC'
      | 'UNREADABLE'
      | 'TURN_LIMIT'
      | 'NOT_SURE'
      | 'REFUSED_ANSWER'
      | 'AI_UNAVAILABLE'
      | 'NOT_SENDABLE'
      | 'BY_USER'
    /** Why, for people. */
    reason: string
  }
}

/** The AI has written a draft that somebody may send. */
export interface AiReplyDraftedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'ai_reply.drafted'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The AI has written a draft that somebody may send. */
  data: {
    /** The draft. */
    replyId: string
    /** The conversation. */
    conversationId: string
    /** The lead that it is about; null: it has none. */
    leadId: string | null
    /** The campaign whose AI answers. */
    campaignId: string
  }
}

/** A page at an ad network was connected, cannot be read any more, or can be read again. */
export interface AdConnectionStatusChangedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'ad_connection.status_changed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A page at an ad network was connected, cannot be read any more, or can be read again. */
  data: {
    /** The connection. */
    connectionId: string
    /** The new status. */
    status: 'CONNECTED' | 'FAILING' | 'EXPIRED'
    /** The status before; null: it was connected. */
    previousStatus: ('CONNECTED' | 'FAILING' | 'EXPIRED') | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    adConnection: AdConnectionWithoutWebhook | null
    /** Why `adConnection` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

export interface AdConnectionWithoutWebhook {
  /** The connection. */
  id: string
  /** The ad network, see `GET /ads/networks`. */
  network: string
  /** The name for people. */
  name: string
  /** The network's id of the page whose ads have the forms. */
  pageId: string
  /** The name of the page at the network. */
  pageName: string
  /** `FAILING`: the network does not answer, or lacks a permission; it is tried again. `EXPIRED`: it no longer accepts the credentials; send new ones. The leads that wait are then read. */
  status: 'CONNECTED' | 'FAILING' | 'EXPIRED'
  /** What is wrong and what to do, for people; null: nothing is. */
  statusReason: string | null
  /** When the status last changed. ISO 8601, UTC. */
  statusChangedAt: string
  /** Leads that were submitted before are left out. ISO 8601, UTC. */
  since: string
  /** When the network last answered. ISO 8601, UTC. */
  checkedAt: string
  /** When its leads are listed next, in case a webhook was lost. ISO 8601, UTC. */
  nextSweepAt: string
  /** Forms that people have submitted, of about the last 100 days. */
  leads: {
    /** Still to be read. */
    waiting: number
    /** They are leads. */
    taken: number
    /** They become no leads, such as tests of the network. */
    skipped: number
    /** They could not be read. */
    failed: number
  }
  /** When it was connected. ISO 8601, UTC. */
  createdAt: string
  /** When it last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** A batch of leads was imported or extracted. */
export interface LeadsImportedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'leads.imported'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A batch of leads was imported or extracted. */
  data: {
    /** The extraction that found them; null: they were imported. */
    extractionId: string | null
    /** The import that brought them; null: they were extracted. */
    importId: string | null
    /** The portal they were found on; null: they were imported. */
    platform: string | null
    /** The number of new leads in the whole batch. */
    created: number
    /** The number of existing leads that have changed, in the whole batch. */
    updated: number
    /** The new and changed leads, at most 450 in an event. */
    leadIds: string[]
    /** The number of this part of the batch, from 1. */
    part: number
    /** The number of events for the whole batch. */
    parts: number
  }
}

/** A single lead was created; leads from extractions and imports are in leads.imported. */
export interface LeadCreatedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.created'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A single lead was created; leads from extractions and imports are in leads.imported. */
  data: {
    /** The lead. */
    leadId: string
    /** `api`: a request created it; `inbound`: the person wrote; `booking`: booked; `widget` or `social_ads`: filled in a form; `merge`: an undone merge brought it back. */
    platform: string
    /** The key of the request; null: a user of the dashboard (see `userId`) or the service itself did it. */
    keyId: string | null
    /** The user who created that key, or the user of the dashboard; null: none is known. */
    userId: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A lead was changed by a person, a program or an import. */
export interface LeadUpdatedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.updated'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A lead was changed by a person, a program or an import. */
  data: {
    /** The lead. */
    leadId: string
    /** Why it changed. `contacted`: the first message was sent to the person; `booked`: the person booked an appointment; `form_received`: the person filled in a form; `merged`: another lead was merged into it; `unmerged`: that merge was undone; `marked_distinct`: it and another lead are different properties; `import_undone`: the changes of an import were undone. */
    cause:
      | 'edited'
      | 'contacted'
      | 'booked'
      | 'form_received'
      | 'note_added'
      | 'note_changed'
      | 'note_deleted'
      | 'merged'
      | 'unmerged'
      | 'marked_distinct'
      | 'imported'
      | 'import_undone'
    /** The fields that have changed. */
    changes: {
      /** The path of the field, such as `status` or `contact.phone`. */
      field: string
      /** The former value. */
      before: Record<string, unknown>
      /** The new value. */
      after: Record<string, unknown>
    }[]
    /** The other lead of a merge, of an undone merge or of `marked_distinct`; null: there is none. */
    otherLeadId: string | null
    /** The merge, with which it can be undone; null: there is none. */
    mergeId: string | null
    /** The note that was added, changed or deleted; null: none was. */
    noteId: string | null
    /** The import that changed it or was undone; null: none did. */
    importId: string | null
    /** The key of the request; null: a user of the dashboard (see `userId`) or the service itself did it. */
    keyId: string | null
    /** The user who created that key, or the user of the dashboard; null: none is known. */
    userId: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The price in the listing of a lead has changed. */
export interface LeadPriceChangedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.price_changed'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The price in the listing of a lead has changed. */
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the listing. */
    platform: string
    /** The id that the portal gives the listing. */
    listingId: string
    /** The extraction that found the change; null: none did. */
    extractionId: string | null
    /** The former price, in major units of the currency. */
    previousPrice: number
    /** The new price, in major units of the currency. */
    price: number
    /** The currency, ISO 4217; null: unknown. */
    currency: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** No portal has a listing of the lead any more. */
export interface LeadWithdrawnEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.withdrawn'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: No portal has a listing of the lead any more. */
  data: {
    /** The lead. */
    leadId: string
    /** The portal of the listing. */
    platform: string
    /** The id that the portal gives the listing. */
    listingId: string
    /** The extraction that found the change; null: none did. */
    extractionId: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The person of a lead wrote first, or answered a message. */
export interface LeadRepliedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.replied'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The person of a lead wrote first, or answered a message. */
  data: {
    /** The lead. */
    leadId: string
    /** The conversation. */
    conversationId: string
    /** What the person wrote. */
    messageId: string
    /** The account that received it. */
    accountId: string
    /** The channel of the account. */
    channel: 'chat' | 'phone' | 'email'
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** The person of a lead opted out of being contacted. */
export interface LeadOptedOutEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.opted_out'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: The person of a lead opted out of being contacted. */
  data: {
    /** The lead. */
    leadId: string
    /** The channel that the person refuses; null: every channel. */
    channel: ('chat' | 'phone' | 'email') | null
    /** The key of the request; null: a user of the dashboard (see `userId`) or the service itself did it. */
    keyId: string | null
    /** The user who created that key, or the user of the dashboard; null: none is known. */
    userId: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** An opt-out was taken back, because the person of a lead asked for messages again. */
export interface LeadOptedInEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.opted_in'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: An opt-out was taken back, because the person of a lead asked for messages again. */
  data: {
    /** The lead. */
    leadId: string
    /** The channel that the person accepts again. */
    channel: 'chat' | 'phone' | 'email'
    /** The key of the request; null: a user of the dashboard (see `userId`) or the service itself did it. */
    keyId: string | null
    /** The user who created that key, or the user of the dashboard; null: none is known. */
    userId: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    lead: Lead | null
    /** Why `lead` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

/** A lead was deleted. */
export interface LeadDeletedEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'lead.deleted'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A lead was deleted. */
  data: {
    /** The deleted lead. */
    leadId: string
    /** The external id of the deleted lead, which is free again; null: the lead had none, or the lead that it was merged into has it now. Cleared after 31 days. Also null if the person was erased and the id contains their name, phone number or e-mail address. */
    externalId: string | null
    /** The lead that it was merged into; null: it was not merged. */
    mergedIntoLeadId: string | null
  }
}

/** A subscription was disabled because its receiver is gone or has failed for five days. */
export interface WebhookDisabledEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'webhook.disabled'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A subscription was disabled because its receiver is gone or has failed for five days. */
  data: {
    /** The subscription. */
    subscriptionId: string
    /** `gone`: the receiver replied 410; `failures`: every attempt failed for five days. */
    cause: 'gone' | 'failures'
    /** When the first attempt failed; null: the receiver replied 410 at once. ISO 8601, UTC. */
    failingSince: string | null
    /** The current object, read when the message is sent or listed. It is never older than the event. */
    subscription: SubscriptionWithoutUrl | null
    /** Why `subscription` is null. `gone`: it no longer exists. `too_large`: it is larger than 16 KiB; retrieve it by its id. */
    objectOmitted: ('gone' | 'too_large') | null
  }
}

export interface SubscriptionWithoutUrl {
  /** The subscription. */
  id: string
  /** The types of events to send; `*`: all types. */
  events: string[]
  /** Your note on the purpose of the subscription; null: none. */
  description: string | null
  /** The names of the additional headers, in alphabetical order. */
  headerNames: string[]
  /** A disabled subscription receives nothing. */
  status: 'enabled' | 'disabled'
  /** Why Aldaba disabled it, as text; null: it is enabled, or a user disabled it. */
  disabledReason: string | null
  /** When it was disabled; null: it is enabled. ISO 8601, UTC. */
  disabledAt: string | null
  /** Since when every attempt has failed; null: the last attempt succeeded. ISO 8601, UTC. */
  failingSince: string | null
  /** Until when the receiver requested a pause with Retry-After; null: it requested none. ISO 8601, UTC. */
  pausedUntil: string | null
  /** When it was created. ISO 8601, UTC. */
  createdAt: string
  /** When it was last changed. ISO 8601, UTC. */
  updatedAt: string
}

/** A user tested a subscription; sent only to that subscription, even if its `events` do not include it. */
export interface WebhookTestEvent {
  /** The id of the event; the same in every attempt. */
  id: string
  /** The kind of event. */
  type: 'webhook.test'
  /** When it happened. */
  timestamp: string
  /** The environment in which it happened. */
  environment: 'live' | 'test'
  /** The workspace in which it happened. */
  workspaceId: string
  /** The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event. */
  sequence: number
  /** What happened: A user tested a subscription; sent only to that subscription, even if its `events` do not include it. */
  data: {
    /** The subscription. */
    subscriptionId: string
  }
}

/** The error of a request that was rejected or failed. */
export interface Problem {
  /** The HTTP status of the reply. */
  statusCode: number
  /** The kind of error. Stable, for programs. */
  code: string
  /** What is wrong and what to do, for people. */
  message: string
  /** The id of the request. Quote it when you ask for help. */
  requestId: string
  /** Why the person may not be contacted. Only on `NOT_CONTACTABLE`. */
  reason?:
    | 'ERASED'
    | 'OPTED_OUT'
    | 'SUPPRESSED'
    | 'MARKETING_REFUSED'
    | 'NO_AGENCIES'
    | 'RETENTION_EXPIRED'
    | 'DISCARDED'
    | 'NO_LAWFUL_BASIS'
    | 'BASIS_EXPIRED'
    | 'BASIS_NOT_PROVEN'
    | 'CHANNEL_NOT_COVERED'
    | 'NO_CHANNEL'
  /** The existing account. Only on `ACCOUNT_EXISTS`. */
  accountId?: string
  /** Free slots near the requested time, at most 5, the nearest first. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`. */
  nearestSlots?: {
    /** When it begins. ISO 8601, UTC. */
    start: string
    /** When it ends. ISO 8601, UTC. */
    end: string
  }[]
  /** Why the time is not offered. `NOTICE`: too soon; `HORIZON`: too far ahead; `CLOSED`: a holiday or a day without hours; `NOT_A_SLOT_START`: slots begin at other times; `NO_AGENDA`: no agent goes there, or none has access to the workspace any more; `TRAVEL`: the way is too long; `CALENDAR_STALE`: a calendar of an agenda that fails closed was not read, and the message says since when. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`. */
  slotReason?:
    | 'NOTICE'
    | 'HORIZON'
    | 'CLOSED'
    | 'OUTSIDE_HOURS'
    | 'NOT_A_SLOT_START'
    | 'NO_AGENDA'
    | 'DAILY_LIMIT'
    | 'TRAVEL'
    | 'BUSY'
    | 'JOIN_OPEN_SLOT'
    | 'NO_SEATS'
    | 'CALENDAR_STALE'
  /** The statuses that may be requested now. On `INVALID_TRANSITION` of a campaign. */
  allowedStatuses?: ('draft' | 'running' | 'paused' | 'completed')[]
  /** How many steps recipients have behind them. On `STEPS_IN_USE`. */
  position?: number
  /** Everything that the campaign lacks. On `CAMPAIGN_NOT_READY`. */
  missing?: {
    /** What is missing. Stable, for programs. */
    code: string
    /** A JSON pointer into the campaign. */
    path: string
    /** What to do, for people. */
    message: string
  }[]
  /** The existing connection. Only on `AD_PAGE_EXISTS`. */
  connectionId?: string
  /** The existing lead. Only on `LEAD_EXISTS`. */
  existingLeadId?: string
  /** The lead that the requested one was merged into. Only on `NOT_FOUND`. */
  mergedIntoLeadId?: string
  /** The errors of the input, at most 100. Present only if the input is invalid. */
  errors?: {
    /** A JSON pointer into the body, or `/name` of a parameter. */
    path: string
    /** The kind of error. Stable, for programs. */
    code: string
    /** What is wrong with this value, for people. */
    message: string
  }[]
  /** The number of further errors that `errors` does not list. At most 1,000 errors of the body and 1,000 of the parameters are counted. */
  moreErrors?: number
}

/** Every path begins with it, after the base URL. */
export const apiPrefix = '/public/v1'

/** Method and path of each operation. */
export const operations = {
  getMe: { method: 'GET', path: '/me' },
  listUsers: { method: 'GET', path: '/users' },
  listPlatforms: { method: 'GET', path: '/platforms' },
  getPlatformFilters: { method: 'GET', path: '/platforms/{platform}/filters' },
  searchPlatformLocations: { method: 'GET', path: '/platforms/{platform}/locations' },
  validatePlatformFilters: { method: 'POST', path: '/platforms/{platform}/validate' },
  startExtraction: { method: 'POST', path: '/extractions' },
  listExtractions: { method: 'GET', path: '/extractions' },
  getExtraction: { method: 'GET', path: '/extractions/{id}' },
  watchExtraction: { method: 'GET', path: '/extractions/{id}/events' },
  cancelExtraction: { method: 'POST', path: '/extractions/{id}/cancel' },
  listExtractionLeads: { method: 'GET', path: '/extractions/{id}/leads' },
  retryExtraction: { method: 'POST', path: '/extractions/{id}/retry' },
  importLeads: { method: 'POST', path: '/leads/imports' },
  listImports: { method: 'GET', path: '/leads/imports' },
  getImport: { method: 'GET', path: '/leads/imports/{id}' },
  deleteImport: { method: 'DELETE', path: '/leads/imports/{id}' },
  watchImport: { method: 'GET', path: '/leads/imports/{id}/events' },
  cancelImport: { method: 'POST', path: '/leads/imports/{id}/cancel' },
  listImportRows: { method: 'GET', path: '/leads/imports/{id}/rows' },
  startImport: { method: 'POST', path: '/leads/imports/{id}/start' },
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
  generateFicha: { method: 'POST', path: '/fichas/generate' },
  listFichas: { method: 'GET', path: '/fichas' },
  getFicha: { method: 'GET', path: '/fichas/{id}' },
  updateFicha: { method: 'PATCH', path: '/fichas/{id}', matchesETag: true },
  deleteFicha: { method: 'DELETE', path: '/fichas/{id}', matchesETag: true },
  listFichaVersions: { method: 'GET', path: '/fichas/{id}/versions' },
  getFichaSheet: { method: 'GET', path: '/fichas/{id}/sheet' },
  getFichaPdf: { method: 'GET', path: '/fichas/{id}/sheet.pdf' },
  getFichaQr: { method: 'GET', path: '/fichas/{id}/qr.svg' },
  shareFicha: { method: 'POST', path: '/fichas/{id}/share' },
  revokeFichaShare: { method: 'DELETE', path: '/fichas/{id}/share' },
  getFichaPhoto: { method: 'GET', path: '/fichas/{id}/photos/{photo}' },
  listChatProviders: { method: 'GET', path: '/chat-providers' },
  createAccount: { method: 'POST', path: '/accounts' },
  listAccounts: { method: 'GET', path: '/accounts' },
  getAccount: { method: 'GET', path: '/accounts/{id}' },
  updateAccount: { method: 'PATCH', path: '/accounts/{id}' },
  disconnectAccount: { method: 'DELETE', path: '/accounts/{id}' },
  testAccount: { method: 'POST', path: '/accounts/{id}/test' },
  createTemplate: { method: 'POST', path: '/templates' },
  listTemplates: { method: 'GET', path: '/templates' },
  listTemplateVariables: { method: 'GET', path: '/templates/variables' },
  getTemplate: { method: 'GET', path: '/templates/{id}' },
  updateTemplate: { method: 'PATCH', path: '/templates/{id}' },
  deleteTemplate: { method: 'DELETE', path: '/templates/{id}' },
  listTemplateVersions: { method: 'GET', path: '/templates/{id}/versions' },
  previewTemplate: { method: 'POST', path: '/templates/{id}/preview' },
  submitTemplate: { method: 'POST', path: '/templates/{id}/submit' },
  syncTemplates: { method: 'POST', path: '/templates/sync' },
  openConversation: { method: 'POST', path: '/conversations' },
  listConversations: { method: 'GET', path: '/conversations' },
  listConversationLabels: { method: 'GET', path: '/conversations/labels' },
  getConversation: { method: 'GET', path: '/conversations/{id}' },
  updateConversation: { method: 'PATCH', path: '/conversations/{id}' },
  showTyping: { method: 'POST', path: '/conversations/{id}/typing' },
  listMessages: { method: 'GET', path: '/conversations/{id}/messages' },
  sendMessage: { method: 'POST', path: '/conversations/{id}/messages' },
  listUnsentMessages: { method: 'GET', path: '/messages' },
  getMessage: { method: 'GET', path: '/messages/{id}' },
  withdrawMessage: { method: 'DELETE', path: '/messages/{id}' },
  retryMessage: { method: 'POST', path: '/messages/{id}/retry' },
  watchConversations: { method: 'GET', path: '/conversations/stream' },
  listMessageTasks: { method: 'GET', path: '/messaging/tasks' },
  updateMessageTask: { method: 'PATCH', path: '/messaging/tasks/{id}' },
  openMessageTask: { method: 'POST', path: '/messaging/tasks/{id}/open' },
  uploadMedia: { method: 'POST', path: '/media' },
  getMedia: { method: 'GET', path: '/media/{id}' },
  getMediaPreview: { method: 'GET', path: '/media/{id}/preview' },
  listQuickReplies: { method: 'GET', path: '/quick-replies' },
  createQuickReply: { method: 'POST', path: '/quick-replies' },
  updateQuickReply: { method: 'PATCH', path: '/quick-replies/{id}' },
  deleteQuickReply: { method: 'DELETE', path: '/quick-replies/{id}' },
  optIn: { method: 'POST', path: '/messages/{id}/opt-in' },
  createSchedulingEventType: { method: 'POST', path: '/scheduling/event-types' },
  listSchedulingEventTypes: { method: 'GET', path: '/scheduling/event-types' },
  getSchedulingEventType: { method: 'GET', path: '/scheduling/event-types/{id}' },
  updateSchedulingEventType: { method: 'PATCH', path: '/scheduling/event-types/{id}' },
  deleteSchedulingEventType: { method: 'DELETE', path: '/scheduling/event-types/{id}' },
  copySchedulingEventType: { method: 'POST', path: '/scheduling/event-types/{id}/copy' },
  shareBookingPage: { method: 'POST', path: '/scheduling/event-types/{id}/share' },
  revokeBookingPage: { method: 'DELETE', path: '/scheduling/event-types/{id}/share' },
  createAgenda: { method: 'POST', path: '/scheduling/agendas' },
  listAgendas: { method: 'GET', path: '/scheduling/agendas' },
  getAgenda: { method: 'GET', path: '/scheduling/agendas/{id}' },
  updateAgenda: { method: 'PATCH', path: '/scheduling/agendas/{id}' },
  deleteAgenda: { method: 'DELETE', path: '/scheduling/agendas/{id}' },
  getDayRoute: { method: 'GET', path: '/scheduling/agendas/{id}/route' },
  listSlots: { method: 'GET', path: '/scheduling/event-types/{id}/slots' },
  createHold: { method: 'POST', path: '/scheduling/event-types/{id}/holds' },
  deleteHold: { method: 'DELETE', path: '/scheduling/holds/{id}' },
  bookAppointment: { method: 'POST', path: '/scheduling/appointments' },
  listAppointments: { method: 'GET', path: '/scheduling/appointments' },
  getAppointment: { method: 'GET', path: '/scheduling/appointments/{id}' },
  updateAppointment: { method: 'PATCH', path: '/scheduling/appointments/{id}' },
  confirmAppointment: { method: 'POST', path: '/scheduling/appointments/{id}/confirm' },
  rescheduleAppointment: { method: 'POST', path: '/scheduling/appointments/{id}/reschedule' },
  assignAppointment: { method: 'POST', path: '/scheduling/appointments/{id}/assign' },
  cancelAppointment: { method: 'POST', path: '/scheduling/appointments/{id}/cancel' },
  recordNoShow: { method: 'POST', path: '/scheduling/appointments/{id}/no-show' },
  recordOutcome: { method: 'POST', path: '/scheduling/appointments/{id}/outcome' },
  listAppointmentNotices: { method: 'GET', path: '/scheduling/appointments/{id}/notices' },
  downloadInvitation: { method: 'GET', path: '/scheduling/appointments/{id}/invitation.ics' },
  listCalendarProviders: { method: 'GET', path: '/scheduling/calendar-providers' },
  createCalendar: { method: 'POST', path: '/scheduling/calendars' },
  listCalendars: { method: 'GET', path: '/scheduling/calendars' },
  getCalendar: { method: 'GET', path: '/scheduling/calendars/{id}' },
  updateCalendar: { method: 'PATCH', path: '/scheduling/calendars/{id}' },
  deleteCalendar: { method: 'DELETE', path: '/scheduling/calendars/{id}' },
  listExternalCalendars: { method: 'GET', path: '/scheduling/calendars/{id}/external' },
  readCalendar: { method: 'POST', path: '/scheduling/calendars/{id}/read' },
  authorizeCalendar: { method: 'POST', path: '/scheduling/calendars/{id}/authorize' },
  createAgendaFeed: { method: 'POST', path: '/scheduling/agendas/{id}/feed' },
  revokeAgendaFeed: { method: 'DELETE', path: '/scheduling/agendas/{id}/feed' },
  createCampaign: { method: 'POST', path: '/campaigns' },
  listCampaigns: { method: 'GET', path: '/campaigns' },
  getCampaign: { method: 'GET', path: '/campaigns/{id}' },
  updateCampaign: { method: 'PATCH', path: '/campaigns/{id}', matchesETag: true },
  deleteCampaign: { method: 'DELETE', path: '/campaigns/{id}', matchesETag: true },
  changeCampaignStatus: { method: 'PATCH', path: '/campaigns/{id}/status', matchesETag: true },
  listCampaignRecipients: { method: 'GET', path: '/campaigns/{id}/recipients' },
  addCampaignRecipients: { method: 'POST', path: '/campaigns/{id}/recipients' },
  retryCampaignRecipients: { method: 'POST', path: '/campaigns/{id}/recipients/retry' },
  removeCampaignRecipient: { method: 'DELETE', path: '/campaigns/{id}/recipients/{recipientId}' },
  exportCampaignRecipients: { method: 'GET', path: '/campaigns/{id}/recipients/export' },
  listCampaignRuns: { method: 'GET', path: '/campaigns/{id}/runs' },
  listPendingUrls: { method: 'GET', path: '/campaigns/{id}/runs/{runId}/pending-urls' },
  listCampaignChanges: { method: 'GET', path: '/campaigns/{id}/changes' },
  listCampaignDigests: { method: 'GET', path: '/campaigns/{id}/digests' },
  getCampaignDigest: { method: 'GET', path: '/campaigns/{id}/digests/{digestId}' },
  getWidget: { method: 'GET', path: '/campaigns/{id}/widget' },
  configureWidget: { method: 'PUT', path: '/campaigns/{id}/widget' },
  replaceWidgetKey: { method: 'POST', path: '/campaigns/{id}/widget/key' },
  revokeWidgetKey: { method: 'DELETE', path: '/campaigns/{id}/widget/key' },
  getCampaignNumbers: { method: 'GET', path: '/campaigns/{id}/numbers' },
  listAiReplies: { method: 'GET', path: '/ai-replies' },
  getAiReply: { method: 'GET', path: '/ai-replies/{id}' },
  discardAiReply: { method: 'DELETE', path: '/ai-replies/{id}' },
  sendAiReply: { method: 'POST', path: '/ai-replies/{id}/send' },
  getConversationAi: { method: 'GET', path: '/conversations/{id}/ai' },
  updateConversationAi: { method: 'PATCH', path: '/conversations/{id}/ai' },
  previewCampaign: { method: 'POST', path: '/campaigns/{id}/preview' },
  listAdNetworks: { method: 'GET', path: '/ads/networks' },
  createAdConnection: { method: 'POST', path: '/ads/connections' },
  listAdConnections: { method: 'GET', path: '/ads/connections' },
  getAdConnection: { method: 'GET', path: '/ads/connections/{id}' },
  updateAdConnection: { method: 'PATCH', path: '/ads/connections/{id}' },
  deleteAdConnection: { method: 'DELETE', path: '/ads/connections/{id}' },
  testAdConnection: { method: 'POST', path: '/ads/connections/{id}/test' },
  listLeadForms: { method: 'GET', path: '/ads/connections/{id}/forms' },
  updateLeadForm: { method: 'PATCH', path: '/ads/connections/{id}/forms/{formId}' },
  listAdLeads: { method: 'GET', path: '/ads/connections/{id}/leads' },
  retryAdLeads: { method: 'POST', path: '/ads/connections/{id}/leads/retry' },
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
  getLeadOperation: { method: 'GET', path: '/leads/operations/{id}' },
  watchLeadOperation: { method: 'GET', path: '/leads/operations/{id}/events' },
  cancelLeadOperation: { method: 'POST', path: '/leads/operations/{id}/cancel' },
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
  createSubscription: { method: 'POST', path: '/webhooks' },
  listSubscriptions: { method: 'GET', path: '/webhooks' },
  listEventTypes: { method: 'GET', path: '/webhooks/event-types' },
  getSubscription: { method: 'GET', path: '/webhooks/{id}' },
  updateSubscription: { method: 'PATCH', path: '/webhooks/{id}' },
  deleteSubscription: { method: 'DELETE', path: '/webhooks/{id}' },
  rotateSubscriptionSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  testSubscription: { method: 'POST', path: '/webhooks/{id}/test' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries' },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/{id}/deliveries/{deliveryId}' },
  resendWebhookDelivery: { method: 'POST', path: '/webhooks/{id}/deliveries/{deliveryId}/resend' },
  recoverDeliveries: { method: 'POST', path: '/webhooks/{id}/recover' },
  getSubscriptionStats: { method: 'GET', path: '/webhooks/{id}/stats' },
  listEvents: { method: 'GET', path: '/events' },
  getSandboxClock: { method: 'GET', path: '/sandbox/clock' },
  moveSandboxClock: { method: 'POST', path: '/sandbox/clock' },
  changeSandboxListing: { method: 'POST', path: '/sandbox/listings/{listingId}' },
  sendSandboxMessage: { method: 'POST', path: '/sandbox/messages' },
  listSandboxMessages: { method: 'GET', path: '/sandbox/messages' },
  createSandboxPhone: { method: 'POST', path: '/sandbox/phones' },
  submitSandboxLeadForm: { method: 'POST', path: '/sandbox/ad-leads' },
} as const satisfies Record<keyof Operations, { method: string; path: string; matchesETag?: true }>
