/** The external ids that `lead.deleted` events carry, for as long as the events are sent. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { lastId } from '../../../kit/id.ts'
import { HandBack, job } from '../../../kit/job.ts'

const batchSize = 500
/** A day longer than the feed and the deliveries of webhooks. */
const externalIdDays = 31

/** Empties the external ids of old `lead.deleted` events, once a day. */
export const forgetDeletedIds = job({
  name: 'forget-deleted-ids',
  cron: '11 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    let forgotten = batchSize
    while (forgotten === batchSize) {
      if (signal.aborted) throw new HandBack()
      forgotten = await database.withTenant({ tenantId }, tx => forgetExternalIds(tx, batchSize))
    }
  },
})

/** Events tell the external id of a deleted lead for as long as they are sent: then nobody needs it. Returns how many forgot it. */
async function forgetExternalIds(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql`
    update events set data = jsonb_set(data, '{externalId}', 'null')
    where id in (
      select id from events
      where type = 'lead.deleted' and data ->> 'externalId' is not null and id < ${lastId(Date.now() - externalIdDays * 86_400_000)}::uuid
      order by tenant_id, id limit ${limit})
    returning id`.execute(tx)
  return rows.length
}
