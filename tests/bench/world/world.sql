-- A shop to measure: 20 groups, 1,000 hosts, 1,000 customers. What is sold is copied from orders that the API placed.
create schema bench;
grant usage on schema bench to public;

/* Kinds: 1 group, 2 price group, 3 host, 4 user, 5 wallet, 6 session, 7 pool, 8 order, 9 server, 10 placement, 11 other. */
create function bench.id(kind int, n bigint) returns uuid language sql immutable as
$$ select (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
/* As the API stores it: the token's hash. */
create function bench.token(kind text, n bigint) returns text language sql immutable as
$$ select rpad(kind || n::text, 43, '-') $$;

insert into categories (id, name, created_at, updated_at) values (bench.id(11, 1), '云服务器', now(), now());
insert into images (id, os_name, os_version, file, created_at, updated_at)
  values (bench.id(11, 2), 'Debian', '12', 'debian-12.qcow2', now(), now()), (bench.id(11, 3), 'Ubuntu', '24.04', 'ubuntu-24.qcow2', now(), now());
insert into server_groups (id, category_id, name, region, created_at, updated_at)
  select bench.id(1, n), bench.id(11, 1), 'group ' || n, 'region ' || n, now(), now() from generate_series(1, 20) n;
insert into price_groups (id, name, server_group_id, hourly_fen, daily_fen, monthly_fen, quarterly_fen, semi_annual_fen, annual_fen,
    cpu_rate_fen, memory_rate_fen, storage_rate_fen, created_at, updated_at)
  select bench.id(2, n), 'price ' || n, bench.id(1, n), 10, 100, 3000, 8500, 16000, 30000, 1000, 500, 200, now(), now()
  from generate_series(1, 20) n;

-- Group 1 has one host, groups 2 to 6 four each, group 7 all thousand, the others share the rest.
insert into hosts (id, name, status, cpu_cores, memory_mb, disk_gb, images, token_hash, machine_id, instance_id, created_at, updated_at)
  select bench.id(3, n), 'host ' || n, 'READY', 100000, 400000000, 40000000, array['debian-12.qcow2', 'ubuntu-24.qcow2'],
    sha256(bench.token('host', n)::bytea), 'machine of the bench', bench.id(11, 10000 + n), now(), now()
  from generate_series(1, 1000) n;
-- Nobody reports in most cases: they were heard tomorrow.
insert into host_heartbeats (host_id, last_seen_at, inventory_at)
  select bench.id(3, n), now() + interval '1 day', now() from generate_series(1, 1000) n;
insert into host_groups (host_id, group_id)
  select bench.id(3, n), bench.id(1, case when n = 1 then 1 when n <= 21 then 2 + (n - 2) / 4 else 8 + n % 13 end) from generate_series(1, 1000) n
  union all select bench.id(3, n), bench.id(1, 7) from generate_series(1, 1000) n;
insert into ip_pools (id, name, network, gateway, created_at) values (bench.id(7, 1), 'pool', '10.0.0.0/8', '10.0.0.1', now());
insert into host_ip_pools (host_id, pool_id) select bench.id(3, n), bench.id(7, 1) from generate_series(1, 1000) n;
insert into addresses (pool_id, address) select bench.id(7, 1), '10.0.0.1'::inet + n from generate_series(1, 200000) n;

insert into users (id, username, email, password_hash, created_at, updated_at)
  select bench.id(4, n), 'user' || n, 'user' || n || '@example.com', 'none', now(), now() from generate_series(1, 1000) n;
insert into sessions (id, token_hash, user_id, created_at, last_seen_at)
  select bench.id(6, n), sha256(bench.token('user', n)::bytea), bench.id(4, n), now(), now() from generate_series(1, 1000) n;
insert into users (id, username, email, password_hash, role, created_at, updated_at)
  values (bench.id(4, 5000), 'boss', 'boss@example.com', 'none', 'ADMIN', now(), now());
insert into sessions (id, token_hash, user_id, created_at, last_seen_at)
  values (bench.id(6, 5000), sha256(bench.token('admin', 1)::bytea), bench.id(4, 5000), now(), now());
insert into wallets (id, user_id, created_at, updated_at)
  select bench.id(5, n), bench.id(4, n), now(), now() from generate_series(1, 1000) n;
insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
  select bench.id(5, n), bench.id(4, n), 1, bench.id(11, 100 + n), 'L' || n, 'ADJUSTMENT', 'bench:' || n, 0, 100000000, 100000000, 'bench', now()
  from generate_series(1, 1000) n;

/* PENDING copies of an order, each of another customer, whose number is `n`. */
create sequence bench.orders start 1000000;
create function bench.copy_orders(model uuid, many int) returns table (id uuid, n int) language plpgsql as $$
declare
  wanted orders;
  serial bigint;
begin
  select * into strict wanted from orders o where o.id = model;
  for copy in 1 .. many loop
    serial := nextval('bench.orders');
    wanted.id := bench.id(8, serial);
    wanted.number := 'B' || serial;
    n := 1 + serial % 1000;
    wanted.user_id := bench.id(4, n);
    insert into orders values (wanted.*);
    id := wanted.id;
    return next;
  end loop;
end $$;

/* Machines that run: order, server, place and address of each, on all hosts alike. Triggers would move each host a thousand times. */
create function bench.fill(model uuid, many int) returns void language plpgsql as $$
begin
  set local session_replication_role = replica;
  insert into servers (id, driver, group_id, order_id, user_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, os_name, os_version,
      image_id, generation, install_status, power, created_at, updated_at)
    select bench.id(9, n), 'kvm', g.group_id, bench.id(8, n), bench.id(4, 1 + n % 1000), 'server ' || n, 2, 4, 40, 100, 'Debian', '12',
      bench.id(11, 2), 1, 'COMPLETED', 'on', now(), now()
    from generate_series(1, many) n join host_groups g on g.host_id = bench.id(3, 1 + n % 1000) and g.group_id <> bench.id(1, 7);
  insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', bench.id(8, n), 'number', 'F' || n, 'user_id', bench.id(4, 1 + n % 1000),
      'server_id', bench.id(9, n), 'server_name', 'server ' || n, 'status', 'ACTIVE', 'paid_at', now(), 'paid_fen', o.amount_fen,
      'activated_at', now(), 'anchor_at', now(), 'periods_count', 1, 'expires_at', now() + interval '30 days'))).*
    from orders o, generate_series(1, many) n where o.id = model;
  insert into tenancies (order_id, server_id, from_at) select bench.id(8, n), bench.id(9, n), now() from generate_series(1, many) n;
  insert into placements (id, server_id, host_id, generation, cpu_cores, memory_mb, disk_gb, state, created_at)
    select bench.id(10, n), bench.id(9, n), bench.id(3, 1 + n % 1000), 1, 2, 4096, 40, 'held', now() from generate_series(1, many) n;
  update addresses a set placement_id = p.id, position = 0
    from (select address, row_number() over (order by address) as n from addresses) taken join placements p on p.id = bench.id(10, taken.n)
    where a.address = taken.address and taken.n <= many;
  update hosts h set used_cpu = used.cpu, used_memory_mb = used.memory, used_disk_gb = used.disk
    from (select host_id, sum(cpu_cores)::int as cpu, sum(memory_mb) as memory, sum(disk_gb) as disk from placements group by host_id) used
    where used.host_id = h.id;
end $$;

/* As the API makes them, of a day and ten characters: no two alike, none a part of another. */
create function bench.number(day timestamptz, n bigint) returns text language sql stable as
$$ select 'V' || to_char(day, 'YYMMDD') || lpad(upper(to_hex(n * 387420489 % 1099511627776)), 10, '0') $$;

/* Orders that ended, an hour after one another. */
create function bench.old_orders(model uuid, many int) returns void language plpgsql as $$
begin
  set local session_replication_role = replica;
  insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', bench.id(8, n), 'number', bench.number(now() - n * interval '1 hour', n),
      'user_id', bench.id(4, 1 + n % 1000), 'status', 'CANCELLED', 'ended_at', now(), 'created_at', now() - n * interval '1 hour'))).*
    from orders o, generate_series(1, many) n where o.id = model;
end $$;
