-- What operators watch over time: the load of each host, and how quickly the doors answer.

-- A sample a minute from the host's own report; kept for 31 days.
create table host_samples (
  host_id uuid not null references hosts,
  at timestamptz not null,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  load1 real,
  primary key (host_id, at)
);
-- For forgetting: rows come in the order of time, so this is a few kB however many there are.
create index host_samples_at_idx on host_samples using brin (at);

-- Requests by minute, door and how long they took at most. Every process adds its own, so the sum is the product's.
create table request_minutes (
  at timestamptz not null,
  door text not null check (door in ('web', 'rest', 'agent')),
  up_to_ms integer not null check (up_to_ms > 0),
  requests bigint not null check (requests > 0),
  primary key (at, door, up_to_ms)
);
