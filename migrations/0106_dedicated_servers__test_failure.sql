-- Why the last test of a dedicated server did not get in; null where it did, or where none was made.
alter table dedicated_servers add column test_failure text constraint dedicated_servers_test_failure_known
  check (test_failure in ('unreachable', 'refused', 'changed-host-key', 'not-done', 'unreadable-secret', 'not-allowed'));
