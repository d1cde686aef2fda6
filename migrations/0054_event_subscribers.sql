-- What features do after events, in their order: one place in the events of the tenant for each subscriber.

create table event_subscribers (
  tenant_id uuid not null,
  name text not null,
  -- Up to here it has handled the events, or set them aside.
  position bigint not null,
  primary key (tenant_id, name)
);
call stamp_tenant_table('event_subscribers');

-- Events whose handling failed, and later ones of the same objects, which wait for them.
create table event_retries (
  tenant_id uuid not null,
  name text not null,
  object_id uuid not null,
  position bigint not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  primary key (tenant_id, name, object_id, position),
  foreign key (tenant_id, name) references event_subscribers (tenant_id, name) on delete cascade
);
call stamp_tenant_table('event_retries');

-- The owner finds which tenants have something to do.
create policy owner_lookup on event_subscribers for select to current_user using (true);
create policy owner_lookup on event_retries for select to current_user using (true);
create policy owner_lookup on event_sequences for select to current_user using (true);

-- The program tells who has read events that they are to be forgotten.
drop trigger events_forgotten on events;
drop trigger events_deleted on events;
drop function forget_told;
drop function forget_replies;
