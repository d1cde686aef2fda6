/**
 * The contract of a chat provider: what connects an account, sends its messages and reads what arrives. `check-chat`
 * holds every implementation to it. Providers keep no state: accounts, conversations and messages belong to features.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TObject } from 'typebox'
import type { Channel } from '../domain/contactability/facts.ts'
import type { HttpClient } from '../kit/http/client.ts'
import type { Log } from '../kit/log.ts'

export interface ChatProvider<Credentials extends TObject = TObject> {
  /** Lower-case identifier in bodies, such as `whatsapp_cloud`. */
  id: string
  /** The name for people. */
  label: string
  /** The provider's own base URL, without a trailing slash; null: it has none. The operator may configure another. */
  baseUrl: string | null
  /** The channel of opt-outs and lawful bases. */
  channel: Channel
  /** `chat-no-api`: nothing is sent by the program; each message is a task for a person. */
  mode: 'chat' | 'chat-no-api'
  /** Schema of what connecting an account requires. Every field is encrypted and never returned. */
  credentials: Credentials
  capabilities: ChatCapabilities
  /** Why the provider would refuse a content that its capabilities allow, such as a long title of a button. Pure. */
  findRefusal?(content: CheckedContent): ChatFailure | null
  /** Verifies the credentials with the provider. Throws ChatError. */
  connect(credentials: Static<Credentials>, context: ChatContext): Promise<ConnectedAccount>
  /** Reads the state of the account. Throws ChatError only if the provider can't be reached. */
  checkHealth(connection: Connection<Static<Credentials>>, context: ChatContext): Promise<AccountHealth>
  /** Stops the provider from posting to the webhook of an account that ends. Throws ChatError. */
  disconnect?(connection: Connection<Static<Credentials>>, context: ChatContext): Promise<void>
  /**
   * Sends one message once. If the signal is aborted before the message was handed over, the result is
   * `interruptedResult`; afterwards it may throw, and the message counts as `unknown`. It never throws otherwise.
   */
  send(
    connection: Connection<Static<Credentials>>,
    message: OutgoingMessage,
    context: ChatContext,
  ): Promise<SendResult>
  /**
   * Finds out if a message was sent whose result was lost. Null: the provider can't tell. Present only where the
   * provider keeps our message id.
   */
  reconcile?(
    connection: Connection<Static<Credentials>>,
    message: Pick<OutgoingMessage, 'id' | 'to'>,
    context: ChatContext,
  ): Promise<SendResult | null>
  /** Inbound messages that the provider posts. */
  webhook?: ChatWebhook<Static<Credentials>>
  /** Inbound messages that the program fetches, such as a mailbox. */
  mailbox?: ChatMailbox<Static<Credentials>>
  /** Opens a file of an inbound message. Throws ChatError. */
  openMedia?(
    connection: Connection<Static<Credentials>>,
    media: InboundMedia,
    context: ChatContext,
  ): Promise<Readable>
  /** Tells the person that the message was read. Throws ChatError. */
  markRead?(
    connection: Connection<Static<Credentials>>,
    message: { providerMessageId: string; to: ChatIdentity[] },
    context: ChatContext,
  ): Promise<void>
  /** Shows the person for some seconds that somebody is typing. Throws ChatError. */
  showTyping?(
    connection: Connection<Static<Credentials>>,
    message: { providerMessageId: string | null; to: ChatIdentity[] },
    context: ChatContext,
  ): Promise<void>
  /** Templates that the provider must approve. */
  templates?: ChatTemplates<Static<Credentials>>
  /** `chat-no-api`: the link that opens the conversation with the text in the person's own program. */
  createLink?(to: ChatIdentity[], text: string): string | null
}

/** The services that a provider may use. It opens no other connections. */
export interface ChatContext {
  /** For the provider's own address, which the operator configures. */
  http: HttpClient
  /** The base URL of the provider: its own, or one that the operator configured. Without a trailing slash. */
  baseUrl: string
  /**
   * Resolves a host that a user entered to an address that may be called. Throws ChatError with `FORBIDDEN_HOST` for an
   * address inside the deployment's network.
   */
  resolveHost(host: string): Promise<string>
  /** The environment's time. */
  now: Temporal.Instant
  /** Where the provider posts inbound messages of this account, if it has a webhook. */
  webhook: { url: string; verifyToken: string } | null
  signal: AbortSignal
  log: Log
}

/** A connected account. */
export interface Connection<Credentials = Record<string, unknown>> {
  accountId: string
  /** The provider's id of the account: a phone number id, a bot, a mailbox. */
  externalId: string
  displayName: string
  credentials: Credentials
}

export const mediaKinds = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const
export type MediaKind = (typeof mediaKinds)[number]

export interface ChatCapabilities {
  /** The names of people to which it can send, the best first. */
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

/** How a provider names a person. `bsuid`: the business-scoped user id of WhatsApp. Phones are E.164. */
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
}

export interface OutgoingMedia {
  kind: MediaKind
  mediaType: string
  fileName: string | null
  bytes: number
  /** Opens the content. Read it to its end or destroy it. */
  open(): Promise<Readable>
}

export interface TemplateReference {
  /** The provider's name of an approved template; null: a local template, sent as text. */
  providerName: string | null
  /** BCP 47, such as `es` or `pt-BR`. */
  language: string
  /** The values of the placeholders, in the order of the approved template. */
  values: string[]
}

export type OutgoingContent =
  | { kind: 'text'; text: string }
  /** A template that the provider has approved; another one is sent as text. `text`: the rendered template. */
  | { kind: 'template'; text: string; template: TemplateReference }
  | { kind: 'media'; media: OutgoingMedia; caption: string | null }
  | { kind: 'buttons'; text: string; buttons: { id: string; title: string }[] }
  | {
      kind: 'list'
      text: string
      /** The label of the button that opens the list. */
      button: string
      sections: { title: string | null; rows: { id: string; title: string; description: string | null }[] }[]
    }
  | { kind: 'location'; latitude: number; longitude: number; name: string | null; address: string | null }
  /** `emoji`: null removes the reaction. */
  | { kind: 'reaction'; emoji: string | null; providerMessageId: string }

/** A content whose file was not opened. */
export type CheckedContent =
  | Exclude<OutgoingContent, { kind: 'media' }>
  | { kind: 'media'; media: Omit<OutgoingMedia, 'open'>; caption: string | null }

export interface OutgoingMessage {
  /** Our id. Providers that take a reference get this one. */
  id: string
  /** The names of the person, the best first. */
  to: ChatIdentity[]
  content: OutgoingContent
  /** The provider's id of the message that this one answers. */
  replyTo: string | null
  /** E-mail: the subject, and the ids of earlier messages of the thread, the oldest first. */
  thread: { subject: string | null; references: string[] }
  /** E-mail: the address with which the person opts out; null: the message answers one of theirs. */
  unsubscribeUrl: string | null
  /** A machine answers. E-mail says so, and then no other machine answers it. */
  isAutomatic?: true
}

/** `unknown`: the message may have been sent. It is never sent again; the callback of the provider decides. */
export type SendResult =
  /** `isDelivered`: the person has it already. Otherwise a callback reports that, if ever. */
  | { status: 'sent'; providerMessageId: string; isDelivered?: true }
  | { status: 'failed'; failure: ChatFailure }
  | { status: 'unknown'; reason: string }

/** The slowest upload of a file that is awaited. */
export const uploadBytesPerMs = 250

/** Our codes of failures, the same for all providers. */
export const chatFailureCodes = [
  'INVALID_CREDENTIALS',
  'PERMISSION_MISSING',
  'FORBIDDEN_HOST',
  'ACCOUNT_RESTRICTED',
  'ACCOUNT_BANNED',
  'ACCOUNT_LIMIT',
  'RATE_LIMITED',
  'PROVIDER_UNAVAILABLE',
  'RECIPIENT_UNREACHABLE',
  'RECIPIENT_BLOCKED',
  'RECIPIENT_OPTED_OUT',
  'RECIPIENT_LIMIT',
  'WINDOW_CLOSED',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_PAUSED',
  'TEMPLATE_MISMATCH',
  'MEDIA_REJECTED',
  'MESSAGE_REJECTED',
  'UNSUPPORTED',
  'PAYMENT_REQUIRED',
] as const
export type ChatFailureCode = (typeof chatFailureCodes)[number]

export interface ChatFailure {
  code: ChatFailureCode
  /** The provider's own code; null: it has none. */
  providerCode: string | null
  /** A sentence for people: what happened and what to do. */
  message: string
  /** The same message may be sent again later, because it was certainly not sent. */
  retryable: boolean
  /** The wait that the provider requests; 0: none. */
  retryAfterMs: number
  /** What failed: other messages of the account, or to this person, or of this template, fail too. */
  scope: 'message' | 'recipient' | 'template' | 'account'
}

/** The result of `send` if the signal was aborted while nothing could have been sent. */
export const interruptedResult: SendResult & { status: 'failed' } = {
  status: 'failed',
  failure: {
    code: 'PROVIDER_UNAVAILABLE',
    providerCode: null,
    message: 'The call was interrupted before the message was handed over. It is tried again later.',
    retryable: true,
    retryAfterMs: 0,
    scope: 'message',
  },
}

/** A failed call to the provider, outside of `send`. */
export class ChatError extends Error {
  readonly failure: ChatFailure

  constructor(failure: ChatFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

export interface ChatWebhook<Credentials> {
  /** Answers the provider's check of the address; null: the request is not from the provider. */
  challenge?(query: URLSearchParams, verifyToken: string): string | null
  /** True if the request is from the provider. Compare in constant time. */
  verify(
    request: { headers: IncomingHttpHeaders; body: Buffer },
    secrets: { credentials: Credentials; verifyToken: string },
  ): boolean
  /**
   * Reads the events of a body. Never throws because of the body: what it can't read becomes `unreadable`. Events without
   * a time of the provider happened when the body was received. Reads a long body on a thread.
   */
  parse(body: Buffer, receivedAt: Temporal.Instant): InboundEvent[] | Promise<InboundEvent[]>
}

export interface ChatMailbox<Credentials> {
  /**
   * Reads what is new since `cursor`, and waits for more until the signal is aborted. Calls `onBody` with each raw body
   * and the cursor after it, one after the other, and continues when it has been stored. Throws ChatError.
   */
  listen(
    connection: Connection<Credentials>,
    options: { cursor: string | null; onBody(body: Buffer, cursor: string): Promise<void> },
    context: ChatContext,
  ): Promise<void>
  /** Reads the events of a body. Never throws: what it can't read becomes `unreadable`. */
  parse(body: Buffer): Promise<InboundEvent[]>
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
  /** All names of the person in this event. */
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
  /** The results of the receiving server; null: it reported none. */
  authentication: { spf: string | null; dkim: string | null; dmarc: string | null }
}

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
  /** Why it can't be sent from here, such as a header that needs a value of its own. Missing: it can. */
  unusable?: string
  /** The text with placeholders as the provider writes them, such as `{{1}}`. */
  body: string
}

export interface ChatTemplates<Credentials> {
  /** Lists the templates that the provider knows, at most 1,000. Throws ChatError. */
  list(connection: Connection<Credentials>, context: ChatContext): Promise<ProviderTemplate[]>
  /** Submits a template for approval. Throws ChatError. */
  submit(
    connection: Connection<Credentials>,
    template: {
      providerName: string
      language: string
      category: TemplateCategory
      /** The text with `{{1}}`, `{{2}}`, … */
      body: string
      /** An example of each value. */
      examples: string[]
    },
    context: ChatContext,
  ): Promise<{ providerTemplateId: string; status: TemplateApproval }>
}
