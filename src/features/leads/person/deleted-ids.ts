/** The external ids that `lead.deleted` events carry, for as long as the events are sent. */
import { daysAfter, daysBefore, nowOf } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { firstWithField, forgetField } from '../../../kit/events/event-history.ts'
import { lastId } from '../../../kit/id.ts'
import { HandBack, job } from '../../../kit/jobs/job.ts'
import { jobWait } from '../../../kit/jobs/job-wait.ts'
import { leadDeleted } from '../events.ts'

const batchSize = 500
/** A day longer than the feed and the deliveries of webhooks. */
const externalIdDays = 31

const deletedIds = { type: leadDeleted.type, field: 'externalId' }

/** Empties the external ids of old `lead.deleted` events, once a day. */
export const forgetDeletedIds = job({
  name: 'forget-deleted-ids',
  cron: '11 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    // For as long as the events are sent: then nobody needs it.
    const forget = (tx: Tx) =>
      forgetField(tx, {
        ...deletedIds,
        limit: batchSize,
        before: lastId(daysBefore(nowOf(tx), externalIdDays)),
      })
    let forgotten = batchSize
    while (forgotten === batchSize) {
      if (signal.aborted) throw new HandBack()
      forgotten = await database.withTenant({ tenantId }, forget)
    }
  },
})

export const deletedIdsExpire = jobWait(forgetDeletedIds, async tx => {
  const first = await firstWithField(tx, deletedIds)
  return first && daysAfter(first, externalIdDays)
})
