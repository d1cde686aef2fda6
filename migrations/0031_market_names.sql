-- Which markets there are, without a look at every property.
create index market_names on market_properties (environment, operation, property_type, currency, price_basis);
