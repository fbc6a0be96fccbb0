-- Whether the disk may hold a system that its owner installed from a disc (decision 0105): who is taken back to it reads so again.
alter table backups add column iso_booted_at timestamptz;
alter table snapshots add column iso_booted_at timestamptz;
