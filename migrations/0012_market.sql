-- What properties are offered and sold for: facts of listings and of sales, shared by the deployment's workspaces, for one
-- environment each. Nothing about people, and no text that an advertiser wrote: no name, phone, address, link or photo.

-- Great-circle distance on the mean sphere, as the program computes it.
create function meters_between(latitude float8, longitude float8, other_latitude float8, other_longitude float8) returns float8
  language sql immutable parallel safe
  return 2 * 6371008.8 * asin(least(1, sqrt(
    power(sin(radians(other_latitude - latitude) / 2), 2)
    + cos(radians(latitude)) * cos(radians(other_latitude)) * power(sin(radians(other_longitude - longitude) / 2), 2))));

create table market_properties (
  id uuid primary key,
  environment text not null check (environment in ('live', 'test')),
  operation text not null check (operation in ('sale', 'rent')),
  property_type text not null check (property_type in ('homes', 'offices', 'premises', 'garages')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  price_basis text not null check (price_basis in ('asking', 'closed')),
  latitude float8 not null,
  longitude float8 not null,
  cell bigint not null,
  size_class smallint not null,
  fingerprint integer,
  square_meters float8 not null,
  plot_square_meters float8,
  bedrooms smallint,
  bathrooms float8,
  condition text check (condition in ('new', 'good', 'to_renovate')),
  floor float8,
  year_built smallint,
  subtype text,
  amenities integer,
  price bigint not null check (price > 0),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null
-- Seeing a property again changes no index, and has room in its page.
) with (fillfactor = 85);
comment on table market_properties is 'A property on the market, or sold. The same one advertised again is one row.';
comment on column market_properties.cell is 'Where it is; with `size_class`, how large it is: as `domain/valuation/place-cells` counts.';
comment on column market_properties.fingerprint is 'What listings of the same property have in common, as `domain/valuation/same-property` computes it. Null: it is not recognised again.';
comment on column market_properties.amenities is 'A bit each, as `domain/valuation/property` counts them. Null: the listing mentions no amenities.';
comment on column market_properties.price is 'Whole units of the currency; for rent, per month.';

-- All that a search needs before it knows which properties are the nearest.
create index market_properties_place on market_properties (environment, operation, property_type, size_class, cell)
  include (id, latitude, longitude, square_meters, bedrooms, currency, price_basis);
create index market_fingerprints on market_properties (environment, fingerprint, cell) where fingerprint is not null;
-- Which markets there are, without reading every property. Its condition always holds: only queries that state it may use this
-- index. Before its first analysis all indexes that begin with these columns seem equally good to the planner, and with this one a
-- search would go through the whole market.
create index market_properties_market on market_properties (environment, operation, property_type, currency, price_basis)
  where latitude >= -90;

create table market_listings (
  environment text not null check (environment in ('live', 'test')),
  source text not null,
  listing_key bytea not null check (length(listing_key) = 16),
  property_id uuid not null references market_properties (id),
  price bigint not null,
  checksum text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (environment, source, listing_key)
) with (fillfactor = 85);
comment on table market_listings is 'The listings, or records of sales, that a property is known by.';
comment on column market_listings.source is 'The portal, or the name of the files that it came in.';
comment on column market_listings.listing_key is 'A keyed hash of the listing''s id there.';
comment on column market_listings.checksum is 'A fingerprint of all that the listing said when it was last seen.';

create table market_prices (
  property_id uuid not null references market_properties (id),
  seen_at timestamptz not null,
  price bigint not null,
  primary key (property_id, seen_at)
);
comment on table market_prices is 'Prices of a property, and since when each held.';

create table market_models (
  environment text not null check (environment in ('live', 'test')),
  operation text not null,
  property_type text not null,
  currency text not null,
  price_basis text not null,
  version text not null,
  fitted_at timestamptz not null,
  properties integer not null check (properties > 0),
  accuracy jsonb not null,
  body bytea not null,
  primary key (environment, operation, property_type, currency, price_basis)
);
comment on table market_models is 'What was learnt of a market, to value properties by: numbers alone, learnt anew from market_properties every now and then.';
comment on column market_models.version is 'Of the program that wrote `body`: another version learns the model anew.';
comment on column market_models.properties is 'From how many properties it was learnt.';
comment on column market_models.accuracy is 'How good its estimates are, as `domain/valuation/accuracy` defines it.';
-- It is compressed already.
alter table market_models alter column body set storage external;

grant select, insert, update on market_properties, market_listings, market_prices, market_models to aldaba_service;
