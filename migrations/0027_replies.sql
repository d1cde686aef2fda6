-- What receivers answered may repeat what they were told of a person: it is forgotten together with that.

-- Of deliveries of these events: what was answered goes; that it was, and how quickly, stays.
create function forget_replies(told uuid[]) returns void
  language sql
as $$
  update webhook_deliveries d set attempt_log = (
    select jsonb_agg(jsonb_set(attempt, '{responseBody}', 'null') order by n)
    from jsonb_array_elements(d.attempt_log) with ordinality as a (attempt, n))
  where d.event_id = any(told) and d.attempt_log @? '$[*] ? (@.responseBody != null)'
$$;
revoke all on function forget_replies from public;
grant execute on function forget_replies to aldaba_service;

-- What an event tells is changed, and events are deleted, for one reason: to forget it. So do those who have read it to send it.
create function forget_told() returns trigger
  language plpgsql
as $$
declare tenant uuid;
begin
  select tenant_id into tenant from before limit 1;
  if not found then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    perform forget_replies(array(
      select c.id from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id where c.data is distinct from b.data));
  end if;
  perform pg_notify('aldaba_changes', 'webhook-forgotten ' || tenant);
  return null;
end $$;
create trigger events_forgotten after update on events
  referencing old table as before new table as changed for each statement execute function forget_told();
create trigger events_deleted after delete on events
  referencing old table as before for each statement execute function forget_told();
