-- AI replies: what a model is asked, proposes, and what became of it.

create table ai_conversations (
  tenant_id uuid not null,
  conversation_id uuid not null,
  campaign_id uuid not null,
  due_at timestamptz,
  waiting_since timestamptz,
  attempts integer not null default 0,
  claim_token uuid,
  claimed_until timestamptz,
  answered integer not null default 0,
  resumed_at timestamptz,
  handed_off_at timestamptz,
  hand_off jsonb,
  updated_at timestamptz not null,
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table ai_conversations is 'A conversation whose person a campaign with AI has written to.';
comment on column ai_conversations.campaign_id is 'The last one that wrote to the person.';
comment on column ai_conversations.due_at is 'When a model is asked for an answer; null: nothing is to be answered.';
comment on column ai_conversations.waiting_since is 'When the first message arrived that waits for the answer.';
comment on column ai_conversations.attempts is 'How often the endpoint failed for this answer.';
comment on column ai_conversations.claim_token is 'Identifies the run that is asking the model: only that run may store an answer.';
comment on column ai_conversations.answered is 'AI messages since somebody let the AI answer.';
comment on column ai_conversations.resumed_at is 'When a user let the AI answer again; null: never.';
comment on column ai_conversations.handed_off_at is 'Since then people answer; null: the AI does.';
comment on column ai_conversations.hand_off is 'Why: { code, message }.';
call isolate_tenant_table('ai_conversations');
create policy owner_bypass on ai_conversations for select to current_user using (true);
create index ai_conversations_due on ai_conversations (due_at, tenant_id, conversation_id) where due_at is not null;

create table ai_replies (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  campaign_id uuid not null,
  status text not null check (status in ('draft', 'sent', 'discarded', 'handed_off')),
  mode text not null check (mode in ('draft', 'auto')),
  text text,
  has_disclosure boolean not null default false,
  sent_message_id uuid,
  answers jsonb not null default '{}',
  appointment_id uuid,
  hand_off jsonb,
  model text,
  prompt jsonb not null default '[]',
  prompt_hash text,
  steps jsonb not null default '[]',
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  mentions text[] not null default '{}',
  decided_by uuid,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, message_id) references messages (tenant_id, id) on delete cascade
);
comment on table ai_replies is 'The log of AI replies: each with its input. It is deleted with the message that it answers.';
comment on column ai_replies.message_id is 'The last message of the person that it answers.';
comment on column ai_replies.has_disclosure is 'The text says that a machine writes.';
comment on column ai_replies.sent_message_id is 'The message to the person; null: none was sent.';
comment on column ai_replies.answers is 'What the person has answered to the questions of the campaign, by custom field.';
comment on column ai_replies.hand_off is 'Why a person has to answer: { code, message }.';
comment on column ai_replies.prompt is 'The messages that the model got; empty: it was not asked.';
comment on column ai_replies.prompt_hash is 'SHA-256 of the prompt.';
comment on column ai_replies.steps is 'What the model wrote and called, and what the tools returned.';
comment on column ai_replies.mentions is 'The phone numbers and addresses in it, as in message_mentions: erasure finds it by these.';
comment on column ai_replies.decided_by is 'The user who sent or discarded it; null: the program.';
call isolate_tenant_table('ai_replies');
create index ai_replies_message on ai_replies (tenant_id, message_id);
create index ai_replies_status on ai_replies (tenant_id, status, id);
create index ai_replies_campaign on ai_replies (tenant_id, campaign_id, id);
create index ai_replies_sent on ai_replies (tenant_id, sent_message_id) where sent_message_id is not null;
create index ai_replies_mentions on ai_replies using gin (mentions);
create index ai_replies_age on ai_replies (tenant_id, created_at);
