/** Plans the read of a calendar. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

export const readName = 'read-calendar'

/** The next read follows in any case, so a job is not repeated. */
export const enqueueRead = (tx: Tx, calendarId: string): Promise<void> =>
  enqueue(
    tx,
    readName,
    { calendarId },
    { jobKey: `${readName}:${calendarId}`, queueName: `calendar:${calendarId}`, maxAttempts: 1 },
  )
