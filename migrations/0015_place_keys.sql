-- Where a property is, as numbers that an index can hold; and which leads may be of one property, for people to say.

-- The cell of a pin, 300 m by 300 m: the same that placeKeys (src/domain/dedupe/place-keys.ts) tells, as a test sees to. Made
-- by the database, so that it is right whoever writes a lead.
create function place_cell(latitude double precision, longitude double precision) returns bigint
  language sql immutable parallel safe
  return case when latitude between -90 and 90 and longitude between -180 and 180 then
    floor((latitude + 90) / (300 / 111200::float8))::bigint * 262144
    + floor((longitude + 180) / (300 / 111200::float8)
        * greatest(cos((floor((latitude + 90) / (300 / 111200::float8)) * (300 / 111200::float8) - 90) * (pi() / 180)), 0.01))::bigint
  end;

alter table leads
  add column place_cell bigint generated always as (place_cell(latitude, longitude)) stored,
  -- The key of its street in its town, as the program computes it: for adverts without a pin.
  add column place_street bigint,
  add column bedrooms_or_none integer generated always as (coalesce(bedrooms, -1)) stored,
  -- In steps of 5 %: a column of its own, so that no other index seems to serve as well as the one below.
  add column price_step integer generated always as (case when price > 0 then floor(ln(price::float8) * 20) end) stored;

-- Among leads of one place, size, rooms and price: a cell of a city has hundreds of leads of a size, and what the index does not
-- pass over is read from the table.
create index leads_place_cell on leads (tenant_id, place_cell, whole_square_meters, bedrooms_or_none, price_step)
  where place_cell is not null;
create index leads_place_cell_unpriced on leads (tenant_id, place_cell, whole_square_meters)
  where place_cell is not null and price_step is null;
-- Where one of two has no pin. An advert that has one looks for those alone that have none.
create index leads_place_street on leads (tenant_id, place_street, place_cell, whole_square_meters) where place_street is not null;
drop index leads_phone;
create index leads_phone on leads (tenant_id, phone, place_cell, whole_square_meters) where phone is not null;

-- Two leads that may be of one property.
create table lead_likenesses (
  tenant_id uuid not null,
  lead_id uuid not null,
  other_lead_id uuid not null,
  -- Bits of evidence, and what they are, for the person who is asked.
  score double precision not null,
  reason text not null,
  created_at timestamptz not null,
  -- When somebody said that they are two: they are not told of again.
  dismissed_at timestamptz,
  primary key (tenant_id, lead_id, other_lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade,
  foreign key (tenant_id, other_lead_id) references leads (tenant_id, id) on delete cascade,
  -- Each pair once.
  check (lead_id <= other_lead_id)
);
call stamp_tenant_table('lead_likenesses');
create index lead_likenesses_other on lead_likenesses (tenant_id, other_lead_id);
