-- Leads that may not be contacted, found without a look at all those that may: by what the lead says, by the clock, by its listings
-- and by the suppression list. What these find is looked at once more: they may find too many, and never too few.

create index leads_not_reached on leads (tenant_id, id) where
  lawful_basis is null or status = 'discarded' or (lawful_basis = 'consent' and lawful_basis_proof is null)
  or ((phone is null or not coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end) && '{chat,phone}')
    and (email is null or not 'email' = any(coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end))));
create index leads_basis_begins on leads (tenant_id, lawful_basis_at) where lawful_basis is not null;
create index leads_basis_ends on leads (tenant_id, lawful_basis_expires_at) where lawful_basis_expires_at is not null;
create index lead_sources_abstaining on lead_sources (tenant_id, lead_id) where agencies_abstain;

-- Leads of which an identifier was found on the suppression list; a job takes out those of which none is any more.
create table suppressed_leads (
  tenant_id uuid not null,
  lead_id uuid not null,
  primary key (tenant_id, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
call stamp_tenant_table('suppressed_leads');

-- A lead that comes to an identifier that is on the list. Entries that come later look for the leads themselves.
create function note_suppressed_leads() returns trigger
  language plpgsql security definer set search_path = aldaba, pg_temp
as $$
begin
  if exists (select from suppressions where tenant_id = current_tenant()) then
    insert into suppressed_leads (tenant_id, lead_id)
      select distinct a.tenant_id, a.lead_id from added a
      where exists (select from suppressions s where s.tenant_id = a.tenant_id and s.hash = identifier_hash(a.value))
      on conflict do nothing;
  end if;
  return null;
end $$;
revoke all on function note_suppressed_leads from public;
create trigger note_suppressed_leads after insert on lead_identifiers
  referencing new table as added for each statement execute function note_suppressed_leads();

-- Those that were there before can't be compared here, as the pads of the hash are the program's: the job does so.
alter table suppressions no force row level security;
alter table lead_identifiers no force row level security;
alter table suppressed_leads no force row level security;
insert into suppressed_leads (tenant_id, lead_id)
  select distinct tenant_id, lead_id from lead_identifiers i
  where exists (select from suppressions s where s.tenant_id = i.tenant_id);
alter table suppressed_leads force row level security;
alter table lead_identifiers force row level security;
alter table suppressions force row level security;
