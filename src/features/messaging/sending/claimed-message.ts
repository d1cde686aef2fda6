/** A message that a process has claimed, and the result of its attempt. */
import type { Attempt, OutboxItem } from '../../../kit/outbox/outbox.ts'
import type { ContentWith, OutgoingMessage, SendResult } from '../../../plugins/chat.ts'
import type { OpenAccount } from '../../accounts/service.ts'
import type { FileRow } from '../media/queries.ts'
import type { MessageFailure, WaitReason } from '../message-types.ts'

export interface SendTarget {
  opened: OpenAccount
  tenantId: string
  messagesPerSecond: number
}

export interface ClaimedMessage extends OutboxItem {
  claimToken: string
  /** By `performance.now()`: afterwards another process may claim it. */
  claimEndsMs: number
  /** `reconcile`: a process died while it sent the message; ask the provider what became of it. */
  task: 'send' | 'reconcile'
  /** The person has written lately: it is sent although the provider forbids first messages. */
  isAnswer: boolean
  message: Omit<OutgoingMessage, 'content'> & {
    /** A file is opened when it is sent. */
    content: ContentWith<FileRow>
  }
}

export type Outcome =
  | { kind: 'result'; result: SendResult }
  /** It was not handed to the provider: the process stops, or has to wait for too long. */
  | { kind: 'not_sent'; retryAfterMs: number }
  /** It must not be sent any more. `failure`: why; null: that of the message says it. */
  | { kind: 'cancelled'; failure: MessageFailure | null }
  /** Its campaign sends it later. */
  | { kind: 'deferred'; until: Date; waitReason: WaitReason }
  /** The provider can't tell what became of it. */
  | { kind: 'undecided' }

export interface SendAttempt extends Attempt {
  at: Date
  outcome: Outcome
}
