-- How a connection is given the pads that identifier_hash() reads, without any log of the server's showing them: parameters of a
-- statement may be logged, results are not.

-- Makes 128 random bytes for this connection and returns them.
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

-- Takes the inner and the outer pad, 64 bytes each, each bit turned where the mask has a one. The mask serves once.
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
    set_config('aldaba.identifier_inner_pad', encode(substr(pads, 1, 64), 'hex'), false),
    set_config('aldaba.identifier_outer_pad', encode(substr(pads, 65, 64), 'hex'), false);
end $$;
