-- Imports: ids that several files give to different leads, how leads were written, who attests why people may be contacted,
-- in which country a file was written, and what rows of a dry run would have left behind.

-- The id that a file gave, where another lead has that id for its listing_id: every CRM counts from 1.
alter table lead_sources add column external_id text;
-- What an import wrote, to tell whether the lead that it created still is so: undoing it deletes no other.
alter table lead_sources add column written_print bigint;
create index lead_sources_external on lead_sources (tenant_id, platform, external_id) where external_id is not null;

-- What shows the lawful bases that rows state without a proof of their own, and who says so.
alter table imports
  add column attestation text,
  add column attested_by uuid references users (id),
  -- ISO 3166-1 alpha-2: how its telephones and postcodes are read. Null: as in the workspace's own.
  add column country text;

-- Of a dry run, which leaves no leads behind: rows that would be new leads or changes, to be stored again, and taken back again,
-- before later rows that may be about the same. Gone when it ends.
create table import_trials (
  tenant_id uuid not null,
  import_id uuid not null,
  number integer not null,
  -- As it would be saved.
  draft jsonb not null,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
call stamp_tenant_table('import_trials');

-- By which they are found: hashes of whom and what each is about. Several rows may have one in common.
alter table import_marks
  drop constraint import_marks_pkey,
  add primary key (tenant_id, import_id, mark, number);
