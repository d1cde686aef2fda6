-- Conversations and their messages.

create table conversations (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  lead_id uuid,
  lead_absence text check (lead_absence in ('NEVER_WROTE', 'PERSON_ERASED', 'QUOTA_EXCEEDED', 'LEAD_DELETED')),
  status text not null default 'open' check (status in ('open', 'pending', 'closed')),
  snoozed_until timestamptz,
  assigned_user_id uuid,
  labels text[] not null default '{}',
  subject text,
  former_identities text[] not null default '{}',
  last_sequence integer not null default 0,
  unread_count integer not null default 0,
  last_message_id uuid,
  last_message_at timestamptz not null,
  last_inbound_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id)
);
comment on table conversations is 'What an account and one person write to each other.';
comment on column conversations.lead_id is 'Null: see lead_absence. There is no foreign key: merges move it.';
comment on column conversations.lead_absence is 'Why it has no lead; null: it has one.';
comment on column conversations.snoozed_until is 'Until then it is not shown among the open ones; a reply of the person ends this.';
comment on column conversations.subject is 'E-mail: the subject of the thread.';
comment on column conversations.former_identities is 'Identities that the provider has taken from it, the last one first, as `kind:value`: opening it never gives them back.';
comment on column conversations.last_sequence is 'The sequence of its last message.';
comment on column conversations.last_inbound_at is 'When the person last wrote, with whatever identity.';
call isolate_tenant_table('conversations');
create policy owner_bypass on conversations for select to current_user using (true);
-- A page of the inbox is chosen in these indexes: they include what filters read, and the first one what searches read.
-- Ten labels of 50 characters fit.
create index conversations_recent on conversations (tenant_id, last_message_at, id)
  include (status, unread_count, assigned_user_id, account_id, snoozed_until, labels, lead_id, last_sequence);
create index conversations_status on conversations (tenant_id, status, last_message_at, id)
  include (unread_count, assigned_user_id, account_id, snoozed_until, labels);
create index conversations_account on conversations (tenant_id, account_id, last_message_at, id);
create index conversations_unread on conversations (tenant_id, last_message_at, id) where unread_count > 0;
create index conversations_assigned on conversations (tenant_id, assigned_user_id, last_message_at, id) where assigned_user_id is not null;
create index conversations_lead on conversations (tenant_id, lead_id, account_id) where lead_id is not null;
-- Few have lost a number.
create index conversations_former on conversations (tenant_id, account_id) where former_identities <> '{}';
create index conversations_snoozed on conversations (tenant_id, snoozed_until) where snoozed_until is not null;

create table conversation_labels (
  tenant_id uuid not null,
  label text not null,
  conversation_id uuid not null,
  primary key (tenant_id, label, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table conversation_labels is 'Every label of every conversation: finds those with a rare one, and lists the labels in use.';
call isolate_tenant_table('conversation_labels');
create index conversation_labels_conversation on conversation_labels (tenant_id, conversation_id);

create table conversation_identities (
  tenant_id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('phone', 'bsuid', 'telegram', 'email', 'sandbox')),
  value text not null,
  conversation_id uuid not null,
  last_seen_at timestamptz not null,
  last_inbound_at timestamptz,
  primary key (tenant_id, account_id, kind, value),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table conversation_identities is 'The identities of the person of a conversation at the provider: each belongs to one conversation of an account.';
comment on column conversation_identities.last_inbound_at is 'When the person last wrote with it; null: never. Its reply window begins here.';
call isolate_tenant_table('conversation_identities');
create index conversation_identities_conversation on conversation_identities (tenant_id, conversation_id);
create index conversation_identities_value on conversation_identities (tenant_id, value text_pattern_ops);

create table messages (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  account_id uuid not null,
  sequence integer not null,
  direction text not null check (direction in ('in', 'out', 'note')),
  kind text not null,
  text text,
  content jsonb not null default '{}',
  template_version_id uuid,
  campaign_id uuid,
  campaign_step integer,
  send_at timestamptz,
  lead_id uuid,
  reply_to_id uuid,
  retry_of_id uuid,
  author_key_id uuid,
  author_user_id uuid,
  nature text not null default 'person' check (nature in ('person', 'auto_reply', 'opt_out_confirmation', 'appointment', 'ai')),
  status text not null check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'unknown', 'received', 'noted')),
  provider_message_id text,
  person text,
  joined_from uuid[] not null default '{}',
  failure jsonb,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  wait_reason jsonb,
  claimed_at timestamptz,
  claim_token uuid,
  reserved_day date,
  expires_at timestamptz,
  quota_reserved_at timestamptz,
  created_at timestamptz not null,
  provider_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, conversation_id, sequence),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table messages is 'A message of a conversation, in or out, or an internal note.';
comment on column messages.account_id is 'The account of its conversation.';
comment on column messages.kind is 'text, template, media, buttons, list, location, contacts, choice, reaction, unsupported.';
comment on column messages.text is 'What people read: the text, the rendered template, the caption, the place.';
comment on column messages.content is 'The parts besides the text, by kind; `reactions` and `earlierTexts` of any kind.';
comment on column messages.status is 'Out: queued, sent, delivered, read, failed; unknown: it may have been sent. In: received. Note: noted.';
comment on column messages.campaign_step is 'Its step in the campaign, from 0.';
comment on column messages.send_at is 'A campaign queued it: it is not due before. Null: a person or the program wrote it.';
comment on column messages.failure is 'Why it failed or is unknown: { code, providerCode, message, retryable, isWithdrawn }. Of a queued message that is claimed: it must not be sent any more.';
comment on column messages.lead_id is 'The lead that it is about, if the person has several and it is not that of the conversation.';
comment on column messages.retry_of_id is 'The failed or unknown message that somebody sent again as this one.';
comment on column messages.attempts is 'How often the provider refused it since it last waited for the budget of the account.';
comment on column messages.next_attempt_at is 'When the first queued message of a conversation is due, and each that a campaign queued. While it is claimed: when the claim ends. Null: an earlier message of the conversation comes first, or nothing is to be sent.';
comment on column messages.wait_reason is 'Why a queued message waits until next_attempt_at: { code, message }.';
comment on column messages.claimed_at is 'A process is sending it since then.';
comment on column messages.claim_token is 'Identifies that claim.';
comment on column messages.reserved_day is 'The day whose budget of the account it uses; null: it answers a person.';
comment on column messages.expires_at is 'When it fails if it is still queued; null: never, or with its task.';
comment on column messages.quota_reserved_at is 'When a unit of the quota was reserved; null: none, or it was refunded.';
comment on column messages.person is 'The identity with which the person wrote an inbound message, or to which an outgoing one went, as `kind:value`: after the undo of a merge it belongs to their conversation.';
comment on column messages.joined_from is 'The conversations it was in before merges of leads joined them, the last one last.';
comment on column messages.provider_at is 'The provider''s time of an inbound message.';
comment on column messages.deleted_at is 'The person deleted it: its text and files are gone.';
call isolate_tenant_table('messages');
create policy owner_bypass on messages for select to current_user using (true);
create unique index messages_provider on messages (tenant_id, account_id, provider_message_id) where provider_message_id is not null;
create index messages_due on messages (tenant_id, account_id, next_attempt_at, id) where next_attempt_at is not null;
-- The next one of a conversation is found when the one before has ended.
create index messages_queued on messages (tenant_id, conversation_id, sequence) where status = 'queued';
-- Those that wait for too long.
create index messages_overdue on messages (tenant_id, expires_at) where status = 'queued';
-- The sends whose result is not recorded yet.
create index messages_claimed on messages (tenant_id, account_id, claimed_at) where claimed_at is not null;
-- What a person has to decide about.
create index messages_unsent on messages (tenant_id, status, id) where status in ('queued', 'failed', 'unknown');
create unique index messages_retry on messages (tenant_id, retry_of_id) where retry_of_id is not null;
create index messages_campaign on messages (tenant_id, campaign_id, status, id) where campaign_id is not null;
create index messages_lead on messages (tenant_id, lead_id) where lead_id is not null;
create index messages_age on messages (tenant_id, created_at);
-- A person counts once in the budget of a day.
create index messages_reserved on messages (tenant_id, conversation_id, reserved_day) where reserved_day is not null;
create index messages_confirmation on messages (tenant_id, conversation_id) where nature = 'opt_out_confirmation';

create table early_statuses (
  tenant_id uuid not null,
  account_id uuid not null,
  provider_message_id text not null,
  status text not null check (status in ('sent', 'delivered', 'read', 'failed')),
  at timestamptz not null,
  failure jsonb,
  received_at timestamptz not null,
  is_waiting boolean not null default true,
  primary key (tenant_id, account_id, provider_message_id, status),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
comment on table early_statuses is 'Status reports of messages that the program does not know: they are applied when the message is recorded, and deleted after an hour.';
comment on column early_statuses.at is 'The provider''s time.';
comment on column early_statuses.is_waiting is 'False: no message that was being sent when it arrived is its message. Only the copy of a message by another program may still be.';
call isolate_tenant_table('early_statuses');
create index early_statuses_waiting on early_statuses (tenant_id, account_id, received_at) where is_waiting;
create index early_statuses_age on early_statuses (tenant_id, account_id, received_at);

create table message_search (
  tenant_id uuid not null,
  message_id uuid not null,
  conversation_id uuid not null,
  document tsvector not null,
  primary key (tenant_id, message_id)
);
comment on table message_search is 'The words of a message for full-text search. As with lead_search, the program splits the words.';
comment on column message_search.document is 'Each word begins with four characters made from the tenant''s id, so that the index finds the messages of one tenant.';
-- As for lead_search (0008): row level security applies to the service, not to the owner.
alter table message_search enable row level security;
create policy tenant_isolation on message_search
  using (tenant_id = aldaba.current_tenant()) with check (tenant_id = aldaba.current_tenant());
grant select, insert, update, delete on message_search to aldaba_service;
create index message_search_document on message_search using gin (document);
create index message_search_conversation on message_search (tenant_id, conversation_id, message_id);
create view message_documents as
  select tenant_id, message_id, conversation_id, document from message_search where tenant_id = aldaba.current_tenant();
comment on view message_documents is 'message_search for searches: the rows of the current tenant, by the rights of the owner.';
grant select on message_documents to aldaba_service;

create table message_mentions (
  tenant_id uuid not null,
  message_id uuid not null,
  value text not null,
  primary key (tenant_id, message_id, value),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
comment on table message_mentions is 'The phone numbers and addresses in a message: in its text, its other parts and the names of its files. Erasure finds it by these.';
comment on column message_mentions.value is 'The last nine digits of a number; an address in lower case; `*`: more than a hundred, so the message is read whole.';
call isolate_tenant_table('message_mentions');
create index message_mentions_value on message_mentions (tenant_id, value);

create table message_files (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid,
  position integer not null default 0,
  kind text not null check (kind in ('image', 'video', 'audio', 'voice', 'document', 'sticker')),
  blob_id uuid,
  preview_blob_id uuid,
  media_type text,
  file_name text,
  bytes bigint,
  width_px integer,
  height_px integer,
  provider_media_id text,
  status text not null check (status in ('ready', 'pending', 'failed')),
  error text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
comment on table message_files is 'A file of a message, or one that was uploaded and not yet sent.';
comment on column message_files.message_id is 'Null: uploaded, not yet sent; it is deleted after a day.';
comment on column message_files.provider_media_id is 'The provider''s id of an inbound file, with which it is fetched.';
comment on column message_files.status is '`pending`: it is still to be fetched from the provider.';
comment on column message_files.error is 'Why the last attempt to fetch it failed.';
call isolate_tenant_table('message_files');
create policy owner_bypass on message_files for select to current_user using (true);
create index message_files_message on message_files (tenant_id, message_id) where message_id is not null;
create index message_files_pending on message_files (tenant_id, id) where status = 'pending';
create index message_files_unsent on message_files (tenant_id, created_at) where message_id is null;

create table message_tasks (
  tenant_id uuid not null,
  message_id uuid not null,
  account_id uuid not null,
  assigned_user_id uuid,
  status text not null default 'open' check (status in ('open', 'opened', 'done', 'expired', 'skipped')),
  expires_at timestamptz not null,
  opened_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
comment on table message_tasks is 'A message of a `chat-no-api` account, which a person sends: they open its link, send it and tick it off.';
call isolate_tenant_table('message_tasks');
create policy owner_bypass on message_tasks for select to current_user using (true);
create index message_tasks_open on message_tasks (tenant_id, created_at, message_id) where status in ('open', 'opened');
create index message_tasks_ended on message_tasks (tenant_id, status, created_at, message_id);
create index message_tasks_expiry on message_tasks (tenant_id, expires_at) where status in ('open', 'opened');

create table quick_replies (
  tenant_id uuid not null,
  id uuid not null,
  shortcut text not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, shortcut)
);
comment on table quick_replies is 'Texts that people insert with a shortcut.';
call isolate_tenant_table('quick_replies');

create table inbox_changes (
  tenant_id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  changed_in xid8 not null,
  changed_at timestamptz not null,
  primary key (tenant_id, conversation_id, message_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table inbox_changes is 'The last change of each conversation and message of the last day, for live updates.';
comment on column inbox_changes.message_id is '00000000-…: only the conversation changed.';
comment on column inbox_changes.changed_in is 'The transaction of the change: a reader that knows a snapshot finds everything that was committed after it.';
comment on column inbox_changes.changed_at is 'The machine''s time.';
call isolate_tenant_table('inbox_changes');
create policy owner_bypass on inbox_changes for select to current_user using (true);
create index inbox_changes_transaction on inbox_changes (tenant_id, changed_in);
create index inbox_changes_age on inbox_changes (changed_at, tenant_id);
