-- Backups as they are sold, kept and asked for (decision 0104).

-- Fen a month for each that is kept, and how many may be bought; 0: not sold.
alter table price_groups
  add column backup_rate_fen bigint not null default 0
    constraint price_groups_backup_rate_fen_not_negative check (backup_rate_fen >= 0),
  add column most_backups integer not null default 0
    constraint price_groups_most_backups_range check (most_backups between 0 and 30);

-- How many are kept at most. Checked in a file of its own: orders are many.
alter table orders add column backups integer not null default 0;
alter table orders add constraint orders_backups_range check (backups between 0 and 30) not valid;

-- More backups alone change nothing on a host: such an upgrade has no job.
alter table order_upgrades
  add column backups integer not null default 0,
  alter column job_id drop not null,
  add constraint order_upgrades_job_unless_done check (job_id is not null or status = 'DONE');

-- Where backups are kept. The current one takes new ones; what lies in an earlier one is found there.
create table backup_repositories (
  id uuid primary key,
  -- As restic takes it, without secrets.
  url text not null constraint backup_repositories_url_length check (length(url) between 1 and 500)
    constraint backup_repositories_url_unique unique,
  -- Who reads and writes there; empty where nobody is asked.
  username text not null constraint backup_repositories_username_length check (length(username) <= 200),
  -- Its passwords, as JSON.
  secret_id uuid not null references machine_secrets,
  -- KiB per second of each host; 0: unlimited.
  upload_limit_kib integer not null constraint backup_repositories_upload_limit_kib_not_negative check (upload_limit_kib >= 0),
  is_current boolean not null,
  version integer not null default 1,
  saved_by uuid not null references users,
  saved_at timestamptz not null
);
create unique index backup_repositories_current_key on backup_repositories (is_current) where is_current;
create index backup_repositories_secret_idx on backup_repositories (secret_id);

-- A copy of a machine's disk. A row goes with its copy; made_at is null until it was made.
create table backups (
  id uuid primary key,
  server_id uuid not null references servers,
  repository_id uuid not null references backup_repositories,
  origin text not null constraint backups_origin_known check (origin in ('MANUAL', 'SCHEDULE')),
  asked_by uuid references users,
  -- What was on the disk then, and the way in: a restore brings back both.
  disk_gb integer not null constraint backups_disk_gb_positive check (disk_gb > 0),
  image_id uuid not null references images,
  os_name text not null,
  os_version text not null,
  ssh_port integer not null,
  username text not null,
  secret_id uuid references machine_secrets,
  host_key text,
  created_at timestamptz not null,
  -- When the disk was as it is kept.
  taken_at timestamptz,
  made_at timestamptz,
  -- Of the disk, and of what was new in it; null: not known.
  disk_bytes bigint,
  added_bytes bigint,
  -- From when on it is to be forgotten, and when its host was last asked to.
  forget_at timestamptz,
  forget_tried_at timestamptz,
  constraint backups_taken_when_made check ((made_at is null) = (taken_at is null))
);
create index backups_server_idx on backups (server_id, created_at desc, id desc);
create index backups_forget_idx on backups (forget_at) where forget_at is not null;
create index backups_secret_idx on backups (secret_id) where secret_id is not null;
create index backups_repository_idx on backups (repository_id);

-- When a server's owner wants them made: by the clock in Asia/Shanghai.
create table backup_schedules (
  server_id uuid primary key references servers,
  frequency text not null constraint backup_schedules_frequency_known check (frequency in ('daily', 'weekly')),
  hour integer not null constraint backup_schedules_hour_range check (hour between 0 and 23),
  -- 1 is Monday.
  weekday integer constraint backup_schedules_weekday_range check (weekday between 1 and 7),
  next_at timestamptz not null,
  -- Without a whole one until then, an operator is told.
  late_at timestamptz not null,
  updated_at timestamptz not null,
  constraint backup_schedules_weekday_when_weekly check ((frequency = 'weekly') = (weekday is not null))
);
create index backup_schedules_next_idx on backup_schedules (next_at);
create index backup_schedules_late_idx on backup_schedules (late_at);

-- Of the disk that a machine still has where a restore, its next generation, did not come about.
alter table placements add column earlier_generation integer
  constraint placements_earlier_generation_positive check (earlier_generation >= 1);

alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-rescue',
  'changed-iso',
  'changed-firewall',
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
  'unreadable-secret',
  'late-backup'
));
