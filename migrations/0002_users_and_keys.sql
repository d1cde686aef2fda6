-- Users of workspaces and their sign-in, and the API keys of programs.

create table users (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (workspace_id, email)
);
comment on table users is 'People of an agency. They work in both environments of their workspace.';
comment on column users.revoked_at is 'When the operator ended their access; null: they may sign in, or accept their invitation.';
alter table users enable row level security;
create policy own_workspace on users to aldaba_service using (workspace_id = aldaba.current_workspace());
grant select on users to aldaba_service;

create index users_by_email on users (lower(email));

-- The sign-in tables belong to no tenant: they are read before the tenant of a request is known.
create table passwords (
  user_id uuid primary key references users (id) on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);
comment on table passwords is 'Passwords of the users who have set one.';
comment on column passwords.hash is 'Argon2id in PHC string format, with its parameters.';

create table password_tokens (
  token_hash bytea primary key,
  user_id uuid not null unique references users (id) on delete cascade,
  expires_at timestamptz not null
);
comment on table password_tokens is 'Invitations and resets: the token allows setting the password once.';

create table sign_in_attempts (
  account bytea primary key,
  failures integer not null,
  last_attempt_at timestamptz not null,
  locked_until timestamptz not null
);
create index sign_in_attempts_by_time on sign_in_attempts (last_attempt_at);
comment on table sign_in_attempts is 'Sign-in attempts since the last success. An account is a keyed hash of an e-mail address, which may belong to no user.';

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users (id) on delete cascade,
  workspace_id uuid not null references workspaces (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  idle_expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
comment on table sessions is 'Sessions of users in the dashboard. Signing out deletes the row.';
comment on column sessions.idle_expires_at is 'Moves on with each use; expires_at does not.';
grant select, insert, update, delete on passwords, password_tokens, sign_in_attempts, sessions to aldaba_service;

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
comment on column api_keys.prefix is 'The beginning of the value, by which people recognise the key; `last4` is its end.';
comment on column api_keys.expires_at is 'Null: never.';
call isolate_tenant_table('api_keys');
create policy owner_bypass on api_keys to current_user using (true) with check (true);

create table key_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  key_id uuid not null
);
comment on table key_hashes is 'Finds the tenant of a key by the hash of its value. The value is not stored. The tenant is not known yet when a key is received, so this table is not distributed on a cluster: its primary key does not begin with the tenant, and it refers to no row of a tenant.';
call isolate_tenant_table('key_hashes');
create policy owner_bypass on key_hashes to current_user using (true) with check (true);

create table key_uses (
  tenant_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
);
comment on table key_uses is 'When a key was last used. A separate table, because the HTTP layer writes it.';
call isolate_tenant_table('key_uses');
create policy owner_bypass on key_uses for select to current_user using (true);

-- A key and its permissions, by the hash of its value. Returns revoked and expired keys too: the caller decides.
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

-- A session and its user, by the hash of its token, expired ones too.
create function find_session(session_token_hash bytea)
  returns table (id uuid, user_id uuid, workspace_id uuid, role text, live_tenant_id uuid, test_tenant_id uuid,
                 requests_per_minute integer, expires_at timestamptz, idle_expires_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select s.id, s.user_id, s.workspace_id, u.role, live.id, test.id, w.requests_per_minute, s.expires_at, s.idle_expires_at
  from sessions s join users u on u.id = s.user_id join workspaces w on w.id = s.workspace_id
    join tenants live on live.workspace_id = w.id and live.environment = 'live'
    join tenants test on test.workspace_id = w.id and test.environment = 'test'
  where s.token_hash = session_token_hash
$$;

-- The users with this e-mail address and a password, in one workspace or in all. Returns at most two rows, because two
-- already mean that the address is ambiguous.
create function find_login(login_email text, workspace_slug text)
  returns table (user_id uuid, workspace_id uuid, password_hash text)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select u.id, u.workspace_id, p.hash
  from users u join passwords p on p.user_id = u.id join workspaces w on w.id = u.workspace_id
  where lower(u.email) = lower(login_email) and (workspace_slug is null or w.slug = workspace_slug)
  limit 2
$$;

-- Enters the tenant of a key or of a session, in the transaction that does the work. Throws AL401 if the key or session
-- is not valid at this moment.
create function enter_with_key(tenant uuid, workspace uuid, key_id uuid, shift_ms bigint default null) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  perform from api_keys k
    where k.tenant_id = tenant and k.id = key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp());
  if not found then
    perform from sessions s join tenants t on t.workspace_id = s.workspace_id
      where s.id = key_id and t.id = tenant and s.workspace_id = workspace
        and s.expires_at > clock_timestamp() and s.idle_expires_at > clock_timestamp();
  end if;
  if not found then
    raise exception 'the key is revoked or has expired' using errcode = 'AL401';
  end if;
  perform check_clock_shift(tenant, shift_ms);
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true),
    -- One plan for all tenants: docs/decisions/0010 says why.
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if current_setting('citus.propagate_set_commands', true) = 'local' then
    perform set_tenant_on_shards(tenant, workspace);
  end if;
end $$;

revoke all on function find_api_key, find_session, find_login, enter_with_key from public;
grant execute on function find_api_key, find_session, find_login, enter_with_key to aldaba_service;
