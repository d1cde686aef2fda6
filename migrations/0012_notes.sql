-- What people of the agency write down about a lead.

create table notes (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  body text not null,
  -- Who made the key that it was written with; null for a key of nobody in particular.
  author_user_id uuid references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('notes');
-- The notes of a lead, newest first: ids are UUIDv7.
create index notes_lead on notes (tenant_id, lead_id, id);
