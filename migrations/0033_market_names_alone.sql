-- Which markets there are, without a look at every property. Its condition always holds: only queries that tell it may take this
-- index. As long as the planner has not heard of a market, all indexes that begin with its names seem equally good to it, and by
-- this one a search goes through all of it. The old one goes when the new one is there: only writes wait meanwhile.
create index market_names_alone on market_properties (environment, operation, property_type, currency, price_basis)
  where latitude >= -90;
drop index market_names;
alter index market_names_alone rename to market_names;
