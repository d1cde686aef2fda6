-- Imports of leads from files: what was asked for, the file while it is needed, what became of each row, and what it takes to
-- undo it.

create table imports (
  tenant_id uuid not null,
  id uuid not null,
  name text,
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNDOING', 'UNDONE')),
  dry_run boolean not null,
  on_match text not null check (on_match in ('update', 'skip')),
  keep_unknown boolean not null,
  -- As the head of the file tells it: { kind, encoding, separator, quote, hasHeader, headerRow }.
  format jsonb not null,
  headings text[] not null,
  -- Texts of JSON: in the order of the headings, which jsonb would not keep.
  mapping json not null,
  guessed_mapping json not null,
  bytes integer not null,
  -- Null: it is gone. While the import is under way the file stays whatever this says.
  file_kept_until timestamptz,
  -- The last row of the file that is dealt with; a run goes on behind it.
  position integer not null default 0,
  bytes_read integer not null default 0,
  rows_total integer,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- Of those that an undoing is to take back.
  undone integer not null default 0,
  kept integer not null default 0,
  -- Whoever runs the job holds this token; a write with another one is refused.
  run_token uuid,
  sweeps integer not null default 0,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz,
  -- When something last happened to it.
  moved_at timestamptz not null,
  primary key (tenant_id, id)
);
call stamp_tenant_table('imports');

-- The file, in pieces that are packed already.
create table import_chunks (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
alter table import_chunks alter column bytes set storage external;
call stamp_tenant_table('import_chunks');

-- No value of the file is kept here: of a lead that is erased nothing remains.
create table import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  result text not null check (result in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  reason text,
  -- The earlier row that it repeats.
  repeats integer,
  -- [{ column, code, message }]
  problems jsonb,
  lead_id uuid,
  undone boolean,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete set null (lead_id)
);
call stamp_tenant_table('import_rows');
create index import_rows_lead on import_rows (tenant_id, lead_id);
create index import_rows_result on import_rows (tenant_id, import_id, result, number);

-- What an import changed in leads that were known, and the notes that it wrote on them. Goes with the lead.
create table import_changes (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  lead_id uuid not null,
  -- { column: { before, after } }
  changes jsonb not null,
  note_id uuid,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('import_changes');
create index import_changes_lead on import_changes (tenant_id, lead_id);

-- Of a dry run, which leaves no leads behind by which a later row could tell that it repeats an earlier one: hashes of whom
-- and what each row that would be a new lead is about. Gone when it ends.
create table import_marks (
  tenant_id uuid not null,
  import_id uuid not null,
  mark text not null,
  number integer not null,
  primary key (tenant_id, import_id, mark),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
call stamp_tenant_table('import_marks');

-- Whether a job of the tenant's own still is, or may be, run for an import. The queue's tables belong to the owner.
create function has_import_job(import uuid) returns boolean
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select exists (
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier in ('run-import', 'undo-import') and j.payload->>'tenantId' = current_tenant()::text
      and j.payload->'data'->>'importId' = import::text
      and (j.locked_at is not null or j.attempts < j.max_attempts))
$$;
revoke all on function has_import_job from public;
grant execute on function has_import_job to aldaba_service;
