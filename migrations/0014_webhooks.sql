-- Webhooks: subscriptions to events, and a row for each event that is sent to one.

create table webhook_subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  events_since timestamptz not null,
  position bigint not null default 0,
  description text,
  secret bytea not null,
  previous_secrets bytea,
  headers bytea,
  header_names text[] not null default '{}',
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text,
  disabled_by text check (disabled_by in ('receiver', 'failures', 'user')),
  disabled_at timestamptz,
  failing_since timestamptz,
  last_failed_at timestamptz,
  paused_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table webhook_subscriptions is 'A subscription: an address that events are sent to.';
comment on column webhook_subscriptions.events is 'Types of events; `*` is all.';
comment on column webhook_subscriptions.events_since is 'Time of the last change of these types.';
comment on column webhook_subscriptions.position is 'Deliveries exist for the events up to here.';
comment on column webhook_subscriptions.secret is 'Encrypted with the deployment''s key.';
comment on column webhook_subscriptions.previous_secrets is 'Rotated secrets that still sign messages: [{ secret, expiresAt }], encrypted.';
comment on column webhook_subscriptions.headers is 'Custom headers as encrypted JSON: their values are never returned.';
comment on column webhook_subscriptions.disabled_by is '`receiver`: it replied 410. `failures`: it failed for too long. Null: the subscription is enabled.';
comment on column webhook_subscriptions.last_failed_at is 'Rounded to the hour. After a day without failures, the next one sets failing_since anew.';
comment on column webhook_subscriptions.paused_until is 'The receiver requested this pause (Retry-After).';
call isolate_tenant_table('webhook_subscriptions');
create policy owner_bypass on webhook_subscriptions for select to current_user using (true);

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  sequence bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  total_attempts integer not null default 0,
  attempt_log jsonb not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, subscription_id, event_id),
  foreign key (tenant_id, subscription_id) references webhook_subscriptions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, event_id) references events (tenant_id, id) on delete cascade
);
comment on table webhook_deliveries is 'The delivery of one event to one subscription, pending or ended. The senders insert these rows, for a few hundred events at a time.';
comment on column webhook_deliveries.sequence is 'The sequence of its event.';
comment on column webhook_deliveries.attempts is 'Restarts when the delivery is sent again; `total_attempts` counts all attempts.';
comment on column webhook_deliveries.attempt_log is 'The last attempts, oldest first: [{ at, responseStatus, durationMs, responseBody, error }].';
call isolate_tenant_table('webhook_deliveries');
create policy owner_bypass on webhook_deliveries for select to current_user using (true);
create index webhook_deliveries_event on webhook_deliveries (tenant_id, event_id);
-- Due deliveries of a subscription, the oldest first.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, subscription_id, next_attempt_at, sequence, event_id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, subscription_id, event_id) where status = 'failed';
