-- Between 0013 and 0014, for PostgreSQL as of 15.20: it does not alter a table whose row type a function takes. A database that
-- has the later files gets this one late, which does it no harm. 0019 calls both functions by these names; 0035 ends them.
drop function search_document(leads);
drop function lead_identifier_values(leads);

create function search_document(lead record) returns tsvector
  language plpgsql stable
as $$
begin
  return array_to_tsvector(
    search_words(concat_ws(' ', lead.contact_name, lead.title, left(lead.description, 20000), lead.address, lead.postcode,
      lead.municipality, lead.phone_raw, lead.email, array_to_string(lead.identifiers, ' ')))
    || array_remove(array[nullif(left(regexp_replace(lead.phone_raw, '\D', '', 'g'), 40), ''), substr(lead.phone, 2)], null));
end $$;

create function lead_identifier_values(lead record) returns text[]
  language plpgsql immutable
as $$
begin
  return array_remove(array[lead.phone, lead.email] || lead.identifiers, null);
end $$;
