-- Who had an address and has it no more: reports of abuse come days later, and an address goes from one to the next (decision 0119). Written
-- as it is given back, so a purchase writes no row more. Those that were given back before are not known.
create table past_addresses (
  id bigint generated always as identity primary key,
  address inet not null,
  server_id uuid not null references servers,
  from_at timestamptz not null,
  until_at timestamptz not null,
  constraint past_addresses_end_not_before_begin check (until_at >= from_at)
);
create index past_addresses_address_idx on past_addresses (address, until_at);

create function keep_past_addresses() returns trigger language plpgsql as $$
begin
  insert into past_addresses (address, server_id, from_at, until_at)
    select old.address, p.server_id, begun.at, greatest(begun.at, coalesce(new.free_since, now()))
    from placements p left join order_upgrades u on u.id = old.upgrade_id
      cross join lateral (select coalesce(u.created_at, p.created_at) as at) begun
    where p.id = old.placement_id;
  return null;
end $$;
create trigger addresses_keep_past after update of placement_id on addresses
  for each row when (old.placement_id is not null and new.placement_id is distinct from old.placement_id)
  execute function keep_past_addresses();
