-- Which people may be contacted, who must not be, and identifiers kept without being readable.

-- HMAC-SHA256 (RFC 2104) of an identifier under a key of the deployment. The program gives both pads of the key to each connection;
-- they are in no table, no dump and no log. Without them this fails. Upper case makes no other person; collation "C" lowers the
-- letters of ASCII alone, and the same ones for ever.
create function identifier_hash(value text) returns bytea
  language sql stable parallel safe
  return sha256(decode(current_setting('aldaba.identifier_outer_pad'), 'hex')
    || sha256(decode(current_setting('aldaba.identifier_inner_pad'), 'hex') || convert_to(lower(value collate "C"), 'UTF8')));

-- How a connection gets the pads without any log of the server showing them: parameters of a statement may be logged, results are
-- not. This one makes 128 random bytes for the connection and returns them.
create function make_pads_mask() returns bytea
  language plpgsql volatile
as $$
declare
  mask bytea := '';
begin
  -- 122 of the 128 bits of such an id are random: three of them fill a hash.
  for part in 1..4 loop
    mask := mask || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
  end loop;
  perform set_config('aldaba.pads_mask', encode(mask, 'hex'), false);
  return mask;
end $$;

-- Takes the inner and the outer pad, 64 bytes each, combined with the mask by exclusive or. The mask serves once.
create function take_hash_pads(masked bytea) returns void
  language plpgsql volatile
as $$
declare
  mask bytea := decode(current_setting('aldaba.pads_mask'), 'hex');
  pads bytea := masked;
begin
  for i in 0..127 loop
    pads := set_byte(pads, i, get_byte(pads, i) # get_byte(mask, i));
  end loop;
  perform set_config('aldaba.pads_mask', '', false),
    set_config('aldaba.pads_id', left(encode(sha256(pads), 'hex'), 16), false),
    set_config('aldaba.identifier_inner_pad', encode(substr(pads, 1, 64), 'hex'), false),
    set_config('aldaba.identifier_outer_pad', encode(substr(pads, 65, 64), 'hex'), false);
end $$;

-- Behind a pooler a process does not know which connection of the server's it works on: that fails here unless it has the pads of
-- this name.
create function check_hash_pads(pads_id text) returns void
  language plpgsql stable
as $$
begin
  if current_setting('aldaba.pads_id', true) is distinct from pads_id then
    raise exception 'this connection was not given the pads of our hashes' using errcode = 'AL410';
  end if;
end $$;

create table suppressions (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('opt_out', 'erased', 'exclusion_list', 'manual')),
  identifier_kind text not null check (identifier_kind in ('phone', 'email', 'chat', 'advert')),
  hash bytea not null check (length(hash) = 32),
  channel text check (channel in ('chat', 'phone', 'email')),
  list_name text,
  note text,
  created_at timestamptz not null,
  created_by uuid references users (id),
  primary key (tenant_id, id),
  check ((kind = 'exclusion_list') = (list_name is not null)),
  check (kind <> 'erased' or channel is null)
);
comment on table suppressions is 'The suppression list: identifiers of people who must not be contacted.';
comment on column suppressions.id is 'A UUIDv7: the order of ids is the order of creation.';
comment on column suppressions.identifier_kind is '`advert` is a listing: the listing of an erased person is not read again, whatever it shows by then.';
comment on column suppressions.hash is 'identifier_hash() of the identifier, which is not kept.';
comment on column suppressions.channel is 'Null: every channel.';
call stamp_tenant_table('suppressions');
create unique index suppressions_once on suppressions (tenant_id, hash, kind, channel, list_name) nulls not distinct;
-- Looked up for every listing that is read.
create index suppressions_erased on suppressions (tenant_id, hash) where kind = 'erased';
create index suppressions_list on suppressions (tenant_id, list_name, id) where list_name is not null;

create table suppressed_leads (
  tenant_id uuid not null,
  lead_id uuid not null,
  primary key (tenant_id, lead_id),
  foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete cascade
);
comment on table suppressed_leads is 'Leads with an identifier that was found on the suppression list. A job removes those that have none any more.';
call stamp_tenant_table('suppressed_leads');

-- Leads whose person may be contacted are among those with a lawful basis, which few may have.
create index leads_lawful_basis on leads (tenant_id, id) include (updated_at, price_or_most, price_or_least)
  where lawful_basis is not null;
-- Leads whose person may not be contacted, found without reading all others: by what the lead says, by the clock, by its listings
-- (lead_sources_abstaining) and by suppressed_leads. Each lead that these find is checked once more: they may find too many, and
-- never too few.
create index leads_not_reached on leads (tenant_id, id) where
  lawful_basis is null or status = 'discarded' or (lawful_basis = 'consent' and lawful_basis_proof is null)
  or ((phone is null or not coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end) && '{chat,phone}')
    and (email is null or not 'email' = any(coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end))));
create index leads_basis_begins on leads (tenant_id, lawful_basis_at) where lawful_basis is not null;
create index leads_basis_ends on leads (tenant_id, lawful_basis_expires_at) where lawful_basis_expires_at is not null;
