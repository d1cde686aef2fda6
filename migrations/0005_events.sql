-- Events are rows, written in the transaction of the change. Subscribers handle them after commit, each at its own
-- pace.

-- A UUIDv7 (RFC 9562, section 5.7), as the program makes them.
create function new_id() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;

create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  object_id uuid not null,
  sequence bigint not null,
  position bigint,
  is_test boolean not null default false,
  created_at timestamptz not null,
  lead_id uuid generated always as ((data ->> 'leadId')::uuid) stored,
  other_lead_id uuid generated always as ((data ->> 'otherLeadId')::uuid) stored,
  primary key (tenant_id, id)
);
comment on table events is 'Events of all objects. Only erasure changes or deletes them.';
comment on column events.object_id is 'What the event is about: a lead, an extraction, …; the tenant''s own id for events about the workspace.';
comment on column events.sequence is 'Its place among the events of that object: 1, 2, 3, …';
comment on column events.position is 'Its place among all events of the tenant, in the order of their commits: 1, 2, 3, … Null for an example.';
comment on column events.is_test is 'An example that somebody requested. It is sent to one subscription only; nothing has happened.';
comment on column events.lead_id is 'The lead that the event is about: for the lead''s history.';
comment on column events.other_lead_id is 'The other lead of a merge or of its undoing.';
call isolate_tenant_table('events');
create policy owner_bypass on events for select to current_user using (true);
create unique index events_position on events (tenant_id, position) where position is not null;
create index events_object on events (tenant_id, object_id);
create index events_lead on events (tenant_id, lead_id, id) where lead_id is not null;
-- Erasure uses it to find events of other leads that mention a person.
create index events_other_lead on events (tenant_id, other_lead_id) where other_lead_id is not null;
-- The external id of a deleted lead is removed from its event when the event is no longer sent.
create index events_deleted_external_id on events (tenant_id, id)
  where type = 'lead.deleted' and data ->> 'externalId' is not null;

create table event_sequences (
  tenant_id uuid not null,
  object_id uuid not null,
  last bigint not null,
  primary key (tenant_id, object_id)
);
comment on table event_sequences is 'How many events each object has had. The object 00000000-… counts all events of the tenant.';
call isolate_tenant_table('event_sequences');
create policy owner_bypass on event_sequences for select to current_user using (true);

create table event_subscribers (
  tenant_id uuid not null,
  name text not null,
  position bigint not null,
  primary key (tenant_id, name)
);
comment on table event_subscribers is 'The position of each subscriber in the events of the tenant. A subscriber is a feature that handles events.';
comment on column event_subscribers.position is 'All events up to here are handled, or stored in event_retries.';
call isolate_tenant_table('event_subscribers');
create policy owner_bypass on event_subscribers for select to current_user using (true);

create table event_retries (
  tenant_id uuid not null,
  name text not null,
  object_id uuid not null,
  position bigint not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  error text,
  primary key (tenant_id, name, object_id, position),
  foreign key (tenant_id, name) references event_subscribers (tenant_id, name) on delete cascade
);
comment on table event_retries is 'Events that a subscriber failed to handle, and later events of the same objects, which wait for them.';
call isolate_tenant_table('event_retries');
create policy owner_bypass on event_retries for select to current_user using (true);
