/** What an outbox has to send, for the clock. */
import { findEarliest, type ScheduledTask } from '../clock/scheduled-tasks.ts'
import type { AnyOutbox } from './outbox.ts'

/** Its runner notices by itself that the clock was moved. */
export const outboxSchedule = (outbox: AnyOutbox): ScheduledTask => ({
  async nextAt(database, tenantId) {
    const due = await outbox.listDue(database, tenantId)
    return findEarliest(due.map(({ dueAt }) => dueAt))
  },
})
