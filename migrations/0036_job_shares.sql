-- Jobs name their tenant in a flag, by which the queue passes over those of a tenant that has its share of the workers.

create or replace function enqueue(job_name text, payload json, run_at timestamptz, job_key text, queue_name text, max_attempts integer)
  returns void
  language sql security definer set search_path = aldaba, pg_temp
as $$
  select graphile_worker.add_job(job_name, payload, queue_name, run_at, max_attempts, job_key,
    flags => array_remove(array['tenant ' || (payload ->> 'tenantId')], null))
$$;

update graphile_worker._private_jobs
  set flags = coalesce(flags, '{}') || jsonb_build_object('tenant ' || (payload ->> 'tenantId'), true)
  where payload ->> 'tenantId' is not null;
