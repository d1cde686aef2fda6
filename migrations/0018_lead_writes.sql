-- Leads that people and programs write: where they came from, what was merged, what happened to each, and what is done to many.

alter table lead_sources
  -- A lead that was written or imported has no advert.
  alter column url drop not null,
  add column import_id uuid;

-- Two leads made one, and what it takes to part them again. What a lead had absorbed stays when it is absorbed itself, so
-- there is no foreign key; the deletion of a lead takes all of it along.
create table lead_merges (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  absorbed_id uuid not null,
  -- The row of the lead that went, whole.
  absorbed jsonb not null,
  -- The columns of the other that changed: { column: { before, after } }.
  changes jsonb not null,
  -- The sources and notes that moved.
  sources jsonb not null,
  note_ids uuid[] not null,
  created_at timestamptz not null,
  created_by uuid references users (id),
  undone_at timestamptz,
  primary key (tenant_id, id)
);
call stamp_tenant_table('lead_merges');
create index lead_merges_lead on lead_merges (tenant_id, lead_id, id);
create index lead_merges_absorbed on lead_merges (tenant_id, absorbed_id, id);

-- Of an event about one lead: which, so that its history is found.
alter table events add column lead_id uuid generated always as ((data ->> 'leadId')::uuid) stored;
create index events_lead on events (tenant_id, lead_id, id) where lead_id is not null;

-- A change of many leads, or their deletion; what remains to be done of it is a job's.
create table lead_operations (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('update', 'delete', 'erase')),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- Which leads: ids, or a filter.
  selection jsonb not null,
  changes jsonb,
  -- Who asked for it.
  key_id uuid,
  -- Leads that came after it began are not meant; this is the last that is.
  last_lead_id uuid not null,
  -- The last lead that is done.
  position uuid,
  matched integer,
  processed integer not null default 0,
  changed integer not null default 0,
  error_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
call stamp_tenant_table('lead_operations');
