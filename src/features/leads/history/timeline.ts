/** Everything that happened to a lead, and to those that were made one with it: from events, its sources and its notes. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { mergeTreeCte } from '../../privacy/service.ts'

/**
 * Newest first. What is of one moment stands in the order of ids, which is that of events. A note that is still there is told
 * with its words, which no event holds; of one that is not, that it was written and deleted.
 */
export function listTimeline(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    ${mergeTreeCte(tx, [leadId])}, told (id, type, at, lead_id, data, note_id) as materialized (
      select e.id, e.type, e.created_at, e.lead_id, e.data - 'leadId',
        case when e.data ->> 'cause' in ('note_added', 'imported') then (e.data ->> 'noteId')::uuid end
      from events e where e.tenant_id = ${getTenantId(tx)} and e.lead_id in (select id from merge_tree)
    ), note_added (id, lead_id, body, author, at) as materialized (
      select n.id, n.lead_id, n.body, n.author_user_id, n.created_at from notes n
      where n.tenant_id = ${getTenantId(tx)} and n.lead_id in (select id from merge_tree)
    ), items (id, type, at, lead_id, data) as (
      select id::text, type, at, lead_id, data from told t
      where t.data ->> 'cause' = 'imported' or not exists (select from note_added n where n.id = t.note_id)
      union all
      select concat_ws(':', s.platform, s.listing_id), case when s.import_id is null then 'lead.seen' else 'lead.imported' end,
        s.first_seen_at, s.lead_id,
        jsonb_build_object('platform', s.platform, 'listingId', s.listing_id, 'url', s.url, 'extractionId', s.extraction_id,
          'importId', s.import_id, 'campaignId', s.campaign_id)
      from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id in (select id from merge_tree) and s.platform <> 'api'
      union all
      select n.id::text, 'lead.note_added', n.at, n.lead_id,
        jsonb_build_object('noteId', n.id, 'body', n.body, 'authorUserId', n.author, 'keyId', t.data -> 'keyId',
          'importId', t.data -> 'importId')
      from note_added n left join told t on t.note_id = n.id)
    select json_build_object('id', id, 'type', type, 'at', aldaba.iso_time(at), 'leadId', lead_id, 'data', data) as json,
      array[id, at::text] as position
    from items
    where ${after ? sql`(at, id) < (${after[1]}::timestamptz, ${after[0]})` : sql`true`}
    order by at desc, id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}
