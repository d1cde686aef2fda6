-- What a test environment has made of the adverts of simulated portals: its own extractions see it.
create table sandbox_listings (
  tenant_id uuid not null,
  listing_id text not null,
  price integer,
  is_withdrawn boolean not null,
  sequence integer not null,
  primary key (tenant_id, listing_id)
);
call stamp_tenant_table('sandbox_listings');
