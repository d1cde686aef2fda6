/** The facts about a person that decide if they may be contacted. */

export const contactChannels = ['chat', 'phone', 'email'] as const
export const lawfulBasisKinds = ['consent', 'contract', 'legitimate_interest'] as const
export const suppressionKinds = ['opt_out', 'erased', 'exclusion_list', 'manual', 'marketing'] as const

export type Channel = (typeof contactChannels)[number]
export type LawfulBasisKind = (typeof lawfulBasisKinds)[number]
export type SuppressionKind = (typeof suppressionKinds)[number]

/** The lawful basis for processing the person's data to contact them: art. 6(1) GDPR, (a), (b) or (f). */
export interface LawfulBasis {
  /** `contract` includes steps that the person requested before a contract: a visit, a valuation, a call back. */
  kind: LawfulBasisKind
  recordedAt: Temporal.Instant
  /** Evidence: the text of the consent and where it was given, who attested it, the balancing of interests. */
  proof: string | null
  /** The channels it was recorded for. Null: the default channels of its kind. */
  channels: readonly Channel[] | null
  /** The basis ends at this instant; null: it holds until it is withdrawn. */
  expiresAt: Temporal.Instant | null
}

/** An entry of the suppression list that matches an identifier of the person. */
export interface Suppression {
  kind: SuppressionKind
  /** Null: every channel. */
  channel: Channel | null
  /** Its origin, for users: the name of the exclusion list, the message with the opt-out. */
  source: string
  addedAt: Temporal.Instant
}

/**
 * All inputs of the decision. The type of advertiser is not among them: agencies are represented by persons too, and
 * art. 21 LSSI also protects companies.
 */
export interface ContactFacts {
  /** True if a valid identifier is known; `chat` is an account or number that the chat provider reaches. */
  identifiers: Record<Channel, boolean>
  /** The basis recorded for the lead or the campaign. Null: none, as for every lead read from a portal. */
  lawfulBasis: LawfulBasis | null
  /** When the person was informed of the processing (art. 13 or 14 GDPR). */
  noticeSentAt: Temporal.Instant | null
  suppressions: readonly Suppression[]
  /** A listing of the person excludes contact by agencies. */
  noAgencies: boolean
  /** End of the workspace's retention of the lead; null: no limit is set. */
  retentionEndsAt: Temporal.Instant | null
  /** True if the person was erased, even if the suppression list has no entry. */
  isErased: boolean
  /** Status of the lead. */
  status: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
}
