-- The visitors without a lead whose retention ends next.
create index appointments_visitor on appointments (tenant_id, ends_at) where lead_id is null and visitor <> '{}'::jsonb;
