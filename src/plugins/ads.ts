/**
 * The contract of an ad network whose ads have forms: what connects a page, verifies and reads its webhooks, and reads forms
 * and leads. `check-ads` holds every implementation to it. Networks keep no state: connections and leads belong to features.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject } from 'typebox'
import type { NamedLeadField } from '../domain/table/lead-fields.ts'
import type { HttpClient } from '../kit/http/client.ts'

export interface AdNetwork<Credentials extends TObject = TObject> {
  /** Lower-case identifier in bodies, such as `meta`. */
  id: string
  /** The name for people. */
  label: string
  /** The network's own base URL, without a trailing slash. The operator may configure another. */
  baseUrl: string
  /** Schema of what connecting requires. Every field is encrypted and never returned. */
  credentials: Credentials
  /** How long the network keeps leads. */
  keptDays: number
  /** Verifies the credentials, and that the program may read leads. Lets the network send webhooks. Throws AdError. */
  connect(credentials: Static<Credentials>, context: AdContext): Promise<AdPage>
  /** The network sends no more webhooks for this page. Throws AdError. */
  disconnect(credentials: Static<Credentials>, context: AdContext): Promise<void>
  /** Lists the forms of the page, at most 500. Throws AdError. */
  listForms(credentials: Static<Credentials>, context: AdContext): Promise<AdForm[]>
  /** Reads a lead. Throws AdError. */
  readLead(
    credentials: Static<Credentials>,
    lead: Pick<AdNotice, 'leadId' | 'content'>,
    context: AdContext,
  ): Promise<AdLead>
  /**
   * Lists leads of a form that were submitted at `since` or later, in pages. `cursor`: that of the page before; null: the
   * first one. Throws AdError.
   */
  listLeads(
    credentials: Static<Credentials>,
    options: { formId: string; since: Temporal.Instant; cursor: string | null },
    context: AdContext,
  ): Promise<AdLeadPage>
  webhook: AdWebhook<Static<Credentials>>
}

export interface AdWebhook<Credentials> {
  /** Answers the network's verification of the webhook address; null: the token is not ours. */
  challenge(query: URLSearchParams, verifyToken: string): string | null
  /** True if the network sent exactly this body. Never throws. */
  verify(
    request: { headers: IncomingHttpHeaders; body: Buffer },
    options: { credentials: Credentials },
  ): boolean
  /** The leads that a body is about, at most 2,000; null: the body can't be read. Never throws. */
  parse(body: Buffer): AdNotice[] | null
}

/** A webhook's message that somebody has submitted a form. */
export interface AdNotice {
  pageId: string
  formId: string
  leadId: string
  /** What `readLead` needs besides the id, such as the lead itself; null: nothing. */
  content: string | null
}

/** The services that a network may use. It opens no other connections. */
export interface AdContext {
  /** For the network's own address, which the operator configures. */
  http: HttpClient
  /** The base URL of the network: its own, or one that the operator configured. Without a trailing slash. */
  baseUrl: string
  signal: AbortSignal
}

/** What the ads belong to. */
export interface AdPage {
  id: string
  name: string
}

export interface AdForm {
  id: string
  name: string
  /** False: nobody can submit it any more. */
  isActive: boolean
  /** As the network writes it, such as `es_ES`; null: unknown. */
  locale: string | null
  questions: AdQuestion[]
  /** Null: the form has no consent text of the advertiser's own. */
  consent: AdConsentText | null
}

export interface AdQuestion {
  /** The name of its answer. */
  key: string
  /** As people read it. */
  label: string
  /** What the network itself requests, such as the phone; null: a question of the advertiser. */
  field: NamedLeadField | null
}

/** The advertiser's text beside the form, with boxes to tick. */
export interface AdConsentText {
  title: string | null
  text: string | null
  boxes: AdBox[]
}

export interface AdBox {
  key: string
  text: string
  isRequired: boolean
  /** It is ticked before the person touches it, which is no consent (recital 32 GDPR). */
  isTickedBefore: boolean
}

export interface AdLead {
  id: string
  formId: string
  submittedAt: Temporal.Instant
  /** At most 100, with at most 5,000 characters each. Several values of one question are joined by commas. */
  answers: { name: string; value: string }[]
  /** The boxes of the consent text, as the person left them. */
  boxes: { key: string; isTicked: boolean }[]
  ad: { id: string | null; name: string | null; campaignId: string | null; campaignName: string | null }
  /** The network made it up, to test the connection. */
  isTest: boolean
}

export interface AdLeadPage {
  leads: AdLead[]
  /** Null: it is the last page. */
  cursor: string | null
}

export const adErrorCodes = [
  'INVALID_CREDENTIALS',
  'PERMISSION_MISSING',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'REJECTED',
] as const
export type AdErrorCode = (typeof adErrorCodes)[number]

/** The sentence of a message that says what the program does; a person who waits for the call reads another one. */
export const triedAgain = 'It is tried again later.'

/** A failed call. `message`: a sentence for people, what happened and what to do. */
export class AdError extends Error {
  readonly code: AdErrorCode
  /** The wait that the network requests; 0: none. */
  readonly retryAfterMs: number

  constructor(
    code: AdErrorCode,
    message: string,
    { retryAfterMs = 0, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
