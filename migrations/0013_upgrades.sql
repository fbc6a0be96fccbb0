-- After a resize that began and failed for good the money is back at once; the machine and its place follow.
alter table order_upgrades
  -- The machine may still have the larger size, and its place counts it.
  add column machine_larger boolean not null default false,
  -- What the place counted before, for an upgrade that never began: a disk may have grown in an earlier one and stays so.
  add column disk_before_gb integer;
create index order_upgrades_larger_idx on order_upgrades (id) where machine_larger;
