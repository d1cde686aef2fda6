-- Valuations, and links that share pages.

create table valuations (
  tenant_id uuid not null,
  id uuid not null,
  name text,
  address text,
  portal_location_id text,
  operation text not null,
  property_type text not null,
  subject json not null,
  area json not null,
  included_ids uuid[] not null,
  excluded_ids uuid[] not null,
  report_config json not null,
  currency text not null,
  price_basis text not null,
  estimate json not null,
  comparables_used smallint not null,
  compared json not null,
  candidates json not null,
  as_of timestamptz not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table valuations is 'A valuation with the comparables that it was computed from, so that a report outlives the market. JSON that is never searched has the type json, which keeps the order of keys.';
comment on column valuations.subject is 'The property of the request.';
comment on column valuations.area is 'Where comparables were searched: { radiusKm } or { polygon }.';
comment on column valuations.currency is 'With `price_basis`, operation and property type: the market.';
comment on column valuations.estimate is 'The result, without the comparables.';
comment on column valuations.compared is 'The adjustments of each shown comparable.';
comment on column valuations.candidates is 'The facts of all considered properties at that time.';
comment on column valuations.as_of is 'The date of the value.';
comment on column valuations.revision is 'Grows with each change.';
call isolate_tenant_table('valuations');

create table shares (
  tenant_id uuid not null,
  kind text not null,
  object_id uuid not null,
  token_hash bytea not null,
  token bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  views integer not null default 0,
  last_viewed_at timestamptz,
  primary key (tenant_id, kind, object_id)
);
comment on table shares is 'Public links to pages of a tenant.';
comment on column shares.kind is 'The kind of the shared object, such as `valuation`.';
comment on column shares.token_hash is 'SHA-256 of the token.';
comment on column shares.token is 'Encrypted, to be shown again.';
comment on column shares.expires_at is 'Null: never.';
call isolate_tenant_table('shares');

create table share_tokens (
  token_hash bytea primary key,
  tenant_id uuid not null,
  kind text not null,
  object_id uuid not null
);
comment on table share_tokens is 'Finds the tenant of a link by the hash of its token; the other facts are in shares. The tenant is not known yet when a link is opened, so this table is not distributed on a cluster: see key_hashes.';
call isolate_tenant_table('share_tokens');
create policy owner_bypass on share_tokens for select to current_user using (true);

-- The object of a link. The caller checks in the tenant if the link is still valid.
create function find_share(hash bytea) returns table (tenant_id uuid, kind text, object_id uuid)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select s.tenant_id, s.kind, s.object_id from share_tokens s where s.token_hash = hash
$$;
revoke all on function find_share from public;
grant execute on function find_share to aldaba_service;
