/** What a chat provider can send, and to whom; and what it reports about an account. */
export const mediaKinds = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const
export type MediaKind = (typeof mediaKinds)[number]

export interface ChatCapabilities {
  /** The identities of people to which it can send, the best first. */
  identities: readonly IdentityKind[]
  /** `captionCharactersMax`: of a file; missing: like a text. */
  text: { charactersMax: number; captionCharactersMax?: number }
  /** The accepted files by kind; a missing kind can't be sent. No media types: all are accepted. */
  media: Partial<Record<MediaKind, { mediaTypes: readonly string[]; bytesMax: number }>>
  /** The largest number of reply buttons; 0: none. */
  buttonsMax: number
  /** The largest number of rows of a list; 0: none. */
  listRowsMax: number
  location: boolean
  reactions: boolean
  typing: boolean
  /** A text can carry an invitation to an appointment. Missing: it can't. */
  invitations?: true
  /** The provider reports that a message was delivered, and that it was read. */
  receipts: boolean
  /** `required`: outside the reply window only approved templates may be sent. `local`: templates are plain texts. */
  templates: 'required' | 'local'
  /** A free text may be sent this long after the person's last message; null: always. */
  replyWindowHours: number | null
  /** The default rate of an account. */
  messagesPerSecond: number
  /** The provider refuses or answers a repeated message with the same id, so that it is safe to send it again. */
  idempotent: boolean
}

/** How a provider identifies a person. `bsuid`: the business-scoped user id of WhatsApp. Phones are E.164. */
export const identityKinds = ['phone', 'bsuid', 'telegram', 'email', 'sandbox'] as const
export type IdentityKind = (typeof identityKinds)[number]

export interface ChatIdentity {
  kind: IdentityKind
  value: string
}

export const accountStatuses = [
  'CONNECTED',
  'DEGRADED',
  'LOGGED_OUT',
  'RESTRICTED',
  'BANNED',
  'DISCONNECTED',
] as const
export type AccountStatus = (typeof accountStatuses)[number]

export interface AccountHealth {
  status: AccountStatus
  /** The provider's reason as a sentence for people; null: nothing is wrong. */
  reason: string | null
  /** It is RESTRICTED, but may answer people within the reply window. Missing: it may not. */
  canAnswer?: boolean
  /** In a report with `canAnswer`: when the restriction ends, as an ISO time. Missing: it is not stated. */
  restrictedUntil?: string
  /** The provider's rating; null: it has none. */
  quality: 'high' | 'medium' | 'low' | null
  /** How many people the account may write to first within a day; null: no limit is known. */
  dailyLimit: number | null
  /** The provider's name of that limit, such as `TIER_1K`. */
  tier: string | null
}

export interface ConnectedAccount extends AccountHealth {
  /** Empty: the provider has no name for it, and our id of the account counts. */
  externalId: string
  /** The provider's id of what several accounts belong to, such as a WhatsApp Business account. Missing: none. */
  groupId?: string
  /** E.164; null: the account has no phone number. */
  phone: string | null
  /** The provider's name of the account. */
  name: string | null
  /** Where the reading of a mailbox starts, so that nothing is missed. If it is missing, `listen` starts at its first call. */
  mailboxCursor?: string
}
