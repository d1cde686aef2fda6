-- API keys: the hash alone is kept. A key belongs to a tenant, hence to one environment.

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id)
);
call stamp_tenant_table('api_keys');

-- The definer functions below read keys before any tenant is entered. They run as the owner, who is under forced
-- row level security like everybody; this policy is for that role alone, and the service never acts as it.
create policy owner_lookup on api_keys to current_user using (true) with check (true);

-- A key and what its holder may do, by the hash of its value. Revoked and expired keys are found too: the caller tells.
create function find_api_key(key_hash bytea)
  returns table (id uuid, tenant_id uuid, workspace_id uuid, environment text, scopes text[], requests_per_minute integer,
                 expires_at timestamptz, revoked_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select k.id, k.tenant_id, t.workspace_id, t.environment, k.scopes, w.requests_per_minute, k.expires_at, k.revoked_at
  from api_keys k join tenants t on t.id = k.tenant_id join workspaces w on w.id = t.workspace_id
  where k.hash = key_hash
$$;

-- Enter the tenant of a key, in the transaction that does the work, if the key is valid at this very moment.
create function enter_with_key(tenant uuid, workspace uuid, key_id uuid) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  perform from api_keys k
    where k.tenant_id = tenant and k.id = key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp());
  if not found then
    raise exception 'the key is revoked or has expired' using errcode = 'AL401';
  end if;
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true);
end $$;

revoke all on function find_api_key, enter_with_key from public;
grant execute on function find_api_key, enter_with_key to aldaba_service;
