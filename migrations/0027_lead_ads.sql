-- Lead ads: pages at ad networks, their forms, and the leads that people submit there.

create table ad_connections (
  tenant_id uuid not null,
  id uuid not null,
  network text not null,
  name text not null,
  page_id text not null,
  page_name text not null,
  credentials bytea not null,
  status text not null check (status in ('CONNECTED', 'FAILING', 'EXPIRED')),
  status_reason text,
  status_changed_at timestamptz not null,
  since timestamptz not null,
  webhook_verified_at timestamptz,
  notified_at timestamptz,
  checked_at timestamptz not null,
  retry_at timestamptz,
  failures integer not null default 0,
  next_sweep_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, network, page_id)
);
comment on table ad_connections is 'A page at an ad network, whose lead ads the program reads.';
comment on column ad_connections.page_id is 'The network''s id of the page.';
comment on column ad_connections.credentials is 'Encrypted JSON.';
comment on column ad_connections.status_reason is 'A sentence for people; null: nothing is wrong.';
comment on column ad_connections.since is 'Leads that were submitted before are left out.';
comment on column ad_connections.webhook_verified_at is 'When the network last verified the webhook address; null: never.';
comment on column ad_connections.notified_at is 'When the last webhook came; null: none did.';
comment on column ad_connections.checked_at is 'When the network last answered.';
comment on column ad_connections.retry_at is 'Nothing is requested before: the network did not answer, or requested a wait. Null: at once.';
comment on column ad_connections.failures is 'Failed requests since the last one that succeeded.';
comment on column ad_connections.next_sweep_at is 'When the leads of its forms are listed next, so that lost webhooks lose nothing.';
call isolate_tenant_table('ad_connections');
create policy owner_bypass on ad_connections for select to current_user using (true);
create index ad_connections_sweep on ad_connections (tenant_id, next_sweep_at) where status <> 'EXPIRED';

create table ad_forms (
  tenant_id uuid not null,
  connection_id uuid not null,
  form_id text not null,
  name text not null,
  is_active boolean not null,
  locale text,
  questions jsonb not null,
  consent jsonb,
  consent_version text,
  field_mapping jsonb not null default '{}',
  consent_rule jsonb,
  swept_to timestamptz,
  ended_at timestamptz,
  read_at timestamptz not null,
  primary key (tenant_id, connection_id, form_id),
  foreign key (tenant_id, connection_id) references ad_connections (tenant_id, id) on delete cascade
);
comment on table ad_forms is 'A form of a page, as it was last read, and how its answers become a lead.';
comment on column ad_forms.questions is '[{ key, label, field }]; field: what the network itself asks for.';
comment on column ad_forms.consent is 'The consent text with its boxes: { title, text, boxes }; null: the form has none.';
comment on column ad_forms.consent_version is 'The hash of the consent text.';
comment on column ad_forms.field_mapping is 'Fields of a lead by question, as the workspace set them; the others are guessed.';
comment on column ad_forms.consent_rule is 'Which boxes mean consent, and for which channels: { boxes, channels }; null: the boxes that must be ticked.';
comment on column ad_forms.swept_to is 'Leads that were submitted until then were listed; null: none were.';
comment on column ad_forms.ended_at is 'When nobody could submit it any more; null: somebody can.';
call isolate_tenant_table('ad_forms');

create table ad_leads (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  form_id text not null,
  content bytea,
  status text not null check (status in ('waiting', 'taken', 'skipped', 'failed')),
  reason jsonb,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  lead_id uuid,
  consent jsonb,
  submitted_at timestamptz,
  received_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, connection_id, external_id),
  foreign key (tenant_id, connection_id) references ad_connections (tenant_id, id) on delete cascade
);
comment on table ad_leads is 'A form that somebody submitted, stored before it is read: each once. The answers are in the lead.';
comment on column ad_leads.external_id is 'The network''s id of the lead.';
comment on column ad_leads.content is 'Encrypted: what the network sent with its webhook and is needed to read the lead. Null: nothing, or it was read.';
comment on column ad_leads.status is 'waiting: to be read. taken: lead_id is its lead. skipped: it becomes no lead. failed: it could not be read.';
comment on column ad_leads.reason is 'Why it waits, was skipped or failed: { code, message }.';
comment on column ad_leads.next_attempt_at is 'When it is to be read; null: it ended.';
comment on column ad_leads.lead_id is 'Null: it is not taken, or the lead was deleted.';
comment on column ad_leads.consent is 'The evidence: { version, boxes: [{ key, isTicked }], isGiven }; null: not read.';
call isolate_tenant_table('ad_leads');
create policy owner_bypass on ad_leads for select to current_user using (true);
create index ad_leads_waiting on ad_leads (tenant_id, connection_id, next_attempt_at, id) where status = 'waiting';
create index ad_leads_form on ad_leads (tenant_id, connection_id, form_id, id) where lead_id is not null;
create index ad_leads_lead on ad_leads (tenant_id, lead_id) where lead_id is not null;
create index ad_leads_ended on ad_leads (tenant_id, ended_at) where ended_at is not null;
