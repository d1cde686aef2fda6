-- Workspaces, their two environments (a tenant each), and the procedure that stamps tenancy on a table.
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

create table settings (
  name text primary key,
  value text not null
);
comment on table settings is 'Facts of the deployment, such as the fingerprint of the encryption key.';

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

create table tenants (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  environment text not null check (environment in ('live', 'test')),
  unique (workspace_id, environment)
);
comment on table tenants is 'A workspace''s environment. Every tenant row belongs to exactly one.';

create table users (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null default now(),
  unique (workspace_id, email)
);

-- Both are set for one transaction by enter_with_key() and enter_tenant(), and by nothing else.
create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('aldaba.tenant_id', true), '')::uuid;

create function current_workspace() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('aldaba.workspace_id', true), '')::uuid;

-- Times in replies: ISO 8601 in UTC with milliseconds and a Z.
create function iso_time(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create procedure stamp_tenant_table(table_name regclass)
  language plpgsql
as $$
begin
  execute format('alter table %s alter column tenant_id set default aldaba.current_tenant()', table_name);
  execute format('alter table %s add foreign key (tenant_id) references aldaba.tenants (id)', table_name);
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  -- The scalar sub-select makes the setting an init plan: read once per query, and usable as an index condition.
  execute format('create policy tenant_isolation on %s using (tenant_id = (select aldaba.current_tenant())) with check (tenant_id = (select aldaba.current_tenant()))', table_name);
  execute format('grant select, insert, update, delete on %s to aldaba_service', table_name);
end $$;

-- What a workspace's environments share is visible inside that workspace only.
alter table workspaces enable row level security;
create policy own_workspace on workspaces to aldaba_service using (id = (select aldaba.current_workspace()));
alter table tenants enable row level security;
create policy own_workspace on tenants to aldaba_service using (workspace_id = (select aldaba.current_workspace()));
alter table users enable row level security;
create policy own_workspace on users to aldaba_service using (workspace_id = (select aldaba.current_workspace()));
grant select on workspaces, tenants, users to aldaba_service;

-- Enter a tenant whose id is already known to the program (a job's payload): sets both settings for this transaction.
create function enter_tenant(tenant uuid) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
declare workspace uuid;
begin
  select workspace_id into workspace from tenants where id = tenant;
  if not found then
    raise exception 'unknown tenant %', tenant using errcode = 'AL404';
  end if;
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true);
end $$;
revoke all on function enter_tenant from public;
grant execute on function enter_tenant to aldaba_service;
