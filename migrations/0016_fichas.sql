-- Property sheets (fichas), made from listings.

create table fichas (
  tenant_id uuid not null,
  id uuid not null,
  status text not null default 'generating' check (status in ('generating', 'ready', 'failed')),
  platform text not null,
  listing_id text not null,
  source_url text not null,
  lead_id uuid,
  choices json not null,
  version integer not null default 0,

  run_token uuid,
  requeues integer not null default 0,
  error_code text,
  error_message text,

  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  progressed_at timestamptz not null default now(),
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table fichas is 'A property sheet made from a listing: an operation.';
comment on column fichas.listing_id is 'The portal''s id of the listing. With `platform` it finds the sheets of an erased lead.';
comment on column fichas.choices is 'The choices of the request, for the job that makes the first version.';
comment on column fichas.version is 'The current version; 0: none yet.';
comment on column fichas.run_token is 'The running job holds this token. A write with another token is refused, so that two runs never make the same sheet.';
comment on column fichas.requeues is 'How often a job was enqueued again because the former one was lost.';
comment on column fichas.progressed_at is 'When something last happened to it.';
call isolate_tenant_table('fichas');
create policy owner_bypass on fichas for select to current_user using (true);
create index fichas_listing on fichas (tenant_id, platform, listing_id);
create index fichas_lead on fichas (tenant_id, lead_id) where lead_id is not null;
-- Counted before more work is accepted.
create index fichas_active on fichas (tenant_id) where status = 'generating';

create table ficha_versions (
  tenant_id uuid not null,
  ficha_id uuid not null,
  version integer not null,
  content json not null,
  created_at timestamptz not null,
  primary key (tenant_id, ficha_id, version),
  foreign key (tenant_id, ficha_id) references fichas (tenant_id, id) on delete cascade
);
comment on table ficha_versions is 'The content of each version of a sheet: property, photos, privacy, energy, agent, layout and language. A version never changes.';
call isolate_tenant_table('ficha_versions');

create table ficha_photos (
  tenant_id uuid not null,
  ficha_id uuid not null,
  number integer not null,
  source_url text not null,
  width_px integer not null,
  height_px integer not null,
  sizes json not null,
  primary key (tenant_id, ficha_id, number),
  foreign key (tenant_id, ficha_id) references fichas (tenant_id, id) on delete cascade
);
comment on table ficha_photos is 'The copied photos of a listing. The versions of its sheet choose among them.';
comment on column ficha_photos.number is 'Position in the listing, from 1.';
comment on column ficha_photos.width_px is 'The width of the largest size.';
comment on column ficha_photos.sizes is 'The blobs, the narrowest first: [{ widthPx, blobId }].';
call isolate_tenant_table('ficha_photos');
