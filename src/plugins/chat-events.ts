/** What arrives from a chat provider: messages, statuses, and changes of people, templates and the account. */
import type { InvitationReply } from '../domain/icalendar/read-reply.ts'
import type { AccountHealth, ChatIdentity, MediaKind } from './chat-capabilities.ts'
import type { ChatFailure } from './chat-messages.ts'
import type { TemplateParts } from './chat-templates.ts'

export const templateCategories = ['marketing', 'utility', 'authentication'] as const
export type TemplateCategory = (typeof templateCategories)[number]
export const templateApprovals = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled'] as const
export type TemplateApproval = (typeof templateApprovals)[number]

export interface ProviderTemplate {
  providerTemplateId: string
  providerName: string
  language: string
  category: TemplateCategory
  status: TemplateApproval
  /** Why it was rejected or paused; null: no reason. */
  reason: string | null
  /** Why it can't be sent from here, such as a one-time code. Missing: it can. */
  unusable?: string
  /** The text with placeholders as the provider writes them, such as `{{1}}`. */
  body: string
  /** Texts with placeholders too. The value of a `copy_code` is `{{1}}`. */
  parts: TemplateParts
}

export interface InboundMedia {
  kind: MediaKind
  /** The provider's id, for `openMedia`. */
  providerMediaId: string
  mediaType: string | null
  fileName: string | null
  /** Null: not known before it is read. */
  bytes: number | null
}

export type InboundContent =
  | { kind: 'text'; text: string }
  | { kind: 'media'; media: InboundMedia[]; caption: string | null }
  | { kind: 'location'; latitude: number; longitude: number; name: string | null; address: string | null }
  | { kind: 'contacts'; contacts: { name: string; phones: string[]; emails: string[] }[] }
  /** A button or a row of a list that the person chose. */
  | { kind: 'choice'; id: string; title: string }
  /** A message that the provider or this program can't show. It is kept, and people see that it exists. */
  | { kind: 'unsupported'; description: string }

interface InboundBase {
  /**
   * The account as the provider names it, its phone (E.164), or its group: then it concerns all accounts of the group.
   * Null: the account whose webhook received it.
   */
  externalId: string | null
  /** The provider's time, or that of the receipt. */
  at: Temporal.Instant
}

interface FromPerson extends InboundBase {
  /** All identities of the person in this event. */
  from: ChatIdentity[]
}

export type InboundEvent =
  | (FromPerson & {
      type: 'message'
      providerMessageId: string
      profileName: string | null
      content: InboundContent
      /** The provider's id of the message that this one answers. */
      replyTo: string | null
      email: InboundEmail | null
      /** Where the person comes from, such as an advertisement; null: nothing is known. */
      referral: { source: string; url: string | null; headline: string | null } | null
      /** `auto_reply`: a machine answers, such as an absence note. It never counts as a reply. */
      nature: 'person' | 'auto_reply'
      /** Sent by the account's owner with another program. */
      isEcho: boolean
      /** The program of the person waits for `markRead`, such as after a pressed button: it is called at once. */
      isAwaited?: true
    })
  | (FromPerson & { type: 'reaction'; providerMessageId: string; emoji: string | null })
  | (FromPerson & { type: 'edited'; providerMessageId: string; content: InboundContent })
  | (FromPerson & { type: 'deleted'; providerMessageId: string })
  /** The person refuses or accepts marketing in the provider's own program. */
  | (FromPerson & {
      type: 'marketing_preference'
      accepts: boolean
      /** Our id of the message to which the person reacts: it counts only if it was sent to them. Missing: it counts. */
      messageId?: string
    })
  /** A person has another number or id. */
  | (InboundBase & { type: 'identity_changed'; former: ChatIdentity[]; current: ChatIdentity[] })
  | (InboundBase & {
      type: 'status'
      providerMessageId: string
      /** Our id, if the provider returns it. */
      messageId: string | null
      to: ChatIdentity[]
      status: 'sent' | 'delivered' | 'read' | 'failed'
      failure: ChatFailure | null
    })
  | (InboundBase & {
      type: 'template_status'
      providerTemplateId: string | null
      providerName: string
      language: string | null
      status: TemplateApproval | null
      /** The new category; null: unchanged. */
      category: TemplateCategory | null
      reason: string | null
    })
  | (InboundBase & { type: 'account_status'; health: Partial<AccountHealth> })
  /** What is known and needs nothing to be done. */
  | (InboundBase & { type: 'ignored'; what: string })
  | (InboundBase & { type: 'unreadable'; reason: string })

/** The parts of an e-mail besides its text. */
export interface InboundEmail {
  subject: string | null
  /** Message-ids of the thread, the oldest first. */
  references: string[]
  /** The text with the quoted messages. `content` has only what is new. */
  fullText: string
  /** The answer to an invitation that it carries; missing: none. */
  reply?: InvitationReply
  /** Our ids of the messages that it answers; missing: none. */
  answeredIds?: string[]
  /** The results of the receiving server; null: it reported none. */
  authentication: { spf: string | null; dkim: string | null; dmarc: string | null }
}
