-- How much a tenant has queued or running is counted before more is let in: by an index that holds no more than that.
create index extractions_under_way on extractions (tenant_id) where status in ('QUEUED', 'RUNNING');
create index imports_under_way on imports (tenant_id) where status in ('QUEUED', 'RUNNING', 'UNDOING');
create index lead_operations_under_way on lead_operations (tenant_id) where status in ('QUEUED', 'RUNNING');
