-- What leads are found by is written by the program, together with the lead. The words are its own too: a search has those that
-- the document has.

drop trigger keep_lead_search_insert on leads;
drop trigger keep_lead_search_update on leads;
drop trigger keep_lead_search_delete on leads;
drop function keep_lead_search;
drop trigger leads_status_changed on leads;
drop function note_status_change;
drop trigger note_suppressed_leads on lead_identifiers;
drop function note_suppressed_leads;

-- Under row level security for the service, which writes it, and not for its owner, whose view it searches: under a policy the
-- planner would not use the index, whose operator is not leakproof.
alter table lead_search alter column tenant_id set default current_tenant();
alter table lead_search enable row level security;
create policy tenant_isolation on lead_search
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
grant select, insert, update, delete on lead_search to aldaba_service;

drop function plan_search;
drop function search_document(text, text, text);
drop function search_words(text);
drop function search_text(text);

-- How a search is best done, from what the planner knows of its words. Parts of it that stand in fewer than 200,000 documents
-- are `indexed`; the others are `checked` document by document, and a search that has such parts alone goes through the
-- documents in the order asked for. `expected`: how many documents the indexed parts lead to; null if there is none.
create function plan_search(asked text[], phone_digits text[])
  returns table (indexed text, checked text, expected double precision)
  language plpgsql set search_path = aldaba, pg_temp
as $$
declare
  common_min constant double precision := 200000;
  parts tsquery[];
  part tsquery;
  plan json;
  rare tsquery;
  common tsquery;
begin
  -- A whole word, or the beginning of one; short ones stand for themselves, but for the last, which may be being typed.
  parts := array(
    select case when length(word) >= 3 or n = cardinality(asked) then (quote_literal(word) || ':*')::tsquery
      else quote_literal(word)::tsquery end
    from unnest(asked) with ordinality as w (word, n));
  if cardinality(phone_digits) > 0 then
    select array[string_agg(format('%L:*', digits), ' | ')::tsquery] into parts from unnest(phone_digits) digits;
    if cardinality(asked) > 0 then
      parts[1] := parts[1] || array_to_string(array(select quote_literal(word) || ':*' from unnest(asked) word), ' & ')::tsquery;
    end if;
  end if;
  foreach part in array parts loop
    execute format('explain (format json) select from lead_documents where document @@ %L::tsquery', part) into plan;
    if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 < common_min then
      rare := coalesce(rare && part, part);
    else
      common := coalesce(common && part, part);
    end if;
  end loop;
  if rare is not null then
    execute format('explain (format json) select from lead_documents where document @@ %L::tsquery', rare) into plan;
    expected := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
  end if;
  indexed := rare::text;
  checked := common::text;
  return next;
end $$;
revoke all on function plan_search from public;
grant execute on function plan_search to aldaba_service;

-- A row that refers to another of its tenant need not refer to the tenant as well: each reference is a look-up for each row.
do $$
declare redundant record;
begin
  for redundant in
    select c.conname, c.conrelid::regclass as of_table from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'tenants'::regclass and c.conrelid::regclass::text in (
      'lead_sources', 'lead_identifiers', 'lead_tags', 'notes', 'import_rows', 'import_changes', 'import_chunks', 'import_marks',
      'import_trials', 'extraction_listings', 'suppressed_leads', 'lead_likenesses')
  loop
    execute format('alter table %s drop constraint %I', redundant.of_table, redundant.conname);
  end loop;
end $$;
