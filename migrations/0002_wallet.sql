-- The wallet chain. Money is integer fen. The database itself refuses: the same reference twice, a wrong "before", an
-- overdraft, a balance changed alone, a balance set back to an older entry, an edit, a delete (docs/money.md).

create table wallets (
  id uuid primary key,
  user_id uuid not null unique references users,
  balance_fen bigint not null default 0 check (balance_fen >= 0),
  last_seq bigint not null default 0 check (last_seq >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What the deferred foreign key below points from: null before the first entry.
  last_entry_seq bigint generated always as (nullif(last_seq, 0)) stored,
  unique (id, user_id),
  check (last_seq > 0 or balance_fen = 0)
);

create table ledger_entries (
  wallet_id uuid not null,
  -- The wallet's owner once more, so that a list of one customer needs no join to be in order.
  user_id uuid not null,
  seq bigint not null check (seq >= 1),
  id uuid not null unique,
  number text not null unique,
  type text not null check (type in ('RECHARGE', 'ORDER_PAYMENT', 'REFUND', 'WITHDRAWAL', 'ADJUSTMENT')),
  -- What this entry is for, once per type: out_trade_no, order and period, ...
  reference text not null,
  before_fen bigint not null check (before_fen >= 0),
  amount_fen bigint not null check (amount_fen <> 0),
  after_fen bigint not null check (after_fen >= 0),
  description text not null check (length(description) <= 200),
  order_id uuid,
  payment_id uuid,
  created_at timestamptz not null,
  previous_seq bigint generated always as (case when seq > 1 then seq - 1 end) stored,
  primary key (wallet_id, seq),
  unique (wallet_id, seq, after_fen),
  unique (type, reference),
  check (after_fen = before_fen + amount_fen),
  check (seq > 1 or before_fen = 0),
  check (type <> 'RECHARGE' or amount_fen > 0),
  check (type <> 'REFUND' or amount_fen > 0),
  check (type <> 'ORDER_PAYMENT' or amount_fen < 0),
  check (type <> 'WITHDRAWAL' or amount_fen < 0),
  -- An entry can only continue the one before it.
  constraint ledger_entries_chain foreign key (wallet_id, previous_seq, before_fen)
    references ledger_entries (wallet_id, seq, after_fen),
  foreign key (wallet_id, user_id) references wallets (id, user_id)
);
create index ledger_entries_order_idx on ledger_entries (order_id) where order_id is not null;
create index ledger_entries_user_idx on ledger_entries (user_id, created_at desc, id desc);
create index ledger_entries_type_idx on ledger_entries (user_id, type, created_at desc, id desc);
create index ledger_entries_amount_idx on ledger_entries (user_id, (case when type = 'ADJUSTMENT' then amount_fen else abs(amount_fen) end), id);

-- The wallet's last number and balance are those of an entry that exists.
alter table wallets add constraint wallets_last_entry foreign key (id, last_entry_seq, balance_fen)
  references ledger_entries (wallet_id, seq, after_fen) deferrable initially deferred;

-- An insert moves the wallet; nothing else may.
create function ledger_entry_moves_wallet() returns trigger language plpgsql as $$
begin
  update wallets set balance_fen = new.after_fen, last_seq = new.seq, updated_at = new.created_at
    where id = new.wallet_id and last_seq = new.seq - 1 and balance_fen = new.before_fen;
  if not found then
    raise exception 'ledger entry % does not continue wallet %', new.seq, new.wallet_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_moves_wallet after insert on ledger_entries
  for each row execute function ledger_entry_moves_wallet();

create function wallet_only_moves_forward() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.user_id <> old.user_id then
    raise exception 'a wallet does not change its owner' using errcode = 'integrity_constraint_violation';
  end if;
  if (new.last_seq, new.balance_fen) is distinct from (old.last_seq, old.balance_fen) and new.last_seq <> old.last_seq + 1 then
    raise exception 'a wallet only moves forward by one entry' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger wallet_only_moves_forward before update on wallets
  for each row execute function wallet_only_moves_forward();

create function ledger_entries_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_entries_are_final before update or delete on ledger_entries
  for each row execute function ledger_entries_are_final();
create trigger ledger_entries_are_not_truncated before truncate on ledger_entries
  for each statement execute function ledger_entries_are_final();
