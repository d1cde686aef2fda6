-- Webhook subscriptions and one row per delivery of an event to a subscription.

create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  -- Encrypted with the deployment's key.
  secret bytea not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
call stamp_tenant_table('webhooks');

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, webhook_id, event_id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade,
  foreign key (tenant_id, event_id) references events (tenant_id, id) on delete cascade
);
call stamp_tenant_table('webhook_deliveries');
create index webhook_deliveries_event on webhook_deliveries (tenant_id, event_id);
