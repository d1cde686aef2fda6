/** Schedules an outbox for the clock of test environments. */

import { findEarliest, type ScheduledTask } from '../clock/scheduled-tasks.ts'
import { getTenantId } from '../db/context.ts'
import type { AnyOutbox } from './outbox.ts'

/** `findNextDueAt` is when the first item is due. The outbox service itself notices when the clock is moved. */
export const outboxSchedule = (outbox: AnyOutbox): ScheduledTask => ({
  async findNextDueAt(tx) {
    const due = await outbox.listDue(tx, getTenantId(tx))
    return findEarliest(due.map(({ dueAt }) => dueAt))
  },
})
