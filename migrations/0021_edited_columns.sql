-- What people state of a lead, and what adverts say of it: neither undoes the other.

alter table leads
  -- Columns whose value somebody stated: no advert changes them, not even one that was emptied.
  add column edited_columns text[] not null default '{}',
  -- What the advert that the lead follows asked last, in its own currency; null: none has said since this is kept.
  add column asked_price numeric(14, 2);

-- What was there before.
alter table leads no force row level security;
alter table lead_identifiers no force row level security;
alter table former_identifiers no force row level security;
alter table lead_tags no force row level security;
alter table lead_sources no force row level security;

-- One address in one writing: adverts were stored as they write it.
update leads set email = lower(email) where email <> lower(email);

-- An import or a writing of a lead is no advert: a portal's lead follows its portal, even if that has withdrawn it.
with misled as (
  select w.tenant_id, w.lead_id from lead_sources w
  where w.is_primary and w.extraction_id is null and exists (
    select from lead_sources a
    where a.tenant_id = w.tenant_id and a.lead_id = w.lead_id and a.extraction_id is not null
      and a.first_seen_at < w.first_seen_at)
), ranked as (
  select s.tenant_id, s.platform, s.listing_id,
    row_number() over (partition by s.tenant_id, s.lead_id
      order by s.extraction_id is not null desc, s.withdrawn_at is null desc, s.last_seen_at desc, s.platform, s.listing_id) as rank
  from lead_sources s join misled m on m.tenant_id = s.tenant_id and m.lead_id = s.lead_id
)
update lead_sources s set is_primary = r.rank = 1 from ranked r
where s.tenant_id = r.tenant_id and s.platform = r.platform and s.listing_id = r.listing_id;

alter table lead_sources force row level security;
alter table lead_tags force row level security;
alter table former_identifiers force row level security;
alter table lead_identifiers force row level security;
alter table leads force row level security;
