-- One vocabulary of features, and floors as numbers beside the words in which they are stated.

alter table leads no force row level security;
alter table lead_identifiers no force row level security;
alter table former_identifiers no force row level security;
alter table lead_tags no force row level security;
alter table lead_sources no force row level security;
alter table lead_merges no force row level security;
alter table import_changes no force row level security;
alter table valuations no force row level security;
alter table extractions no force row level security;

-- Leads that still are as an import wrote them: they are after this, too.
create temp table untouched on commit drop as
  select s.tenant_id, s.platform, s.listing_id, s.lead_id
  from lead_sources s join leads l on l.tenant_id = s.tenant_id and l.id = s.lead_id
  where s.written_print = hashtextextended(jsonb_build_array(
    l.status, l.contact_name, l.phone, l.phone_raw, l.email, l.advertiser_type, l.operation, l.property_type, l.title,
    l.description, l.price, l.currency, l.square_meters, l.rooms, l.bedrooms, l.bathrooms, l.floor, l.condition,
    l.features, l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude, l.images, l.url,
    l.published_at, l.identifiers, l.price_history, l.campaign_id, l.owner_user_id, l.tags, l.custom_fields,
    l.edited_columns, l.last_contacted_at, l.last_reply_at)::text, 0);

-- The number that a floor of leads states; null if it states none.
create function pg_temp.floor_of(stated text) returns float8 language sql immutable as $$
  select case
    when words ~ '^((planta|andar|piso|piano|pis|floor):? ?)?-?[0-9]{1,3}($|[^0-9])'
      then (select number from (select substring(words from '-?[0-9]+')::float8 as number) n where number between -9 and 200)
    when words ~ '^(bajos?|(planta )?(baja|baixa)|ground|res[ -]do[ -]chao|r/c|piano terra|terra)\M' then 0
    when words ~ '^(sotano|semisotano|basement|cave|seminterrato|interrato)\M' then -1
    when words ~ '^(piano )?(entresuelo|entresol|sobreloja|rialzato|ammezzato|mezzanine)\M' then 0.5
  end
  from (select translate(lower(btrim(stated)), 'áàâãéèêíìóòõôúùç', 'aaaaeeeiioooouuc') as words) w
$$;

-- Features by their names.
create function pg_temp.feature_of(name text) returns text language sql immutable as $$
  select case name when 'airConditioning' then 'air_conditioning' when 'storage' then 'storage_room'
    when 'wardrobes' then 'fitted_wardrobes' when 'doorman' then 'concierge' when 'topFloor' then 'top_floor' else name end
$$;
create function pg_temp.features_of(names jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(names) = 'array' then coalesce(
    (select jsonb_agg(pg_temp.feature_of(name) order by at) from jsonb_array_elements_text(names) with ordinality n (name, at)), '[]')
    else names end
$$;

-- What became of columns: { column: { before, after } }.
create function pg_temp.changes_of(changes jsonb) returns jsonb language sql immutable as $$
  select changes
    || case when changes ? 'floor' then jsonb_build_object('floor_text', changes -> 'floor', 'floor', jsonb_build_object(
      'before', pg_temp.floor_of(changes -> 'floor' ->> 'before'), 'after', pg_temp.floor_of(changes -> 'floor' ->> 'after')))
      else '{}' end
    || case when changes ? 'features' then jsonb_build_object('features', jsonb_build_object(
      'before', pg_temp.features_of(changes -> 'features' -> 'before'), 'after', pg_temp.features_of(changes -> 'features' -> 'after')))
      else '{}' end
$$;

alter table leads rename column floor to floor_text;
-- 0: the ground floor; -1: the basement; 0.5: a mezzanine.
alter table leads add column floor float8;
update leads set floor = pg_temp.floor_of(floor_text) where floor_text is not null;
update leads set features = array(select pg_temp.feature_of(name) from unnest(features) with ordinality f (name, at) order by at)
  where features && array['airConditioning', 'storage', 'wardrobes', 'doorman', 'topFloor'];
update leads set edited_columns = array(select unnest(edited_columns) union select 'floor_text' order by 1)
  where 'floor' = any(edited_columns);

update lead_merges set
  absorbed = absorbed
    || jsonb_build_object('floor_text', absorbed -> 'floor', 'floor', pg_temp.floor_of(absorbed ->> 'floor'))
    || jsonb_build_object('features', pg_temp.features_of(absorbed -> 'features')),
  changes = pg_temp.changes_of(changes)
  where undone_at is null;
update lead_merges set attached = jsonb_set(attached, '{importChanges}', (
    select jsonb_agg(jsonb_set(change, '{changes}', pg_temp.changes_of(change -> 'changes')) order by at)
    from jsonb_array_elements(attached -> 'importChanges') with ordinality c (change, at)))
  where jsonb_typeof(attached -> 'importChanges') = 'array' and jsonb_array_length(attached -> 'importChanges') > 0;
update import_changes set changes = pg_temp.changes_of(changes) where changes ? 'floor' or changes ? 'features';

-- A retry goes by the filters that are stored.
update extractions set filters = jsonb_set(filters, '{features}', pg_temp.features_of(filters -> 'features'))
  where filters ? 'features';

-- Words of their own that valuations were given stay: they are shown, and count for nothing.
update valuations set
  subject = replace(replace(replace(replace(replace(subject::text, '"airConditioning"', '"air_conditioning"'), '"storage"', '"storage_room"'),
    '"wardrobes"', '"fitted_wardrobes"'), '"doorman"', '"concierge"'), '"topFloor"', '"top_floor"')::json,
  -- Names, separated by commas, on either side of an adjustment.
  compared = regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(compared::text,
    '\mairConditioning\M', 'air_conditioning', 'g'), '\mstorage\M', 'storage_room', 'g'), '\mwardrobes\M', 'fitted_wardrobes', 'g'),
    '\mdoorman\M', 'concierge', 'g'), '\mtopFloor\M', 'top_floor', 'g')::json;

alter table market_properties alter column floor type float8;

update lead_sources s set written_print = hashtextextended(jsonb_build_array(
    l.status, l.contact_name, l.phone, l.phone_raw, l.email, l.advertiser_type, l.operation, l.property_type, l.title,
    l.description, l.price, l.currency, l.square_meters, l.rooms, l.bedrooms, l.bathrooms, l.floor, l.floor_text,
    l.condition, l.features, l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude, l.images,
    l.url, l.published_at, l.identifiers, l.price_history, l.campaign_id, l.owner_user_id, l.tags, l.custom_fields,
    l.edited_columns, l.last_contacted_at, l.last_reply_at)::text, 0)
  from untouched u join leads l on l.tenant_id = u.tenant_id and l.id = u.lead_id
  where s.tenant_id = u.tenant_id and s.platform = u.platform and s.listing_id = u.listing_id;

alter table extractions force row level security;
alter table valuations force row level security;
alter table import_changes force row level security;
alter table lead_merges force row level security;
alter table lead_sources force row level security;
alter table lead_tags force row level security;
alter table former_identifiers force row level security;
alter table lead_identifiers force row level security;
alter table leads force row level security;
