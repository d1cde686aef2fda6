-- Files of tenants: what is stored, who refers to it, and what is to be removed from the store. The bytes are elsewhere.

create table blobs (
  tenant_id uuid not null,
  id uuid not null,
  hash bytea not null,
  bytes bigint not null,
  media_type text not null,
  primary key (tenant_id, id),
  unique (tenant_id, hash)
);
comment on table blobs is 'A stored file. Equal content is stored once in a tenant.';
comment on column blobs.id is 'Names the object in the store. It is never used again, so removing it can''t hit equal content that came later.';
comment on column blobs.hash is 'SHA-256 of the bytes.';
comment on column blobs.media_type is 'As the first bytes show it.';
call isolate_tenant_table('blobs');

create table blob_references (
  tenant_id uuid not null,
  kind text not null,
  object_id uuid not null,
  blob_id uuid not null,
  expires_at timestamptz,
  primary key (tenant_id, kind, object_id, blob_id),
  foreign key (tenant_id, blob_id) references blobs (tenant_id, id)
);
comment on table blob_references is 'Who refers to a blob: it is deleted with its last reference.';
comment on column blob_references.kind is 'What the object is: `ficha`. A `hold` keeps what was just stored until somebody refers to it.';
comment on column blob_references.expires_at is 'When a hold ends; null: it is none.';
call isolate_tenant_table('blob_references');
create index blob_references_blob on blob_references (tenant_id, blob_id);
create index blob_references_expiry on blob_references (expires_at) where expires_at is not null;

create table blob_removals (
  tenant_id uuid not null,
  id uuid not null,
  reserved_bytes bigint not null,
  expires_at timestamptz,
  primary key (tenant_id, id)
);
comment on table blob_removals is 'Objects that may be in the store and belong to no blob: those being uploaded, and those to be removed.';
comment on column blob_removals.reserved_bytes is 'Given back to the tenant when the object is removed.';
comment on column blob_removals.expires_at is 'When an upload ends; null: the object is to be removed, and no upload can take it any more.';
call isolate_tenant_table('blob_removals');

create table blob_usage (
  tenant_id uuid primary key,
  bytes bigint not null check (bytes >= 0)
);
comment on table blob_usage is 'How many bytes the blobs and uploads of a tenant take.';
call isolate_tenant_table('blob_usage');

-- For the job that finds the tenants with something to remove.
create policy owner_bypass on blob_references for select to current_user using (true);
create policy owner_bypass on blob_removals for select to current_user using (true);
