-- What a remembered reply told in its head, such as its ETag, is told again with it.

alter table idempotency_keys
  -- Those of the route, by their names; null: none.
  add column headers json;
