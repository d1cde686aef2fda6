-- Leads: a property, the person who offers it, their sources, and the work of the agency.

-- A place name as it is compared: without accents, case and dashes. Immutable, which unaccent() is not.
create function place_key(place text) returns text
  language sql immutable parallel safe
  return left(translate(lower(place), 'àáâãäåçèéêëìíîïñòóôõöùúûüý''’·-', 'aaaaaaceeeeiiiinooooouuuuy'), 100);

-- The cell of a pin, 300 m by 300 m: the same as placeKeys (src/domain/dedupe/place-keys.ts), which a test ensures.
-- The database computes it, so that it is right for every writer of leads.
create function place_cell(latitude double precision, longitude double precision) returns bigint
  language sql immutable parallel safe
  return case when latitude between -90 and 90 and longitude between -180 and 180 then
    floor((latitude + 90) / (300 / 111200::float8))::bigint * 262144
    + floor((longitude + 180) / (300 / 111200::float8)
        * greatest(cos((floor((latitude + 90) / (300 / 111200::float8)) * (300 / 111200::float8) - 90) * (pi() / 180)), 0.01))::bigint
  end;

create table leads (
  tenant_id uuid not null,
  -- A UUIDv7 made in the millisecond of created_at. The order of ids is the order of creation, so the primary key also
  -- serves the sort order `-createdAt`.
  id uuid not null,
  external_id text check (length(external_id) between 1 and 255),
  status text not null default 'new'
    check (status in ('new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded')),
  status_changed_at timestamptz,
  owner_user_id uuid references users (id),
  campaign_id uuid,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  notes_count integer not null default 0,
  edited_columns text[] not null default '{}',

  -- The person
  contact_name text,
  phone text,
  phone_raw text,
  email text,
  identifiers text[] not null default '{}',
  advertiser_type text check (advertiser_type in ('private', 'agency')),
  last_contacted_at timestamptz,
  last_reply_at timestamptz,

  -- The lawful basis for contact
  lawful_basis text,
  lawful_basis_at timestamptz,
  lawful_basis_proof text,
  lawful_basis_channels text[] check (lawful_basis_channels <@ array['chat', 'phone', 'email']),
  lawful_basis_expires_at timestamptz,
  lawful_basis_by uuid references users (id),
  lawful_basis_withdrawn_at timestamptz,
  consent_at timestamptz,
  notice_sent_at timestamptz,

  -- The property
  operation text,
  property_type text,
  title text,
  description text,
  price numeric(14, 2),
  currency text,
  listing_price numeric(14, 2),
  price_history jsonb not null default '[]',
  square_meters numeric(10, 2),
  rooms integer,
  bedrooms integer,
  bathrooms integer,
  floor float8,
  floor_text text,
  condition text,
  features text[] not null default '{}',
  address text,
  municipality text,
  province text,
  postcode text,
  latitude double precision,
  longitude double precision,
  images text[] not null default '{}',
  url text,
  published_at timestamptz,

  created_at timestamptz not null,
  updated_at timestamptz not null,

  -- Columns for indexes. In PostgreSQL, comparing and casting numerics is not leakproof, so under row level security an
  -- index on them can sort, but not search.
  price_or_max float8 generated always as (coalesce(price::float8, 1e15)) stored,
  price_or_min float8 generated always as (coalesce(price::float8, -1)) stored,
  price_bucket integer generated always as (case when price > 0 then floor(ln(price::float8) * 20) end) stored,
  rounded_square_meters integer generated always as (round(square_meters)) stored,
  bedrooms_or_none integer generated always as (coalesce(bedrooms, -1)) stored,
  municipality_key text generated always as (place_key(municipality)) stored,
  province_key text generated always as (place_key(province)) stored,
  place_cell bigint generated always as (place_cell(latitude, longitude)) stored,
  street_key bigint,

  primary key (tenant_id, id),
  constraint leads_lawful_basis check (
    lawful_basis in ('consent', 'contract', 'legitimate_interest') and lawful_basis_at is not null or lawful_basis is null)
);
comment on table leads is 'A property and the person who offers it.';
comment on column leads.id is 'A UUIDv7: the order of ids is the order of creation.';
comment on column leads.external_id is 'The id that the workspace''s own system gives the lead.';
comment on column leads.status_changed_at is 'When somebody last changed the status: retention counts it as contact with the person.';
comment on column leads.edited_columns is 'Columns that somebody edited. Listings never change them, even if they are empty.';
comment on column leads.phone is 'E.164; `phone_raw` is the original text.';
comment on column leads.identifiers is 'Further phones (+34…), e-mail addresses (…@…) and chats (provider:id) of the person, normalised.';
comment on column leads.lawful_basis_channels is 'Null: the channels that the kind of basis covers by itself.';
comment on column leads.lawful_basis_withdrawn_at is 'When the last recorded basis was withdrawn. An import does not restore an older one.';
comment on column leads.listing_price is 'The price in the primary listing of the lead, in the currency of that listing. Null: not known.';
comment on column leads.floor is '0: the ground floor; -1: the basement; 0.5: a mezzanine. `floor_text` is the original text.';
comment on column leads.price_or_max is 'The price, with unknown ones last in ascending order; `price_or_min` in descending order.';
comment on column leads.price_bucket is 'The price in steps of 5 %: a separate column, so that the planner prefers leads_place_cell.';
comment on column leads.municipality_key is 'The normalised name: place_key().';
comment on column leads.place_cell is 'The cell of 300 m by 300 m that holds the pin.';
comment on column leads.street_key is 'The key of its street in its town, as the program computes it: for listings without a pin.';
call isolate_tenant_table('leads');

-- Each sort order of the list has an index that includes the columns of the filters, so that leads which a filter
-- excludes are not read from the table. The primary key stays small, because foreign keys look up leads in it.
create index leads_by_created_at on leads (tenant_id, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, price_or_max, latitude, longitude, created_at, updated_at);
create index leads_by_updated_at on leads (tenant_id, updated_at, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, price_or_max, latitude, longitude, created_at);
-- A filter by price uses the column that the list is sorted by.
create index leads_by_price on leads (tenant_id, price_or_max, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, latitude, longitude, created_at, updated_at);
create index leads_by_price_desc on leads (tenant_id, price_or_min, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, latitude, longitude, created_at, updated_at);

-- For filters that few leads match, or that correlate with the sort order: old leads rarely have the status `new`, and
-- rents are at one end of all prices.
create index leads_status on leads (tenant_id, status, id);
create index leads_status_updated_at on leads (tenant_id, status, updated_at, id);
create index leads_owner on leads (tenant_id, owner_user_id, id) include (updated_at, price_or_max, price_or_min)
  where owner_user_id is not null;
create index leads_campaign on leads (tenant_id, campaign_id, id) include (updated_at, price_or_max, price_or_min)
  where campaign_id is not null;
create index leads_municipality on leads (tenant_id, municipality_key, id) include (updated_at, price_or_max, price_or_min)
  where municipality_key is not null;
create index leads_province on leads (tenant_id, province_key, id) include (updated_at, price_or_max, price_or_min)
  where province_key is not null;
create index leads_place on leads (tenant_id, latitude, longitude) where latitude is not null;
create index leads_operation on leads (tenant_id, operation, price_or_min, id);
create index leads_property_type on leads (tenant_id, property_type, price_or_min, id);
create unique index leads_external_id on leads (tenant_id, external_id) where external_id is not null;

create table lead_sources (
  tenant_id uuid not null,
  platform text not null,
  listing_id text not null,
  lead_id uuid not null,
  url text,
  path text,
  external_id text,
  extraction_id uuid,
  import_id uuid,
  campaign_id uuid,
  is_primary boolean not null default true,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  withdrawn_at timestamptz,
  no_agencies boolean not null default false,
  card_hash text,
  etag text,
  last_modified text,
  page_fetched_at timestamptz,
  written_checksum bigint,
  primary key (tenant_id, platform, listing_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table lead_sources is 'Sources of leads: a listing of a portal, a row of a file, a request. A listing belongs to one lead at most.';
comment on column lead_sources.platform is 'The portal; `api` or `csv_import` for a lead that was created or imported.';
comment on column lead_sources.path is 'The path of the listing on its portal.';
comment on column lead_sources.external_id is 'The id in an imported file, if another lead already has this id as its listing_id: many CRMs number their records from 1.';
comment on column lead_sources.is_primary is 'The lead''s fields follow this source. The others fill gaps.';
comment on column lead_sources.withdrawn_at is 'Since when its portal no longer has the listing.';
comment on column lead_sources.no_agencies is 'The text of this listing asks agencies not to call. It is stored per listing.';
comment on column lead_sources.card_hash is 'Hash of its entry in the search results: incremental runs do not read a listing again while it stays the same.';
comment on column lead_sources.etag is 'Validator of its page (RFC 9110, section 8.8), as `last_modified` is.';
comment on column lead_sources.page_fetched_at is 'When its page was last read in whole.';
comment on column lead_sources.written_checksum is 'A fingerprint of what an import wrote. Undoing the import deletes only leads that still have it.';
call isolate_tenant_table('lead_sources');
-- To find out if a lead has a source on a portal.
create index lead_sources_lead on lead_sources (tenant_id, lead_id, platform);
create index lead_sources_external on lead_sources (tenant_id, platform, external_id) where external_id is not null;
-- Few listings match.
create index lead_sources_withdrawn on lead_sources (tenant_id, lead_id) where withdrawn_at is not null;
create index lead_sources_no_agencies on lead_sources (tenant_id, lead_id) where no_agencies;

create table notes (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  body text not null,
  author_user_id uuid references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table notes is 'Notes of users about a lead.';
comment on column notes.author_user_id is 'The signed-in user who wrote the note, or the user who created its key. Null: the key has no user.';
call isolate_tenant_table('notes');
-- The notes of a lead, newest first: ids are UUIDv7.
create index notes_lead on notes (tenant_id, lead_id, id);

create table lead_merges (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  absorbed_id uuid not null,
  absorbed jsonb not null,
  changes jsonb not null,
  sources jsonb not null,
  note_ids uuid[] not null,
  moved_references jsonb not null default '{}',
  created_at timestamptz not null,
  created_by uuid references users (id),
  undone_at timestamptz,
  primary key (tenant_id, id)
);
comment on table lead_merges is 'Merges of two leads, with the data to undo them. There is no foreign key: the merges of a lead stay when another lead absorbs it. Deleting a lead deletes its merges.';
comment on column lead_merges.absorbed is 'The row of the absorbed lead. Empty once the merge is undone, like `changes` and `sources`.';
comment on column lead_merges.changes is 'Columns of the remaining lead (`lead_id`) that changed: { column: { before, after } }.';
comment on column lead_merges.sources is 'The sources that moved; `note_ids` are the notes that moved.';
comment on column lead_merges.moved_references is 'Data that a merge moves or deletes, to undo it: { duplicates, statusChangedAt, saved }. `saved` holds the rows of other features, by their own names.';
call isolate_tenant_table('lead_merges');
create index lead_merges_lead on lead_merges (tenant_id, lead_id, id);
create index lead_merges_absorbed_id on lead_merges (tenant_id, absorbed_id, id);
-- An absorbed lead is still found by its external id.
create index lead_merges_external_id on lead_merges (tenant_id, (absorbed ->> 'external_id'))
  where undone_at is null and absorbed ->> 'external_id' is not null;

create table lead_operations (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('update', 'delete', 'erase')),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  selection jsonb not null,
  changes jsonb,
  key_id uuid,
  user_id uuid references users (id),
  requested integer,
  last_lead_id uuid not null,
  cursor_lead_id uuid,
  matched integer,
  processed integer not null default 0,
  changed integer not null default 0,
  shared_identifiers text[] not null default '{}',
  requeues integer not null default 0,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  progressed_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
comment on table lead_operations is 'A change, deletion or erasure of many leads: an operation, which a job executes.';
comment on column lead_operations.selection is 'The leads: ids, or a filter. Emptied at the end, like `changes`, because a filter may name a person.';
comment on column lead_operations.key_id is 'The key that requested it; `user_id`: the user of the dashboard who did.';
comment on column lead_operations.requested is 'Number of given ids, which may be more than exist. Null: a filter was given.';
comment on column lead_operations.last_lead_id is 'The last lead that is included: leads created after the request are not.';
comment on column lead_operations.cursor_lead_id is 'The last processed lead.';
comment on column lead_operations.shared_identifiers is 'For an erasure: identifiers that too many leads shared at the start to identify a person.';
comment on column lead_operations.requeues is 'How often a job was enqueued again because the former one was lost.';
comment on column lead_operations.progressed_at is 'When something last happened to it.';
call isolate_tenant_table('lead_operations');
create policy owner_bypass on lead_operations for select to current_user using (true);
-- Counted before more work is accepted.
create index lead_operations_active on lead_operations (tenant_id) where status in ('QUEUED', 'RUNNING');
