-- What a lead had by mistake, of a merge or an import that was undone: it tells nothing of whom the lead is of.
alter table former_identifiers add column given_back boolean not null default false;
