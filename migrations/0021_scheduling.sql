-- Scheduling: agendas, event types, and the appointments that visitors book in their slots.

create extension if not exists btree_gist;

create table agendas (
  tenant_id uuid not null,
  id uuid not null,
  agent_user_id uuid not null,
  name text not null,
  timezone text not null,
  working_hours jsonb,
  fails_closed boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
comment on table agendas is 'The time of an agent. Every slot that is booked occupies one or more agendas.';
comment on column agendas.timezone is 'The IANA time zone of the agent.';
comment on column agendas.working_hours is 'When the agent works, in any event type: { weekly: [{ day, from, to }], overrides: [{ date, intervals }] }; null: whenever the event type is available.';
comment on column agendas.fails_closed is 'No slot is offered while the busy times of one of its calendars are out of date.';
comment on column agendas.deleted_at is 'It can no longer be used; its past appointments stay.';
call isolate_tenant_table('agendas');
create index agendas_agent on agendas (tenant_id, agent_user_id);

create table event_types (
  tenant_id uuid not null,
  id uuid not null,
  owner_agent_user_id uuid not null,
  agenda_id uuid not null,
  name text not null,
  slug text not null,
  description text,
  duration_min integer not null check (duration_min between 5 and 1440),
  buffer_before_min integer not null default 0 check (buffer_before_min >= 0),
  buffer_after_min integer not null default 0 check (buffer_after_min >= 0),
  location_mode text not null check (location_mode in ('onsite', 'call', 'video')),
  location_details jsonb not null default '{}',
  color text,
  visibility text not null check (visibility in ('agent_private', 'workspace_template')),
  config jsonb not null,
  availability jsonb not null,
  template_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, agenda_id) references agendas (tenant_id, id)
);
comment on table event_types is 'What can be booked: its length, place, questions and availability.';
comment on column event_types.config is 'Questions, reminders, confirmation, assignment, seats and travel, with all their defaults.';
comment on column event_types.template_id is 'The workspace template that it was copied from; null: none.';
comment on column event_types.deleted_at is 'It can no longer be booked; its appointments stay.';
call isolate_tenant_table('event_types');
create unique index event_types_slug on event_types (tenant_id, owner_agent_user_id, slug) where deleted_at is null;
create index event_types_agenda on event_types (tenant_id, agenda_id);

create table event_type_members (
  tenant_id uuid not null,
  event_type_id uuid not null,
  agenda_id uuid not null,
  weight integer not null default 1 check (weight between 1 and 100),
  areas text[] not null default '{}',
  primary key (tenant_id, event_type_id, agenda_id),
  foreign key (tenant_id, event_type_id) references event_types (tenant_id, id) on delete cascade,
  foreign key (tenant_id, agenda_id) references agendas (tenant_id, id)
);
comment on table event_type_members is 'The agendas of an event type of several agents. One of a single agent has none: its own agenda is used.';
comment on column event_type_members.weight is 'The share of the bookings, relative to the other members.';
comment on column event_type_members.areas is 'Postcode prefixes of the properties that the agent shows; empty: all.';
call isolate_tenant_table('event_type_members');

create table booked_slots (
  tenant_id uuid not null,
  id uuid not null,
  event_type_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  seats integer not null check (seats between 1 and 1000),
  seats_taken integer not null check (seats_taken between 1 and seats),
  latitude double precision,
  longitude double precision,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, event_type_id) references event_types (tenant_id, id)
);
comment on table booked_slots is 'A slot that is held or booked, by one visitor or, in a group viewing, by several. It is deleted when nobody is left.';
comment on column booked_slots.latitude is 'Where it takes place, for the travel times of its neighbours; null: unknown, or not on site.';
call isolate_tenant_table('booked_slots');
create index booked_slots_event_type on booked_slots (tenant_id, event_type_id, starts_at);

create table agenda_reservations (
  tenant_id uuid not null,
  booked_slot_id uuid not null,
  agenda_id uuid not null,
  occupied tstzrange not null check (not isempty(occupied)),
  starts_at timestamptz not null generated always as (lower(occupied)) stored,
  primary key (tenant_id, booked_slot_id, agenda_id),
  foreign key (tenant_id, booked_slot_id) references booked_slots (tenant_id, id) on delete cascade,
  foreign key (tenant_id, agenda_id) references agendas (tenant_id, id),
  constraint agenda_reservations_never_overlap exclude using gist (tenant_id with =, agenda_id with =, occupied with &&)
);
comment on table agenda_reservations is 'The time of an agenda that a booked slot occupies, buffers included. Two never overlap.';
comment on column agenda_reservations.starts_at is 'For searches: under row level security, no index serves the operators of ranges, which are not leakproof.';
call isolate_tenant_table('agenda_reservations');
create index agenda_reservations_start on agenda_reservations (tenant_id, agenda_id, starts_at);

create table slot_holds (
  tenant_id uuid not null,
  id uuid not null,
  booked_slot_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, booked_slot_id) references booked_slots (tenant_id, id)
);
comment on table slot_holds is 'A seat that is kept for somebody who is about to book. An expired hold is released by the next booking of its agenda, or by a job.';
call isolate_tenant_table('slot_holds');
create index slot_holds_expiry on slot_holds (tenant_id, expires_at);
create index slot_holds_slot on slot_holds (tenant_id, booked_slot_id);
create policy owner_bypass on slot_holds for select to current_user using (true);

create table appointments (
  tenant_id uuid not null,
  id uuid not null,
  event_type_id uuid not null,
  booked_slot_id uuid,
  agenda_id uuid not null,
  agent_user_id uuid not null,
  status text not null check (status in ('pending', 'confirmed', 'cancelled', 'completed', 'no_show')),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  timezone text not null,
  visitor jsonb not null,
  lead_id uuid,
  location jsonb not null,
  answers jsonb not null default '{}',
  notes text,
  source text not null check (source in ('api', 'page')),
  form_id uuid,
  ical_uid text not null,
  sequence integer not null default 0,
  expires_at timestamptz,
  cancelled_by text check (cancelled_by in ('agent', 'visitor', 'calendar', 'expiry')),
  cancel_reason text,
  visitor_answer jsonb,
  outcome jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, event_type_id) references event_types (tenant_id, id),
  foreign key (tenant_id, agenda_id) references agendas (tenant_id, id),
  foreign key (tenant_id, booked_slot_id) references booked_slots (tenant_id, id),
  check (booked_slot_id is not null or status in ('cancelled', 'completed', 'no_show'))
);
comment on table appointments is 'A visitor''s place in a booked slot. It keeps its id and its iCalendar UID when it is rescheduled.';
comment on column appointments.booked_slot_id is 'Null: it occupies no time any more.';
comment on column appointments.agenda_id is 'Of the agent who receives the visitor; a collective event type occupies the other agendas too.';
comment on column appointments.timezone is 'The IANA time zone of the visitor.';
comment on column appointments.visitor is '{ name, email, phone, language }; empty after an erasure.';
comment on column appointments.lead_id is 'There is no foreign key: merges move it.';
comment on column appointments.location is 'Where it takes place: { mode, address, latitude, longitude, url, phone, instructions }.';
comment on column appointments.form_id is 'The form of the booking page that booked it: sent twice, it books once; null: another way.';
comment on column appointments.sequence is 'The SEQUENCE of iCalendar: grows with every change that calendars must show.';
comment on column appointments.expires_at is 'A pending one is cancelled then; null: it is not pending.';
comment on column appointments.visitor_answer is 'The answer of the visitor to the invitation of its present time: { answer, answeredAt }; null: none.';
comment on column appointments.outcome is 'What came of it: { result, recordedBy, feedback, recordedAt, byUserId }, where feedback is the visitor''s; null: unknown.';
call isolate_tenant_table('appointments');
create policy owner_bypass on appointments for select to current_user using (true);
create index appointments_start on appointments (tenant_id, starts_at, id);
create index appointments_agenda on appointments (tenant_id, agenda_id, starts_at, id);
create index appointments_event_type on appointments (tenant_id, event_type_id, starts_at, id);
create index appointments_lead on appointments (tenant_id, lead_id) where lead_id is not null;
create index appointments_slot on appointments (tenant_id, booked_slot_id) where booked_slot_id is not null;
create index appointments_expiry on appointments (tenant_id, expires_at) where expires_at is not null;
create unique index appointments_form on appointments (tenant_id, form_id) where form_id is not null;
create index appointments_open_email on appointments (tenant_id, (visitor ->> 'email')) where status in ('pending', 'confirmed');
create index appointments_open_phone on appointments (tenant_id, (visitor ->> 'phone')) where status in ('pending', 'confirmed');
create index appointments_open on appointments (tenant_id, ends_at) where status in ('pending', 'confirmed');

create table appointment_notices (
  tenant_id uuid not null,
  id uuid not null,
  appointment_id uuid not null,
  kind text not null check (kind in ('requested', 'booked', 'confirmed', 'rescheduled', 'cancelled', 'declined', 'reminder')),
  recipient text not null check (recipient in ('visitor', 'agent')),
  agent_user_id uuid,
  channel text not null check (channel in ('email', 'chat')),
  template_id uuid,
  sequence integer not null,
  due_at timestamptz,
  status text not null check (status in ('waiting', 'queued', 'sent', 'skipped', 'failed')),
  reason text,
  explanation text,
  message_id uuid,
  attempts integer not null default 0,
  claimed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, appointment_id) references appointments (tenant_id, id)
);
comment on table appointment_notices is 'The notices of an appointment to the visitor and the agent, and when each is due: confirmations, changes, cancellations, reminders.';
comment on column appointment_notices.sequence is 'That of the appointment for which it was planned: an earlier one is never sent after a change.';
comment on column appointment_notices.due_at is 'When it is to be sent; null: nothing is left to do.';
comment on column appointment_notices.reason is 'Why it was not sent, as a code; null: it was, or waits.';
comment on column appointment_notices.agent_user_id is 'The agent who is notified; null: the visitor is.';
comment on column appointment_notices.explanation is 'The reason as a sentence for people.';
comment on column appointment_notices.claimed_at is 'When the e-mail to the agent was last handed to the mail server; null: never.';
comment on column appointment_notices.message_id is 'The message in the conversation of the visitor; null: none yet, or the agent''s.';
call isolate_tenant_table('appointment_notices');
create policy owner_bypass on appointment_notices for select to current_user using (true);
create index appointment_notices_appointment on appointment_notices (tenant_id, appointment_id);
create index appointment_notices_due on appointment_notices (tenant_id, due_at) where due_at is not null;

create table booking_codes (
  tenant_id uuid not null,
  event_type_id uuid not null,
  address_hash bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, event_type_id, address_hash),
  foreign key (tenant_id, event_type_id) references event_types (tenant_id, id)
);
comment on table booking_codes is 'One-time codes that prove the e-mail address of a visitor before a booking.';
comment on column booking_codes.address_hash is 'A keyed hash of the e-mail address.';
call isolate_tenant_table('booking_codes');
