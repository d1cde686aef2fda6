-- External calendars of agents: their busy times are read, and appointments are written to them.

create table calendars (
  tenant_id uuid not null,
  id uuid not null,
  agenda_id uuid not null,
  provider text not null,
  name text not null,
  external_id text,
  credentials bytea,
  blocks boolean not null,
  receives boolean not null,
  status text not null check (status in ('AUTHORIZING', 'CONNECTED', 'FAILING', 'EXPIRED')),
  status_reason text,
  status_changed_at timestamptz not null,
  cursor text,
  covered_from timestamptz,
  covered_to timestamptz,
  read_at timestamptz,
  next_read_at timestamptz,
  failures integer not null default 0,
  event_count integer not null default 0,
  warnings jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disconnected_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, agenda_id) references agendas (tenant_id, id) on delete cascade
);
comment on table calendars is 'A calendar of an agent at a provider: an iCalendar feed, a CalDAV server, Google or Microsoft.';
comment on column calendars.external_id is 'The provider''s id of the calendar; null: it is not chosen yet.';
comment on column calendars.credentials is 'Encrypted JSON, the URL of a feed included; null: the agent has not agreed yet.';
comment on column calendars.blocks is 'Its busy times block slots of the agenda.';
comment on column calendars.receives is 'Appointments of the agenda are written to it.';
comment on column calendars.status_reason is 'A sentence for people; null: nothing is wrong.';
comment on column calendars.cursor is 'What was read of it, such as a sync token or an ETag.';
comment on column calendars.covered_to is 'Its busy times are known from covered_from to here.';
comment on column calendars.warnings is 'What could not be read of it: [{ code, message, count }].';
comment on column calendars.disconnected_at is 'It was disconnected, and is kept, for an hour at most, until the events that were to be deleted are; null: it is connected.';
call isolate_tenant_table('calendars');
create policy owner_bypass on calendars for select to current_user using (true);
create index calendars_agenda on calendars (tenant_id, agenda_id);
create index calendars_disconnected on calendars (tenant_id, disconnected_at) where disconnected_at is not null;
create index calendars_due on calendars (tenant_id, next_read_at) where next_read_at is not null;

create table calendar_busy_times (
  tenant_id uuid not null,
  calendar_id uuid not null,
  event_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  primary key (tenant_id, calendar_id, event_id, starts_at),
  foreign key (tenant_id, calendar_id) references calendars (tenant_id, id) on delete cascade
);
comment on table calendar_busy_times is 'When the owner of a calendar is busy: every occurrence, without its text. Events that the program wrote are not among them.';
comment on column calendar_busy_times.event_id is 'The provider''s id of the event, by which changes replace its occurrences.';
call isolate_tenant_table('calendar_busy_times');
create index calendar_busy_times_range on calendar_busy_times (tenant_id, calendar_id, starts_at, ends_at);

create table calendar_writes (
  tenant_id uuid not null,
  appointment_id uuid not null,
  calendar_id uuid not null,
  external_calendar_id text not null,
  external_calendar_hash text not null generated always as (md5(external_calendar_id)) stored,
  external_id text,
  external_version text,
  wanted text not null check (wanted in ('present', 'absent')),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  failure text,
  suspected_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, appointment_id, calendar_id, external_calendar_hash),
  foreign key (tenant_id, calendar_id) references calendars (tenant_id, id) on delete cascade
);
comment on table calendar_writes is 'The event of an appointment in a calendar: as it was written, and as it should be.';
comment on column calendar_writes.external_calendar_id is 'The calendar of the provider that has the event: the one that was chosen when it was planned.';
comment on column calendar_writes.external_calendar_hash is 'Ids of providers may be too long for an index.';
comment on column calendar_writes.external_version is 'The ETag of the event as written: another one means that a person changed it there.';
comment on column calendar_writes.next_attempt_at is 'When it is to be written; null: the calendar shows it as it should be.';
comment on column calendar_writes.suspected_at is 'When a read found the event changed or missing, which is to be checked and applied; null: nothing is.';
call isolate_tenant_table('calendar_writes');
create policy owner_bypass on calendar_writes for select to current_user using (true);
create index calendar_writes_due on calendar_writes (tenant_id, next_attempt_at) where next_attempt_at is not null;
create index calendar_writes_suspected on calendar_writes (tenant_id, calendar_id, suspected_at) where suspected_at is not null;
create index calendar_writes_calendar on calendar_writes (tenant_id, calendar_id);
