-- When a test of an entered machine was last begun, so that any number of processes look often and each machine is tried once.
alter table servers add column ssh_asked_at timestamptz;
