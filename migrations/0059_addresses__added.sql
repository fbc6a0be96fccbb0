-- Addresses that an upgrade adds to a running machine (decision 0110).

-- Null: as many as before.
alter table order_upgrades add column ip_count integer
  constraint order_upgrades_ip_count_range check (ip_count between 1 and 10);

alter table addresses
  -- With which it came; null: with its machine, whose seed told the guest of it. Written before the upgrade's row.
  add column upgrade_id uuid,
  -- Whether the guest was made to take it.
  add column in_guest boolean not null default false,
  add constraint addresses_upgrade_id_fkey foreign key (upgrade_id) references order_upgrades
    deferrable initially deferred,
  add constraint addresses_upgrade_of_placed check (upgrade_id is null or placement_id is not null);
create index addresses_upgrade_idx on addresses (upgrade_id) where upgrade_id is not null;
