/** What an outbox has to send, for the clock. */
import { earliest, type Wait } from '../clock/waits.ts'
import type { AnyOutbox } from './outbox.ts'

/** Its runner notices by itself that the clock was moved. */
export const outboxWait = (outbox: AnyOutbox): Wait => ({
  async nextAt(database, tenantId) {
    const due = await outbox.listDue(database, tenantId)
    return earliest(due.map(({ dueAt }) => dueAt))
  },
})
