-- Who works in a workspace, and the API keys that programs call with.

create table users (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null default now(),
  unique (workspace_id, email)
);
comment on table users is 'People of an agency. They work in both environments of their workspace.';
alter table users enable row level security;
create policy own_workspace on users to aldaba_service using (workspace_id = aldaba.current_workspace());
grant select on users to aldaba_service;

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id)
);
comment on table api_keys is 'A key belongs to a tenant, hence to one environment.';
comment on column api_keys.prefix is 'The beginning of the value, to recognise it by; `last4` is its end.';
comment on column api_keys.expires_at is 'Null: never.';
call stamp_tenant_table('api_keys');
create policy owner_lookup on api_keys to current_user using (true) with check (true);

create table key_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  key_id uuid not null
);
comment on table key_hashes is 'Whose a key is, by the hash of its value. The value is kept nowhere. The tenant is not known yet when a key comes in, so this table stays whole where tenants are spread over servers: its key does not begin with the tenant, and it refers to no row of a tenant.';
call stamp_tenant_table('key_hashes');
create policy owner_lookup on key_hashes to current_user using (true) with check (true);

create table key_uses (
  tenant_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
);
comment on table key_uses is 'When a key was last used: written by the HTTP layer, and so apart from the key.';
call stamp_tenant_table('key_uses');
create policy owner_lookup on key_uses for select to current_user using (true);

-- A key and what its holder may do, by the hash of its value. It returns revoked and expired keys too: the caller decides.
create function find_api_key(key_hash bytea)
  returns table (id uuid, tenant_id uuid, workspace_id uuid, environment text, scopes text[], requests_per_minute integer,
                 expires_at timestamptz, revoked_at timestamptz)
  language plpgsql stable security definer set search_path = aldaba, pg_temp
as $$
declare holder record;
begin
  select h.tenant_id, h.key_id into holder from key_hashes h where h.hash = key_hash;
  -- A statement of its own, for one tenant: its rows may be on another server than the hashes.
  return query
    select k.id, k.tenant_id, t.workspace_id, t.environment, k.scopes, w.requests_per_minute, k.expires_at, k.revoked_at
    from api_keys k join tenants t on t.id = k.tenant_id join workspaces w on w.id = t.workspace_id
    where k.tenant_id = holder.tenant_id and k.id = holder.key_id;
end $$;

-- Enters the tenant of a key, in the transaction that does the work, if the key is valid at this very moment.
create function enter_with_key(tenant uuid, workspace uuid, key_id uuid, shift_ms bigint default null) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  perform from api_keys k
    where k.tenant_id = tenant and k.id = key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp());
  if not found then
    raise exception 'the key is revoked or has expired' using errcode = 'AL401';
  end if;
  perform check_clock(tenant, shift_ms);
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true);
end $$;

revoke all on function find_api_key, enter_with_key from public;
grant execute on function find_api_key, enter_with_key to aldaba_service;
