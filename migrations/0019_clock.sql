-- Every entry of the audit log carries the database's own time beside the moment that its writer claims, so that what a wrong
-- clock did can be told afterwards. Entries from before have none.
alter table audit_log add column written_at timestamptz;
alter table audit_log alter column written_at set default clock_timestamp();
