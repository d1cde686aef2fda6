-- The list of leads in each of its orders, narrowed by any of its filters.

-- By price, unknown ones last either way. In columns of floats because neither comparing numerics nor casting them is leakproof:
-- under row level security an index would give the order and not the place to start from.
alter table leads
  add column price_or_most float8 generated always as (coalesce(price::float8, 1e15)) stored,
  add column price_or_least float8 generated always as (coalesce(price::float8, -1)) stored;

-- Each order has an index that holds what is filtered by as well: a lead that a filter passes over is not read from the table.
-- The key of the table stays as it is: it is smaller, and what refers to a lead asks it.
create index leads_by_creation on leads (tenant_id, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, price_or_most, latitude, longitude, created_at, updated_at);
drop index leads_updated_at;
create index leads_by_update on leads (tenant_id, updated_at, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, price_or_most, latitude, longitude, created_at);
drop index leads_price_ascending;
-- A range of prices is asked of the column that the list is in order of.
create index leads_by_price on leads (tenant_id, price_or_most, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, latitude, longitude, created_at, updated_at);
drop index leads_price_descending;
create index leads_by_price_falling on leads (tenant_id, price_or_least, id)
  include (status, operation, property_type, advertiser_type, phone, owner_user_id, campaign_id, municipality_key, latitude, longitude, created_at, updated_at);

-- What few leads have, or what goes with the order: old leads are rarely new, rents are at one end of all prices.
create index leads_status on leads (tenant_id, status, id);
create index leads_status_update on leads (tenant_id, status, updated_at, id);
create index leads_owner on leads (tenant_id, owner_user_id, id) include (updated_at, price_or_most, price_or_least);
create index leads_campaign on leads (tenant_id, campaign_id, id) include (updated_at, price_or_most, price_or_least);
create index leads_municipality on leads (tenant_id, municipality_key, id) include (updated_at, price_or_most, price_or_least);
create index leads_place on leads (tenant_id, latitude, longitude);
create index leads_operation on leads (tenant_id, operation, price_or_least, id);
create index leads_property_type on leads (tenant_id, property_type, price_or_least, id);
