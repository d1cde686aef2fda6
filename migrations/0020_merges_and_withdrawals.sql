-- A basis that was withdrawn, and what a merge keeps of the lead that went.

-- When the last recorded basis was withdrawn: an older one does not come back by a file.
alter table leads add column lawful_basis_withdrawn_at timestamptz;

-- What refers to the lead that went, and went with it: { likenesses, importRows, importChanges }; and when each source of both
-- was last seen: { seen }.
alter table lead_merges add column attached jsonb not null default '{}';
