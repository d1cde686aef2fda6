-- People of the test environment: phones on which somebody writes as a lead, and leads that answer by a script.

create table sandbox_phones (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('phone', 'bsuid', 'telegram', 'email', 'sandbox')),
  value text not null,
  name text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, account_id, kind, value),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id)
);
comment on table sandbox_phones is 'A page on which somebody reads and writes as a person who chats with an account of the test environment.';
comment on column sandbox_phones.kind is 'With `value`: the name of the person at the provider.';
comment on column sandbox_phones.name is 'The name that the person gives themselves; null: none.';
call isolate_tenant_table('sandbox_phones');
create index sandbox_phones_expiry on sandbox_phones (tenant_id, expires_at);

create table sandbox_replies (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  due_at timestamptz not null,
  text text,
  nature text not null check (nature in ('person', 'auto_reply')),
  primary key (tenant_id, id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
comment on table sandbox_replies is 'What scripted leads of the test environment will answer. A delivered reply is deleted.';
comment on column sandbox_replies.message_id is 'The message that it answers.';
comment on column sandbox_replies.text is 'Null: a voice note.';
call isolate_tenant_table('sandbox_replies');
create index sandbox_replies_due on sandbox_replies (tenant_id, due_at, id);
create index sandbox_replies_message on sandbox_replies (tenant_id, message_id);
