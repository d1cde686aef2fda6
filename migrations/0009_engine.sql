-- What the engine keeps: where a run goes on, what it knows of every advert, and how each portal is doing.

alter table extractions
  drop column next_page,
  -- What is still to be asked for and how far that is dealt with; null before the first page. See engine/walk.ts.
  add column cursor jsonb,
  -- Platform and filters as one value: runs of the same search have the same.
  add column search_key text not null default '',
  -- When its search began: with a run that this one goes on with, if there is one.
  add column search_began_at timestamptz,
  -- Of an incremental run: when the last run of this search began that covered everything.
  add column since timestamptz,
  -- Whether it was shown every advert of its search, provably.
  add column covered boolean not null default false,
  -- Whether the portal's own count stayed the same from the first page to the last.
  add column steady boolean not null default true,
  -- Whose work this one goes on with.
  add column resumed_from uuid,
  add column told_at timestamptz,
  add foreign key (tenant_id, resumed_from) references extractions (tenant_id, id);
create index extractions_search on extractions (tenant_id, search_key, id);
create index extractions_resumed_from on extractions (tenant_id, resumed_from) where resumed_from is not null;

alter table lead_sources
  -- Path of the advert on its portal; null for a lead that no portal brought.
  add column path text,
  -- What its card in the search said, condensed: an advert whose card is as it was is not read again by incremental runs.
  add column card_hash text,
  -- Validators of its page (RFC 9110, section 8.8), and when the page was last read in whole.
  add column etag text,
  add column last_modified text,
  add column read_at timestamptz,
  -- When its portal no longer had it.
  add column withdrawn_at timestamptz,
  -- The source that the lead's fields follow; the others fill gaps.
  add column is_primary boolean not null default true;

-- The same property on another portal is looked for by telephone and size: an agency's telephone stands on hundreds of
-- leads. In a column of integers because neither comparing numerics nor casting them is leakproof: under row level security
-- the index would not be used for it.
alter table leads add column whole_square_meters integer generated always as (round(square_meters)) stored;
create index leads_phone on leads (tenant_id, phone, whole_square_meters) where phone is not null;

-- Whether a lead has a source on a portal.
drop index lead_sources_lead;
create index lead_sources_lead on lead_sources (tenant_id, lead_id, platform);

alter table portal_pace
  -- How much slower than its definition says the portal is read: doubled when it asks for rest, halved every five minutes.
  add column slow_factor double precision not null default 1,
  add column slowed_at timestamptz,
  -- Requests of the hour that began then.
  add column hour_started_at timestamptz,
  add column hour_count integer not null default 0,
  -- How the last runs ended.
  add column succeeded_at timestamptz,
  add column failed_at timestamptz,
  add column failure_code text;

-- Requests under way, over all worker processes. One whose worker was killed lapses.
create table portal_turns (
  origin text not null references portal_pace (origin) on delete cascade,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (origin, id)
);
grant select, insert, update, delete on portal_turns to aldaba_service;

create function slowness(factor double precision, since timestamptz) returns double precision
  language sql stable
  -- A hundred halvings are as good as any: of more, power() says that it underflows.
  return greatest(1, factor * power(0.5, least(100, coalesce(extract(epoch from clock_timestamp() - since), 0)::float8 / 300)));

-- Takes a turn at a portal: granted, and in how many milliseconds it begins; or refused, and when to ask again. A turn is
-- granted a second ahead at most: who waits for long may give up, and those behind would have waited for nothing.
create function take_portal_turn(portal text, turn uuid, interval_ms double precision, concurrency integer, per_hour integer, lease_ms integer)
  returns table (granted boolean, wait_ms double precision)
  language plpgsql set search_path = aldaba, pg_temp
as $$
declare
  pace portal_pace;
  moment timestamptz;
  factor double precision;
  spacing_ms double precision;
  ahead_ms double precision;
begin
  insert into portal_pace (origin, next_at) values (portal, clock_timestamp()) on conflict do nothing;
  select * into pace from portal_pace where origin = portal for update;
  moment := clock_timestamp();
  factor := slowness(pace.slow_factor, pace.slowed_at);
  spacing_ms := interval_ms * factor;
  delete from portal_turns where origin = portal and expires_at < moment;
  if (select count(*) from portal_turns where origin = portal) >= greatest(1, floor(concurrency / factor)) then
    return query select false, least(1000, greatest(50, spacing_ms));
    return;
  end if;
  if pace.hour_started_at is null or pace.hour_started_at <= moment - interval '1 hour' then
    pace.hour_started_at := moment;
    pace.hour_count := 0;
  end if;
  if pace.hour_count >= per_hour then
    return query select false, extract(epoch from pace.hour_started_at + interval '1 hour' - moment)::float8 * 1000;
    return;
  end if;
  pace.next_at := greatest(pace.next_at, moment);
  ahead_ms := extract(epoch from pace.next_at - moment) * 1000;
  if ahead_ms > 1000 then
    return query select false, ahead_ms - 999;
    return;
  end if;
  update portal_pace set next_at = pace.next_at + make_interval(secs => spacing_ms / 1000),
    hour_started_at = pace.hour_started_at, hour_count = pace.hour_count + 1
    where origin = portal;
  insert into portal_turns (origin, id, expires_at)
    values (portal, turn, pace.next_at + make_interval(secs => lease_ms / 1000.0));
  return query select true, ahead_ms;
end $$;
