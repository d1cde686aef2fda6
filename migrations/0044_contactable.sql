-- Leads whose person may be contacted are among those with a lawful basis, which few may have.

create index leads_lawful_basis on leads (tenant_id, id) include (updated_at, price_or_most, price_or_least)
  where lawful_basis is not null;
