-- What an order does by itself once it runs: reminders, renewal, suspension, expiry.

-- One row per mail that was due before an end of service. The end is part of the key: a renewal brings a new one, and with
-- it new reminders. `sent` is false for those that a later one of the same end has overtaken.
create table order_reminders (
  order_id uuid not null references orders,
  expires_at timestamptz not null,
  days integer not null check (days in (7, 3, 1)),
  sent boolean not null,
  at timestamptz not null,
  primary key (order_id, expires_at, days)
);

-- The wallet's last entry when an automatic renewal last found too little: it is tried again only after money came in.
alter table orders add column renewal_tried_seq bigint;

create index orders_suspended_idx on orders (expires_at) where status = 'SUSPENDED';
-- Starts that belong to an order's life (nobody asked for them) and failed: repeated once the host tells that the machine is off.
create index jobs_failed_starts_idx on jobs (finished_at) where kind = 'start' and status = 'FAILED' and asked_by is null;
create index placements_releasing_idx on placements (releasing_at) where state = 'releasing';
