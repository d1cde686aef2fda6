-- Which markets there are, without a look at every property. Its condition always holds: only queries that tell it may take this
-- index. As long as the planner has not heard of a market, all indexes that begin with its names seem equally good to it, and by
-- this one a search goes through all of it.
drop index market_names;
create index market_names on market_properties (environment, operation, property_type, currency, price_basis)
  where latitude >= -90;
