-- Saved searches: campaigns that notify of what is new, cheaper or gone at their portal.

create table campaign_searches (
  tenant_id uuid not null,
  campaign_id uuid not null,
  baseline_runs integer not null default 0,
  baseline_at timestamptz,
  digest_at timestamptz,
  digested_id uuid,
  primary key (tenant_id, campaign_id),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_searches is 'How far the changes of a search are known and notified.';
comment on column campaign_searches.baseline_runs is 'Completed runs of the present search before the baseline was complete.';
comment on column campaign_searches.baseline_at is 'Since when changes are recorded; null: the runs still learn what the search shows.';
comment on column campaign_searches.digest_at is 'When the next digest is due; null: there is nothing to send.';
comment on column campaign_searches.digested_id is 'The last change that a digest has covered.';
call isolate_tenant_table('campaign_searches');
create policy owner_bypass on campaign_searches for select to current_user using (true);
create index campaign_searches_digest on campaign_searches (digest_at, tenant_id) where digest_at is not null;

create table campaign_search_listings (
  tenant_id uuid not null,
  campaign_id uuid not null,
  listing_id text not null,
  lead_id uuid,
  price numeric(14, 2),
  currency text,
  first_seen_at timestamptz not null,
  gone_at timestamptz,
  primary key (tenant_id, campaign_id, listing_id),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_search_listings is 'The listings that a search has shown, as the last run knew them.';
comment on column campaign_search_listings.lead_id is 'Null: it could not be read, or the lead was deleted.';
comment on column campaign_search_listings.price is 'Null: not known, or that of another listing of the lead counts.';
comment on column campaign_search_listings.gone_at is 'Since when it is gone; null: it is not.';
call isolate_tenant_table('campaign_search_listings');
create index campaign_search_listings_lead on campaign_search_listings (tenant_id, lead_id) where lead_id is not null;

create table campaign_search_changes (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  run_id uuid not null,
  type text not null check (type in ('new', 'cheaper', 'gone')),
  platform text not null,
  listing_id text not null,
  lead_id uuid not null,
  price numeric(14, 2),
  previous_price numeric(14, 2),
  currency text,
  is_returned boolean not null default false,
  reason text check (reason in ('LISTING_WITHDRAWN', 'NOT_IN_SEARCH')),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_search_changes is 'What a run of a saved search has found.';
comment on column campaign_search_changes.is_returned is 'A new listing that was gone before.';
comment on column campaign_search_changes.reason is 'Why it is gone.';
call isolate_tenant_table('campaign_search_changes');
create index campaign_search_changes_campaign on campaign_search_changes (tenant_id, campaign_id, id);
create index campaign_search_changes_lead on campaign_search_changes (tenant_id, lead_id);
