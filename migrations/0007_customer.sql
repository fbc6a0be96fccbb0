-- What customers do beyond buying: reset a password, keep SSH keys, renew, upgrade, ask for a refund.

-- One living code per account: six digits, ten minutes, five tries; only its hash is kept.
create table password_resets (
  user_id uuid primary key references users,
  code_hash bytea not null check (length(code_hash) = 32),
  tries integer not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table ssh_keys (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null check (length(name) between 1 and 100),
  public_key text not null check (length(public_key) <= 4000),
  fingerprint text not null,
  created_at timestamptz not null,
  unique (user_id, fingerprint)
);

alter table orders add column ssh_keys text[] not null default '{}';

-- What was paid for which time: the first row at activation, one per renewal.
create table order_periods (
  order_id uuid not null references orders,
  seq integer not null check (seq >= 1),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  paid_fen bigint not null check (paid_fen >= 0),
  primary key (order_id, seq)
);

-- More resources, paid for the rest of the running period. PENDING until the resize is done; given back where it fails.
create table order_upgrades (
  id uuid primary key,
  order_id uuid not null references orders,
  job_id uuid not null unique references jobs,
  price_group_id uuid not null references price_groups,
  cpu_cores integer not null,
  memory_gb integer not null,
  storage_gb integer not null,
  bandwidth_mbps integer not null,
  charge_fen bigint not null check (charge_fen >= 0),
  status text not null check (status in ('PENDING', 'DONE', 'REVERSED')),
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'PENDING') = (finished_at is null))
);
create index order_upgrades_order_idx on order_upgrades (order_id, created_at);
create unique index order_upgrades_open_key on order_upgrades (order_id) where status = 'PENDING';
create index order_upgrades_open_idx on order_upgrades (job_id) where status = 'PENDING';

create table refund_requests (
  id uuid primary key,
  order_id uuid not null references orders,
  user_id uuid not null references users,
  reason text not null check (length(reason) between 1 and 500),
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  refunded_fen bigint check (refunded_fen >= 0),
  decision text check (length(decision) <= 500),
  decided_by uuid references users,
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((status = 'PENDING') = (decided_at is null))
);
create unique index refund_requests_open_key on refund_requests (order_id) where status = 'PENDING';
create index refund_requests_order_idx on refund_requests (order_id, created_at desc);
create index refund_requests_status_idx on refund_requests (status, created_at desc, id desc);
