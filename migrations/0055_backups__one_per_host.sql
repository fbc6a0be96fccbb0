-- Of each host one machine's disk is read or written for backups at a time; of no machine more than one.
create unique index jobs_one_backup_per_host on jobs (host_id)
  where status = 'RUNNING' and kind in ('backup', 'restore', 'deleteBackup');
