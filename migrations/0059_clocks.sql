-- The clock of an environment: so much later than it is. An environment without a row has the real time.
create table clocks (
  tenant_id uuid primary key,
  shift_ms bigint not null check (shift_ms >= 0)
);
call stamp_tenant_table('clocks');
create policy owner_lookup on clocks for select to current_user using (true);

-- Whoever enters a tenant says by how much it believes the clock to be moved, and is told if that is not so: its process then
-- knows it, and comes again. Null: it asks for no time.
create function check_clock(tenant uuid, believed_ms bigint) returns void
  language plpgsql stable
as $$
declare actual_ms bigint := coalesce((select c.shift_ms from aldaba.clocks c where c.tenant_id = tenant), 0);
begin
  if actual_ms <> believed_ms then
    raise exception 'the clock was moved' using errcode = 'AL409', detail = actual_ms::text;
  end if;
end $$;
revoke all on function check_clock from public;

drop function enter_tenant;
create function enter_tenant(tenant uuid, shift_ms bigint default null) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
declare workspace uuid;
begin
  select workspace_id into workspace from tenants where id = tenant;
  if not found then
    raise exception 'unknown tenant %', tenant using errcode = 'AL404';
  end if;
  perform check_clock(tenant, shift_ms);
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true);
end $$;

drop function enter_with_key;
create function enter_with_key(tenant uuid, workspace uuid, key_id uuid, shift_ms bigint default null) returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  perform from api_keys k
    where k.tenant_id = tenant and k.id = key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp());
  if not found then
    raise exception 'the key is revoked or has expired' using errcode = 'AL401';
  end if;
  perform check_clock(tenant, shift_ms);
  perform set_config('aldaba.tenant_id', tenant::text, true), set_config('aldaba.workspace_id', workspace::text, true);
end $$;
revoke all on function enter_tenant, enter_with_key from public;
grant execute on function enter_tenant, enter_with_key to aldaba_service;

-- Whether a link has expired, its environment's clock says: whoever opens it asks.
drop function find_share;
create function find_share(hash bytea) returns table (tenant_id uuid, kind text, object_id uuid, expires_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select s.tenant_id, s.kind, s.object_id, s.expires_at from shares s where s.token_hash = hash
$$;
revoke all on function find_share from public;
grant execute on function find_share to aldaba_service;

-- What no delivery was made of yet has been due for long, whatever the clock says.
create or replace function list_due_webhooks(of_tenant uuid) returns table (tenant_id uuid, webhook_id uuid, due_at timestamptz)
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select w.tenant_id, w.id, greatest(d.due_at, w.paused_until)
  from webhooks w cross join lateral (
    select least(
      (select next_attempt_at from webhook_deliveries d
       where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.status = 'pending' order by next_attempt_at limit 1),
      (select case when bool_or(w.events && array['*', e.type]) or count(*) = 100 then 'epoch'::timestamptz end
       from (select type from events e where e.tenant_id = w.tenant_id and e.position > w.position order by e.position limit 100) e)
    ) as due_at) d
  where w.status = 'enabled' and (of_tenant is null or w.tenant_id = of_tenant) and d.due_at is not null
$$;

-- Times are the environment's, which the program knows.
alter table events alter column created_at drop default;
alter table idempotency_keys alter column created_at drop default;
alter table event_retries alter column next_attempt_at drop default;
alter table webhooks alter column events_since drop default;
