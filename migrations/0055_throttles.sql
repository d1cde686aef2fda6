-- A pace for any key, over all processes. How portals are doing is kept apart from it.

alter table portal_pace rename to throttles;
alter table throttles rename column origin to key;
alter index portal_pace_pkey rename to throttles_pkey;
alter table portal_turns rename to throttle_turns;
alter table throttle_turns rename column origin to key;
alter index portal_turns_pkey rename to throttle_turns_pkey;

create table portal_health (
  origin text primary key,
  -- When the last runs ended well, and when not.
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure_code text
);
grant select, insert, update on portal_health to aldaba_service;
insert into portal_health (origin, succeeded_at, failed_at, failure_code)
  select key, succeeded_at, failed_at, failure_code from throttles where succeeded_at is not null or failed_at is not null;
alter table throttles drop column succeeded_at, drop column failed_at, drop column failure_code;

drop function take_portal_turn;
-- Takes a turn: granted, and in how many milliseconds it begins; or refused, and when to try again. A turn is granted a second
-- ahead at most: who waits for long may give up, and those behind would have waited for nothing.
create function take_turn(of_key text, turn uuid, interval_ms double precision, concurrency integer, per_hour integer, lease_ms integer)
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
  insert into throttles (key, next_at) values (of_key, clock_timestamp()) on conflict do nothing;
  select next_at, slow_factor, slowed_at, hour_started_at, hour_count into found from throttles where key = of_key for update;
  moment := clock_timestamp();
  factor := slowness(found.slow_factor, found.slowed_at);
  spacing_ms := interval_ms * factor;
  delete from throttle_turns where key = of_key and expires_at < moment;
  if (select count(*) from throttle_turns where key = of_key) >= greatest(1, floor(concurrency / factor)) then
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
    where key = of_key;
  insert into throttle_turns (key, id, expires_at) values (of_key, turn, found.next_at + make_interval(secs => lease_ms / 1000.0));
  return query select true, ahead_ms;
end $$;
