-- What a month was told of its quotas: the most that was used with 80 and with 100 % of the limit of the time reached, 0 if never.
alter table quota_usage
  add column reached_80 integer not null default 0,
  add column reached_100 integer not null default 0;
