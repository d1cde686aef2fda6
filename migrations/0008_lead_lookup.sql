-- Lookup data of leads: words, tags, identifiers, and similarity. The one writer of leads maintains it.

create table lead_search (
  tenant_id uuid not null,
  lead_id uuid not null,
  document tsvector not null,
  primary key (tenant_id, lead_id)
);
comment on table lead_search is 'The words of a lead for full-text search, including its phones in digits. The program splits the words, so that searches and documents match.';
-- isolate_tenant_table() is not called for this table. Row level security applies to the service, which writes it, but
-- not to the owner, because the service searches through a view of the owner. Under a policy the planner would not use
-- the index, because its operator is not leakproof.
alter table lead_search enable row level security;
create policy tenant_isolation on lead_search
  using (tenant_id = aldaba.current_tenant()) with check (tenant_id = aldaba.current_tenant());
grant select, insert, update, delete on lead_search to aldaba_service;
create index lead_search_document on lead_search using gin (tenant_id, document);

create view lead_documents as
  select tenant_id, lead_id, document from lead_search where tenant_id = aldaba.current_tenant();
comment on view lead_documents is 'lead_search for searches: the rows of the current tenant, by the rights of the owner.';
grant select on lead_documents to aldaba_service;

-- Finds leads and messages by their words, with the rights of the owner, as the view does. `found`: the lead, or the
-- conversation of the message. The planner has no statistics of the beginnings of words and would sometimes read all
-- documents: the function keeps it from that, with one plan for all words, because planning takes longer than finding a
-- rare one. A cluster runs it on the server of the tenant and reads the shard there: under the policy of a shard no search
-- would use the index either, and Citus replaces a view by its definition. The words of messages begin with a part of the
-- tenant's id, so that their index has no tenant; "offset 0" keeps the planner from other indexes of the tenant.
create function search_documents(tenant uuid, documents text, query tsquery, result_max integer default null)
  returns table (found uuid, message_id uuid)
  language plpgsql stable security definer set search_path = aldaba, pg_temp
  set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0
  set plan_cache_mode = force_generic_plan
as $$
declare
  select_leads constant text := 'select lead_id, null::uuid from aldaba.%I where tenant_id = $1 and document @@ $2 limit $3';
  select_messages constant text :=
    'select conversation_id, message_id from (select * from aldaba.%I where document @@ $2 offset 0) d where tenant_id = $1 limit $3';
begin
  if tenant is distinct from current_tenant() then
    return;
  end if;
  if exists (select from pg_extension where extname = 'citus') then
    return query execute format(
        case documents when 'lead_search' then select_leads when 'message_search' then select_messages end,
        documents || '_' || get_shard_id_for_distribution_column('aldaba.' || documents, tenant))
      using tenant, query, result_max;
  elsif documents = 'lead_search' then
    return query select d.lead_id, null::uuid from lead_search d where d.tenant_id = tenant and d.document @@ query limit result_max;
  elsif documents = 'message_search' then
    return query select d.conversation_id, d.message_id from (select * from message_search m where m.document @@ query offset 0) d
      where d.tenant_id = tenant limit result_max;
  end if;
end $$;
revoke all on function search_documents from public;
grant execute on function search_documents to aldaba_service;

-- The plan of a search, from the planner's statistics of its words. The parts that match fewer than 200,000 documents
-- are `indexed`. The others are `checked` document by document; a search with only such parts reads the documents in
-- the requested order. `expected`: how many documents match the indexed parts; null if there are no such parts. On a
-- cluster (`on_shards`) all parts are `indexed`, because only the shards have statistics, and a transaction that runs
-- EXPLAIN can't emit events.
create function plan_search(tenant uuid, search_words text[], phone_digits text[])
  returns table (indexed text, checked text, expected double precision, on_shards boolean)
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
  -- A word or a prefix; short words match exactly, except the last, which may be incomplete.
  parts := array(
    select case when length(word) >= 3 or n = cardinality(search_words) then (quote_literal(word) || ':*')::tsquery
      else quote_literal(word)::tsquery end
    from unnest(search_words) with ordinality as w (word, n));
  if cardinality(phone_digits) > 0 then
    select array[string_agg(format('%L:*', digits), ' | ')::tsquery] into parts from unnest(phone_digits) digits;
    if cardinality(search_words) > 0 then
      -- Only the last one may be incomplete: half of all phones begin like the first ones.
      parts[1] := parts[1] || array_to_string(array(
        select quote_literal(word) || case when n = cardinality(search_words) then ':*' else '' end
        from unnest(search_words) with ordinality as w (word, n)), ' & ')::tsquery;
    end if;
  end if;
  on_shards := coalesce(current_setting('citus.propagate_set_commands', true) = 'local', false);
  foreach part in array parts loop
    if on_shards then
      rare := coalesce(rare && part, part);
      continue;
    end if;
    execute format('explain (format json) select from lead_documents where tenant_id = %L and document @@ %L::tsquery', tenant, part) into plan;
    if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 < common_min then
      rare := coalesce(rare && part, part);
    else
      common := coalesce(common && part, part);
    end if;
  end loop;
  if on_shards and rare is not null then
    expected := 0;
  elsif rare is not null then
    execute format('explain (format json) select from lead_documents where tenant_id = %L and document @@ %L::tsquery', tenant, rare) into plan;
    expected := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
  end if;
  indexed := rare::text;
  checked := common::text;
  return next;
end $$;
revoke all on function plan_search from public;
grant execute on function plan_search to aldaba_service;

create table lead_tags (
  tenant_id uuid not null,
  tag text not null,
  lead_id uuid not null,
  primary key (tenant_id, tag, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table lead_tags is 'Every tag of every lead.';
call isolate_tenant_table('lead_tags');
create index lead_tags_lead on lead_tags (tenant_id, lead_id);

create table lead_identifiers (
  tenant_id uuid not null,
  value text not null,
  lead_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  primary key (tenant_id, value, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table lead_identifiers is 'Every identifier of every lead: its phone, its e-mail address and its further identifiers.';
comment on column lead_identifiers.hash is 'HMAC-SHA256 of the value with a key of the deployment, as on the suppression list.';
call isolate_tenant_table('lead_identifiers');
create index lead_identifiers_lead on lead_identifiers (tenant_id, lead_id);

create table former_identifiers (
  tenant_id uuid not null,
  value text not null,
  lead_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  used_until timestamptz not null,
  reverted boolean not null default false,
  primary key (tenant_id, value, lead_id)
);
comment on table former_identifiers is 'Identifiers that a lead no longer has, for erasure: what was recorded before `used_until` may be about another person. There is no foreign key: the history stays when another lead absorbs this one. Deleting a lead deletes them.';
comment on column former_identifiers.hash is 'As in `lead_identifiers`.';
comment on column former_identifiers.reverted is 'The lead had it through a merge or an import that was undone, so it does not identify the person.';
call isolate_tenant_table('former_identifiers');
create index former_identifiers_lead on former_identifiers (tenant_id, lead_id);

create table lead_duplicates (
  tenant_id uuid not null,
  lead_id uuid not null,
  other_lead_id uuid not null,
  score double precision not null,
  reason text not null,
  created_at timestamptz not null,
  dismissed_at timestamptz,
  primary key (tenant_id, lead_id, other_lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade,
  foreign key (tenant_id, other_lead_id) references leads (tenant_id, id) on delete cascade,
  -- Each pair once.
  check (lead_id <= other_lead_id)
);
comment on table lead_duplicates is 'Pairs of leads that may be about one property: users decide.';
comment on column lead_duplicates.score is 'Bits of evidence; `reason` lists them.';
comment on column lead_duplicates.dismissed_at is 'When a user marked them as distinct: the pair is not proposed again.';
call isolate_tenant_table('lead_duplicates');
create index lead_duplicates_other on lead_duplicates (tenant_id, other_lead_id);

-- Candidates for duplicates: leads of one place, size, rooms and price. A cell in a city has hundreds of leads of one
-- size, and every lead that the index does not exclude is read from the table.
create index leads_place_cell on leads (tenant_id, place_cell, rounded_square_meters, bedrooms_or_none, price_bucket)
  where place_cell is not null;
create index leads_place_cell_unpriced on leads (tenant_id, place_cell, rounded_square_meters)
  where place_cell is not null and price_bucket is null;
-- For pairs in which one listing has no pin.
create index leads_street_key on leads (tenant_id, street_key, place_cell, rounded_square_meters) where street_key is not null;
-- Hundreds of leads share an agency's phone: phone and size together find few.
create index leads_phone on leads (tenant_id, phone, place_cell, rounded_square_meters) where phone is not null;
