-- Hosts, their addresses, servers and the places they hold.

create table hosts (
  id uuid primary key,
  name text not null unique check (length(name) between 1 and 100),
  status text not null default 'ENROLLING'
    check (status in ('ENROLLING', 'READY', 'DRAINING', 'MAINTENANCE', 'LOST', 'RETIRED')),
  hypervisor text check (hypervisor in ('virsh', 'simulated')),
  hypervisor_version text,
  cpu_cores integer not null default 0 check (cpu_cores >= 0),
  memory_mb bigint not null default 0 check (memory_mb >= 0),
  disk_gb bigint not null default 0 check (disk_gb >= 0),
  cpu_overcommit numeric(4, 2) not null default 4 check (cpu_overcommit between 1 and 16),
  -- Kept from what the host itself uses.
  reserved_memory_mb bigint not null default 0 check (reserved_memory_mb >= 0),
  -- Moved by the trigger on placements; the checks refuse a host over capacity whatever the code does.
  used_cpu integer not null default 0 check (used_cpu >= 0),
  used_memory_mb bigint not null default 0 check (used_memory_mb >= 0),
  used_disk_gb bigint not null default 0 check (used_disk_gb >= 0),
  images text[] not null default '{}',
  bridge text,
  vlan integer check (vlan between 1 and 4094),
  token_hash bytea unique check (length(token_hash) = 32),
  enrolment_hash bytea unique check (length(enrolment_hash) = 32),
  enrolment_expires_at timestamptz,
  machine_id text,
  instance_id uuid,
  -- Earlier starts of this host's agent: one of them calling again proves that two are alive.
  past_instances uuid[] not null default '{}',
  agent_version text,
  last_seen_at timestamptz,
  inventory_at timestamptz,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint hosts_capacity_cpu check (used_cpu <= cpu_cores * cpu_overcommit or status in ('LOST', 'RETIRED')),
  constraint hosts_capacity_memory check (used_memory_mb <= greatest(memory_mb - reserved_memory_mb, 0) or status in ('LOST', 'RETIRED')),
  constraint hosts_capacity_disk check (used_disk_gb <= disk_gb or status in ('LOST', 'RETIRED'))
);

-- Which groups a host serves.
create table host_groups (
  host_id uuid not null references hosts,
  group_id uuid not null references server_groups,
  primary key (host_id, group_id)
);
create index host_groups_group_idx on host_groups (group_id, host_id);

create table ip_pools (
  id uuid primary key,
  name text not null unique,
  network cidr not null,
  gateway inet,
  dns text[] not null default '{}',
  created_at timestamptz not null
);
create table host_ip_pools (
  host_id uuid not null references hosts,
  pool_id uuid not null references ip_pools,
  primary key (host_id, pool_id)
);

-- Passwords of machines, `v1.{keyId}.{iv}.{tag}.{data}`, AES-256-GCM bound to table, column and row (decisions, "Passwords
-- for machines"). In a table of their own so that an order, its server and a job can share one without opening it, and so
-- that no ordinary read of a server can carry one.
create table machine_secrets (
  id uuid primary key,
  value_enc text not null check (value_enc like 'v1.%'),
  created_at timestamptz not null
);

create table servers (
  id uuid primary key,
  driver text not null check (driver in ('kvm', 'ssh')),
  group_id uuid not null references server_groups,
  order_id uuid unique,
  user_id uuid references users,
  name text not null check (length(name) between 1 and 100),
  cpu_cores integer not null check (cpu_cores > 0),
  memory_gb integer not null check (memory_gb > 0),
  storage_gb integer not null check (storage_gb > 0),
  bandwidth_mbps integer not null check (bandwidth_mbps >= 0),
  disk_type text not null default 'SSD',
  network_speed text,
  os_name text,
  os_version text,
  image_id uuid references images,
  ssh_port integer not null default 22 check (ssh_port between 1 and 65535),
  username text not null default 'root',
  secret_id uuid references machine_secrets,
  -- ssh driver: what the administrator entered.
  ip inet,
  operating_system text,
  -- SHA-256 of the machine's host key at its first test; another one is refused.
  host_key text,
  -- While its order is suspended the machine has this password instead of its owner's.
  locked_secret_id uuid references machine_secrets,
  entered_status text check (entered_status in ('ONLINE', 'OFFLINE')),
  is_sold boolean not null default false,
  needs_cleaning boolean not null default false,
  -- kvm driver: the running number of set-ups; each placement is one.
  generation integer not null default 0 check (generation >= 0),
  mac text unique,
  install_status text check (install_status in ('INSTALLING', 'COMPLETED', 'FAILED')),
  power text not null default 'unknown' check (power in ('on', 'off', 'unknown')),
  power_changed_at timestamptz,
  ssh_connectable boolean,
  ssh_latency_ms integer,
  ssh_checked_at timestamptz,
  protected boolean not null default false,
  released_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index servers_group_idx on servers (group_id, created_at desc);
create index servers_user_idx on servers (user_id, created_at desc) where user_id is not null;
create index servers_living_idx on servers (created_at desc, id desc) where released_at is null;
create index servers_living_group_idx on servers (group_id, created_at desc, id desc) where released_at is null;
create unique index servers_ip_key on servers (ip, ssh_port) where driver = 'ssh';
create index servers_for_sale_idx on servers (group_id, created_at) where driver = 'ssh' and not is_sold and not needs_cleaning;
create index servers_ssh_idx on servers (ssh_checked_at nulls first) where driver = 'ssh';

-- A place on a host. `held` and `releasing` count as used; `freed` only when the host reported that nothing uses it.
create table placements (
  id uuid primary key,
  server_id uuid not null references servers,
  host_id uuid not null references hosts,
  generation integer not null check (generation >= 1),
  cpu_cores integer not null check (cpu_cores > 0),
  memory_mb integer not null check (memory_mb > 0),
  disk_gb integer not null check (disk_gb > 0),
  state text not null check (state in ('held', 'releasing', 'freed')),
  created_at timestamptz not null,
  releasing_at timestamptz,
  -- When the clean-up of this place ended; an inventory begun later may free it.
  destroyed_at timestamptz,
  freed_at timestamptz,
  unique (server_id, generation)
);
create unique index placements_held_key on placements (server_id) where state = 'held';
create index placements_host_idx on placements (host_id) where state <> 'freed';

create function placement_moves_host() returns trigger language plpgsql as $$
begin
  -- held becomes releasing: nothing changes for the host, and its row need not be locked.
  if tg_op = 'UPDATE' and old.state <> 'freed' and new.state <> 'freed'
    and (old.cpu_cores, old.memory_mb, old.disk_gb) = (new.cpu_cores, new.memory_mb, new.disk_gb) then
    return null;
  end if;
  if tg_op = 'UPDATE' and old.state <> 'freed' then
    update hosts set used_cpu = used_cpu - old.cpu_cores, used_memory_mb = used_memory_mb - old.memory_mb,
      used_disk_gb = used_disk_gb - old.disk_gb where id = old.host_id;
  end if;
  if tg_op = 'UPDATE' and old.state = 'freed' and new.state <> 'freed' then
    raise exception 'a freed place does not come back' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> 'freed' then
    update hosts set used_cpu = used_cpu + new.cpu_cores, used_memory_mb = used_memory_mb + new.memory_mb,
      used_disk_gb = used_disk_gb + new.disk_gb where id = new.host_id;
  end if;
  return null;
end $$;
create trigger placement_moves_host after insert or update on placements
  for each row execute function placement_moves_host();

-- One row per address of a pool: handed out under a row lock, so nobody can get the same one.
create table addresses (
  pool_id uuid not null references ip_pools,
  address inet not null,
  placement_id uuid references placements,
  position integer,
  reserved boolean not null default false,
  free_since timestamptz,
  primary key (address),
  check (placement_id is null or not reserved)
);
-- The longest free first, so that an address rests before it is used again.
create index addresses_free_idx on addresses (pool_id, free_since nulls first, address) where placement_id is null and not reserved;
create index addresses_placement_idx on addresses (placement_id, position) where placement_id is not null;

-- The last figures of each server, and a sample a minute for charts.
create table server_metrics (
  server_id uuid primary key references servers,
  at timestamptz not null,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  uptime_seconds bigint,
  rx_bytes bigint,
  tx_bytes bigint
);
create table metric_samples (
  server_id uuid not null references servers,
  at timestamptz not null,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  rx_bytes bigint,
  tx_bytes bigint,
  primary key (server_id, at)
);
create table traffic_months (
  server_id uuid not null references servers,
  month date not null,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  primary key (server_id, month)
);

-- A person asks for a connection test; the host's agent answers through its claim.
create table connection_tests (
  id uuid primary key,
  server_id uuid not null references servers,
  host_id uuid not null references hosts,
  address inet not null,
  port integer not null,
  asked_at timestamptz not null,
  handed_at timestamptz,
  done_at timestamptz,
  ssh_connectable boolean,
  latency_ms integer
);
create index connection_tests_server_idx on connection_tests (server_id, asked_at desc);
create index connection_tests_open_idx on connection_tests (host_id, asked_at) where handed_at is null;

-- What an inventory saw that no job explains.
create table findings (
  id uuid primary key,
  host_id uuid not null references hosts,
  kind text not null check (kind in ('stray-domain', 'stray-volume', 'missing-domain', 'second-agent', 'shrunk-host', 'other')),
  subject text not null,
  details jsonb not null default '{}',
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  resolved_at timestamptz
);
create unique index findings_open_key on findings (host_id, kind, subject) where resolved_at is null;
