-- First replies of POST requests that carried an Idempotency-Key, kept for 24 hours.

create table idempotency_keys (
  tenant_id uuid not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  -- Encrypted with the deployment's key: a reply may hold a secret that is shown once.
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, route, key)
);
call stamp_tenant_table('idempotency_keys');
create index idempotency_keys_created_at on idempotency_keys (tenant_id, created_at);
