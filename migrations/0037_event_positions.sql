-- Events have a place in the one order of their tenant, and subscriptions a place up to which their deliveries were made.

alter table events
  -- Its place among all events of the tenant, in the order of their commits: 1, 2, 3, … An example has none.
  add column position bigint;
alter table webhooks
  -- Up to here deliveries were made of events.
  add column position bigint not null default 0;

alter table events no force row level security;
alter table event_sequences no force row level security;
alter table webhooks no force row level security;
update events e set position = p.position
  from (select tenant_id, id, row_number() over (partition by tenant_id order by id) as position from events where not is_test) p
  where p.tenant_id = e.tenant_id and p.id = e.id;
-- The object of no event counts them all.
insert into event_sequences (tenant_id, object_id, last)
  select tenant_id, '00000000-0000-0000-0000-000000000000', count(*) from events where not is_test group by tenant_id;
update webhooks w set position = s.last from event_sequences s
  where s.tenant_id = w.tenant_id and s.object_id = '00000000-0000-0000-0000-000000000000';
alter table webhooks force row level security;
alter table event_sequences force row level security;
alter table events force row level security;

create unique index events_position on events (tenant_id, position) where position is not null;

-- Whoever sends makes the deliveries, a few hundred at a time: not all at once, in the transaction that emits.
drop trigger events_delivered on events;
drop function deliver_events;

-- The subscriptions that have something to be sent, and from when on: a delivery that is due, one that is still to be made of
-- the next events, or so many events to be looked through; of one tenant, or of all.
create policy owner_lookup on events for select to current_user using (true);
create or replace function list_due_webhooks(of_tenant uuid) returns table (tenant_id uuid, webhook_id uuid, due_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select w.tenant_id, w.id, greatest(d.due_at, w.paused_until)
  from webhooks w cross join lateral (
    select least(
      (select next_attempt_at from webhook_deliveries d
       where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.status = 'pending' order by next_attempt_at limit 1),
      (select case when bool_or(w.events && array['*', e.type]) or count(*) = 100 then now() end
       from (select type from events e where e.tenant_id = w.tenant_id and e.position > w.position order by e.position limit 100) e)
    ) as due_at) d
  where w.status = 'enabled' and (of_tenant is null or w.tenant_id = of_tenant) and d.due_at is not null
$$;
