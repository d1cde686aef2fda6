-- Whether a person may be contacted: what the workspace recorded, who is on its suppression list, and for how long data are kept.

-- By which an identifier is kept without being told: HMAC-SHA256 (RFC 2104) under a key of the deployment. The program gives
-- both pads of the key to each connection; they are in no table, no dump and no log. Without them this fails. Capital letters
-- make no other person; "C" knows those of ASCII alone, and the same ones for ever.
create function identifier_hash(value text) returns bytea
  language sql stable parallel safe
  return sha256(decode(current_setting('aldaba.identifier_outer_pad'), 'hex')
    || sha256(decode(current_setting('aldaba.identifier_inner_pad'), 'hex') || convert_to(lower(value collate "C"), 'UTF8')));

create table suppressions (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('opt_out', 'erased', 'exclusion_list', 'manual')),
  -- An advert stands here too: one of an erased person is not read in again, whatever it shows of them by then.
  identifier_kind text not null check (identifier_kind in ('phone', 'email', 'chat', 'advert')),
  hash bytea not null check (length(hash) = 32),
  -- Null: every channel.
  channel text check (channel in ('chat', 'phone', 'email')),
  list_name text,
  note text,
  created_at timestamptz not null,
  created_by uuid references users (id),
  -- Ids are UUIDv7: their order is the order of creation.
  primary key (tenant_id, id),
  check ((kind = 'exclusion_list') = (list_name is not null)),
  check (kind <> 'erased' or channel is null)
);
call stamp_tenant_table('suppressions');
create unique index suppressions_once on suppressions (tenant_id, hash, kind, channel, list_name) nulls not distinct;
-- Asked for every advert that comes in.
create index suppressions_erased on suppressions (tenant_id, hash) where kind = 'erased';
create index suppressions_list on suppressions (tenant_id, list_name, id) where list_name is not null;

alter table workspaces
  -- For how many months after the last dealing with a person their lead is kept; null: until somebody deletes it.
  add column retention_months integer check (retention_months between 1 and 1200);

-- `lawful_basis` is its kind; `consent_at` and `notice_sent_at` were there.
alter table leads
  add column lawful_basis_at timestamptz,
  add column lawful_basis_proof text,
  -- Null: those that its kind covers by itself.
  add column lawful_basis_channels text[] check (lawful_basis_channels <@ array['chat', 'phone', 'email']),
  add column lawful_basis_expires_at timestamptz,
  add column lawful_basis_by uuid references users (id),
  add constraint leads_lawful_basis check (
    lawful_basis in ('consent', 'contract', 'legitimate_interest') and lawful_basis_at is not null or lawful_basis is null);

-- The words of this advert ask agencies not to call. Of two adverts of a lead each says it for itself.
alter table lead_sources add column agencies_abstain boolean not null default false;

-- Takes jobs out of the queue that mention any of these texts, but for those that are being done. Returns how many.
-- The queue's tables belong to the owner.
create function forget_jobs(mentions text[]) returns integer
  language sql volatile security definer set search_path = aldaba, pg_temp
as $$
  select count(*)::integer from graphile_worker.complete_jobs(array(
    select id from graphile_worker._private_jobs j
    where payload ->> 'tenantId' = current_tenant()::text
      and exists (select from unnest(mentions) mention
        where strpos(j.payload::text, mention) > 0 or strpos(coalesce(j.last_error, ''), mention) > 0)))
$$;
revoke all on function forget_jobs from public;
grant execute on function forget_jobs to aldaba_service;

-- The ids in a reply, which is encrypted: by them those that show an erased person are found. Null: kept before this was.
alter table idempotency_keys add column mentions uuid[];
