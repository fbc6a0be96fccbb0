-- Orders and payments, and the one list of transactions over both.

create table orders (
  id uuid primary key,
  number text not null unique,
  user_id uuid not null references users,
  price_group_id uuid not null references price_groups,
  server_id uuid references servers,
  server_name text,
  status text not null check (status in ('PENDING', 'PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED')),
  suspend_reason text check (suspend_reason in ('unpaid', 'admin')),
  cancel_reason text check (length(cancel_reason) <= 200),
  amount_fen bigint not null check (amount_fen >= 0),
  -- What was really charged for the first period; null until paid.
  paid_fen bigint check (paid_fen >= 0),
  period text not null check (period in ('HOURLY', 'DAILY', 'MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL')),
  auto_renewal boolean not null,
  cpu_cores integer not null check (cpu_cores between 1 and 32),
  memory_gb integer not null check (memory_gb between 1 and 128),
  storage_gb integer not null check (storage_gb between 20 and 2000),
  bandwidth_mbps integer not null check (bandwidth_mbps between 1 and 1000),
  ip_count integer not null check (ip_count between 1 and 10),
  image_id uuid not null references images,
  os_name text not null,
  os_version text not null,
  ssh_port integer not null check (ssh_port = 22 or ssh_port between 1024 and 65535),
  initial_secret_id uuid not null references machine_secrets,
  created_at timestamptz not null,
  paid_at timestamptz,
  activated_at timestamptz,
  -- Start of the running chain of periods; renewals count from it, so months never drift.
  anchor_at timestamptz,
  periods_count integer not null default 0 check (periods_count >= 0),
  expires_at timestamptz,
  suspended_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null,
  check (status <> 'PENDING' or (paid_at is null and server_id is null)),
  check (status not in ('PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED') or (paid_at is not null and paid_fen is not null and server_id is not null)),
  check (status not in ('ACTIVE', 'SUSPENDED') or (expires_at is not null and anchor_at is not null)),
  check ((status = 'SUSPENDED') = (suspend_reason is not null))
);
-- One living order per server; an entered machine is sold again after its order has ended.
create unique index orders_server_key on orders (server_id) where status not in ('CANCELLED', 'EXPIRED');
create index orders_server_idx on orders (server_id);
create index orders_user_idx on orders (user_id, created_at desc, id desc);
create index orders_user_status_idx on orders (user_id, status, created_at desc, id desc);
create index orders_all_idx on orders (created_at desc, id desc);
create index orders_status_idx on orders (status, created_at desc, id desc);
create index orders_unpaid_idx on orders (created_at) where status = 'PENDING';
create index orders_set_up_idx on orders (paid_at) where status in ('PAID', 'PROCESSING');
create index orders_expiry_idx on orders (expires_at) where status in ('ACTIVE', 'SUSPENDED');
create index orders_price_group_idx on orders (price_group_id);

alter table servers add constraint servers_order foreign key (order_id) references orders deferrable initially deferred;
alter table ledger_entries add constraint ledger_entries_order foreign key (order_id) references orders;

create table payments (
  id uuid primary key,
  out_trade_no text not null unique check (out_trade_no ~ '^[A-Za-z0-9]{16,40}$'),
  user_id uuid not null references users,
  gateway text not null default 'epay',
  trade_no text,
  method text not null,
  money_fen bigint not null check (money_fen between 100 and 1000000),
  note text not null check (length(note) <= 100),
  device text not null,
  client_ip inet,
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED', 'CANCELLED')),
  -- `created` once the gateway said so; `unknown` while its answer was lost.
  creation text not null default 'unknown' check (creation in ('unknown', 'created', 'refused')),
  -- Only one call asks the gateway to create it at a time (racing creates gave two payable orders).
  creating_until timestamptz,
  qr_code text,
  pay_url text,
  failure text check (length(failure) <= 200),
  checks integer not null default 0,
  next_check_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  updated_at timestamptz not null,
  check ((status = 'SUCCESS') = (completed_at is not null))
);
create unique index payments_trade_key on payments (gateway, trade_no) where trade_no is not null;
create index payments_user_idx on payments (user_id, created_at desc, id desc);
create index payments_user_status_idx on payments (user_id, status, created_at desc, id desc);
create index payments_open_idx on payments (user_id, created_at desc, id desc) where status <> 'SUCCESS';
create index payments_amount_idx on payments (user_id, money_fen, id);
create index payments_due_idx on payments (next_check_at) where next_check_at is not null;
alter table ledger_entries add constraint ledger_entries_payment foreign key (payment_id) references payments;

-- Every trade number that the gateway ever told for a payment: a second paid one is an overpayment to be sent back.
create table payment_trades (
  gateway text not null,
  trade_no text not null,
  payment_id uuid not null references payments,
  overpaid boolean not null default false,
  seen_at timestamptz not null,
  primary key (gateway, trade_no)
);
create index payment_trades_payment_idx on payment_trades (payment_id);

-- Ledger entries, and recharges that did not or not yet credit (balances null): decisions, "Money". Both halves are plain
-- reads of one table with the same types, so that PostgreSQL can merge two indexes instead of sorting everything.
create view transactions as
  select id, user_id, number, type, case when type = 'ADJUSTMENT' then amount_fen else abs(amount_fen) end as amount_fen,
    'COMPLETED'::text as status, before_fen, after_fen, description, order_id, payment_id,
    created_at, created_at as completed_at
  from ledger_entries
  union all
  select id, user_id, out_trade_no, 'RECHARGE'::text, money_fen, status, null::bigint, null::bigint, note, null::uuid, id,
    created_at, null::timestamptz
  from payments where status <> 'SUCCESS';
