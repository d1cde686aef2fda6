-- Extraction jobs, what each has done with every advert it met, and the pace kept towards each portal.

create table extractions (
  tenant_id uuid not null,
  id uuid not null,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  platform text not null,
  filters jsonb not null,
  max_results integer not null check (max_results >= 1),
  options jsonb not null,
  campaign_id uuid,
  outcome text check (outcome in ('full', 'partial')),
  -- The page to read next; with extraction_listings it is all that a resumed run needs.
  next_page integer not null default 1,
  -- Whoever runs the job holds this token; a write with another one is refused, so two runs never both count.
  run_token uuid,
  -- The portal's own count of what the search finds; null until its first page is read.
  promised integer,
  -- Adverts that are a lead now, whether it is new, changed or as it was: what max_results caps.
  leads_matched integer not null default 0,
  pages_fetched integer not null default 0,
  listings_found integer not null default 0,
  listings_read integer not null default 0,
  leads_created integer not null default 0,
  leads_updated integer not null default 0,
  duplicates integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  skipped_by_reason jsonb not null default '{}',
  error_code text,
  error_message text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
call stamp_tenant_table('extractions');

create table extraction_listings (
  tenant_id uuid not null,
  extraction_id uuid not null,
  listing_id text not null,
  result text not null check (result in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  lead_id uuid,
  primary key (tenant_id, extraction_id, listing_id),
  foreign key (tenant_id, extraction_id) references extractions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete set null (lead_id)
);
call stamp_tenant_table('extraction_listings');
create index extraction_listings_lead on extraction_listings (tenant_id, lead_id);

-- One row per portal origin, shared by all tenants and all worker processes: when the next request may start.
create table portal_pace (
  origin text primary key,
  next_at timestamptz not null
);
grant select, insert, update on portal_pace to aldaba_service;
