/** What a chat provider sends, and how it answers. */
import type { Readable } from 'node:stream'
import type { ChatIdentity, MediaKind } from './chat-capabilities.ts'

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
  /** The values of the placeholders of the body, in the order of the approved template. */
  values: string[]
  /** The value of the header. Missing: it needs none. A file is `media` of the content. */
  header?: { kind: 'text'; text: string } | { kind: 'file' } | ({ kind: 'location' } & Place)
  /** The values of buttons, by their position from 0. Missing: none needs one. */
  buttons?: { index: number; kind: 'url' | 'copy_code' | 'quick_reply'; value: string }[]
}

export interface Place {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
}

/** An iCalendar object that mail programs show as an invitation. */
export interface CalendarPart {
  /** The METHOD of the object. */
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  text: string
}

export type OutgoingContent =
  /** `calendar`: only where the capabilities have `invitations`. `html`: the same for e-mail; others send the text. */
  | { kind: 'text'; text: string; html?: string; calendar?: CalendarPart }
  /**
   * A template that the provider has approved; another one is sent as text. `text`: the rendered template. `media`: the
   * file of its header.
   */
  | { kind: 'template'; text: string; template: TemplateReference; media?: OutgoingMedia }
  | { kind: 'media'; media: OutgoingMedia; caption: string | null }
  | { kind: 'buttons'; text: string; buttons: { id: string; title: string }[] }
  | {
      kind: 'list'
      text: string
      /** The label of the button that opens the list. */
      button: string
      sections: { title: string | null; rows: { id: string; title: string; description: string | null }[] }[]
    }
  | ({ kind: 'location' } & Place)
  /** `emoji`: null removes the reaction. */
  | { kind: 'reaction'; emoji: string | null; providerMessageId: string }

/** A content whose file is of another type. */
export type ContentWith<File> =
  | Exclude<OutgoingContent, { kind: 'media' | 'template' }>
  | { kind: 'media'; media: File; caption: string | null }
  | { kind: 'template'; text: string; template: TemplateReference; media?: File }

/** A content whose file was not opened. */
export type CheckedContent = ContentWith<Omit<OutgoingMedia, 'open'>>

export interface OutgoingMessage {
  /** Our id. Providers that take a reference get this one. */
  id: string
  /** The identities of the person, the best first. */
  to: ChatIdentity[]
  content: OutgoingContent
  /** The provider's id of the message that this one answers. */
  replyTo: string | null
  /** E-mail: the subject, and the ids of earlier messages of the thread, the oldest first. */
  thread: { subject: string | null; references: string[] }
  /** E-mail: the URL with which the person opts out; null: the message answers one of theirs. */
  unsubscribeUrl: string | null
  /** A machine wrote it, by itself or as an answer. E-mail says so, and then no other machine answers it. */
  automatic?: 'generated' | 'replied'
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
  /** Sentences for people: what happened and what to do. The program adds whether it tries again. */
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
    message: 'The call was interrupted before the message was handed over.',
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
