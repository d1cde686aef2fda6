/** What reports make of an outgoing message. */
import { toNextStatus } from '../../../domain/messaging/message-status.ts'
import type { MessageFailure } from '../message-types.ts'
import type { OutgoingRow } from './outgoing-rows.ts'

/** What is reported about a message. `at`: the environment's time. */
export type Report = { at: Date; providerMessageId: string | null } & (
  | { status: 'sent' | 'delivered' | 'read' }
  | { status: 'failed' | 'unknown'; failure: MessageFailure }
)

/** A message after its reports. Times that none of them says are null. */
export interface Progress {
  before: OutgoingRow
  status: OutgoingRow['status']
  /** The statuses that it has got, in their order. */
  reported: OutgoingRow['status'][]
  providerMessageId: string | null
  failure: MessageFailure | null
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
}

export const startProgress = (message: OutgoingRow): Progress => ({
  before: message,
  status: message.status,
  reported: [],
  providerMessageId: message.providerMessageId,
  failure: message.failure,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
})

/**
 * Returns whether the report counts. Late and repeated ones change nothing, besides the provider's id if it was not known.
 */
export function applyReport(progress: Progress, report: Report): boolean {
  progress.providerMessageId ??= report.providerMessageId
  const { sentAt } = progress.before
  // Providers report whole seconds, and nothing arrives before it was sent.
  const at = sentAt && report.at < sentAt ? sentAt : report.at
  const status = toNextStatus(progress.status, report.status)
  if (status === progress.status) return false
  progress.status = status
  progress.reported.push(status)
  progress.failure = 'failure' in report ? report.failure : null
  if (status === 'failed') progress.failedAt = at
  if (status === 'failed' || status === 'unknown') return true
  progress.sentAt ??= at
  if (status !== 'sent') progress.deliveredAt ??= at
  if (status === 'read') progress.readAt = at
  return true
}

/** True if the message was not known to be sent. */
export const isFirstSent = ({ before, sentAt }: Progress): boolean =>
  before.sentAt === null && sentAt !== null
