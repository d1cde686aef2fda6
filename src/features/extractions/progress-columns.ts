/** SQL: the `progress` of an extraction `e` as JSON, from its counters. */
import { jsonObjectText } from '../../kit/db/json.ts'

export const progressText =
  jsonObjectText(`e.pages_fetched as "pagesFetched", e.listings_found as "listingsFound",
  e.listings_read as "listingsRead", e.leads_created as "leadsCreated", e.leads_updated as "leadsUpdated",
  e.duplicates, e.skipped, e.failed,
  case when e.status = 'COMPLETED' then 100 when coalesce(e.reported_total, 0) = 0 then 0
    else least(99, 100 * greatest(e.leads_matched, e.listings_found)
      / least(e.max_results, greatest(1, e.reported_total - e.processed_before))) end as percent`)
