-- Message templates: a text per language, and every version of it.

create table templates (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  language text not null,
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (tenant_id, id)
);
comment on table templates is 'A message template. Its texts are variants, one per language.';
comment on column templates.language is 'The default language, whose variant always exists.';
comment on column templates.archived_at is 'It can no longer be used; what was sent with it stays readable.';
call isolate_tenant_table('templates');
create unique index templates_name on templates (tenant_id, name) where archived_at is null;

create table template_variants (
  tenant_id uuid not null,
  template_id uuid not null,
  language text not null,
  version_id uuid not null,
  account_id uuid,
  provider_template_name text,
  provider_template_id text,
  status text not null default 'draft' check (status in ('draft', 'pending', 'approved', 'rejected', 'paused', 'disabled')),
  status_reason text,
  approved_version_id uuid,
  submitted_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, template_id, language),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade,
  foreign key (tenant_id, account_id) references accounts (tenant_id, id)
);
comment on table template_variants is 'The current text of a template in one language, and its approval by the provider.';
comment on column template_variants.version_id is 'The current text.';
comment on column template_variants.account_id is 'The account whose provider approves it; null: it is used without approval.';
comment on column template_variants.approved_version_id is 'The text that the provider approved. Only this one is sent outside the reply window.';
call isolate_tenant_table('template_variants');
create index template_variants_provider on template_variants (tenant_id, provider_template_name) where provider_template_name is not null;

create table template_versions (
  tenant_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  language text not null,
  number integer not null,
  body text not null,
  variables jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, template_id, language, number),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade
);
comment on table template_versions is 'Every text that a template has had. A version never changes; messages refer to the one they were sent with.';
comment on column template_versions.variables is 'The variables of the text: [{ name, type, fallback }], in their order.';
call isolate_tenant_table('template_versions');
