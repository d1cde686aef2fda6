-- A deletion tells the external id of the lead, until its event is sent no more.

-- Events of the feed, which say nothing of it.
alter table events no force row level security;
update events set data = data || '{"externalId": null}'
  where type = 'lead.deleted' and not data ? 'externalId' and created_at > now() - interval '32 days';
alter table events force row level security;

create index events_told_external_id on events (tenant_id, id)
  where type = 'lead.deleted' and data ->> 'externalId' is not null;
