-- What was learnt of each market, to value properties by: numbers alone, made from market_properties and made anew every now
-- and then.

create table market_models (
  environment text not null check (environment in ('live', 'test')),
  operation text not null,
  property_type text not null,
  currency text not null,
  price_basis text not null,
  version text not null,
  fitted_at timestamptz not null,
  -- From how many properties.
  properties integer not null check (properties > 0),
  -- How good its estimates are, as `domain/valuation/accuracy` has it.
  accuracy jsonb not null,
  body bytea not null,
  primary key (environment, operation, property_type, currency, price_basis)
);
comment on table market_models is 'What was learnt of a market. The body is read by the program that wrote it, or learnt anew.';
-- It is compressed already.
alter table market_models alter column body set storage external;

grant select, insert, update on market_models to aldaba_service;
