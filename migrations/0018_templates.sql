-- Message templates: a text per language, and every version of it.

create table templates (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  language text not null,
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  provider_template_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (tenant_id, id)
);
comment on table templates is 'A message template. Its texts are variants, one per language.';
comment on column templates.language is 'The default language, whose variant always exists.';
comment on column templates.provider_template_name is 'The name that it gets at providers; null: it is made from the name.';
comment on column templates.archived_at is 'It can no longer be used; what was sent with it stays readable.';
call isolate_tenant_table('templates');

create table template_variants (
  tenant_id uuid not null,
  template_id uuid not null,
  language text not null,
  version_id uuid not null,
  updated_at timestamptz not null,
  primary key (tenant_id, template_id, language),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade
);
comment on table template_variants is 'The current text of a template in one language.';
comment on column template_variants.version_id is 'The current text.';
call isolate_tenant_table('template_variants');

create table template_versions (
  tenant_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  language text not null,
  number integer not null,
  body text not null,
  parts jsonb not null,
  variables jsonb not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, template_id, language, number),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade
);
comment on table template_versions is 'Every text that a template has had. A version never changes; messages refer to the one they were sent with.';
comment on column template_versions.parts is 'What is around the body: { header: { kind, text }, footer, buttons: [{ kind, title, value }] }.';
comment on column template_versions.variables is 'The variables of the text: [{ name, type, fallback, example }], in their order.';
comment on column template_versions.erased_at is 'The text contained data of a person who was erased: it is empty since then, and cannot be used.';
call isolate_tenant_table('template_versions');

create table template_approvals (
  tenant_id uuid not null,
  account_id uuid not null,
  provider_name text not null,
  language text not null,
  template_id uuid not null,
  version_id uuid not null,
  provider_template_id text,
  status text not null check (status in ('draft', 'pending', 'approved', 'rejected', 'paused', 'disabled')),
  reason text,
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  submitted_at timestamptz,
  reported_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, account_id, provider_name, language),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade,
  foreign key (tenant_id, version_id) references template_versions (tenant_id, id) on delete cascade
);
comment on table template_approvals is 'What the provider of an account says about a text. Only approved texts are sent outside the reply window.';
comment on column template_approvals.provider_name is 'Each text of a template has a name of its own: the approved one is sent while a new one is reviewed.';
comment on column template_approvals.category is 'The category by the provider, which may change it.';
comment on column template_approvals.submitted_at is 'Null: it was made at the provider.';
comment on column template_approvals.reported_at is 'The provider''s time of its last report.';
call isolate_tenant_table('template_approvals');
create index template_approvals_template on template_approvals (tenant_id, template_id, language);
