/** The words of stored messages. */
import type { OutgoingStatus } from '../../domain/messaging/message-status.ts'

export const directions = ['in', 'out', 'note'] as const
export type Direction = (typeof directions)[number]

export const messageKinds = [
  'text',
  'template',
  'media',
  'buttons',
  'list',
  'location',
  'contacts',
  'choice',
  'reaction',
  'unsupported',
] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * `auto_reply`: by a machine of the person. `opt_out_confirmation`: the only message after an opt-out. `appointment`: about an
 * appointment that the person booked. `ai`: written by AI, or proposed by it and sent by a user.
 */
export const natures = ['person', 'auto_reply', 'opt_out_confirmation', 'appointment', 'ai'] as const
export type Nature = (typeof natures)[number]

/** `received`: it came in. `noted`: it is an internal note. */
export type MessageStatus = OutgoingStatus | 'received' | 'noted'

/** Why a queued message waits until its next attempt. */
export interface WaitReason {
  code: string
  /** A sentence for people. */
  message: string
}

/** Why a message failed. */
export interface MessageFailure {
  /** A code of the provider contract, or a reason of this program such as `OPTED_OUT`. */
  code: string
  /** The provider's own code; null: the provider refused nothing, or has none. */
  providerCode: string | null
  /** A sentence for people. */
  message: string
  /** The same message may be sent again later. */
  retryable: boolean
  /** It was withdrawn before it was sent: nothing went wrong, and nobody has to decide about it. */
  isWithdrawn: boolean
}
