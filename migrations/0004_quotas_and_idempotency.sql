-- Quotas, and replies that are repeated for the same Idempotency-Key.

create table quota_limits (
  tenant_id uuid not null,
  name text not null,
  monthly_limit integer not null check (monthly_limit >= 0),
  primary key (tenant_id, name)
);
comment on table quota_limits is 'Monthly limits of a workspace, counted separately for its two environments. No row: unlimited.';
call isolate_tenant_table('quota_limits');

create table quota_usage (
  tenant_id uuid not null,
  name text not null,
  period_start timestamptz not null,
  used integer not null check (used >= 0),
  reported_use_80 integer not null default 0,
  reported_use_100 integer not null default 0,
  primary key (tenant_id, name, period_start)
);
comment on table quota_usage is 'The used units of each quota in each month.';
comment on column quota_usage.reported_use_80 is 'The use at which an event last reported that 80 % of the limit was reached; 0: no event has. `reported_use_100` is the same for 100 %.';
call isolate_tenant_table('quota_usage');

create table idempotency_keys (
  tenant_id uuid not null,
  route text not null,
  key bytea not null,
  request_hash bytea not null,
  status integer not null,
  body bytea not null,
  headers json,
  created_at timestamptz not null,
  primary key (tenant_id, route, key)
);
comment on table idempotency_keys is 'First replies of POST requests that carried an Idempotency-Key, kept for 24 hours.';
comment on column idempotency_keys.key is 'A hash with the deployment''s key, like `request_hash`. Clients may put a phone number into a key, and a hash without a secret key could be reversed by trying all numbers.';
comment on column idempotency_keys.body is 'Encrypted with the deployment''s key: a reply may hold a secret that is shown once.';
comment on column idempotency_keys.headers is 'Headers that the route has set, such as ETag, by name. Null: none.';
call isolate_tenant_table('idempotency_keys');
create index idempotency_keys_created_at on idempotency_keys (tenant_id, created_at);

create table idempotency_references (
  tenant_id uuid not null,
  referenced_id uuid not null,
  route text not null,
  key bytea not null,
  primary key (tenant_id, referenced_id, route, key),
  foreign key (tenant_id, route, key) references idempotency_keys (tenant_id, route, key) on delete cascade
);
comment on table idempotency_references is 'The ids in a request and in its encrypted reply. Erasure uses them to find the replies that contain a person.';
call isolate_tenant_table('idempotency_references');
create index idempotency_references_key on idempotency_references (tenant_id, route, key);

create table use_counts (
  tenant_id uuid not null,
  subject_hash bytea not null,
  count integer not null,
  expires_at timestamptz not null,
  primary key (tenant_id, subject_hash)
);
comment on table use_counts is 'How often public forms were used of late, by client and together.';
comment on column use_counts.subject_hash is 'A keyed hash of what is limited and of whose use it is, such as a client address.';
comment on column use_counts.expires_at is 'When the count starts again.';
call isolate_tenant_table('use_counts');
create index use_counts_expiry on use_counts (tenant_id, expires_at);
