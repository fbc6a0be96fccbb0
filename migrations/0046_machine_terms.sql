-- What a group says of each of its machines (decision 0100). 0: no limit.
alter table price_groups
  add column disk_iops integer not null default 0
    constraint price_groups_disk_iops_range check (disk_iops between 0 and 1000000),
  add column disk_mb_per_second integer not null default 0
    constraint price_groups_disk_mb_per_second_range check (disk_mb_per_second between 0 and 100000);

-- libvirt's name of a processor that every host of the group has; null: each host's own.
alter table server_groups
  add column cpu_model text constraint server_groups_cpu_model_known check (cpu_model ~ '^[A-Za-z0-9._-]{1,60}$');
