-- Files of tenants: stored files, references to them, and pending removals. The bytes are in the blob store.

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
comment on column blobs.id is 'Name of the object in the store. It is never reused, so a removal cannot affect equal content that is stored later.';
comment on column blobs.hash is 'SHA-256 of the bytes.';
comment on column blobs.media_type is 'Detected from the first bytes.';
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
comment on table blob_references is 'References to blobs: a blob is deleted with its last reference.';
comment on column blob_references.kind is 'Kind of the referring object: `ficha`. A `hold` keeps a new blob until an object refers to it.';
comment on column blob_references.expires_at is 'End of a hold; null: it is not a hold.';
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
comment on column blob_removals.reserved_bytes is 'Storage that the tenant regains when the object is removed.';
comment on column blob_removals.expires_at is 'Time limit of an upload; null: the object is to be removed, and no upload can use it.';
call isolate_tenant_table('blob_removals');

create table blob_usage (
  tenant_id uuid primary key,
  bytes bigint not null check (bytes >= 0)
);
comment on table blob_usage is 'Storage used by the blobs and uploads of a tenant.';
call isolate_tenant_table('blob_usage');

-- For the job that finds tenants with pending removals.
create policy owner_bypass on blob_references for select to current_user using (true);
create policy owner_bypass on blob_removals for select to current_user using (true);
