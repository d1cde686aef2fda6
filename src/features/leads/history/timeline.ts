/** The timeline of a lead and of the leads merged into it: events, sources and notes. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { mergeTreeCte } from '../../privacy/service.ts'

/**
 * A page of the timeline as JSON of `TimelineItem`, newest first; items of the same time are ordered by id. An
 * existing note is an item with its text, which its event does not contain. A deleted note is shown by its events
 * only.
 */
export function listTimeline(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    ${mergeTreeCte(tx, [leadId])}, lead_events (id, type, at, lead_id, data, note_id) as materialized (
      select e.id, e.type, e.created_at, e.lead_id, e.data - 'leadId',
        case when e.data ->> 'cause' in ('note_added', 'imported', 'form_received') then (e.data ->> 'noteId')::uuid end
      from events e where e.tenant_id = ${getTenantId(tx)} and e.lead_id in (select id from merge_tree)
    ), lead_notes (id, lead_id, body, author, at) as materialized (
      select n.id, n.lead_id, n.body, n.author_user_id, n.created_at from notes n
      where n.tenant_id = ${getTenantId(tx)} and n.lead_id in (select id from merge_tree)
    ), items (id, type, at, lead_id, data) as (
      select id::text, type, at, lead_id, data from lead_events e
      where e.data ->> 'cause' = 'imported' or not exists (select from lead_notes n where n.id = e.note_id)
      union all
      select concat_ws(':', s.platform, s.listing_id), case when s.import_id is null then 'lead.seen' else 'lead.imported' end,
        s.first_seen_at, s.lead_id,
        jsonb_build_object('platform', s.platform, 'listingId', s.listing_id, 'url', s.url, 'extractionId', s.extraction_id,
          'importId', s.import_id, 'campaignId', s.campaign_id)
      from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id in (select id from merge_tree) and s.platform <> 'api'
      union all
      select n.id::text, 'lead.note_added', n.at, n.lead_id,
        jsonb_build_object('noteId', n.id, 'body', n.body, 'authorUserId', n.author, 'keyId', e.data -> 'keyId',
          'importId', e.data -> 'importId')
      from lead_notes n left join lead_events e on e.note_id = n.id)
    select json_build_object('id', id, 'type', type, 'at', aldaba.iso_time(at), 'leadId', lead_id, 'data', data) as json,
      array[id, at::text] as position
    from items
    where ${after ? sql`(at, id) < (${after[1]}::timestamptz, ${after[0]})` : sql`true`}
    order by at desc, id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}
