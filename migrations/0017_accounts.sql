-- Chat accounts: connections to providers, their daily budgets, and the raw bodies that providers post.

create table accounts (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null,
  mode text not null check (mode in ('chat', 'chat-no-api')),
  display_name text not null,
  phone text,
  external_id text not null,
  group_id text,
  credentials bytea,
  status text not null check (status in ('CONNECTED', 'DEGRADED', 'LOGGED_OUT', 'RESTRICTED', 'BANNED', 'DISCONNECTED')),
  status_reason text,
  can_answer boolean not null default false,
  restricted_until timestamptz,
  restriction_reason text,
  status_changed_at timestamptz not null,
  is_paused boolean not null default false,
  quality text check (quality in ('high', 'medium', 'low')),
  tier text,
  provider_daily_limit integer,
  own_daily_limit integer,
  warm_up_started_at timestamptz,
  messages_per_second double precision,
  paused_until timestamptz,
  is_failing boolean not null default false,
  outage_count integer not null default 0,
  checked_at timestamptz,
  mailbox_cursor text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table accounts is 'A chat account: a number, a bot or a mailbox at a provider, or a person''s own program (`chat-no-api`).';
comment on column accounts.external_id is 'The provider''s id of the account; without a provider, the account''s own id.';
comment on column accounts.group_id is 'The provider''s id of what several accounts belong to, such as a WhatsApp Business account; null: none.';
comment on column accounts.credentials is 'Encrypted JSON; null: disconnected, or the provider needs none.';
comment on column accounts.status_reason is 'A sentence for people; null: nothing is wrong.';
comment on column accounts.can_answer is 'It is RESTRICTED, but may answer people who have written lately.';
comment on column accounts.restricted_until is 'The end of a restriction that leaves answers and that the provider has reported by itself: checks do not end it. Null: none.';
comment on column accounts.restriction_reason is 'The reason of this restriction, as a sentence for people.';
comment on column accounts.provider_daily_limit is 'How many people the account may write to first within a day, by the provider.';
comment on column accounts.own_daily_limit is 'The same by the workspace.';
comment on column accounts.warm_up_started_at is 'A new account writes to few people a day; null: no warm-up.';
comment on column accounts.messages_per_second is 'Overrides the rate of the provider; null: its default.';
comment on column accounts.paused_until is 'Nothing is sent before: the provider requested it, its limit of the day is used up, or it did not answer.';
comment on column accounts.is_failing is 'The last attempt to send failed because of the account.';
comment on column accounts.outage_count is 'How often in a row the provider did not answer. More than 0: the pause is ours, and a success ends it.';
comment on column accounts.mailbox_cursor is 'What was read of a mailbox.';
call isolate_tenant_table('accounts');
create policy owner_bypass on accounts for select to current_user using (true);
-- A disconnected account may be connected again.
create unique index accounts_external on accounts (tenant_id, provider, external_id) where status <> 'DISCONNECTED';

create table account_usage (
  tenant_id uuid not null,
  account_id uuid not null,
  day date not null,
  used integer not null check (used >= 0),
  primary key (tenant_id, account_id, day),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
comment on table account_usage is 'The people per day to whom an account wrote without an answer to give. Days are in the time zone of the workspace.';
call isolate_tenant_table('account_usage');

create table inbound_bodies (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  digest bytea not null,
  body bytea,
  received_at timestamptz not null,
  processed_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  events_done boolean[],
  error text,
  primary key (tenant_id, id),
  unique (tenant_id, account_id, digest),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
comment on table inbound_bodies is 'Bodies that a provider posted or a mailbox contained, stored before anything is done with them. Processed ones are deleted after some days.';
comment on column inbound_bodies.digest is 'SHA-256 of the body: a repeated body is stored once.';
comment on column inbound_bodies.body is 'Encrypted: it has personal data. Null: it was processed, and then a person was erased.';
comment on column inbound_bodies.next_attempt_at is 'When it is to be processed; null: it was.';
comment on column inbound_bodies.events_done is 'Which of its events were handled, in their order; null: none, or all. None is handled twice.';
comment on column inbound_bodies.error is 'Why it, or a part of it, could not be processed.';
call isolate_tenant_table('inbound_bodies');
create policy owner_bypass on inbound_bodies for select to current_user using (true);
create index inbound_bodies_waiting on inbound_bodies (tenant_id, account_id, id) where next_attempt_at is not null;
create index inbound_bodies_failed on inbound_bodies (tenant_id, account_id, received_at) where error is not null;
create index inbound_bodies_processed on inbound_bodies (tenant_id, processed_at) where processed_at is not null;
