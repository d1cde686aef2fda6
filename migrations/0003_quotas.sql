-- What a workspace may use in a month, counted apart for its two environments. No row in quota_limits: unlimited.

create table quota_limits (
  tenant_id uuid not null,
  name text not null,
  monthly_limit integer not null check (monthly_limit >= 0),
  primary key (tenant_id, name)
);
call stamp_tenant_table('quota_limits');

create table quota_usage (
  tenant_id uuid not null,
  name text not null,
  period_start timestamptz not null,
  used integer not null check (used >= 0),
  primary key (tenant_id, name, period_start)
);
call stamp_tenant_table('quota_usage');
