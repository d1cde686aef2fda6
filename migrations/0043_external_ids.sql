-- The id that the workspace's own system gives a lead, and further filters of the list.

alter table leads no force row level security;
alter table lead_sources no force row level security;

-- Leads that still are as an import wrote them: they are after this, too.
create temp table untouched on commit drop as
  select s.tenant_id, s.platform, s.listing_id, s.lead_id
  from lead_sources s join leads l on l.tenant_id = s.tenant_id and l.id = s.lead_id
  where s.written_print = hashtextextended(jsonb_build_array(
    l.status, l.contact_name, l.phone, l.phone_raw, l.email, l.advertiser_type, l.operation, l.property_type, l.title,
    l.description, l.price, l.currency, l.square_meters, l.rooms, l.bedrooms, l.bathrooms, l.floor, l.floor_text,
    l.condition, l.features, l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude, l.images,
    l.url, l.published_at, l.identifiers, l.price_history, l.campaign_id, l.owner_user_id, l.tags, l.custom_fields,
    l.edited_columns, l.last_contacted_at, l.last_reply_at)::text, 0);

alter table leads
  add column external_id text check (length(external_id) between 1 and 255),
  add column province_key text generated always as (place_key(province)) stored;

-- What programs gave as their own id stood with the source alone; an id that was made up for them is a UUID.
update leads l set external_id = s.listing_id
  from (
    select distinct on (tenant_id, lead_id) tenant_id, lead_id, listing_id from lead_sources
    where platform = 'api' and listing_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and length(listing_id) between 1 and 255
    order by tenant_id, lead_id, first_seen_at) s
  where l.tenant_id = s.tenant_id and l.id = s.lead_id;

create unique index leads_external_id on leads (tenant_id, external_id) where external_id is not null;
-- Of a lead that was merged, by its own id.
create index lead_merges_external_id on lead_merges (tenant_id, (absorbed ->> 'external_id'))
  where undone_at is null and absorbed ->> 'external_id' is not null;
create index leads_province on leads (tenant_id, province_key, id) include (updated_at, price_or_most, price_or_least);
-- Adverts that their portals have withdrawn are few.
create index lead_sources_withdrawn on lead_sources (tenant_id, lead_id) where withdrawn_at is not null;

update lead_sources s set written_print = hashtextextended(jsonb_build_array(
    l.external_id, l.status, l.contact_name, l.phone, l.phone_raw, l.email, l.advertiser_type, l.operation,
    l.property_type, l.title, l.description, l.price, l.currency, l.square_meters, l.rooms, l.bedrooms, l.bathrooms,
    l.floor, l.floor_text, l.condition, l.features, l.address, l.municipality, l.province, l.postcode, l.latitude,
    l.longitude, l.images, l.url, l.published_at, l.identifiers, l.price_history, l.campaign_id, l.owner_user_id,
    l.tags, l.custom_fields, l.edited_columns, l.last_contacted_at, l.last_reply_at)::text, 0)
  from untouched u join leads l on l.tenant_id = u.tenant_id and l.id = u.lead_id
  where s.tenant_id = u.tenant_id and s.platform = u.platform and s.listing_id = u.listing_id;

alter table lead_sources force row level security;
alter table leads force row level security;
