-- What a machine's disk was at a moment (decision 0096). A row goes with its snapshot; made_at is null until it was made.
create table snapshots (
  id uuid primary key,
  server_id uuid not null references servers,
  placement_id uuid not null references placements,
  -- Of the disk that holds it.
  generation integer not null constraint snapshots_generation_positive check (generation >= 1),
  name text not null constraint snapshots_name_length check (length(name) between 1 and 60),
  -- What it may take beside the disk at most: counted in its place.
  disk_gb integer not null constraint snapshots_disk_gb_positive check (disk_gb > 0),
  -- The password of that time.
  secret_id uuid references machine_secrets,
  created_at timestamptz not null,
  made_at timestamptz
);
create index snapshots_server_idx on snapshots (server_id, created_at desc, id desc);
create index snapshots_placement_idx on snapshots (placement_id);
create index snapshots_secret_idx on snapshots (secret_id) where secret_id is not null;

-- How many a machine may have.
alter table price_groups add column snapshots integer not null default 1
  constraint price_groups_snapshots_range check (snapshots between 0 and 20);

alter table placements add column snapshot_gb integer not null default 0
  constraint placements_snapshot_gb_not_negative check (snapshot_gb >= 0);

create or replace function placement_moves_host() returns trigger language plpgsql as $$
begin
  -- held becomes releasing: nothing changes for the host, and its row need not be locked.
  if tg_op = 'UPDATE' and old.state <> 'freed' and new.state <> 'freed'
    and (old.cpu_cores, old.memory_mb, old.disk_gb, old.snapshot_gb) = (new.cpu_cores, new.memory_mb, new.disk_gb, new.snapshot_gb) then
    return null;
  end if;
  if tg_op = 'UPDATE' and old.state <> 'freed' then
    update hosts set used_cpu = used_cpu - old.cpu_cores, used_memory_mb = used_memory_mb - old.memory_mb,
      used_disk_gb = used_disk_gb - old.disk_gb - old.snapshot_gb where id = old.host_id;
  end if;
  if tg_op = 'UPDATE' and old.state = 'freed' and new.state <> 'freed' then
    raise exception 'a freed place does not come back' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> 'freed' then
    update hosts set used_cpu = used_cpu + new.cpu_cores, used_memory_mb = used_memory_mb + new.memory_mb,
      used_disk_gb = used_disk_gb + new.disk_gb + new.snapshot_gb where id = new.host_id;
  end if;
  return null;
end $$;

-- Checked in a file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot')) not valid;

alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-autostart',
  'transient-domain',
  'foreign-domain',
  'broken-image',
  'unreadable-domain',
  'changed-base',
  'unguarded-domain',
  'no-address-guard',
  'no-bandwidth-limit',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'hung-domain',
  'crashed-domain',
  'paused-domain',
  'io-error-domain',
  'disk-full-domain',
  'second-agent',
  'unbootable-image',
  'vlan-removed',
  'brake',
  'wrong-clock',
  'unreadable-secret'
));
