-- What a host's agent tells every 10 s, apart from the row that purchases lock. Small and rewritten often: pages have room for the
-- next version of a row, and no index is touched.
create table host_heartbeats (
  host_id uuid primary key references hosts,
  last_seen_at timestamptz not null,
  inventory_at timestamptz,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  transfers jsonb not null default '[]'
) with (fillfactor = 40);

insert into host_heartbeats (host_id, last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers)
  select id, last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers from hosts where last_seen_at is not null;

-- Rewritten every 10 s too.
alter table server_metrics set (fillfactor = 50);

-- Processes of the version before read and write these columns of hosts until they are restarted; the next version drops them with
-- both triggers (migrations/README.md).
comment on column hosts.last_seen_at is 'unused since 0029';
comment on column hosts.inventory_at is 'unused since 0029';
comment on column hosts.cpu_usage is 'unused since 0029';
comment on column hosts.memory_usage is 'unused since 0029';
comment on column hosts.disk_usage is 'unused since 0029';
comment on column hosts.transfers is 'unused since 0029';

create function copy_to_host_heartbeats() returns trigger language plpgsql as $$
begin
  insert into host_heartbeats (host_id, last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers)
    values (new.id, new.last_seen_at, new.inventory_at, new.cpu_usage, new.memory_usage, new.disk_usage, new.transfers)
    on conflict (host_id) do update set last_seen_at = excluded.last_seen_at, inventory_at = excluded.inventory_at,
      cpu_usage = excluded.cpu_usage, memory_usage = excluded.memory_usage, disk_usage = excluded.disk_usage,
      transfers = excluded.transfers;
  return null;
end $$;
create trigger copy_to_host_heartbeats after insert or update of last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers
  on hosts for each row when (new.last_seen_at is not null and pg_trigger_depth() = 0) execute function copy_to_host_heartbeats();

-- Often enough for 60 s of silence, and it waits for nobody: a purchase may hold the host's row.
create function copy_from_host_heartbeats() returns trigger language plpgsql as $$
begin
  update hosts set last_seen_at = new.last_seen_at, inventory_at = new.inventory_at, cpu_usage = new.cpu_usage,
    memory_usage = new.memory_usage, disk_usage = new.disk_usage, transfers = new.transfers
  where id = (select id from hosts where id = new.host_id
    and (last_seen_at is null or last_seen_at not between new.last_seen_at - interval '15 seconds' and new.last_seen_at)
    for no key update skip locked);
  return null;
end $$;
create trigger copy_from_host_heartbeats after insert or update on host_heartbeats
  for each row when (pg_trigger_depth() = 0) execute function copy_from_host_heartbeats();
