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

create table campaign_subscribers (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  email text not null,
  unsubscribed_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, campaign_id, email),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_subscribers is 'An address that got a digest. The object of its link, which ends the digests.';
comment on column campaign_subscribers.unsubscribed_at is 'When the person ended the digests; null: they have not. Only they can take it back.';
call isolate_tenant_table('campaign_subscribers');
create index campaign_subscribers_email on campaign_subscribers (tenant_id, email);

create table campaign_digests (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  due_at timestamptz not null,
  after_id uuid,
  until_id uuid not null,
  types text[] not null,
  counts jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, campaign_id, due_at),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_digests is 'A digest of the changes of these types after one change until another. One for each time.';
comment on column campaign_digests.after_id is 'Null: from the first change on.';
call isolate_tenant_table('campaign_digests');

create table campaign_digest_mails (
  tenant_id uuid not null,
  id uuid not null,
  digest_id uuid not null,
  subscriber_id uuid not null,
  status text not null check (status in ('queued', 'sent', 'skipped', 'failed')),
  reason jsonb,
  claimed_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, digest_id, subscriber_id),
  foreign key (tenant_id, digest_id) references campaign_digests (tenant_id, id) on delete cascade,
  foreign key (tenant_id, subscriber_id) references campaign_subscribers (tenant_id, id) on delete cascade
);
comment on table campaign_digest_mails is 'The e-mail of a digest to a subscriber.';
comment on column campaign_digest_mails.claimed_at is 'When it was handed to the mail server; with the status queued, the result is not known.';
comment on column campaign_digest_mails.reason is 'Why it was not sent: { code, message }.';
call isolate_tenant_table('campaign_digest_mails');
create index campaign_digest_mails_subscriber on campaign_digest_mails (tenant_id, subscriber_id);
