-- Which ports of which outside address a shared one had then (decision 0116): its pool may be gone since, or made anew with others.
alter table past_addresses
  add column outside inet,
  add column first_port integer,
  add column ports integer,
  add constraint past_addresses_ports_whole check (num_nulls(outside, first_port, ports) in (0, 3));

update past_addresses h set outside = i.nat_address, ports = i.nat_ports,
    first_port = i.nat_first_port + (h.address - coalesce(i.first_address, i.network::inet + 1)) * i.nat_ports
  from addresses a join ip_pools i on i.id = a.pool_id where a.address = h.address and i.nat_address is not null;
create index past_addresses_outside_idx on past_addresses (outside, until_at) where outside is not null;

create or replace function keep_past_addresses() returns trigger language plpgsql as $$
begin
  insert into past_addresses (address, server_id, from_at, until_at, outside, ports, first_port)
    select old.address, p.server_id, begun.at, greatest(begun.at, coalesce(new.free_since, now())), i.nat_address, i.nat_ports,
      -- Of IPv6 the difference may be more than a number holds.
      case when i.nat_address is not null
        then i.nat_first_port + (old.address - coalesce(i.first_address, i.network::inet + 1)) * i.nat_ports end
    from placements p join ip_pools i on i.id = old.pool_id left join order_upgrades u on u.id = old.upgrade_id
      cross join lateral (select coalesce(u.created_at, p.created_at) as at) begun
    where p.id = old.placement_id;
  return null;
end $$;
