-- Campaigns: where people are found, and which messages they get when.

create table campaigns (
  tenant_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  status text not null default 'draft' check (status in ('draft', 'running', 'paused', 'completed')),
  mode text not null check (mode in ('extract_only', 'extract_and_contact')),
  platform text not null,
  contact_mode text check (contact_mode in ('chat', 'chat-no-api')),
  account_id uuid,
  segmentation jsonb not null default '{}',
  settings jsonb not null,
  all_urls_checked boolean not null default false,
  pause_reason jsonb,
  seed integer not null,

  -- Pace
  next_send_at timestamptz,
  plan_at timestamptz,
  wait jsonb,
  next_run_at timestamptz,
  search_changed_at timestamptz,
  contact_from timestamptz,

  health jsonb,
  health_since timestamptz,

  version integer not null default 1,
  created_by uuid,
  basis_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (tenant_id, id)
);
comment on table campaigns is 'Finds people in a source and, in mode extract_and_contact, sends them the steps of a sequence.';
comment on column campaigns.platform is 'The source: a portal, csv_import, widget or social_ads.';
comment on column campaigns.account_id is 'The chat account that sends; null: the only connected one of the contact mode.';
comment on column campaigns.settings is 'Schedule, limits, send window, steps, lawful basis and AI, with all their defaults.';
comment on column campaigns.basis_by is 'The user who set the lawful basis of the settings, which is recorded on leads; null: there is none, or no user has.';
comment on column campaigns.all_urls_checked is 'The listing URLs of the current run were marked as checked.';
comment on column campaigns.pause_reason is 'Why the program paused it: { code, message }; null: a user did, or it is not paused.';
comment on column campaigns.seed is 'Spaces its messages: the same seed spaces the same messages alike.';
comment on column campaigns.next_send_at is 'No message before it; null: at once.';
comment on column campaigns.plan_at is 'When its messages are planned next; null: nothing is to be planned.';
comment on column campaigns.health is 'What the results of its last messages say: { level, code, rate, threshold }; null: nothing yet.';
comment on column campaigns.health_since is 'When it was started, or resumed after its health paused it: results known before are forgiven.';
comment on column campaigns.search_changed_at is 'When its platform or filters were changed: the next run reads the whole search. Null: never.';
comment on column campaigns.contact_from is 'When its mode became extract_and_contact after extract_only: the next run reads the whole search, whose leads join. Null: never.';
comment on column campaigns.next_run_at is 'When its portal is read next; null: never, or the next run is not known.';
comment on column campaigns.wait is 'Why messages that are due wait: { code, until }; null: none waits.';
call isolate_tenant_table('campaigns');
create policy owner_bypass on campaigns for select to current_user using (true);
create index campaigns_plan on campaigns (plan_at, tenant_id, id) where status = 'running' and plan_at is not null;
create index campaigns_next_run on campaigns (next_run_at, tenant_id, id) where status = 'running' and next_run_at is not null;
create index campaigns_account on campaigns (tenant_id, account_id) where account_id is not null;

create table campaign_recipients (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  lead_id uuid,
  round integer not null default 1,
  status text not null check (status in ('waiting', 'planned', 'queued', 'completed', 'stopped', 'skipped', 'failed')),
  step integer not null default 0,
  due_at timestamptz,
  planned_at timestamptz,
  message_id uuid,
  last_step_at timestamptz,
  last_sent_at timestamptz,
  import_id uuid,
  reason jsonb,
  joined_at timestamptz not null,
  ended_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, campaign_id, lead_id)
);
comment on table campaign_recipients is 'A person of a campaign: the next step, when it is due, and why nothing more is sent.';
comment on column campaign_recipients.campaign_id is 'The campaign; it may be deleted already, because its recipients are deleted in batches.';
comment on column campaign_recipients.lead_id is 'Null: the lead was deleted.';
comment on column campaign_recipients.round is 'How often the person has joined the campaign.';
comment on column campaign_recipients.status is 'waiting: for due_at. planned: its message is queued by planned_at. queued: message_id is to be sent. The others are ends.';
comment on column campaign_recipients.step is 'The next step, from 0: the steps before were sent or skipped.';
comment on column campaign_recipients.last_step_at is 'When the last step was sent, or was due and skipped.';
comment on column campaign_recipients.last_sent_at is 'When the last message was sent; null: none yet.';
comment on column campaign_recipients.import_id is 'The file by which the person joined; null: by no file.';
comment on column campaign_recipients.reason is 'Why it ended or waits: { code, message }.';
call isolate_tenant_table('campaign_recipients');
create index campaign_recipients_starts on campaign_recipients (tenant_id, campaign_id, due_at, id)
  where status = 'waiting' and last_sent_at is null;
create index campaign_recipients_follow_ups on campaign_recipients (tenant_id, campaign_id, due_at, id)
  where status = 'waiting' and last_sent_at is not null;
create index campaign_recipients_planned on campaign_recipients (tenant_id, campaign_id, planned_at, id)
  where status = 'planned';
create index campaign_recipients_campaign on campaign_recipients (tenant_id, campaign_id, id);
create index campaign_recipients_status on campaign_recipients (tenant_id, campaign_id, status, id);
-- For counts: without ids it has a thirteenth of the size.
create index campaign_recipients_counts on campaign_recipients (tenant_id, campaign_id, status);
-- A person is written to by one campaign at a time.
create unique index campaign_recipients_active on campaign_recipients (tenant_id, lead_id)
  where status in ('waiting', 'planned', 'queued') and lead_id is not null;
create index campaign_recipients_lead on campaign_recipients (tenant_id, lead_id) where lead_id is not null;
-- Those who wait for the end of another recipient: in most tenants there are none.
create index campaign_recipients_held_up on campaign_recipients (tenant_id)
  where status in ('skipped', 'failed') and reason ->> 'code' in ('IN_ANOTHER_CAMPAIGN', 'SAME_PERSON');
create index campaign_recipients_import on campaign_recipients (tenant_id, import_id, id) where import_id is not null;
create index campaign_recipients_message on campaign_recipients (tenant_id, message_id) where message_id is not null;

create table campaign_sends (
  tenant_id uuid not null,
  recipient_id uuid not null,
  round integer not null,
  step integer not null,
  campaign_id uuid not null,
  template_id uuid,
  variant text,
  planned_at timestamptz,
  message_id uuid,
  basis jsonb,
  reason jsonb,
  is_start boolean not null default false,
  replied_at timestamptz,
  booked_at timestamptz,
  opted_out_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, recipient_id, round, step),
  foreign key (tenant_id, recipient_id) references campaign_recipients (tenant_id, id) on delete cascade
);
comment on table campaign_sends is 'The steps that a recipient got or that were skipped: the evidence of why somebody was contacted.';
comment on column campaign_sends.variant is 'Which of the templates that are compared it got; null: the step has one.';
comment on column campaign_sends.message_id is 'Null: the step was skipped, for the reason.';
comment on column campaign_sends.basis is 'The lawful basis at that time: { kind, recordedAt, proof }.';
comment on column campaign_sends.is_start is 'The first message of its round.';
comment on column campaign_sends.replied_at is 'When the person first replied after this step and before the next one.';
call isolate_tenant_table('campaign_sends');
create index campaign_sends_campaign on campaign_sends (tenant_id, campaign_id, created_at);
create index campaign_sends_message on campaign_sends (tenant_id, message_id) where message_id is not null;

create table campaign_runs (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  status text not null check (status in ('running', 'completed', 'failed')),
  extraction_id uuid,
  incremental boolean not null,
  reason jsonb,
  joined integer not null default 0,
  position text[],
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, campaign_id) references campaigns (tenant_id, id) on delete cascade
);
comment on table campaign_runs is 'A scheduled extraction of a campaign at a portal.';
comment on column campaign_runs.reason is 'Why it failed: { code, message }.';
comment on column campaign_runs.joined is 'Leads that joined the campaign as recipients.';
comment on column campaign_runs.incremental is 'It reads only what is new or changed since the last completed run.';
comment on column campaign_runs.position is 'The last result of the search that has joined: extraction and listing.';
call isolate_tenant_table('campaign_runs');
create policy owner_bypass on campaign_runs for select to current_user using (true);
create index campaign_runs_campaign on campaign_runs (tenant_id, campaign_id, id);
create unique index campaign_runs_current on campaign_runs (tenant_id, campaign_id) where status = 'running';
create index campaign_runs_extraction on campaign_runs (tenant_id, extraction_id) where extraction_id is not null;
