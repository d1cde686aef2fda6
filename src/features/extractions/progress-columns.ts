/** What the counters of an extraction `e` come to, in SQL. */
import { jsonObjectText } from '../../kit/db/json.ts'

/** How many adverts those have dealt with whose work this one goes on with: what could not be read is left to it. */
export const metBeforeText = `case when e.resumed_from is null then 0 else (
  with recursive before (resumed_from, met) as (
    select b.resumed_from, b.listings_found - b.failed from extractions b
      where b.tenant_id = e.tenant_id and b.id = e.resumed_from
    union all
    select b.resumed_from, b.listings_found - b.failed from extractions b join before p
      on b.tenant_id = e.tenant_id and b.id = p.resumed_from
  ) select sum(met)::int from before) end`

export const progressText =
  jsonObjectText(`e.pages_fetched as "pagesFetched", e.listings_found as "listingsFound",
  e.listings_read as "listingsRead", e.leads_created as "leadsCreated", e.leads_updated as "leadsUpdated",
  e.duplicates, e.skipped, e.failed,
  case when e.status = 'COMPLETED' then 100 when coalesce(e.promised, 0) = 0 then 0
    else least(99, 100 * greatest(e.leads_matched, e.listings_found)
      / least(e.max_results, greatest(1, e.promised - ${metBeforeText}))) end as percent`)
