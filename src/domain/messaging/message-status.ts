/** The statuses of an outgoing message. They move only forward, whatever the order of the provider's callbacks. */

export const outgoingStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const
export type OutgoingStatus = (typeof outgoingStatuses)[number]

const nextStatuses: Record<OutgoingStatus, readonly OutgoingStatus[]> = {
  queued: ['sent', 'delivered', 'read', 'failed', 'unknown'],
  unknown: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed'],
  delivered: ['read'],
  read: [],
  failed: [],
}

/** True if a message may go from one status to the other. A message that was delivered can't fail any more. */
export const canMove = (from: OutgoingStatus, to: OutgoingStatus): boolean => nextStatuses[from].includes(to)

/** Returns the status after a report of `reported`: the same if the report is late or repeated. */
export const toNextStatus = (current: OutgoingStatus, reported: OutgoingStatus): OutgoingStatus =>
  canMove(current, reported) ? reported : current
