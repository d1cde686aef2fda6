-- Searching leads by words, by tag, and by whom they are of.

create extension if not exists unaccent;
create extension if not exists btree_gin;

-- A place as it is compared: without accents, case and dashes. Immutable, which unaccent() is not.
create function place_key(place text) returns text
  language sql immutable parallel safe
  return left(translate(lower(place), 'àáâãäåçèéêëìíîïñòóôõöùúûüý''’·-', 'aaaaaaceeeeiiiinooooouuuuy'), 100);

-- The words of a text as they are searched for: without accents, case and signs. Longer ones than people write are cut.
-- Signs are named one by one, because what a letter is depends on the locale of the database.
create function search_words(written text) returns text[]
  language sql stable parallel safe
  return array(
    select left(word, 60)
    from unnest(string_to_array(regexp_replace(lower(unaccent(written)),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0¡¿«»·ºª°©®€\u2000-\u206f\u2190-\u27bf\u3000-\u303f]+', ' ', 'g'), ' ')) word
    where word <> '');

alter table leads
  add column municipality_key text generated always as (place_key(municipality)) stored,
  -- Further telephones (+34…), e-mail addresses (…@…) and chats (provider:id) of the person, normalised.
  add column identifiers text[] not null default '{}';

-- The words that a lead is found by, its telephones in digits among them.
-- Not under row level security: the planner would not use the index for a search, whose operator is not leakproof. So the
-- service may not touch this table. It reads the view below, which shows the tenant it is in, and a trigger writes.
create table lead_search (
  tenant_id uuid not null,
  lead_id uuid not null,
  document tsvector not null,
  primary key (tenant_id, lead_id)
);
create index lead_search_document on lead_search using gin (tenant_id, document);

create view lead_documents as
  select lead_id, document from lead_search where tenant_id = (select aldaba.current_tenant());
grant select on lead_documents to aldaba_service;

-- Every identifier of every lead: its telephone, its e-mail address and those further ones.
create table lead_identifiers (
  tenant_id uuid not null,
  value text not null,
  lead_id uuid not null,
  primary key (tenant_id, value, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('lead_identifiers');
create index lead_identifiers_lead on lead_identifiers (tenant_id, lead_id);

-- Every tag of every lead.
create table lead_tags (
  tenant_id uuid not null,
  tag text not null,
  lead_id uuid not null,
  primary key (tenant_id, tag, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('lead_tags');
create index lead_tags_lead on lead_tags (tenant_id, lead_id);

create function search_document(lead leads) returns tsvector
  language sql stable
  return array_to_tsvector(
    search_words(concat_ws(' ', lead.contact_name, lead.title, left(lead.description, 20000), lead.address, lead.postcode,
      lead.municipality, lead.phone_raw, lead.email, array_to_string(lead.identifiers, ' ')))
    || array_remove(array[nullif(left(regexp_replace(lead.phone_raw, '\D', '', 'g'), 40), ''), substr(lead.phone, 2)], null));

create function lead_identifier_values(lead leads) returns text[]
  language sql immutable
  return array_remove(array[lead.phone, lead.email] || lead.identifiers, null);

-- Keeps all three as the leads are.
create function keep_lead_search() returns trigger
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    delete from lead_search s using gone g where s.tenant_id = g.tenant_id and s.lead_id = g.id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into lead_search (tenant_id, lead_id, document)
      select tenant_id, id, search_document(c) from changed c;
    insert into lead_identifiers (tenant_id, value, lead_id)
      select c.tenant_id, value, c.id from changed c, unnest(lead_identifier_values(c)) value on conflict do nothing;
    insert into lead_tags (tenant_id, tag, lead_id)
      select c.tenant_id, tag, c.id from changed c, unnest(c.tags) tag on conflict do nothing;
    return null;
  end if;
  update lead_search s set document = search_document(c)
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id
    where s.tenant_id = c.tenant_id and s.lead_id = c.id
      and (c.contact_name, c.title, c.description, c.address, c.postcode, c.municipality, c.phone, c.phone_raw, c.email,
           c.identifiers)
        is distinct from (b.contact_name, b.title, b.description, b.address, b.postcode, b.municipality, b.phone, b.phone_raw,
           b.email, b.identifiers);
  delete from lead_identifiers i using changed c, before b
    where b.tenant_id = c.tenant_id and b.id = c.id and i.tenant_id = c.tenant_id and i.lead_id = c.id
      and lead_identifier_values(c) is distinct from lead_identifier_values(b)
      and i.value <> all (lead_identifier_values(c));
  insert into lead_identifiers (tenant_id, value, lead_id)
    select c.tenant_id, value, c.id
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id, unnest(lead_identifier_values(c)) value
    where lead_identifier_values(c) is distinct from lead_identifier_values(b)
    on conflict do nothing;
  delete from lead_tags t using changed c, before b
    where b.tenant_id = c.tenant_id and b.id = c.id and t.tenant_id = c.tenant_id and t.lead_id = c.id
      and c.tags is distinct from b.tags and t.tag <> all (c.tags);
  insert into lead_tags (tenant_id, tag, lead_id)
    select c.tenant_id, tag, c.id
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id, unnest(c.tags) tag
    where c.tags is distinct from b.tags
    on conflict do nothing;
  return null;
end $$;
revoke all on function keep_lead_search from public;
create trigger keep_lead_search_insert after insert on leads
  referencing new table as changed for each statement execute function keep_lead_search();
create trigger keep_lead_search_update after update on leads
  referencing old table as before new table as changed for each statement execute function keep_lead_search();
create trigger keep_lead_search_delete after delete on leads
  referencing old table as gone for each statement execute function keep_lead_search();

-- What was there before.
alter table leads no force row level security;
alter table lead_identifiers no force row level security;
alter table lead_tags no force row level security;
insert into lead_search (tenant_id, lead_id, document) select tenant_id, id, search_document(l) from leads l;
insert into lead_identifiers (tenant_id, value, lead_id)
  select l.tenant_id, value, l.id from leads l, unnest(lead_identifier_values(l)) value on conflict do nothing;
insert into lead_tags (tenant_id, tag, lead_id)
  select l.tenant_id, tag, l.id from leads l, unnest(l.tags) tag on conflict do nothing;
alter table leads force row level security;
alter table lead_tags force row level security;
alter table lead_identifiers force row level security;

-- How a search is best done, from what the planner knows of its words. Parts of it that stand in fewer than 200,000 documents
-- are `indexed`; the others are `checked` document by document, and a search that has such parts alone goes through the
-- documents in the order asked for. `expected`: how many documents the indexed parts lead to; null if there is none.
create function plan_search(words text, phone_digits text[])
  returns table (indexed text, checked text, expected double precision)
  language plpgsql set search_path = aldaba, pg_temp
as $$
declare
  common_min constant double precision := 200000;
  asked text[] := search_words(words);
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
