/** The external ids that `lead.deleted` events carry, for as long as the events are sent. */
import { forgetField } from '../../../kit/events/event-history.ts'
import { lastId } from '../../../kit/id.ts'
import { HandBack, job } from '../../../kit/jobs/job.ts'
import { leadDeleted } from '../events.ts'

const batchSize = 500
/** A day longer than the feed and the deliveries of webhooks. */
const externalIdDays = 31

/** Empties the external ids of old `lead.deleted` events, once a day. */
export const forgetDeletedIds = job({
  name: 'forget-deleted-ids',
  cron: '11 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    // For as long as the events are sent: then nobody needs it.
    const before = lastId(Date.now() - externalIdDays * 86_400_000)
    const old = { type: leadDeleted.type, field: 'externalId', before, limit: batchSize }
    let forgotten = batchSize
    while (forgotten === batchSize) {
      if (signal.aborted) throw new HandBack()
      forgotten = await database.withTenant({ tenantId }, tx => forgetField(tx, old))
    }
  },
})
