/** SQL: a run `r` with its extraction `e`, as the columns of the API's `CampaignRun`. */
export const runColumns = `r.id, r.status, r.extraction_id as "extractionId", r.incremental,
  case when r.status = 'running' then coalesce(e.pending, 0) else 0 end as "pendingUrls",
  coalesce(e.listings_found + e.rechecked, 0) as "checkedUrls", e.reported_total as "portalTotal",
  coalesce(e.leads_created, 0) as "leadsCreated", coalesce(e.leads_updated, 0) as "leadsUpdated", r.joined, r.reason,
  aldaba.iso_time(r.started_at) as "startedAt", aldaba.iso_time(r.finished_at) as "finishedAt"`
