-- The market: prices and facts of listings and sales, shared by the workspaces of the deployment, separate by
-- environment. It holds no personal data and no text of advertisers: no name, phone, address, link or photo.

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
-- An update of last_seen_at changes no index. The free space lets the new row stay in the same page.
) with (fillfactor = 85);
comment on table market_properties is 'A property on the market, or sold. Several listings of one property are one row.';
comment on column market_properties.cell is 'The grid cell of its location, as computed by `domain/valuation/place-cells`; `size_class` is the class of its size.';
comment on column market_properties.fingerprint is 'Equal for listings of the same property, as computed by `domain/valuation/same-property`. Null: it cannot be recognised.';
comment on column market_properties.amenities is 'One bit per amenity, as in `domain/valuation/property`. Null: the listing mentions no amenities.';
comment on column market_properties.price is 'Whole units of the currency; for rent, per month.';

-- All columns that a search needs to find the nearest properties.
create index market_properties_place on market_properties (environment, operation, property_type, size_class, cell)
  include (id, latitude, longitude, square_meters, bedrooms, currency, price_basis);
create index market_fingerprints on market_properties (environment, fingerprint, cell) where fingerprint is not null;
-- Finds all markets without reading every property. Its condition is always true, and keeps other queries from using
-- this index. Before the first analysis of the table, the planner considers all indexes that begin with these columns
-- equally good, and with this one a search would read the whole market.
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
comment on table market_listings is 'Listings and sale records of a property.';
comment on column market_listings.source is 'The portal, or the name of the imported files.';
comment on column market_listings.listing_key is 'A keyed hash of the listing''s id at the source.';
comment on column market_listings.checksum is 'A fingerprint of the listing''s facts when it was last seen.';

create table market_prices (
  property_id uuid not null references market_properties (id),
  seen_at timestamptz not null,
  price bigint not null,
  primary key (property_id, seen_at)
);
comment on table market_prices is 'The price history of a property.';

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
comment on table market_models is 'The valuation model of a market: parameters that are fitted again regularly from market_properties.';
comment on column market_models.version is 'Version of the format of `body`: another version fits the model again.';
comment on column market_models.properties is 'Number of properties that it was fitted to.';
comment on column market_models.accuracy is 'Accuracy of its estimates, as defined by `domain/valuation/accuracy`.';
-- The content is already compressed.
alter table market_models alter column body set storage external;

grant select, insert, update on market_properties, market_listings, market_prices, market_models to aldaba_service;
