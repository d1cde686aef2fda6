-- The form of campaigns of the source `widget` on the sites of the agency.

create table widgets (
  tenant_id uuid not null,
  campaign_id uuid not null,
  allowed_origins text[] not null,
  theme text not null check (theme in ('light', 'dark', 'auto')),
  language text,
  fields jsonb not null,
  consent_texts jsonb not null,
  consent_version integer not null,
  leads_created integer not null default 0,
  leads_known integer not null default 0,
  spam integer not null default 0,
  suppressed integer not null default 0,
  refused integer not null default 0,
  updated_at timestamptz not null,
  primary key (tenant_id, campaign_id)
);
comment on table widgets is 'Forms for the sites of the agency, also of deleted campaigns: there the form says that it is closed.';
comment on column widgets.language is 'Null: that of the page around it.';
comment on column widgets.fields is 'What visitors are asked for, in order: [{ name, required }].';
comment on column widgets.consent_texts is 'The agency''s own texts of the consent, by language.';
comment on column widgets.consent_version is 'Which of its own texts they are, from 1; 0: it has none.';
comment on column widgets.spam is 'Forms of machines, which were dropped.';
comment on column widgets.suppressed is 'Forms with a person who was erased: no lead was stored.';
comment on column widgets.refused is 'Forms that were refused because the quota of leads was used up.';
call isolate_tenant_table('widgets');

create table widget_submissions (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  form_id uuid not null,
  lead_id uuid not null,
  consent jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, form_id)
);
comment on table widget_submissions is 'The forms that became leads, with the proof of the consent. They are kept as long as the lead, also if the campaign is deleted.';
comment on column widget_submissions.form_id is 'The form that was sent: a second time it changes nothing.';
comment on column widget_submissions.consent is 'The text as shown, its version and language, the page, the key and the time.';
call isolate_tenant_table('widget_submissions');
create index widget_submissions_lead on widget_submissions (tenant_id, lead_id);
