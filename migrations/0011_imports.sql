-- Imports of leads from files: the request, the file while it is needed, the result of each row, and the data to undo
-- it.

create table imports (
  tenant_id uuid not null,
  id uuid not null,
  name text,
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNDOING', 'UNDONE')),
  dry_run boolean not null,
  on_match text not null check (on_match in ('update', 'skip')),
  keep_unknown boolean not null,
  country text,
  attestation text,
  attested_by uuid references users (id),
  campaign_id uuid,

  -- The file
  format jsonb not null,
  headings text[] not null,
  mapping json not null,
  guessed_mapping json not null,
  bytes integer not null,
  file_kept_until timestamptz,

  -- Progress
  run_token uuid,
  position integer not null default 0,
  bytes_read integer not null default 0,
  rows_total integer,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  undone integer not null default 0,
  not_reverted integer not null default 0,
  joined integer not null default 0,
  requeues integer not null default 0,
  error_code text,
  error_message text,

  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz,
  progressed_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table imports is 'Imports of files. An import and its undo run in the background, as operations.';
comment on column imports.country is 'ISO 3166-1 alpha-2: how phones and postcodes are read. Null: the workspace''s own.';
comment on column imports.attestation is 'Proof of the lawful bases that rows state without their own proof; `attested_by` is the user who attested it.';
comment on column imports.campaign_id is 'The campaign whose recipients the leads become; null: none.';
comment on column imports.joined is 'Leads that became recipients.';
comment on column imports.format is 'Detected from the head of the file: { kind, encoding, separator, quote, hasHeader, headerRow }.';
comment on column imports.mapping is 'json and not jsonb: it keeps the order of the headings.';
comment on column imports.file_kept_until is 'Null: the file was deleted. It is kept while the import is active, also after this time.';
comment on column imports.run_token is 'The running job holds this token. A write with another token is refused.';
comment on column imports.position is 'The last processed row of the file, after which a run resumes.';
comment on column imports.undone is 'For an undo: reverted rows; `not_reverted` are those that were changed since.';
comment on column imports.requeues is 'How often a job was enqueued again because the former one was lost.';
comment on column imports.progressed_at is 'When something last happened to it.';
call isolate_tenant_table('imports');
create policy owner_bypass on imports for select to current_user using (true);
-- Counted before more work is accepted.
create index imports_active on imports (tenant_id) where status in ('QUEUED', 'RUNNING', 'UNDOING');
create index imports_campaign on imports (tenant_id, campaign_id, id) where campaign_id is not null;
-- One job of the deployment finds expired files.
create index imports_file_kept_until on imports (file_kept_until) where file_kept_until is not null;

create table import_chunks (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
comment on table import_chunks is 'The file of an import, in compressed pieces.';
alter table import_chunks alter column bytes set storage external;
call isolate_tenant_table('import_chunks');

create table import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  result text not null check (result in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  reason text,
  repeats integer,
  problems jsonb,
  not_joined jsonb,
  lead_id uuid,
  undone boolean,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id)
);
comment on table import_rows is 'The result of each row of a file. It holds no value of the file, so that nothing remains of an erased lead.';
comment on column import_rows.lead_id is 'Null: it made no lead, or the lead was deleted.';
comment on column import_rows.repeats is 'The earlier row that it repeats.';
comment on column import_rows.problems is '[{ column, code, message }]';
comment on column import_rows.not_joined is 'Why the lead did not become a recipient of the campaign of the import: { code, message }.';
call isolate_tenant_table('import_rows');
create index import_rows_lead on import_rows (tenant_id, lead_id);
create index import_rows_result on import_rows (tenant_id, import_id, result, number);
create index import_rows_not_joined on import_rows (tenant_id, import_id, number) where not_joined is not null;

create table import_changes (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  lead_id uuid not null,
  changes jsonb not null,
  note_id uuid,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table import_changes is 'Changes of existing leads by an import, and the notes that it added. Deleted with the lead.';
comment on column import_changes.changes is '{ column: { before, after } }';
call isolate_tenant_table('import_changes');
create index import_changes_lead on import_changes (tenant_id, lead_id);

create table import_dry_run_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  input jsonb not null,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
comment on table import_dry_run_rows is 'Rows of a dry run that would be new leads or changes. A dry run rolls back its leads, so these rows are stored again temporarily before later rows that may match them. Deleted when it ends.';
comment on column import_dry_run_rows.input is 'The lead that would be saved.';
call isolate_tenant_table('import_dry_run_rows');

create table import_fingerprints (
  tenant_id uuid not null,
  import_id uuid not null,
  fingerprint text not null,
  number integer not null,
  primary key (tenant_id, import_id, fingerprint, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
comment on table import_fingerprints is 'Fingerprints that find rows of import_dry_run_rows: hashes of the person and the property. Several rows may share one.';
call isolate_tenant_table('import_fingerprints');
