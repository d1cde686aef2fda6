-- How many leads were named by their ids: more than are there, perhaps. Null: a filter named them.
alter table lead_operations add column asked integer;
