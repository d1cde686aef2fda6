-- Long-running operations have the same columns, whatever they do.

alter table extractions add column moved_at timestamptz not null default now();
alter table lead_operations add column started_at timestamptz, add column error_code text;
alter table lead_operations no force row level security;
update lead_operations set error_code = 'INTERNAL' where error_message is not null;
update lead_operations set started_at = created_at where status <> 'QUEUED';
alter table lead_operations force row level security;
