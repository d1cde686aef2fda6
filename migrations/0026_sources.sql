-- Sources of campaigns: the listings that a run has still to check.

create table extraction_pending (
  tenant_id uuid not null,
  extraction_id uuid not null,
  listing_id text not null,
  url text not null,
  primary key (tenant_id, extraction_id, listing_id),
  foreign key (tenant_id, extraction_id) references extractions (tenant_id, id) on delete cascade
);
comment on table extraction_pending is 'Listings that the extraction of a campaign has still to check. Deleted one by one, and with its end.';
call isolate_tenant_table('extraction_pending');
