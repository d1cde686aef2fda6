-- Extractions: searches of portals, whose listings become leads.

create table extractions (
  tenant_id uuid not null,
  id uuid not null,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  platform text not null,
  filters jsonb not null,
  max_results integer not null check (max_results >= 1),
  options jsonb not null,
  campaign_id uuid,

  -- Cursor
  run_token uuid,
  cursor jsonb,
  search_key text not null default '',
  search_started_at timestamptz,
  since timestamptz,
  resumed_from uuid,
  processed_before integer not null default 0,
  requeues integer not null default 0,

  -- Progress
  reported_total integer,
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
  pending integer not null default 0,
  rechecked integer not null default 0,

  -- Result
  outcome text check (outcome in ('full', 'partial')),
  capped boolean not null default false,
  exhaustive boolean not null default false,
  total_stable boolean not null default true,
  error_code text,
  error_message text,

  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  progressed_at timestamptz not null default now(),
  progress_emitted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, resumed_from) references extractions (tenant_id, id)
);
comment on table extractions is 'A search of a portal that makes leads of its listings: an operation.';
comment on column extractions.run_token is 'The running job holds this token. A write with another token is refused, so that two runs never count the same listing.';
comment on column extractions.cursor is 'The next page, and how far it is processed. A resumed run needs only this and extraction_listings. Null before the first page.';
comment on column extractions.search_key is 'Platform and filters as one value, which is equal for runs of the same search.';
comment on column extractions.search_started_at is 'When its search began. If it resumes an earlier run, this is the start of that run.';
comment on column extractions.since is 'For an incremental run: when the last exhaustive run of this search began.';
comment on column extractions.resumed_from is 'The extraction that this one resumes.';
comment on column extractions.processed_before is 'Listings processed by the resumed extractions. Listings that those failed to read are read again.';
comment on column extractions.requeues is 'How often a job was enqueued again because the former one was lost.';
comment on column extractions.reported_total is 'The portal''s own count of what the search finds. Null before the first page.';
comment on column extractions.leads_matched is 'Listings that are leads now, whether new, changed or unchanged. max_results limits this number.';
comment on column extractions.pending is 'Its rows in extraction_pending, which only extractions of campaigns have.';
comment on column extractions.rechecked is 'Listings missing from the search that were looked up one by one; counted for campaigns.';
comment on column extractions.capped is 'It stopped at max_results while the portal had more listings.';
comment on column extractions.exhaustive is 'It provably saw every listing of its search.';
comment on column extractions.total_stable is 'The portal''s own count stayed the same from the first page to the last.';
comment on column extractions.progressed_at is 'When something last happened to it.';
comment on column extractions.progress_emitted_at is 'When an event last reported its progress.';
call isolate_tenant_table('extractions');
create policy owner_bypass on extractions for select to current_user using (true);
create index extractions_search on extractions (tenant_id, search_key, id);
create index extractions_resumed_from on extractions (tenant_id, resumed_from) where resumed_from is not null;
-- Counted before more work is accepted.
create index extractions_active on extractions (tenant_id) where status in ('QUEUED', 'RUNNING');

create table extraction_listings (
  tenant_id uuid not null,
  extraction_id uuid not null,
  listing_id text not null,
  result text not null check (result in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  lead_id uuid,
  primary key (tenant_id, extraction_id, listing_id),
  foreign key (tenant_id, extraction_id) references extractions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id)
);
comment on table extraction_listings is 'The result of every listing that an extraction found.';
comment on column extraction_listings.lead_id is 'Null: it made no lead, or the lead was deleted.';
call isolate_tenant_table('extraction_listings');
create index extraction_listings_lead on extraction_listings (tenant_id, lead_id);

create table portal_health (
  origin text primary key,
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure_code text
);
comment on table portal_health is 'When a run at a portal last succeeded and when one last failed, for any tenant.';
grant select, insert, update on portal_health to aldaba_service;

create table sandbox_listings (
  tenant_id uuid not null,
  listing_id text not null,
  price integer,
  is_withdrawn boolean not null,
  sequence integer not null,
  primary key (tenant_id, listing_id)
);
comment on table sandbox_listings is 'Changes of simulated listings by a test environment, which its extractions see.';
call isolate_tenant_table('sandbox_listings');
