-- Webhooks: events tell of what they are and in which order, and their deliveries are made in the transaction that tells.

-- A UUIDv7 (RFC 9562, section 5.7), as the program makes them.
create function new_id() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;

alter table events
  -- What it tells of: a lead, an extraction, …; of the workspace, its environment's own id.
  add column object_id uuid,
  -- Its place among the events of that object: 1, 2, 3, …
  add column sequence bigint,
  -- An example that somebody asked for: it is sent to one subscription and tells of nothing.
  add column is_test boolean not null default false;

-- How many events each object has had.
create table event_sequences (
  tenant_id uuid not null,
  object_id uuid not null,
  last bigint not null,
  primary key (tenant_id, object_id)
);
call stamp_tenant_table('event_sequences');

alter table events no force row level security;
alter table event_sequences no force row level security;
with placed as (
  select tenant_id, id, o.object_id, row_number() over (partition by tenant_id, o.object_id order by id) as sequence
  from events e cross join lateral (
    select coalesce(e.lead_id, (data ->> 'extractionId')::uuid, (data ->> 'importId')::uuid, tenant_id) as object_id) o
)
update events e set object_id = p.object_id, sequence = p.sequence from placed p where p.tenant_id = e.tenant_id and p.id = e.id;
insert into event_sequences (tenant_id, object_id, last) select tenant_id, object_id, count(*) from events group by 1, 2;
alter table event_sequences force row level security;
alter table events force row level security;
alter table events alter column object_id set not null, alter column sequence set not null;

alter table webhooks
  -- Custom headers, as encrypted JSON; their values are shown to nobody.
  add column headers bytea,
  add column header_names text[] not null default '{}',
  -- Secrets that were rotated and still sign, with the moment when they cease to: [{ secret, until }], encrypted.
  add column former_secrets bytea,
  -- Who disabled it; null: nobody.
  add column disabled_by text check (disabled_by in ('receiver', 'failures', 'user')),
  add column disabled_at timestamptz,
  -- The receiver asked not to be called before (Retry-After).
  add column paused_until timestamptz,
  -- The last failure, to the hour: what failed a week ago and now is not failing since then.
  add column last_failed_at timestamptz,
  -- Since when it names the kinds that it names.
  add column events_since timestamptz not null default now();

alter table webhook_deliveries
  -- Of its event.
  add column sequence bigint,
  -- All attempts ever: `attempts` begins anew when it is sent once more.
  add column tries integer not null default 0,
  -- The last attempts, oldest first: [{ at, responseStatus, durationMs, responseBody, error }].
  add column attempt_log jsonb not null default '[]';

alter table webhooks no force row level security;
alter table webhook_deliveries no force row level security;
alter table events no force row level security;
update webhooks set events_since = created_at;
update webhook_deliveries d set sequence = e.sequence, tries = d.attempts from events e where e.tenant_id = d.tenant_id and e.id = d.event_id;
update webhooks set disabled_at = updated_at, disabled_by = case when disabled_reason like '%410%' then 'receiver' else 'failures' end
  where status = 'disabled';
update webhook_deliveries set attempt_log = jsonb_build_array(jsonb_build_object('at', iso_time(coalesce(delivered_at, created_at)),
    'responseStatus', response_status, 'durationMs', null, 'responseBody', null, 'error', error))
  where attempts > 0;
update webhook_deliveries d set status = 'failed', next_attempt_at = null from webhooks w
  where w.tenant_id = d.tenant_id and w.id = d.webhook_id and w.status = 'disabled' and d.status = 'pending';
alter table events force row level security;
alter table webhook_deliveries force row level security;
alter table webhooks force row level security;
alter table webhook_deliveries alter column sequence set not null;
alter table webhook_deliveries drop column response_status, drop column error;

-- What a subscription is still to be told, the longest due first.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_attempt_at, sequence, event_id) where status = 'pending';
create index events_object on events (tenant_id, object_id);
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, webhook_id, event_id) where status = 'failed';

-- A delivery for each subscription that wants an event, in the transaction that tells it, and a notice to those who send.
create function deliver_events() returns trigger
  language plpgsql
as $$
declare moment timestamptz := clock_timestamp();
begin
  -- By now these events have their places: who is next to tell of the same has a later moment.
  insert into webhook_deliveries (id, webhook_id, event_id, sequence, created_at, next_attempt_at)
    select new_id(), w.id, t.id, t.sequence, moment, moment
    from told t join webhooks w on w.status = 'enabled' and w.events && array['*', t.type]
    where not t.is_test;
  if found then
    perform pg_notify('aldaba_changes', 'webhook-deliveries ' || current_tenant());
  end if;
  return null;
end $$;
create trigger events_delivered after insert on events
  referencing new table as told for each statement execute function deliver_events();

-- The subscriptions that have something to be sent, and from when on; of one tenant, or of all. It runs as the owner, who is
-- under forced row level security like everybody; the policies are for that role alone.
create policy owner_lookup on webhooks for select to current_user using (true);
create policy owner_lookup on webhook_deliveries for select to current_user using (true);
create function list_due_webhooks(of_tenant uuid) returns table (tenant_id uuid, webhook_id uuid, due_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select w.tenant_id, w.id, greatest(d.next_attempt_at, w.paused_until)
  from webhooks w cross join lateral (
    select next_attempt_at from webhook_deliveries d
    where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.status = 'pending' order by next_attempt_at limit 1) d
  where w.status = 'enabled' and (of_tenant is null or w.tenant_id = of_tenant)
$$;
revoke all on function list_due_webhooks from public;
grant execute on function list_due_webhooks to aldaba_service;

-- Deliveries were jobs. Those that were still to be made from events are made now.
with waiting as (
  select (j.payload ->> 'tenantId')::uuid as tenant_id, e.id::uuid as event_id
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  cross join lateral jsonb_array_elements_text(
    coalesce((j.payload -> 'data' -> 'eventIds')::jsonb, jsonb_build_array(j.payload -> 'data' ->> 'eventId'))) e (id)
  where t.identifier in ('dispatch-event', 'fan-out-event')
)
select set_config('aldaba.waiting_events', coalesce(jsonb_agg(to_jsonb(waiting))::text, '[]'), true) from waiting;
alter table events no force row level security;
alter table webhooks no force row level security;
alter table webhook_deliveries no force row level security;
insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, sequence, created_at, next_attempt_at)
  select w.tenant_id, new_id(), w.id, e.id, e.sequence, now(), now()
  from jsonb_to_recordset(current_setting('aldaba.waiting_events')::jsonb) as i (tenant_id uuid, event_id uuid)
  join events e on e.tenant_id = i.tenant_id and e.id = i.event_id
  join webhooks w on w.tenant_id = e.tenant_id and w.status = 'enabled' and w.events && array['*', e.type]
  on conflict do nothing;
alter table webhook_deliveries force row level security;
alter table webhooks force row level security;
alter table events force row level security;
delete from graphile_worker._private_jobs where task_id in (
  select id from graphile_worker._private_tasks where identifier in ('dispatch-event', 'fan-out-event', 'deliver-webhook'));

-- What the planner knows of large tables is of before.
do $$
begin
  if exists (select from pg_class where oid = 'aldaba.events'::regclass and relpages > 0) then
    analyze events, webhook_deliveries;
  end if;
end $$;
