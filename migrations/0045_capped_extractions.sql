-- Whether an extraction stopped at `max_results` while the portal had more listings.
alter table extractions add column capped boolean not null default false;
