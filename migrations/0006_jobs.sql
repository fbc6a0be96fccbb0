-- Acts on machines: claimed by a host's agent (host_id) or, for ssh servers, by the worker (host null), under a lease.

create table jobs (
  id uuid primary key,
  server_id uuid not null references servers,
  host_id uuid references hosts,
  placement_id uuid references placements,
  order_id uuid references orders,
  kind text not null check (kind in
    ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword', 'resize', 'destroy', 'snapshot', 'revert', 'rescue')),
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED')),
  epoch integer not null default 0,
  generation integer not null check (generation >= 1),
  attempt integer not null default 0 check (attempt >= 0),
  max_attempts integer not null default 3 check (max_attempts >= 1),
  payload jsonb not null,
  -- The password to set; claim opens it into its reply, it never stands in the payload.
  secret_id uuid references machine_secrets,
  asked_by uuid references users,
  steps jsonb not null default '[]',
  percentage integer not null default 0 check (percentage between 0 and 100),
  result jsonb,
  error text,
  abort_requested boolean not null default false,
  run_at timestamptz not null,
  lease_until timestamptz,
  instance_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((status = 'RUNNING') = (lease_until is not null)),
  check (status not in ('SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED') or finished_at is not null)
);
-- "Busy" is "there is an open job": at most one running and one queued per server and host. The host is part of the key
-- because the clean-up of an abandoned place runs on its old host beside the new set-up.
create unique index jobs_running_key on jobs (server_id, host_id) nulls not distinct where status = 'RUNNING';
create unique index jobs_queued_key on jobs (server_id, host_id) nulls not distinct where status = 'QUEUED';
create index jobs_queue_idx on jobs (host_id, run_at) where status = 'QUEUED';
create index jobs_lease_idx on jobs (lease_until) where status = 'RUNNING';
create index jobs_server_idx on jobs (server_id, created_at desc, id desc);
create index jobs_order_idx on jobs (order_id) where order_id is not null;
create index jobs_status_idx on jobs (status, created_at desc, id desc);
create index jobs_kind_idx on jobs (kind, created_at desc, id desc);
create index jobs_host_idx on jobs (host_id, created_at desc, id desc);
create index jobs_all_idx on jobs (created_at desc, id desc);
create index jobs_recent_installs_idx on jobs (finished_at desc) where kind = 'install' and status = 'SUCCEEDED';

-- The epoch rises after a restored back-up, so that agents refuse nothing new and everything old.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);
