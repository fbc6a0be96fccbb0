-- What was paid for the time without a server goes back where an order is set up on another host (decision 0127).
create table evacuations (
  job_id uuid constraint evacuations_pkey primary key constraint evacuations_job_id_fkey references jobs (id),
  order_id uuid not null constraint evacuations_order_id_fkey references orders (id),
  -- The host was last heard, and the order evacuated.
  from_at timestamptz not null,
  until_at timestamptz not null,
  credited_fen bigint not null constraint evacuations_credited_fen_not_negative check (credited_fen >= 0),
  constraint evacuations_ends_after_start check (until_at >= from_at)
);
create index evacuations_order_idx on evacuations (order_id, until_at desc);
create trigger evacuations_is_final before delete or update on evacuations
  for each row execute function refuse_change('rows are never changed or removed');
create trigger evacuations_is_not_truncated before truncate on evacuations
  for each statement execute function refuse_change('rows are never removed');
