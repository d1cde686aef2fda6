-- Leads, and the adverts they were read from.

create table leads (
  tenant_id uuid not null,
  id uuid not null,
  status text not null default 'new'
    check (status in ('new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded')),
  contact_name text,
  phone text,
  phone_raw text,
  email text,
  advertiser_type text check (advertiser_type in ('private', 'agency')),
  operation text,
  property_type text,
  title text,
  description text,
  price numeric(14, 2),
  currency text,
  square_meters numeric(10, 2),
  rooms integer,
  bedrooms integer,
  bathrooms integer,
  floor text,
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
  price_history jsonb not null default '[]',
  campaign_id uuid,
  owner_user_id uuid references users (id),
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  lawful_basis text,
  consent_at timestamptz,
  notice_sent_at timestamptz,
  notes_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_contacted_at timestamptz,
  last_reply_at timestamptz,
  -- Ids are UUIDv7 made in the millisecond of created_at: their order is the order of creation, so this key serves -createdAt.
  primary key (tenant_id, id)
);
call stamp_tenant_table('leads');
create index leads_updated_at on leads (tenant_id, updated_at, id);
-- By price, unknown ones last either way. As floats because numeric comparison is not leakproof: under row level
-- security the index would give the order and not the place to start from.
create index leads_price_ascending on leads (tenant_id, (coalesce(price::float8, 1e15)), id);
create index leads_price_descending on leads (tenant_id, (coalesce(price::float8, -1)), id);

create table lead_sources (
  tenant_id uuid not null,
  platform text not null,
  listing_id text not null,
  lead_id uuid not null,
  url text not null,
  extraction_id uuid,
  campaign_id uuid,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- At most one lead per advert.
  primary key (tenant_id, platform, listing_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('lead_sources');
create index lead_sources_lead on lead_sources (tenant_id, lead_id);
