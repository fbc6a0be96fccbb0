-- Income by day from an index alone.
create index ledger_entries_day_idx on ledger_entries (created_at) include (type, amount_fen);
