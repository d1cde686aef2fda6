-- Files of tenants: what is stored, who refers to it, and what is to be removed from the store. The bytes are elsewhere.

create table blobs (
  tenant_id uuid not null,
  -- Names the object in the store. Never used again, so that removing it can't hit equal content that came later.
  id uuid not null,
  -- SHA-256: equal content is stored once in a tenant.
  hash bytea not null,
  bytes bigint not null,
  media_type text not null,
  primary key (tenant_id, id),
  unique (tenant_id, hash)
);
call stamp_tenant_table('blobs');

create table blob_references (
  tenant_id uuid not null,
  -- Who refers to it: `ficha`. A `hold` is whoever has just stored it, until it refers to it or the hold expires.
  kind text not null,
  object_id uuid not null,
  blob_id uuid not null,
  expires_at timestamptz,
  primary key (tenant_id, kind, object_id, blob_id),
  foreign key (tenant_id, blob_id) references blobs (tenant_id, id)
);
call stamp_tenant_table('blob_references');
create index blob_references_blob on blob_references (tenant_id, blob_id);
create index blob_references_expiry on blob_references (expires_at) where expires_at is not null;

-- Objects that may be in the store and belong to no blob: those being uploaded, until the upload expires, and those to be removed.
create table blob_removals (
  tenant_id uuid not null,
  id uuid not null,
  -- Given back to the tenant when it is removed.
  reserved_bytes bigint not null,
  -- Null: it is to be removed, and no upload can take it any more.
  expires_at timestamptz,
  primary key (tenant_id, id)
);
call stamp_tenant_table('blob_removals');

create table blob_usage (
  tenant_id uuid primary key,
  bytes bigint not null check (bytes >= 0)
);
call stamp_tenant_table('blob_usage');

-- For the job that finds the tenants with something to remove.
create policy owner_lookup on blob_references for select to current_user using (true);
create policy owner_lookup on blob_removals for select to current_user using (true);
