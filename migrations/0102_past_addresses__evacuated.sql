-- An address that an upgrade added is kept with its upgrade on another host (decision 0127): there from then on, not from the upgrade.
create or replace function keep_past_addresses() returns trigger language plpgsql as $$
begin
  insert into past_addresses (address, server_id, from_at, until_at, outside, ports, first_port)
    select old.address, p.server_id, begun.at, greatest(begun.at, coalesce(new.free_since, now())), i.nat_address, i.nat_ports,
      -- Of IPv6 the difference may be more than a number holds.
      case when i.nat_address is not null
        then i.nat_first_port + (old.address - coalesce(i.first_address, i.network::inet + 1)) * i.nat_ports end
    from placements p join ip_pools i on i.id = old.pool_id left join order_upgrades u on u.id = old.upgrade_id
      cross join lateral (select greatest(u.created_at, p.created_at) as at) begun
    where p.id = old.placement_id;
  return null;
end $$;
