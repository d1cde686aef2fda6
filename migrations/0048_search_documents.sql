-- The words of a lead in half of the time: PostgreSQL's own reading of a tsvector splits, sorts and removes repetitions.

-- A text as its words are compared: without accents and case, blanks in place of signs. Signs are named one by one, because what a
-- letter is depends on the locale of the database. Quotes, backslashes and colons, which a tsvector would read, are among them.
create function search_text(written text) returns text
  language sql stable parallel safe
  return regexp_replace(lower(unaccent(written)),
    '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0¡¿«»·ºª°©®€\u1680\u2000-\u206f\u2190-\u27bf\u3000-\u303f]+', ' ', 'g');

create or replace function search_words(written text) returns text[]
  language sql stable parallel safe
  return array(
    select left(word, 60) from unnest(string_to_array(search_text(written), ' ')) word where word <> '');

-- A tsvector holds no word of 2,047 bytes. In a shorter text all are whole: a search asks for the beginnings of long words.
create or replace function search_document(written text, phone_raw text, phone text) returns tsvector
  language sql stable parallel safe
  return (
    select case when octet_length(words) < 2047 then words else regexp_replace(words, '([^ ]{60})[^ ]+', '\1', 'g') end::tsvector
    from (
      select search_text(concat_ws(' ', written, left(regexp_replace(phone_raw, '\D', '', 'g'), 40), substr(phone, 2))) as words
      -- Not to be worked out twice.
      offset 0) texts);

-- Few leads have an owner or a campaign: the others need no entry.
drop index leads_owner;
create index leads_owner on leads (tenant_id, owner_user_id, id) include (updated_at, price_or_most, price_or_least)
  where owner_user_id is not null;
drop index leads_campaign;
create index leads_campaign on leads (tenant_id, campaign_id, id) include (updated_at, price_or_most, price_or_least)
  where campaign_id is not null;
