-- What only a dedicated server has, which an administrator added: where it is, what it showed, and whether it is for sale.
create table dedicated_servers (
  server_id uuid primary key,
  ip inet not null,
  port integer not null,
  operating_system text,
  network_speed text,
  -- What the administrator said of it; it counts until its first test.
  initial_status text constraint dedicated_servers_initial_status_known check (initial_status in ('ONLINE', 'OFFLINE')),
  -- SHA-256 of the machine's host key at its first test; another one is refused.
  host_key text,
  -- While its order is suspended the machine has this password instead of its tenant's.
  locked_secret_id uuid references machine_secrets,
  -- When its last test was begun, so that any number of processes look often and each machine is tried once.
  test_begun_at timestamptz,
  is_sold boolean not null default false,
  needs_cleaning boolean not null default false,
  constraint dedicated_servers_address_unique unique (ip, port)
);

-- Its port is the server's; it stands here too so that no two servers answer at one address and port.
alter table servers add constraint servers_id_ssh_port_unique unique (id, ssh_port);

insert into dedicated_servers (server_id, ip, port, operating_system, network_speed, initial_status, host_key, locked_secret_id,
    test_begun_at, is_sold, needs_cleaning)
  select id, ip, ssh_port, operating_system, network_speed, entered_status, host_key, locked_secret_id, ssh_asked_at, is_sold, needs_cleaning
  from servers where driver = 'ssh';

alter table dedicated_servers add constraint dedicated_servers_server_fkey foreign key (server_id, port)
  references servers (id, ssh_port) on update cascade on delete cascade;

create index dedicated_servers_for_sale_idx on dedicated_servers (server_id) where not is_sold and not needs_cleaning;
create index dedicated_servers_locked_secret_idx on dedicated_servers (locked_secret_id) where locked_secret_id is not null;
create index dedicated_servers_search_idx on dedicated_servers using gin (operating_system gin_trgm_ops, host(ip) gin_trgm_ops);

-- Processes of the version before read and write these columns of servers until they are restarted; the next version drops
-- them with both triggers (migrations/README.md).
alter table servers alter column is_sold set default true;
comment on column servers.ip is 'unused since 0023';
comment on column servers.operating_system is 'unused since 0023';
comment on column servers.network_speed is 'unused since 0023';
comment on column servers.entered_status is 'unused since 0023';
comment on column servers.host_key is 'unused since 0023';
comment on column servers.locked_secret_id is 'unused since 0023';
comment on column servers.ssh_asked_at is 'unused since 0023';
comment on column servers.is_sold is 'unused since 0023';
comment on column servers.needs_cleaning is 'unused since 0023';

create function copy_to_dedicated_servers() returns trigger language plpgsql as $$
begin
  insert into dedicated_servers (server_id, ip, port, operating_system, network_speed, initial_status, host_key, locked_secret_id,
      test_begun_at, is_sold, needs_cleaning)
    values (new.id, new.ip, new.ssh_port, new.operating_system, new.network_speed, new.entered_status, new.host_key, new.locked_secret_id,
      new.ssh_asked_at, new.is_sold, new.needs_cleaning)
    on conflict (server_id) do update set ip = excluded.ip, operating_system = excluded.operating_system,
      network_speed = excluded.network_speed, initial_status = excluded.initial_status, host_key = excluded.host_key,
      locked_secret_id = excluded.locked_secret_id, test_begun_at = excluded.test_begun_at, is_sold = excluded.is_sold,
      needs_cleaning = excluded.needs_cleaning;
  return null;
end $$;
create trigger copy_to_dedicated_servers after insert or update of ip, operating_system, network_speed, entered_status, host_key,
    locked_secret_id, ssh_asked_at, is_sold, needs_cleaning on servers
  for each row when (new.driver = 'ssh' and new.ip is not null and pg_trigger_depth() = 0) execute function copy_to_dedicated_servers();

create function copy_from_dedicated_servers() returns trigger language plpgsql as $$
begin
  update servers set ip = new.ip, operating_system = new.operating_system, network_speed = new.network_speed,
    entered_status = new.initial_status, host_key = new.host_key, locked_secret_id = new.locked_secret_id,
    ssh_asked_at = new.test_begun_at, is_sold = new.is_sold, needs_cleaning = new.needs_cleaning
  where id = new.server_id;
  return null;
end $$;
create trigger copy_from_dedicated_servers after insert or update on dedicated_servers
  for each row when (pg_trigger_depth() = 0) execute function copy_from_dedicated_servers();
