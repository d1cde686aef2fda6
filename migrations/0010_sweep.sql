-- Extractions whose job got lost are put back into the queue, a few times at most.

alter table extractions add column sweeps integer not null default 0;

-- Whether a job of the tenant's own still is, or may be, run for an extraction. The queue's tables belong to the owner.
create function has_job(job_name text, extraction uuid) returns boolean
  language sql stable security definer set search_path = aldaba, pg_temp
as $$
  select exists (
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = job_name and j.payload->>'tenantId' = current_tenant()::text
      and j.payload->'data'->>'extractionId' = extraction::text
      and (j.locked_at is not null or j.attempts < j.max_attempts))
$$;
revoke all on function has_job from public;
grant execute on function has_job to aldaba_service;
