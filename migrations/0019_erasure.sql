-- What the erasure of a person finds all of theirs by, without looking through what is told of others; and what does not stay
-- for it to find.

-- Of an event about two leads, made one or parted: the other. What one of them says is then told of both.
alter table events add column other_lead_id uuid generated always as ((data ->> 'otherLeadId')::uuid) stored;
create index events_other_lead on events (tenant_id, other_lead_id) where other_lead_id is not null;

-- Identifiers that a lead no longer has, and until when it did: what was told of its contact before that may be of somebody
-- else. No foreign key: of a lead that was made one with another the history stays. Goes when the lead is deleted.
create table former_identifiers (
  tenant_id uuid not null,
  value text not null,
  lead_id uuid not null,
  until timestamptz not null,
  primary key (tenant_id, value, lead_id)
);
call stamp_tenant_table('former_identifiers');
create index former_identifiers_lead on former_identifiers (tenant_id, lead_id);

-- As in 0013, and notes what leads lose.
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
      select tenant_id, id, search_document(c) from changed c;
    insert into lead_identifiers (tenant_id, value, lead_id)
      select c.tenant_id, value, c.id from changed c, unnest(lead_identifier_values(c)) value on conflict do nothing;
    insert into lead_tags (tenant_id, tag, lead_id)
      select c.tenant_id, tag, c.id from changed c, unnest(c.tags) tag on conflict do nothing;
    return null;
  end if;
  update lead_search s set document = search_document(c)
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id
    where s.tenant_id = c.tenant_id and s.lead_id = c.id
      and (c.contact_name, c.title, c.description, c.address, c.postcode, c.municipality, c.phone, c.phone_raw, c.email,
           c.identifiers)
        is distinct from (b.contact_name, b.title, b.description, b.address, b.postcode, b.municipality, b.phone, b.phone_raw,
           b.email, b.identifiers);
  with lost as (
    delete from lead_identifiers i using changed c, before b
      where b.tenant_id = c.tenant_id and b.id = c.id and i.tenant_id = c.tenant_id and i.lead_id = c.id
        and lead_identifier_values(c) is distinct from lead_identifier_values(b)
        and i.value <> all (lead_identifier_values(c))
      returning i.tenant_id, i.value, i.lead_id)
  insert into former_identifiers (tenant_id, value, lead_id, until) select tenant_id, value, lead_id, now() from lost
    on conflict (tenant_id, value, lead_id) do update set until = excluded.until;
  insert into lead_identifiers (tenant_id, value, lead_id)
    select c.tenant_id, value, c.id
    from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id, unnest(lead_identifier_values(c)) value
    where lead_identifier_values(c) is distinct from lead_identifier_values(b)
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

-- When somebody last moved a lead on: a dealing, for as long as the data of its person are kept.
alter table leads add column status_changed_at timestamptz;
create function note_status_change() returns trigger
  language plpgsql
as $$
begin
  new.status_changed_at := now();
  return new;
end $$;
create trigger leads_status_changed before update on leads
  for each row when (new.status is distinct from old.status) execute function note_status_change();

-- A key that a client made may hold a telephone, and the hash of a request can be undone by trying all numbers: both are kept
-- as hashes under the deployment's key. Those that were kept until now can't be; they would go within a day.
truncate idempotency_keys;
alter table idempotency_keys
  drop column mentions,
  alter column key type bytea using null;

-- The ids in a request and in its reply, which is encrypted: by them those that show an erased person are found.
create table idempotency_mentions (
  tenant_id uuid not null,
  mentioned uuid not null,
  route text not null,
  key bytea not null,
  primary key (tenant_id, mentioned, route, key),
  foreign key (tenant_id, route, key) references idempotency_keys (tenant_id, route, key) on delete cascade
);
call stamp_tenant_table('idempotency_mentions');
create index idempotency_mentions_key on idempotency_mentions (tenant_id, route, key);

-- Takes jobs out of the queue whose payload holds one of these texts, as a whole value, but for those that are being done; and
-- what jobs failed of, where it tells one. Events are handed out by their ids: of those jobs there may be very many, and they are
-- passed over. The queue's tables belong to the owner.
drop function forget_jobs;
create function forget_jobs(mentions text[]) returns void
  language plpgsql volatile security definer set search_path = aldaba, pg_temp
as $$
begin
  perform graphile_worker.complete_jobs(array(
    select distinct j.id
    from graphile_worker._private_jobs j, jsonb_path_query(j.payload::jsonb, 'strict $.**') value, unnest(mentions) mention
    where j.task_id <> all (array(select id from graphile_worker._private_tasks where identifier = 'dispatch-event'))
      and j.payload ->> 'tenantId' = (select current_tenant()::text) and value #>> '{}' = mention));
  update graphile_worker._private_jobs j set last_error = null
    where j.last_error is not null and j.payload ->> 'tenantId' = (select current_tenant()::text)
      and exists (select from unnest(mentions) mention where strpos(j.last_error, mention) > 0);
end $$;
revoke all on function forget_jobs from public;
grant execute on function forget_jobs to aldaba_service;

-- Whether a job of the tenant's own still is, or may be, run for what its data names: { "importId": … }. One for all that
-- takes up what has lost its job.
create function has_work(job_names text[], subject jsonb) returns boolean
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select exists (
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = any(job_names) and j.payload->>'tenantId' = current_tenant()::text
      and (j.payload->'data')::jsonb @> subject
      and (j.locked_at is not null or j.attempts < j.max_attempts))
$$;
revoke all on function has_work from public;
grant execute on function has_work to aldaba_service;
drop function has_job, has_import_job;

alter table lead_operations
  add column sweeps integer not null default 0,
  -- When something last happened to it.
  add column moved_at timestamptz not null default now(),
  -- Of an erasure: identifiers that stood on so many leads when it came to the first of them that they are nobody's own.
  add column professional text[] not null default '{}';

-- What was there before: by whom leads were searched for stays with no change that has ended, nor what a merge took along
-- once it is undone; what leads lost stands in their history.
alter table lead_operations no force row level security;
alter table lead_merges no force row level security;
alter table former_identifiers no force row level security;
alter table events no force row level security;
alter table leads no force row level security;
update lead_operations set selection = '{}', changes = null where finished_at is not null;
update lead_merges set absorbed = '{}', changes = '{}', sources = '[]' where undone_at is not null;
insert into former_identifiers (tenant_id, value, lead_id, until)
  select tenant_id, value #>> '{}', lead_id, max(created_at)
  from events, jsonb_path_query(data, '$.changes[*] ? (@.field == "contact.phone" || @.field == "contact.email"
    || @.field == "contact.identifiers").before.**') value
  where type = 'lead.updated' and jsonb_typeof(value) = 'string' group by 1, 2, 3;
alter table leads disable trigger user;
update leads l set status_changed_at = e.at
  from (
    select tenant_id, lead_id, max(created_at) as at from events
    where type = 'lead.updated' and data @? '$.changes[*] ? (@.field == "status")' group by 1, 2) e
  where e.tenant_id = l.tenant_id and e.lead_id = l.id;
alter table leads enable trigger user;
alter table leads force row level security;
alter table events force row level security;
alter table former_identifiers force row level security;
alter table lead_merges force row level security;
alter table lead_operations force row level security;
