-- Whether its guest could become another machine, as its agent found when the backup was made (decision 0107); null: not known.
alter table backups add column is_movable boolean;
