-- Valuations: what was asked and what was answered, with the comparables that it was answered from, so that a report outlives
-- the market; links by which a report is shared; and how the agency looks on it. JSON that nobody searches keeps its order.

create table valuations (
  tenant_id uuid not null,
  id uuid not null,
  name text,
  address text,
  portal_location_id text,
  operation text not null,
  property_type text not null,
  -- The property as it was described.
  subject json not null,
  -- Where comparables were looked for: { radiusKm } or { polygon }.
  area json not null,
  included_ids uuid[] not null,
  excluded_ids uuid[] not null,
  report_config json not null,
  -- The market.
  currency text not null,
  price_basis text not null,
  -- The result, without the comparables.
  estimate json not null,
  comparables_used smallint not null,
  -- What was done with each comparable that is shown.
  compared json not null,
  -- The facts of all that were looked at, as they were then.
  candidates json not null,
  -- The moment that the value is for.
  as_of timestamptz not null,
  -- Grows with each change.
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
call stamp_tenant_table('valuations');

create table valuation_shares (
  tenant_id uuid not null,
  valuation_id uuid not null,
  -- SHA-256: by it a link is known.
  token_hash bytea not null unique,
  -- Encrypted, to be shown again.
  token bytea not null,
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz,
  views integer not null default 0,
  last_viewed_at timestamptz,
  primary key (tenant_id, valuation_id),
  foreign key (tenant_id, valuation_id) references valuations (tenant_id, id) on delete cascade
);
call stamp_tenant_table('valuation_shares');

-- Whose page a link opens: who follows it has no key. It runs as the owner, who is under forced row level security like
-- everybody; the policy is for that role alone.
create policy owner_lookup on valuation_shares for select to current_user using (true);
create function find_valuation_share(hash bytea) returns table (tenant_id uuid, valuation_id uuid)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select s.tenant_id, s.valuation_id from valuation_shares s
  where s.token_hash = hash and (s.expires_at is null or s.expires_at > now())
$$;
revoke all on function find_valuation_share from public;
grant execute on function find_valuation_share to aldaba_service;

alter table workspaces
  -- `#rrggbb`.
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  -- A PNG, JPEG or SVG.
  add column brand_logo bytea check (length(brand_logo) <= 1000000),
  add column brand_phone text,
  add column brand_email text,
  add column brand_website text;
