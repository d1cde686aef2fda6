-- Scheduling: driving times that a router knows.

create table travel_times (
  tenant_id uuid not null,
  origin text not null,
  destination text not null,
  duration_s integer check (duration_s >= 0),
  expires_at timestamptz not null,
  primary key (tenant_id, origin, destination)
);
comment on table travel_times is 'How long it takes to drive from one place to another, so that a booking counts as the listing did. Rows are deleted after a month, and by an erasure.';
comment on column travel_times.origin is 'Latitude and longitude, rounded to four decimals: 40.4169,-3.7035.';
comment on column travel_times.duration_s is 'Null: the router did not know it, so the way is estimated.';
comment on column travel_times.expires_at is 'When it is looked up again. Until then and somewhat longer, it counts.';
call isolate_tenant_table('travel_times');
create policy owner_bypass on travel_times for select to current_user using (true);
create index travel_times_expiry on travel_times (tenant_id, expires_at);
