-- Links by which anybody may read a page of a tenant, whatever it is of: a valuation, a sheet.

create table shares (
  tenant_id uuid not null,
  -- Of what: `valuation`.
  kind text not null,
  object_id uuid not null,
  -- SHA-256: by it a link is known.
  token_hash bytea not null unique,
  -- Encrypted, to be shown again.
  token bytea not null,
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz,
  views integer not null default 0,
  last_viewed_at timestamptz,
  primary key (tenant_id, kind, object_id)
);
call stamp_tenant_table('shares');

alter table valuation_shares no force row level security;
alter table shares no force row level security;
insert into shares (tenant_id, kind, object_id, token_hash, token, created_at, expires_at, views, last_viewed_at)
  select tenant_id, 'valuation', valuation_id, token_hash, token, created_at, expires_at, views, last_viewed_at from valuation_shares;
alter table shares force row level security;
drop function find_valuation_share;
drop table valuation_shares;

-- Whose page a link opens: who follows it has no key. It runs as the owner, who is under forced row level security like
-- everybody; the policy is for that role alone.
create policy owner_lookup on shares for select to current_user using (true);
create function find_share(hash bytea) returns table (tenant_id uuid, kind text, object_id uuid)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select s.tenant_id, s.kind, s.object_id from shares s
  where s.token_hash = hash and (s.expires_at is null or s.expires_at > now())
$$;
revoke all on function find_share from public;
grant execute on function find_share to aldaba_service;
