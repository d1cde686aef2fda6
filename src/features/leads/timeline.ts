/** Everything that happened to a lead, and to those that were made one with it: from events, its sources and its notes. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page } from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import { familyOf } from './merge.ts'

/** Newest first. What is of one moment stands in the order of ids, which is that of events. */
export function listTimeline(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    ${familyOf([leadId])}, items (id, type, at, lead_id, data) as (
      select e.id::text, e.type, e.created_at, e.lead_id, e.data - 'leadId' from events e
      where e.lead_id in (select id from family)
      union all
      select concat_ws(':', s.platform, s.listing_id), case when s.import_id is null then 'lead.seen' else 'lead.imported' end,
        s.first_seen_at, s.lead_id,
        jsonb_build_object('platform', s.platform, 'listingId', s.listing_id, 'url', s.url, 'extractionId', s.extraction_id,
          'importId', s.import_id, 'campaignId', s.campaign_id)
      from lead_sources s where s.lead_id in (select id from family) and s.platform <> 'api'
      union all
      select n.id::text, 'lead.noted', n.created_at, n.lead_id,
        jsonb_build_object('noteId', n.id, 'body', n.body, 'authorUserId', n.author_user_id)
      from notes n where n.lead_id in (select id from family))
    select json_build_object('id', id, 'type', type, 'at', aldaba.iso_time(at), 'leadId', lead_id, 'data', data) as json,
      array[id, at::text] as position
    from items
    where ${after ? sql`(at, id) < (${after[1]}::timestamptz, ${after[0]})` : sql`true`}
    order by at desc, id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}
