-- What properties are offered and sold for: facts of adverts and of sales, shared by the deployment's workspaces, of one
-- environment each. Nothing of persons, and no text that an advertiser wrote: no name, telephone, address, link or photo.

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
  -- Where it is and how large, as `domain/valuation/place-cells` counts.
  cell bigint not null,
  size_class smallint not null,
  -- What adverts of the same property have in common, as `domain/valuation/same-property` has it; null: it is not known again.
  likeness integer,
  square_meters float8 not null,
  plot_square_meters float8,
  bedrooms smallint,
  bathrooms float8,
  condition text check (condition in ('new', 'good', 'to_renovate')),
  floor smallint,
  year_built smallint,
  subtype text,
  -- A bit each, as `domain/valuation/property` counts them; null: nothing was said of amenities.
  amenities integer,
  -- Whole units of the currency; for rent, per month.
  price bigint not null check (price > 0),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null
-- That it was seen again touches no index, and has room in its page.
) with (fillfactor = 85);
comment on table market_properties is 'A property on the market, or sold. The same one advertised again is one row.';

-- All that a search asks before it knows which are the nearest.
create index market_places on market_properties (environment, operation, property_type, size_class, cell)
  include (id, latitude, longitude, square_meters, bedrooms, currency, price_basis);

create index market_likenesses on market_properties (environment, likeness, cell) where likeness is not null;

create table market_adverts (
  environment text not null check (environment in ('live', 'test')),
  -- Portal, or name of the files that it came in.
  source text not null,
  -- Keyed hash of the advert's id there.
  advert_key bytea not null check (length(advert_key) = 16),
  property_id uuid not null references market_properties (id),
  price bigint not null,
  -- Of all that it said when it was last seen.
  print text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (environment, source, advert_key)
) with (fillfactor = 85);
comment on table market_adverts is 'By which adverts, or records of sales, a property is known.';

create table market_prices (
  property_id uuid not null references market_properties (id),
  seen_at timestamptz not null,
  price bigint not null,
  primary key (property_id, seen_at)
);
comment on table market_prices is 'Prices of a property: from when on it was another.';

grant select, insert, update on market_properties, market_adverts, market_prices to aldaba_service;
