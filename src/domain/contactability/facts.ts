/** What is known of a person when it is asked whether they may be contacted. */

export const contactChannels = ['chat', 'phone', 'email'] as const
export const lawfulBasisKinds = ['consent', 'contract', 'legitimate_interest'] as const
export const suppressionKinds = ['opt_out', 'erased', 'exclusion_list', 'manual'] as const

export type Channel = (typeof contactChannels)[number]
export type LawfulBasisKind = (typeof lawfulBasisKinds)[number]
export type SuppressionKind = (typeof suppressionKinds)[number]

/** Why the workspace may process the person's data to contact them: art. 6(1) GDPR, (a), (b) or (f). */
export interface LawfulBasis {
  /** `contract` is also what the person asked for before one: a visit, a valuation, a call back. */
  kind: LawfulBasisKind
  recordedAt: Temporal.Instant
  /** What shows it: the words of the consent and where they were given, who attested it, the balance of interests. */
  proof: string | null
  /** Those it was given or weighed for. Null: those that its kind covers by itself. */
  channels: readonly Channel[] | null
  /** From then on it holds no longer; null: until it is withdrawn. */
  expiresAt: Temporal.Instant | null
}

/** An entry of the suppression list that matches an identifier of the person. */
export interface Suppression {
  kind: SuppressionKind
  /** Null: every channel. */
  channel: Channel | null
  /** Where it comes from, for people to read: the name of the exclusion list, the message that opted out. */
  source: string
  addedAt: Temporal.Instant
}

/**
 * All that the answer depends on. Who advertises is not among it: agencies, too, are asked in person, and art. 21 LSSI
 * protects companies as well.
 */
export interface ContactFacts {
  /** Which identifiers of the person are known and valid; `chat` is an account or number that the chat provider reaches. */
  identifiers: Record<Channel, boolean>
  /** As the workspace recorded it, on the lead or for the campaign. Null: none, as for every lead read from a portal. */
  lawfulBasis: LawfulBasis | null
  /** When the person was told of the processing (art. 13 or 14 GDPR). */
  noticeSentAt: Temporal.Instant | null
  suppressions: readonly Suppression[]
  /** An advert of the person asks agencies not to call. */
  noAgencies: boolean
  /** When the workspace's retention of the lead ends; null: it has set no end. */
  retentionEndsAt: Temporal.Instant | null
  /** The person was erased, whether or not the suppression list still says so. */
  isErased: boolean
  /** The lead's. */
  status: 'new' | 'contacted' | 'replied' | 'qualified' | 'won' | 'lost' | 'discarded'
}
