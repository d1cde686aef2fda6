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
import type { InputError } from '../kit/problem.ts'
import type { AccountHealth, ChatCapabilities, ChatIdentity, ConnectedAccount } from './chat-capabilities.ts'
import type {
  InboundEvent,
  InboundMedia,
  ProviderTemplate,
  TemplateApproval,
  TemplateCategory,
} from './chat-events.ts'
import type { ChatFailure, CheckedContent, OutgoingMessage, SendResult } from './chat-messages.ts'
import type { SubmittedParts } from './chat-templates.ts'

export * from './chat-capabilities.ts'
export * from './chat-events.ts'
export * from './chat-messages.ts'
export * from './chat-templates.ts'

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
  /** It sends to nobody, so the live environment has no accounts of it. */
  isTestOnly?: true
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
  /** `chat-no-api`: the link that opens the conversation with the text in the person's own program. `subject`: of an e-mail. */
  createLink?(to: ChatIdentity[], text: string, subject: string | null): string | null
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
   * a time of the provider happened when the body was received. Reads a long body on a thread, in turn with other accounts.
   */
  parse(
    body: Buffer,
    receivedAt: Temporal.Instant,
    accountId: string,
  ): InboundEvent[] | Promise<InboundEvent[]>
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
  /**
   * Reads the events of a body. What it can't read becomes `unreadable`. Throws only for a message of which nothing is known:
   * the body then counts as unprocessed.
   */
  parse(body: Buffer): Promise<InboundEvent[]>
}

export interface ChatTemplates<Credentials> {
  /** Lists the templates that the provider knows, at most 1,000. Throws ChatError. */
  list(connection: Connection<Credentials>, context: ChatContext): Promise<ProviderTemplate[]>
  /**
   * What the provider would refuse of a text before a review, such as a long title of a button, with JSON pointers into the
   * text. Pure.
   */
  findErrors?(text: { body: string; parts: SubmittedParts }): InputError[]
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
      parts: SubmittedParts
    },
    context: ChatContext,
  ): Promise<{ providerTemplateId: string; status: TemplateApproval }>
}
