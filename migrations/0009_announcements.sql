-- Notices to customers: to all, to those with a server in a group, or to those with a server on a host; for a period.
create table announcements (
  id uuid primary key,
  title text not null check (length(title) between 1 and 100),
  body text not null check (length(body) between 1 and 2000),
  level text not null check (level in ('info', 'warning')),
  group_id uuid references server_groups,
  host_id uuid references hosts,
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  -- Made by putting a host into maintenance; ended by bringing it back.
  is_maintenance boolean not null default false,
  created_by uuid references users,
  created_at timestamptz not null,
  check (group_id is null or host_id is null)
);
create index announcements_period_idx on announcements (starts_at desc, id desc);
create unique index announcements_maintenance_key on announcements (host_id) where is_maintenance and ends_at is null;
