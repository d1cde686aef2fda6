-- Keeps what leads are found by without a function over the row type of leads, which forbids to alter the table.

create function search_document(written text, phone_raw text, phone text) returns tsvector
  language sql stable parallel safe
  return array_to_tsvector(search_words(written)
    || array_remove(array[nullif(left(regexp_replace(phone_raw, '\D', '', 'g'), 40), ''), substr(phone, 2)], null));

-- As in 0019.
create or replace function keep_lead_search() returns trigger
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    delete from lead_search s using gone g where s.tenant_id = g.tenant_id and s.lead_id = g.id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into lead_search (tenant_id, lead_id, document)
      select c.tenant_id, c.id, search_document(
        concat_ws(' ', c.contact_name, c.title, left(c.description, 20000), c.address, c.postcode, c.municipality, c.phone_raw,
          c.email, array_to_string(c.identifiers, ' ')), c.phone_raw, c.phone)
      from changed c;
    insert into lead_identifiers (tenant_id, value, lead_id)
      select c.tenant_id, value, c.id from changed c, unnest(array[c.phone, c.email] || c.identifiers) value
      where value is not null on conflict do nothing;
    insert into lead_tags (tenant_id, tag, lead_id)
      select c.tenant_id, tag, c.id from changed c, unnest(c.tags) tag on conflict do nothing;
    return null;
  end if;
  update lead_search s set document = search_document(
      concat_ws(' ', c.contact_name, c.title, left(c.description, 20000), c.address, c.postcode, c.municipality, c.phone_raw,
        c.email, array_to_string(c.identifiers, ' ')), c.phone_raw, c.phone)
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id
    where s.tenant_id = c.tenant_id and s.lead_id = c.id
      and (c.contact_name, c.title, c.description, c.address, c.postcode, c.municipality, c.phone, c.phone_raw, c.email,
           c.identifiers)
        is distinct from (b.contact_name, b.title, b.description, b.address, b.postcode, b.municipality, b.phone, b.phone_raw,
           b.email, b.identifiers);
  with lost as (
    delete from lead_identifiers i using changed c, before b
      where b.tenant_id = c.tenant_id and b.id = c.id and i.tenant_id = c.tenant_id and i.lead_id = c.id
        and (c.phone, c.email, c.identifiers) is distinct from (b.phone, b.email, b.identifiers)
        and i.value is distinct from c.phone and i.value is distinct from c.email and i.value <> all (c.identifiers)
      returning i.tenant_id, i.value, i.lead_id)
  insert into former_identifiers (tenant_id, value, lead_id, until) select tenant_id, value, lead_id, now() from lost
    on conflict (tenant_id, value, lead_id) do update set until = excluded.until;
  insert into lead_identifiers (tenant_id, value, lead_id)
    select c.tenant_id, value, c.id
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id,
      unnest(array[c.phone, c.email] || c.identifiers) value
    where (c.phone, c.email, c.identifiers) is distinct from (b.phone, b.email, b.identifiers) and value is not null
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

drop function search_document(record);
drop function lead_identifier_values(record);
