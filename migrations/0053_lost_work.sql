-- Work whose job got lost is looked for once for the whole deployment: the owner finds whose it is, and takes it up there.
create policy owner_lookup on extractions for select to current_user using (true);
create policy owner_lookup on imports for select to current_user using (true);
create policy owner_lookup on lead_operations for select to current_user using (true);
create index imports_kept on imports (file_kept_until) where file_kept_until is not null;
