-- Workspaces, their two environments (one tenant each), and the isolation of tenants.
-- The role that runs the migrations owns everything; the service works as aldaba_service, which owns nothing.

do $$
begin
  if not exists (select from pg_roles where rolname = 'aldaba_service') then
    create role aldaba_service nologin;
  end if;
  -- The owner must be able to `set role`; a superuser or a member already can (before 16 every member could).
  if not pg_has_role(current_user, 'aldaba_service', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
    execute format('grant aldaba_service to %I', current_user);
  end if;
end $$;

grant usage on schema aldaba to aldaba_service;

create extension if not exists unaccent;
create extension if not exists btree_gin;

create table deployment_metadata (
  name text primary key,
  value text not null
);
comment on table deployment_metadata is 'Facts of the deployment, such as the fingerprint of the encryption key. Not settings: those belong to a workspace or an environment.';

create table workspaces (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  timezone text not null,
  country text not null,
  currency text not null,
  plan text not null,
  requests_per_minute integer not null,
  created_at timestamptz not null default now()
);
comment on table workspaces is 'An agency that uses the deployment.';
comment on column workspaces.country is 'ISO 3166-1 alpha-2.';
comment on column workspaces.currency is 'ISO 4217.';

create table tenants (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  environment text not null check (environment in ('live', 'test')),
  unique (workspace_id, environment)
);
comment on table tenants is 'A workspace''s environment. Every tenant row belongs to exactly one.';

-- Both are set for one transaction by enter_with_key() and enter_tenant(), and by nothing else.
create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('aldaba.tenant_id', true), '')::uuid;

create function current_workspace() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('aldaba.workspace_id', true), '')::uuid;

-- Data that both environments of a workspace share is visible inside that workspace only.
alter table workspaces enable row level security;
create policy own_workspace on workspaces to aldaba_service using (id = aldaba.current_workspace());
alter table tenants enable row level security;
create policy own_workspace on tenants to aldaba_service using (workspace_id = aldaba.current_workspace());
grant select on workspaces, tenants to aldaba_service;

-- Turns a table whose primary key begins with `tenant_id` into a tenant table.
create procedure isolate_tenant_table(table_name regclass)
  language plpgsql
as $$
begin
  -- If a required foreign key already refers to another row of the tenant, a foreign key to the tenant is redundant. It
  -- would cost one more look-up for each written row.
  if not exists (
    select from pg_constraint c
    where c.contype = 'f' and c.conrelid = table_name and c.confrelid <> c.conrelid and cardinality(c.conkey) > 1 and not exists (
      select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and not a.attnotnull)
  ) then
    execute format('alter table %s add foreign key (tenant_id) references aldaba.tenants (id)', table_name);
  end if;
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  -- Statements also name their tenant, as a bound parameter. From both conditions PostgreSQL derives a comparison of
  -- the two values, which it evaluates once per query. A sub-select around the function would have the same effect,
  -- but Citus does not support it.
  execute format('create policy tenant_isolation on %s using (tenant_id = aldaba.current_tenant()) with check (tenant_id = aldaba.current_tenant())', table_name);
  execute format('grant select, insert, update, delete on %s to aldaba_service', table_name);
end $$;

create table clocks (
  tenant_id uuid primary key,
  shift_ms bigint not null check (shift_ms >= 0)
);
comment on table clocks is 'How far the clock of a test environment was moved forward. An environment without a row has the real time.';
call isolate_tenant_table('clocks');
-- Security definer functions run as the owner, to whom forced row level security applies as well. The policies named
-- owner_bypass let them read. They apply to the owner only, and the service never takes that role.
create policy owner_bypass on clocks for select to current_user using (true);

-- Entering a tenant passes the expected shift of its clock. If it is wrong, the error carries the right value, and
-- the process tries again. Null: no time is needed.
create function check_clock_shift(tenant uuid, expected_shift_ms bigint) returns void
  language plpgsql stable
as $$
declare actual_shift_ms bigint := coalesce((select c.shift_ms from aldaba.clocks c where c.tenant_id = tenant), 0);
begin
  if actual_shift_ms <> expected_shift_ms then
    raise exception 'the clock was moved' using errcode = 'AL409', detail = actual_shift_ms::text;
  end if;
end $$;
revoke all on function check_clock_shift from public;

-- For enter_tenant() and enter_with_key() on a cluster. Citus passes `set local` on to the servers of the shards, but
-- not the effect of set_config(). It finds the shards by the values of a statement, so every statement is planned again.
create function set_tenant_on_shards(tenant uuid, workspace uuid) returns void
  language plpgsql
as $$
begin
  execute format('set local aldaba.tenant_id = %L', tenant);
  execute format('set local aldaba.workspace_id = %L', workspace);
  set local plan_cache_mode = auto;
end $$;
revoke all on function set_tenant_on_shards from public;

-- Enters a tenant whose id the program already knows (a job's payload): sets both settings for this transaction.
create function enter_tenant(tenant uuid, shift_ms bigint default null) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
declare workspace uuid;
begin
  select workspace_id into workspace from tenants where id = tenant;
  if not found then
    raise exception 'unknown tenant %', tenant using errcode = 'AL404';
  end if;
  perform check_clock_shift(tenant, shift_ms);
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true),
    -- One plan for all tenants: docs/decisions/0010 says why.
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if current_setting('citus.propagate_set_commands', true) = 'local' then
    perform set_tenant_on_shards(tenant, workspace);
  end if;
end $$;
revoke all on function enter_tenant from public;
grant execute on function enter_tenant to aldaba_service;

-- Times in replies: ISO 8601 in UTC with milliseconds and a Z.
create function iso_time(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
