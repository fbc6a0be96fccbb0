-- A finding may be about the shop as a whole: a process whose clock is wrong, a timer that was stopped.
alter table findings alter column host_id drop not null;
drop index findings_open_key;
create unique index findings_open_key on findings (host_id, kind, subject) nulls not distinct where resolved_at is null;
