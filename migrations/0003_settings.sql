-- Settings of workspaces and of their environments, by the names that features declare (src/kit/settings).

create table workspace_settings (
  workspace_id uuid not null,
  name text not null,
  value jsonb not null check (length(value::text) <= 2000000),
  changed_at timestamptz not null,
  changed_by uuid,
  primary key (workspace_id, name)
);
comment on table workspace_settings is 'Settings that both environments of a workspace share. A setting that was never set has no row; its default applies. No foreign key: on a cluster each server has a copy of this table, and writing it would lock the referenced row, which the service may not do. The policy allows only the current workspace.';
comment on column workspace_settings.changed_by is 'Null: the operator, on the command line.';
alter table workspace_settings enable row level security;
create policy own_workspace on workspace_settings to aldaba_service using (workspace_id = aldaba.current_workspace()) with check (workspace_id = aldaba.current_workspace());
grant select, insert, update on workspace_settings to aldaba_service;

create table environment_settings (
  tenant_id uuid not null,
  name text not null,
  value jsonb not null check (length(value::text) <= 2000000),
  changed_at timestamptz not null,
  changed_by uuid references users (id),
  primary key (tenant_id, name)
);
comment on table environment_settings is 'Settings of which each environment has its own value.';
comment on column environment_settings.changed_by is 'Null: the operator, on the command line.';
call isolate_tenant_table('environment_settings');
