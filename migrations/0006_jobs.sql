-- Background work: functions for the queue (graphile-worker), whose tables belong to the owner, and rate limits that
-- all processes share.

-- A job has its tenant as a flag: the queue skips jobs of a tenant that has its share of the workers.
create function enqueue(job_name text, payload json, run_at timestamptz, job_key text, queue_name text, max_attempts integer)
  returns void
  language sql security definer set search_path = aldaba, pg_temp
as $$
  select graphile_worker.add_job(job_name, payload, queue_name, run_at, max_attempts, job_key,
    flags => array_remove(array['tenant ' || (payload ->> 'tenantId')], null))
$$;

-- Returns true if a job of the current tenant with this data, such as { "importId": … }, is running or may still run.
create function has_pending_jobs(job_names text[], subject jsonb) returns boolean
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select exists (
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = any(job_names) and j.payload->>'tenantId' = current_tenant()::text
      and (j.payload->'data')::jsonb @> subject
      and (j.locked_at is not null or j.attempts < j.max_attempts))
$$;

-- Removes the current tenant's jobs whose payload has one of these texts as a whole value, except running jobs. Also
-- clears the stored errors that contain one of the texts.
create function erase_jobs(mentions text[]) returns void
  language plpgsql volatile security definer set search_path = aldaba, pg_temp
as $$
begin
  perform graphile_worker.complete_jobs(array(
    select distinct j.id
    from graphile_worker._private_jobs j, jsonb_path_query(j.payload::jsonb, 'strict $.**') value, unnest(mentions) mention
    where j.payload ->> 'tenantId' = (select current_tenant()::text) and value #>> '{}' = mention));
  update graphile_worker._private_jobs j set last_error = null
    where j.last_error is not null and j.payload ->> 'tenantId' = (select current_tenant()::text)
      and exists (select from unnest(mentions) mention where strpos(j.last_error, mention) > 0);
end $$;

-- Analyzes the tables that have grown fourfold since their last analysis. Skips a locked table, because the job that
-- calls this function runs again soon. Autovacuum checks only once a minute. Before the first analysis of a table, the
-- planner considers all its indexes equally good, and a wrong one costs minutes. PostgreSQL counts the changes of a
-- transaction a second after its end, or when its connection is used next.
create function analyze_grown_tables() returns void
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
declare grown regclass;
begin
  for grown in
    select oid from pg_class
    where relnamespace = 'aldaba'::regnamespace and relkind = 'r'
      and pg_stat_get_mod_since_analyze(oid) > 1000 + 3 * greatest(reltuples, 0)
  loop
    execute format('analyze (skip_locked) %s', grown);
  end loop;
end $$;

revoke all on function enqueue, has_pending_jobs, erase_jobs, analyze_grown_tables from public;
grant execute on function enqueue, has_pending_jobs, erase_jobs, analyze_grown_tables to aldaba_service;

create table throttles (
  key text primary key,
  next_at timestamptz not null,
  slow_factor double precision not null default 1,
  slowed_at timestamptz,
  hour_started_at timestamptz,
  hour_count integer not null default 0
);
comment on table throttles is 'Rate limits that all processes and tenants share, such as those of requests to the origin of a portal.';
comment on column throttles.next_at is 'When the next lease may start.';
comment on column throttles.slow_factor is 'Factor on the defined interval: doubled when the other side requests a pause, halved every five minutes since `slowed_at`.';
comment on column throttles.hour_count is 'Leases of the hour that began at `hour_started_at`.';
grant select, insert, update on throttles to aldaba_service;

create table throttle_leases (
  key text not null references throttles (key) on delete cascade,
  id uuid not null,
  holder uuid not null,
  expires_at timestamptz not null,
  primary key (key, id)
);
comment on table throttle_leases is 'Active leases of all processes. Other processes release those of one that died.';
comment on column throttle_leases.holder is 'The process, which holds an advisory lock of this name while it lives.';
grant select, insert, update, delete on throttle_leases to aldaba_service;

create function current_slow_factor(factor double precision, since timestamptz) returns double precision
  language sql stable
  -- A hundred halvings are enough: with more, power() reports an underflow.
  return greatest(1, factor * power(0.5, least(100, coalesce(extract(epoch from clock_timestamp() - since), 0)::float8 / 300)));

-- Acquires a lease: granted, with the milliseconds until it begins; or refused, with the time of the next attempt. A
-- lease is granted a second ahead at most: a caller that waits longer may give up, and the others would have waited
-- in vain.
create function acquire_throttle(throttle_key text, lease_id uuid, lease_holder uuid, interval_ms double precision, concurrency integer, per_hour integer, lease_ms integer)
  returns table (granted boolean, wait_ms double precision)
  language plpgsql set search_path = aldaba, pg_temp
as $$
declare
  found record;
  moment timestamptz;
  factor double precision;
  spacing_ms double precision;
  ahead_ms double precision;
begin
  insert into throttles (key, next_at) values (throttle_key, clock_timestamp()) on conflict do nothing;
  select next_at, slow_factor, slowed_at, hour_started_at, hour_count into found from throttles where key = throttle_key for update;
  moment := clock_timestamp();
  factor := current_slow_factor(found.slow_factor, found.slowed_at);
  spacing_ms := interval_ms * factor;
  delete from throttle_leases where key = throttle_key and expires_at < moment;
  if (select count(*) from throttle_leases where key = throttle_key) >= greatest(1, floor(concurrency / factor)) then
    return query select false, least(1000, greatest(50, spacing_ms));
    return;
  end if;
  if found.hour_started_at is null or found.hour_started_at <= moment - interval '1 hour' then
    found.hour_started_at := moment;
    found.hour_count := 0;
  end if;
  if found.hour_count >= per_hour then
    return query select false, extract(epoch from found.hour_started_at + interval '1 hour' - moment)::float8 * 1000;
    return;
  end if;
  found.next_at := greatest(found.next_at, moment);
  ahead_ms := extract(epoch from found.next_at - moment) * 1000;
  if ahead_ms > 1000 then
    return query select false, ahead_ms - 999;
    return;
  end if;
  update throttles set next_at = found.next_at + make_interval(secs => spacing_ms / 1000),
    hour_started_at = found.hour_started_at, hour_count = found.hour_count + 1
    where key = throttle_key;
  insert into throttle_leases (key, id, holder, expires_at) values (throttle_key, lease_id, lease_holder, found.next_at + make_interval(secs => lease_ms / 1000.0));
  return query select true, ahead_ms;
end $$;
