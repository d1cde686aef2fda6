-- Events are rows; emitting one and enqueuing its dispatch happen in the emitter's transaction.

create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
call stamp_tenant_table('events');

-- The queue's own functions belong to the owner; this is the service's one door to them.
create function enqueue(job_name text, payload json, run_at timestamptz, job_key text, queue_name text, max_attempts integer)
  returns void
  language sql security definer set search_path = aldaba, pg_temp
as $$
  select graphile_worker.add_job(job_name, payload, queue_name, run_at, max_attempts, job_key)
$$;
revoke all on function enqueue from public;
grant execute on function enqueue to aldaba_service;
