-- When a key was last used is a note of the HTTP layer, apart from the key, which its feature writes.
create table key_uses (
  tenant_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
);
insert into key_uses (tenant_id, key_id, last_used_at)
  select tenant_id, id, last_used_at from api_keys where last_used_at is not null;
call stamp_tenant_table('key_uses');
create policy owner_lookup on key_uses for select to current_user using (true);
alter table api_keys drop column last_used_at;
