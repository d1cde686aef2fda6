-- Lawful bases, the suppression list, and hashed identifiers.

create table suppressions (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('opt_out', 'erased', 'exclusion_list', 'manual', 'marketing')),
  identifier_kind text not null check (identifier_kind in ('phone', 'email', 'chat', 'listing')),
  hash bytea not null check (length(hash) = 32),
  channel text check (channel in ('chat', 'phone', 'email')),
  list_name text,
  note text,
  created_at timestamptz not null,
  requested_at timestamptz not null,
  created_by uuid references users (id),
  primary key (tenant_id, id),
  check ((kind = 'exclusion_list') = (list_name is not null)),
  check (kind <> 'erased' or channel is null)
);
comment on table suppressions is 'The suppression list: identifiers of people who must not be contacted.';
comment on column suppressions.id is 'A UUIDv7: the order of ids is the order of creation.';
comment on column suppressions.identifier_kind is '`listing`: the listing of an erased person is not read again, even after it changes.';
comment on column suppressions.hash is 'HMAC-SHA256 of the identifier with a key of the deployment. The identifier itself is not stored.';
comment on column suppressions.requested_at is 'Opt-outs: when the person last refused. Only a later message of the person takes it back.';
comment on column suppressions.channel is 'Null: every channel.';
call isolate_tenant_table('suppressions');
create unique index suppressions_unique on suppressions (tenant_id, hash, kind, channel, list_name) nulls not distinct;
-- Looked up for every listing that is read.
create index suppressions_erased on suppressions (tenant_id, hash) where kind = 'erased';
create index suppressions_list on suppressions (tenant_id, list_name, id) where list_name is not null;

create table suppressed_leads (
  tenant_id uuid not null,
  lead_id uuid not null,
  primary key (tenant_id, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table suppressed_leads is 'Leads with an identifier on the suppression list. A job removes leads that no longer have one.';
call isolate_tenant_table('suppressed_leads');

-- Only a lead with a lawful basis may be contacted, and few leads may have one.
create index leads_lawful_basis on leads (tenant_id, id) include (updated_at, price_or_max, price_or_min)
  where lawful_basis is not null;
-- Leads whose person may not be contacted, found without reading all others: by the columns of the lead, by the clock,
-- by its listings (lead_sources_no_agencies) and by suppressed_leads. Each result is checked again: there may be too
-- many results, but never too few.
create index leads_unreachable on leads (tenant_id, id) where
  lawful_basis is null or status = 'discarded' or (lawful_basis = 'consent' and lawful_basis_proof is null)
  or ((phone is null or not coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end) && '{chat,phone}')
    and (email is null or not 'email' = any(coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end))));
create index leads_basis_start on leads (tenant_id, lawful_basis_at) where lawful_basis is not null;
create index leads_basis_end on leads (tenant_id, lawful_basis_expires_at) where lawful_basis_expires_at is not null;
